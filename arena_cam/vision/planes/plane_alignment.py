"""Aligns a face with a photograph to sub-pixel by the brightness of both, robustly against whatever covers the card.

Inverse compositional Gauss-Newton (Baker and Matthews, "Lucas-Kanade 20 years on", IJCV 2004) over the eight
parameters of a homography, with gain, offset and a linear fall-off of light solved along, and Cauchy weights.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.faces.deck_faces import DeckFaces, FaceGrid
from arena_cam.vision.picture.robust import MAD_TO_SD
from arena_cam.vision.planes.picture import Homography, Picture, scale_px_per_mm

_GREY = np.array([0.114, 0.587, 0.299], np.float32)
_LIGHT_TERMS = 4
# Pull towards the last estimate, as a share of the information itself, where a sliver of a card tells little: the two
# perspective terms of a card that fills a tenth of the view are small, so theirs is stronger.
_DAMPING = np.array([1e-3] * 6 + [2e-2] * 2 + [1e-6] * _LIGHT_TERMS)
# Cauchy's tuning constant for 95 % efficiency under Gaussian noise, in standard deviations.
_CAUCHY = 2.385
# Print that lies half a grid cell off must still pull: its edges may differ that much before they are distrusted.
_EDGE_CELLS = 0.7
# A lens's veil and blur lower the contrast of print, a camera's tone curve raises it a little.
_GAIN_RANGE = (0.6, 1.25)
# Spreads in grey levels that the weights assume at least, step by step: print that is a little off must still pull.
_SPREAD_FLOORS = (40.0, 30.0, 20.0, 14.0, 10.0, 7.0)
_STEPS_ON_SUPPORT = 4
_FAINT = 0.25
_SETTLED = 3e-4  # of half a card's height: 13 micrometres
_MOST_STACKS = 6  # the cards of one photograph are of nearly one size, but outlines of other things are tried too
_MOST_TEMPLATES = 96  # two dozen faces at four blurs
_LEAST_TRUSTED = 0.01  # of its area that must be taken to be seen
_LEAST_INSIDE = 0.25  # of the card's area that must lie in the picture
_SMALLEST_PX_PER_MM, _LARGEST_PX_PER_MM = 0.3, 60.0


Range = tuple[float, float]
Floats = NDArray[np.floating[Any]]
Slack = Floats | float


@dataclass(frozen=True, eq=False)
class Template:
    """One face at one blur, ready for alignment. Coordinates are millimetres over half the card's height."""

    bgr: Floats
    grey: Floats
    steepest: Floats  # (N, 8): change of brightness for each parameter of the homography
    light: Floats  # (N, 4): face, one, x, y
    edge: Floats  # (H, W): change of brightness over one grid cell, the largest of the three colours


class Templates:
    """Faces of a deck at one sampling, blurred as far as a photograph of some size blurs them; made when asked.

    The last used are kept: a fine template takes 0.8 MB, a fine stack of 24 faces 3.6 MB.
    """

    def __init__(self, faces: DeckFaces, px_per_mm: float) -> None:
        self.grid = faces.grid(px_per_mm)
        self.faces = faces
        self.unit_mm = faces.deck.height_mm / 2
        self._made: OrderedDict[tuple[int, float], Template] = OrderedDict()
        self._stacks: OrderedDict[float, Floats] = OrderedDict()

    def blur_for(self, px_from_mm: Homography) -> float:
        """Standard deviation in grid cells of the blur of a photograph of the card at that size, in steps of 0.6."""
        ratio = self.grid.px_per_mm / max(scale_px_per_mm(px_from_mm), 1e-3)
        return min(round(max(ratio, 0.6) * 0.8 / 0.6) * 0.6, 4.8)

    def stack(self, blur: float) -> Floats:
        """All faces (faces, H, W, 3) at that blur."""
        if blur not in self._stacks:
            faces = (self.grid.bgr_of(face) for face in range(len(self.faces.names)))
            self._stacks[blur] = np.stack([cv2.GaussianBlur(face, (0, 0), max(blur, 0.1)) for face in faces])
            if len(self._stacks) > _MOST_STACKS:
                self._stacks.popitem(last=False)
        self._stacks.move_to_end(blur)
        return self._stacks[blur]

    def template(self, face: int, blur: float) -> Template:
        key = (face, blur)
        if key not in self._made:
            self._made[key] = _template(self.stack(blur)[face], self.grid, self.unit_mm)
            if len(self._made) > _MOST_TEMPLATES:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]


