"""The background round a card, and whether each side of an outline separates it from something else.

Only a card's true outline has the background everywhere just outside, and nowhere just inside: an outline along a
thread of the cloth has cloth on both sides, one along a printed frame has the card on both. Colours are compared one by
one, not by their means, and both ways: a weave, planks or squares have several colours, and a white border has one of
them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.edge_tracing import side_points
from arena_cam.vision.deck_learning.straightening import Pixels, px_per_mm
from arena_cam.vision.picture.linear_light import Linear

# Millimetres outside an outline. What is just inside it: beyond an edge's blur, within any printed border. Just
# outside: beyond the shadow of the card's own thickness. Further out: what those are compared with.
_WITHIN_MM = np.arange(-1.0, -0.35, 0.2)
_BEYOND_MM = np.arange(0.8, 2.0, 0.3)
_FURTHER_MM = np.arange(3.0, 12.0, 0.5)
_BLUR_PX = 1.5, 2.5  # an edge's own: nothing is compared nearer to it, within and beyond
_NEXT = 6  # of the lines further out: colours that a strip has to have; planks and squares end somewhere
# To look for where the background begins, it is taken from beyond the widest margin that a card's frame has.
_MARGIN_MM = np.arange(0.5, 8.5, 0.25)
_OUTER_MM = np.arange(9.0, 18.0, 0.5)
_PLACES = 48  # along a side: two to a thread of the coarsest cloth
_LEAST_KNOWN = 60  # colours, or the picture ends too close to the card
_MOST_COMPARED = 400
_NEIGHBOURS, _OWN_SHARE = 3, 0.95  # alike is what has three neighbours as near as 95 % of the background's own have
# Cube roots of linear light: what light that falls off over a centimetre, noise and JPEG make of one colour.
_SAME_COLOUR = 0.012
_RUN_MM = 1.0  # over which what is beyond a margin's line has to go on


@dataclass(frozen=True, eq=False)
class Parting:
    """Shares of the strips just `within` and just `beyond` each side (4,), top, right, bottom, left, that have colours
    of what is further out; NaN where the picture ends too close: a card that fills it is judged by its edges alone.

    `covered`: the share of what is further out whose colours the strips beyond the sides have, too, over all sides: the
    grain of a plank may run along one.
    """

    within: Array
    beyond: Array
    covered: float

    @property
    def clear(self) -> float:
        """How well the worst side parts the card from what it lies on: 0 to 1; 1 where nothing is known."""
        worst = np.minimum(1.0 - self.within, self.beyond)
        return float(np.nanmin(worst)) if np.isfinite(worst).any() else 1.0


def parting(light: Linear, pixels: Pixels, width_mm: float, height_mm: float) -> Parting:
    """How the sides of an outline part a picture of linear light (H, W, 3)."""
    alike, covered = np.full((2, 4), np.nan), np.full((2, 4), np.nan)
    blur_mm = np.array(_BLUR_PX) / px_per_mm(pixels, width_mm, height_mm)
    strips = (
        _WITHIN_MM - max(0.0, blur_mm[0] + float(_WITHIN_MM.max())),
        _BEYOND_MM + max(0.0, blur_mm[1] - float(_BEYOND_MM.min())),
    )
    for side in range(4):
        further, seen = _strip(light, pixels, side, _FURTHER_MM, width_mm, height_mm)
        around = _Colours.of(further, seen)
        near = further[:, :_NEXT][seen[:, :_NEXT]]
        for k, depths in enumerate(strips):
            strip, there = _strip(light, pixels, side, depths, width_mm, height_mm)
            own = _Colours.of(strip, there)
            if around is not None and own is not None and len(near):
                alike[k, side] = around.like(strip[there]).mean()
                covered[k, side] = own.like(near).mean()
    if not np.isfinite(alike).any():
        return Parting(alike[0], alike[1], 1.0)
    # a white border is like a cloth's white squares, but a cloth has others, too
    weight = np.nan_to_num(alike[0])
    has_all = float((weight * np.nan_to_num(covered[0])).sum() / max(float(weight.sum()), 1e-9))
    return Parting(alike[0] * has_all, alike[1], float(np.nanmean(covered[1])))


def where_it_begins(light: Linear, pixels: Pixels, width_mm: float, height_mm: float) -> Array | None:
    """The outline's corners (4, 2), as shares of width and height, moved out to where what lies round the card begins.

    None where it begins at the outline itself, or nowhere.
    """
    lines = np.zeros((4, 2))  # a side's distance outwards in mm at its two ends
    t = np.linspace(-1.0, 1.0, _PLACES)
    run = round(_RUN_MM / (_MARGIN_MM[1] - _MARGIN_MM[0]))
    for side in range(4):
        around = _Colours.of(*_strip(light, pixels, side, _OUTER_MM, width_mm, height_mm))
        if around is None:
            continue
        margin, _ = _strip(light, pixels, side, _MARGIN_MM, width_mm, height_mm)
        other = ~around.like(margin.reshape(-1, 3)).reshape(margin.shape[:2])
        # from inside out: the first place from which on a millimetre is mostly background
        share = cv2.boxFilter(other.astype(np.float32), -1, (run, 3), anchor=(0, 1), borderType=cv2.BORDER_REPLICATE)
        ends = share < 0.5
        if ends.any(axis=1).mean() < 0.5:
            return None
        known = ends.any(axis=1)
        first = ends.argmax(axis=1)
        at_mm = np.where(first > 0, _MARGIN_MM[first], 0.0)
        lines[side] = _line(t[known], at_mm[known])
    if np.abs(lines).max() < _MARGIN_MM[0]:
        return None
    return _corners(lines, width_mm, height_mm)


def _line(t: Array, value: Array) -> Array:
    """The values at both ends of a line through most of the points."""
    design = np.column_stack([np.ones(len(t)), t])
    weight, line = np.ones(len(t)), np.array([np.median(value), 0.0])
    for _ in range(8):
        off = np.abs(value - design @ line)
        weight = 1.0 / (1.0 + (off / 0.5) ** 2)
        root = np.sqrt(weight)[:, None]
        line = np.linalg.lstsq(design * root, value * root[:, 0], rcond=None)[0]
    return np.array([line[0] - line[1], line[0] + line[1]])


def _corners(outwards_mm: Array, width_mm: float, height_mm: float) -> Array:
    """Corners (4, 2), as shares, of the outline whose sides' ends (4, 2) are moved out by so much."""
    points = side_points(2)
    size = np.array([width_mm, height_mm])
    moved = points * size + outwards_mm[:, :, None] * _OUTWARDS[:, None, :]
    ones = np.ones((4, 1))
    lines = np.cross(np.hstack([moved[:, 0], ones]), np.hstack([moved[:, 1], ones]))
    meet = np.cross(np.roll(lines, 1, axis=0), lines)
    return np.asarray(meet[:, :2] / meet[:, 2:3] / size)


