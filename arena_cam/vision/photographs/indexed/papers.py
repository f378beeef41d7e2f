"""What a picture shows where a pose says that a card lies: paper, and of what colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.picture.robust import medians, percentiles

# Paper in one light: as light as the lightest card's to this share, and of its colour (logarithm of channel by green).
_DARKEST, _TINT = 0.5, 0.25
# Round an index it is of the paper's colour but for 0.03 within one picture; beige cloths with marks that look like an
# index were 0.09 and more from it.
_ROUND_TINT = 0.07
_AS_LIGHT, _MIDDLE, _WHOLE = 0.75, 0.36, 0.45  # how light, and to which share of its sides from its middle
# Along the middle of each side, so far from it (mm), faces are blank: pips and the frames of courts begin at 8 mm. Rims
# of backs are 2.5 to 5 mm wide. So much of each strip is print, which differs from paper by so much.
# Two sides of a stock that the picture cuts off show as well as three that none is a face's.
_STRIP_MM, _OFF_SIDE_MM, _STRIP_SEEN, _LEAST_STRIPS, _LEAST_PRINTED = 12.0, (5.0, 7.0), 0.6, 3, 2
# Of 81 faces drawn at most 0.23 of a strip is print, of 12 backs at least 0.94.
_PRINTED, _BLANK, _BLANK_LIGHT, _BLANK_TINT = 0.6, 0.5, 0.85, 0.12
# Just within its sides (mm), so far off its corners, a card is blank, but for what its outline is off by. Where so much
# of half a side is in view and less of it than that is paper, no card is.
_MARGIN_MM, _OFF_CORNER_MM, _MARGIN_POINTS, _MARGIN_SEEN, _MARGIN_PAPER = (1.5, 3.5), 7.0, 10, 0.6, 0.25
# What lies so far outside a side (mm) is compared with what is within, by the logarithm of colours: where half a card
# was torn off, this was 6 to 30 times as near to the cloth as to paper. A margin in shade is near to neither.
# Paper no darker than to three quarters is not asked about: a white table is as near. A pale linen, of which a third of
# the pixels were as light and grey as paper, was 0.45 to 0.5 from it in one channel, and 0.03 to 0.1 from itself.
_BEYOND_MM, _NEARER, _SHADED = (-6.0, -3.0), 0.5, 0.29
_LEAST_OWN, _POINTS, _LEAST_SEEN = 1 / 3, 16, 16  # points to a side of the grid, and of it to tell a colour
_LIGHT_PERCENTILE = 80.0  # of a face: what is not printed on
# What is so far (mm) within a card's sides, and so far outside them, is compared by colour (L, a, b in bins so wide).
_WITHIN_MM, _OUTSIDE_MM, _BINS, _LEAST_POINTS = 7.0, (3.0, 9.0), (16, 6, 6), 100

# 168 places on cloths had 0.82 and more in common with what was round them, a white card on white marble 0.5.
ONLY_CLOTH = 0.8


@dataclass(frozen=True, eq=False)
class SeenPlace:
    """Where a card of `card_mm` (width, height) would lie in a picture: at `pose` before a `camera`.

    `covered_px`: outlines (4, 2) of other cards, which may hide it.
    """

    image_bgr: NDArray[np.uint8]
    camera: Camera
    pose: CardPose
    card_mm: tuple[float, float]
    covered_px: Sequence[Array] = ()

    def paper(self) -> Array:
        """The colour (3,) of the unprinted part of what is seen there; zeros outside the picture.

        What other cards may hide is left out where a third of the card and more is left: so much of a face has some
        margin, and all of it is the card's own, whichever lies on top.
        """
        pixels = self._pixels(_WHOLE)
        if not len(pixels):
            return np.zeros(3)
        own = _uncovered(pixels, self.covered_px)
        if own.sum() >= _LEAST_OWN * _POINTS**2:
            pixels = pixels[own]
        return self._lightest(pixels)

    def paper_share(self, paper: Array) -> float:
        """Which share of its middle is of the colour (3,) of paper, covered or not; 1 outside the picture."""
        pixels = self._pixels(_MIDDLE)
        if not len(pixels):
            return 1.0
        seen = self.image_bgr[pixels[:, 1], pixels[:, 0]].astype(np.float64)
        return float(_is_paper(seen, paper, _AS_LIGHT, _TINT).mean())

    def is_printed_to_rim(self, papers: Sequence[Array]) -> bool:
        """Whether what lies there bears print along the middle of every side, where every face is blank: a back.

        `papers` (3,): colours of the paper of faces near it.
        """
        shares = [
            1.0 - max(float(_is_paper(seen, paper, _BLANK_LIGHT, _BLANK_TINT).mean()) for paper in papers)
            for seen in self._along_sides()
        ]
        return len(shares) >= _LEAST_PRINTED and min(shares) > _PRINTED

    def is_blank_along_sides(self, paper: Array) -> bool:
        """Whether what lies there is paper of that colour (3,), in any shade, along the middle of its sides, as faces
        are. Where other cards leave too little of them to tell it may be."""
        shares = [float(_is_paper(seen, paper, _DARKEST, _BLANK_TINT).mean()) for seen in self._along_sides()]
        return len(shares) < _LEAST_STRIPS or float(np.mean(shares)) > _BLANK

    def has_bare_side(self, paper: Array) -> bool:
        """Whether half a side lies where the picture shows none of the card's `paper` (3,), in any shade: the card lies
        otherwise, or a part of it is not there. Every face has a margin."""
        margins = _margins(self.card_mm)
        return any(
            len(seen) >= _MARGIN_SEEN * margins.shape[1]
            and float(_is_paper(seen, paper, _DARKEST, _TINT).mean()) < _MARGIN_PAPER
            for seen in self._in_parts(margins)
        )

    def ends_early(self, paper: Array) -> bool:
        """Whether along half a side the picture shows what lies outside it, not the card's `paper` (3,): half a card,
        or one that lies otherwise. A cloth may be as light as paper in a shade, so it is asked which is the nearer."""
        inside, outside = _margins(self.card_mm), _margins(self.card_mm, _BEYOND_MM)
        for seen, beyond in zip(self._in_parts(inside), self._in_parts(outside), strict=True):
            if min(len(seen), len(beyond)) < _MARGIN_SEEN * inside.shape[1]:
                continue
            there, cloth = (medians(np.log(np.maximum(each, 1.0))) for each in (seen, beyond))
            off_paper = float(np.abs(there - np.log(np.maximum(paper, 1.0))).max())
            if off_paper > _SHADED and float(np.abs(there - cloth).max()) < _NEARER * off_paper:
                return True
        return False

    def is_paper_round(self, papers: Sequence[Array]) -> bool:
        """Whether a mark (`card_mm` is its size) has one of the `papers` (3,) round it, in any shade: a cloth has marks
        that look like print."""
        colour = self.paper()
        return any(is_same_paper(colour, paper, _ROUND_TINT) for paper in papers)

    def likeness_outside(self) -> float:
        """How alike the colours within its sides and just outside them are: 0 for no colour in common, 1 for the same
        share of each (Bhattacharyya's coefficient), as where there is only cloth; 1, too, where too little is seen."""
        likeness = self._likeness()
        return 1.0 if likeness is None else likeness

    def is_as_outside(self) -> bool:
        """Whether enough is seen of it to say that it looks as what is round it does: only cloth."""
        likeness = self._likeness()
        return likeness is not None and likeness > ONLY_CLOTH

    def is_sheet(self) -> bool:
        """Whether a sheet lies there: its margin is of one paper, and what is within is not as what is round it."""
        return not self.is_as_outside() and not self.has_bare_side(self.paper())

    def is_only_cloth(self, papers: Sequence[Array]) -> bool:
        """The same, and what is seen there is of another colour than each of the `papers` (3,), by more than the light
        on a table differs."""
        pixels = self._pixels(_WHOLE)
        pixels = pixels[_uncovered(pixels, self.covered_px)]
        if len(pixels) < _LEAST_SEEN or not self.is_as_outside():
            return False
        colour = self._lightest(pixels)
        off = [np.abs(np.log(np.maximum(colour, 1.0)) - np.log(np.maximum(paper, 1.0))).max() for paper in papers]
        return bool(min(off, default=0.0) > _SHADED)

    def _likeness(self) -> float | None:
        """As `likeness_outside`; None where too little is seen."""
        half = np.array(self.card_mm) / 2
        grid = np.meshgrid(*(np.arange(-h - _OUTSIDE_MM[1], h + _OUTSIDE_MM[1], 1.0) for h in half))
        x, y = (axis.ravel() for axis in grid)
        out = np.maximum(np.abs(x) - half[0], np.abs(y) - half[1])
        shares = []
        for part in (out < -_WITHIN_MM, out > _OUTSIDE_MM[0]):
            seen = self._seen_at(x[part], y[part]).astype(np.uint8)
            if len(seen) < _LEAST_POINTS:
                return None
            lab = np.asarray(cv2.cvtColor(seen[None], cv2.COLOR_BGR2LAB)[0], np.float64)
            bins = [np.arange(0.0, 256.0 + width, width) for width in _BINS]
            count = np.histogramdd(lab, bins)[0]
            shares.append(count / count.sum())
        return float(np.sqrt(shares[0] * shares[1]).sum())

    def _along_sides(self) -> list[Array]:
        """The colours (N, 3) along the middle of each side that is in the picture and not under the outlines."""
        strips = _strips(self.card_mm)
        return [seen for x, y in strips if len(seen := self._seen_at(x, y)) >= _STRIP_SEEN * len(x)]

    def _seen_at(self, x: Array, y: Array) -> Array:
        """The colours (M, 3) at those points (N,) of the card (mm) that are in the picture and not under the
        outlines."""
        pixels, free = self._in_view(x, y)
        return np.asarray(self.image_bgr[pixels[free, 1], pixels[free, 0]], np.float64)

    def _in_parts(self, parts: Array) -> list[Array]:
        """The same of each of several parts (P, N, 2) of a card: (M, 3)."""
        pixels, free = self._in_view(*parts.reshape(-1, 2).T)
        seen = self.image_bgr[pixels[free, 1], pixels[free, 0]].astype(np.float64)
        return np.split(seen, np.cumsum(free.reshape(len(parts), -1).sum(axis=1))[:-1])

    def _in_view(self, x: Array, y: Array) -> tuple[NDArray[np.int_], NDArray[np.bool_]]:
        """Columns and rows (N, 2) of points (N,) of the card (mm), and which are in the picture and not under the
        outlines."""
        pixels = np.round(self.camera.project(self.pose.points(x, y))).astype(int)
        free = ((pixels >= 0) & (pixels < self.image_bgr.shape[1::-1])).all(axis=1)
        return pixels, free & _uncovered(pixels, self.covered_px)

    def _pixels(self, within: float) -> NDArray[np.int_]:
        """Columns and rows (N, 2) in the picture of a grid over the card, to this share of its sides from its
        middle."""
        x, y = np.meshgrid(*(np.linspace(-within * side, within * side, _POINTS) for side in self.card_mm))
        pixels = np.round(self.camera.project(self.pose.points(x.ravel(), y.ravel()))).astype(int)
        return pixels[((pixels >= 0) & (pixels < self.image_bgr.shape[1::-1])).all(axis=1)]

    def _lightest(self, pixels: NDArray[np.int_]) -> Array:
        """The colour (3,) of what is not printed on among pixels (N, 2)."""
        return percentiles(self.image_bgr[pixels[:, 1], pixels[:, 0]], (_LIGHT_PERCENTILE,))[0]


def places_among(
    image_bgr: NDArray[np.uint8], camera: Camera, poses: Sequence[CardPose], card_mm: tuple[float, float]
) -> list[SeenPlace]:
    """The place of each of several cards of one size, which the others may hide."""
    outlines = [camera.project(pose.corners(*card_mm)) for pose in poses]
    return [
        SeenPlace(image_bgr, camera, pose, card_mm, outlines[:n] + outlines[n + 1 :]) for n, pose in enumerate(poses)
    ]


@lru_cache(maxsize=8)
def _margins(card_mm: tuple[float, float], off_mm: tuple[float, float] = _MARGIN_MM) -> Array:
    """Points (8, N, 2) just within each half of each side of a card (mm), off its round corners; `off_mm` of the
    side."""
    half = np.array(card_mm) / 2
    off = np.linspace(*off_mm, 3)
    found = []
    for axis in (0, 1):
        along = np.linspace(_OFF_CORNER_MM, half[axis], _MARGIN_POINTS)
        for way in (1.0, -1.0):
            for end in (1.0, -1.0):
                grid = np.stack(np.meshgrid(end * (half[axis] - along), way * (half[1 - axis] - off)), axis=-1)
                found.append(grid.reshape(-1, 2)[:, :: 1 if axis == 0 else -1])
    return np.array(found)


def _strips(card_mm: tuple[float, float]) -> list[tuple[Array, Array]]:
    """Points (x, y) on a card along the middle of each of its sides."""
    grid = np.meshgrid(np.linspace(-_STRIP_MM, _STRIP_MM, 25), np.linspace(*_OFF_SIDE_MM, 4))
    along, off = (axis.ravel() for axis in grid)
    right, top = card_mm[0] / 2 - off, card_mm[1] / 2 - off
    return [(along, top), (along, -top), (right, along), (-right, along)]


def _uncovered(pixels: NDArray[np.int_], outlines: Sequence[Array]) -> NDArray[np.bool_]:
    """Which pixels (N, 2) lie within none of the outlines (4, 2)."""
    free = np.ones(len(pixels), bool)
    for outline in outlines:
        free &= ~_under(pixels, outline)
    return free


def _under(pixels: NDArray[np.int_], outline: Array) -> NDArray[np.bool_]:
    """Which pixels (N, 2) lie within an outline (4, 2), either way round."""
    x, y = pixels.T
    turns = [
        (after[0] - at[0]) * (y - at[1]) - (after[1] - at[1]) * (x - at[0])
        for at, after in zip(outline, np.roll(outline, -1, axis=0), strict=True)
    ]
    low, high = np.minimum.reduce(turns), np.maximum.reduce(turns)
    return np.asarray((low >= 0) | (high <= 0))


def _is_paper(seen: Array, paper: Array, least_light: float, most_tint: float) -> NDArray[np.bool_]:
    """Which of the colours (N, 3) are as light as the `paper` (3,), to a share, and of its tint."""
    light = seen.max(axis=1) > least_light * float(paper.max())
    tints = np.log(np.maximum(seen, 1.0) / np.maximum(seen[:, 1:2], 1.0)) - np.log(
        np.maximum(paper, 1.0) / max(float(paper[1]), 1.0)
    )
    return np.asarray(light & (np.abs(tints).max(axis=1) < most_tint))


def is_same_paper(colour: Array, other: Array, most_tint: float = _TINT) -> bool:
    """Whether one colour (3,) may be the same paper as another that is known to be, a little shaded or not;
    `most_tint` (logarithm): how far apart their colours may be."""
    if colour[1] < _DARKEST * other[1]:
        return False
    tints = [np.log(np.maximum(each, 1.0) / max(float(each[1]), 1.0)) for each in (colour, other)]
    return bool(np.abs(tints[0] - tints[1]).max() < most_tint)