def _template(bgr: Floats, grid: FaceGrid, unit_mm: float) -> Template:
    grey = bgr @ _GREY
    step = 1.0 / grid.px_per_mm / unit_mm
    gx = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125).ravel() / step
    gy = -cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125).ravel() / step
    x, y = grid.x_mm.ravel() / unit_mm, grid.y_mm.ravel() / unit_mm
    radial = x * gx + y * gy
    steepest = np.stack([x * gx, y * gx, gx, x * gy, y * gy, gy, -x * radial, -y * radial], axis=1)
    light = np.stack([grey.ravel(), np.ones_like(x), x, y], axis=1)
    slope = np.hypot(cv2.Sobel(bgr, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(bgr, cv2.CV_32F, 0, 1, scale=0.125))
    return Template(bgr.copy(), grey, steepest.astype(np.float32), light.astype(np.float32), slope.max(axis=2))


@dataclass(frozen=True, eq=False)
class Alignment:
    """Where a face came to lie. `residual` is the robust spread of brightness left, in grey levels."""

    px_from_mm: Homography
    weights: Floats
    residual: float
    gain: float


def align(
    picture: Picture,
    px_from_mm: Homography,
    templates: Templates,
    face: int,
    steps: int,
    support: Floats | None = None,
) -> Alignment | None:
    """`px_from_mm` bettered in up to `steps` steps; None where it collapses or leaves the picture.

    `support` (H, W), 0 to 1, says where the face is known to be seen: the first steps look there alone, the later ones
    wherever neighbouring cells agree with the face.
    """
    template = templates.template(face, templates.blur_for(px_from_mm))
    columns = np.concatenate([template.steepest, template.light], axis=1)
    shape = templates.grid.mask.shape
    slack = (_EDGE_CELLS * template.edge.ravel()) ** 2
    trusted: Floats = np.ones(slack.shape, np.float32) if support is None else support.ravel()
    current, solution = px_from_mm, np.zeros(columns.shape[1])
    for step in range(steps + 1):
        seen = _seen(picture, current, templates.grid, trusted)
        if seen is None:
            return None
        grey, usable = seen
        if step == 0:
            solution[8:] = _light(template.light, grey, usable * trusted)
        floor = _SPREAD_FLOORS[min(step, len(_SPREAD_FLOORS) - 1)]
        weights = _cauchy(grey - columns[:, 8:] @ solution[8:], usable, trusted, floor, slack)
        if step >= _STEPS_ON_SUPPORT:
            trusted = np.asarray(cv2.blur(weights.reshape(shape), (7, 7)), np.float32).ravel()
        solution = _solve(columns, grey, weights, _gain_range(template.grey.ravel(), grey, weights))
        gain = float(solution[8])
        if gain < 0.1 or (step == _STEPS_ON_SUPPORT and _faint(template.light, grey, weights)):
            return None
        spread = _spread(grey - columns @ solution, usable, trusted)
        if step == steps:
            break
        change = solution[:8] / gain
        moved = _composed(current, change, templates.unit_mm)
        if moved is None:
            return None
        current = moved
        if step >= _STEPS_ON_SUPPORT and np.abs(change).max() < _SETTLED:
            break
    return Alignment(current, weights.reshape(shape), spread, gain)


def _seen(
    picture: Picture, px_from_mm: Homography, grid: FaceGrid, trusted: Floats
) -> tuple[Floats, NDArray[np.bool_]] | None:
    """The grey picture (N,) at the grid's cells, and which of them (N,) are on the card and in the picture; None where
    too few are."""
    mask = grid.mask.ravel()
    patch, inside = picture.patch(px_from_mm, grid)
    usable = mask & inside.ravel()
    if usable.sum() < _LEAST_INSIDE * mask.sum() or (usable * trusted).sum() < _LEAST_TRUSTED * mask.sum():
        return None
    return (patch @ _GREY).ravel(), usable


def _composed(px_from_mm: Homography, change: NDArray[np.float64], unit_mm: float) -> Homography | None:
    """`px_from_mm` after the inverse of the small warp `change` of the face; None for one that is not small."""
    p = change
    warp = np.array([[1 + p[0], p[1], p[2]], [p[3], 1 + p[4], p[5]], [p[6], p[7], 1.0]])
    if np.linalg.det(warp) < 0.2:
        return None
    unit = np.diag([unit_mm, unit_mm, 1.0])
    moved = px_from_mm @ unit @ np.linalg.inv(warp) @ np.linalg.inv(unit)
    moved = moved / moved[2, 2]
    return moved if _SMALLEST_PX_PER_MM < scale_px_per_mm(moved) < _LARGEST_PX_PER_MM else None


def _faint(light: Floats, grey: Floats, weights: Floats) -> bool:
    """Whether after the first steps next to none of the face's print is there: not worth more of them."""
    w = weights / max(float(weights.sum()), 1e-6)
    face = light[:, 0] - (w * light[:, 0]).sum()
    there = weights >= 0.5 * weights.max()
    ratio = float(np.median(grey[there])) / max(float(np.median(light[there, 0])), 1.0)
    gain = float((w * face * grey).sum()) / max(float((w * face * face).sum()), 1e-3)
    return gain < _FAINT * ratio


def _light(columns: Floats, grey: Floats, weights: Floats) -> NDArray[np.float64]:
    """Gain, offset and fall-off (4,) of light alone, robustly, the gain that of the brightest parts."""
    there = weights >= 0.3 * weights.max()
    gain = float(np.median(grey[there])) / max(float(np.median(columns[there, 0])), 1.0)
    rest = grey - gain * columns[:, 0]
    solution: Floats = np.zeros(3)
    w = weights
    for _ in range(4):
        weighted = columns[:, 1:] * w[:, None]
        information = (weighted.T @ columns[:, 1:]).astype(np.float64)
        ridge = np.diag(1e-4 * np.diag(information) + 1e-6)
        solution = np.linalg.solve(information + ridge, (weighted.T @ rest).astype(np.float64))
        w = _cauchy(rest - columns[:, 1:] @ solution, there, weights, _SPREAD_FLOORS[-1])
    return np.concatenate([[gain], solution]).astype(np.float64)


def _spread(left: Floats, usable: NDArray[np.bool_], trusted: Floats) -> float:
    """Robust standard deviation of what is left where the face is trusted to be seen."""
    there = usable & (trusted >= 0.5 * trusted[usable].max())
    return MAD_TO_SD * float(np.median(np.abs(left[there if there.sum() > 20 else usable])))


def _cauchy(left: Floats, usable: NDArray[np.bool_], trusted: Floats, floor: float, slack: Slack = 0.0) -> Floats:
    """Cauchy's weights; `slack` is variance that a cell may have besides, where print has edges."""
    spread = min(max(_spread(left, usable, trusted), floor), 45.0)
    return np.asarray(usable * trusted / (1.0 + left**2 / (_CAUCHY**2 * (spread**2 + slack))), np.float32)


def _gain_range(face: Floats, grey: Floats, weights: Floats) -> Range:
    """Gains that light can make: near the ratio of the brightness of photograph and face, where the face is seen.

    Without it a card with little print (an ace) is fitted best by no print at all.
    """
    there = weights >= 0.5 * weights.max()
    ratio = float(np.median(grey[there])) / max(float(np.median(face[there])), 1.0)
    return _GAIN_RANGE[0] * ratio, _GAIN_RANGE[1] * ratio


def _solve(a: Floats, grey: Floats, weights: Floats, gains: Range) -> NDArray[np.float64]:
    weighted = a * weights[:, None]
    information = (weighted.T @ a).astype(np.float64)
    right = (weighted.T @ grey).astype(np.float64)
    diagonal = np.diag(information).copy()
    diagonal[:8] = np.maximum(diagonal[:8], diagonal[:8].max() * 1e-2)
    information += np.diag(_DAMPING[: len(diagonal)] * diagonal + 1e-6)
    solution = np.linalg.solve(information, right)
    if not gains[0] <= solution[8] <= gains[1]:
        gain = min(max(float(solution[8]), gains[0]), gains[1])
        others = np.arange(len(solution)) != 8
        solution[others] = np.linalg.solve(
            information[np.ix_(others, others)], (right - information[:, 8] * gain)[others]
        )
        solution[8] = gain
    return np.asarray(solution)