_OUTWARDS = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])  # from the top, right, bottom, left side


def _strip(
    light: Linear, pixels: Pixels, side: int, outside_mm: Array, width_mm: float, height_mm: float
) -> tuple[Array, NDArray[np.bool_]]:
    """Colours (N, D, 3), as cube roots, on lines along a side, and which of them (N, D) are in the picture."""
    out = _OUTWARDS[side] / (width_mm, height_mm)
    places = side_points(_PLACES)[side][:, None] + outside_mm[None, :, None] * out
    at = pixels(places.reshape(-1, 2)).astype(np.float32)[None]
    height, width = light.shape[:2]
    seen = np.asarray(((at >= 0.0) & (at <= (width - 1, height - 1))).all(axis=2), np.bool_)[0]
    colours = cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    eye = np.cbrt(np.maximum(np.asarray(colours, np.float64)[0], 0.0))
    return eye.reshape(*places.shape[:2], 3), seen.reshape(places.shape[:2])


class _Colours:
    """A background's colours, and how near to them another must be to be one of them."""

    def __init__(self, colours: Array) -> None:
        self._own = colours[:: max(1, len(colours) // _MOST_COMPARED)]
        # A quarter of them tells how near they are to one another; the colour itself comes first.
        nearest = _to_nearest(self._own[::4], self._own, _NEIGHBOURS + 1)
        self._near = float(np.quantile(nearest, _OWN_SHARE)) + _SAME_COLOUR

    @staticmethod
    def of(colours: Array, seen: NDArray[np.bool_]) -> _Colours | None:
        known = colours[seen]
        return _Colours(known) if len(known) >= _LEAST_KNOWN else None

    def like(self, colours: Array) -> NDArray[np.bool_]:
        """Which of the colours (N, 3) are the background's."""
        return np.asarray(_to_nearest(colours, self._own, _NEIGHBOURS) < self._near, np.bool_)


def _to_nearest(colours: Array, others: Array, count: int) -> Array:
    """How far from each colour (N, 3) the `count`-th nearest of others (M, 3) is."""
    others = others.astype(np.float32)  # half the memory to go through: three times as quick, right to 1e-5
    squares = (-2.0 * colours).astype(np.float32) @ others.T
    squares += (others**2).sum(axis=1)  # the colour's own square changes no order
    squares.partition(count - 1, axis=1)
    return np.asarray(np.sqrt(np.maximum(squares[:, count - 1] + (colours**2).sum(axis=1), 0.0)))
