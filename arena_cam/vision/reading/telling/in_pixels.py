"""The parts of a picture in which faces of a card differ, and these faces drawn there as finely as they are known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, log2

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.vision.faces.deck_faces import FINELY_PX_PER_MM
from arena_cam.vision.faces.rendered import MARGIN_PX, OVERSAMPLED, Patch, Rendered, rendered
from arena_cam.vision.faces.softness import DIFFERENT, LUMA, apart_and_common
from arena_cam.vision.faces.telling import as_light
from arena_cam.vision.reading.telling.looks import CLOSELY, Looks

Box = tuple[int, int, int, int]  # left, top, width, height, in points of a card's grid

_ABOUT_MM = 1.5  # round about where faces differ there is paper to know the light by
_PART_MM = 16.0  # a figure and paper round about it
# Correlation of two drawings that are the same but for their inks: drawn beside each other by a tenth of a millimetre a
# figure's is 0.98. And grey levels of contrast that is none.
_SAME_SHAPE, _EVEN = 0.985, 1e-3
_MOST_OF_CARD = 0.4  # faces that differ over more are told by a card's grid as well, in a tenth of the time


def rendered_in_pixels(
    looks: Looks, likely: Sequence[tuple[int, int]], laid_mm: NDArray[np.float32]
) -> Rendered | None:
    """How well some faces (K,), upright (0) or turned (1), explain the picture's own pixels where they differ, each
    laid beside the card's pose by `laid_mm` (K, 2), rightwards and upwards, or a little off that. Print is compared by
    its light: which ink it is in the grid tells. None if nothing in view tells."""
    look = looks.at(CLOSELY)
    shown = look.weight > 0
    soft = look.soft(likely)
    differ = apart_and_common(soft, np.arange(len(soft)))[0] > DIFFERENT
    round_about = np.ones((2 * round(_ABOUT_MM * CLOSELY.px_per_mm) + 1,) * 2, np.uint8)
    near = np.asarray(cv2.dilate((differ & shown).astype(np.uint8), round_about), np.uint8)
    if not near.any() or float(near.mean()) > _MOST_OF_CARD:
        return None
    in_view, light = near * shown.astype(np.uint8), soft @ LUMA.astype(np.float32)
    parts = [part for part in _parts(near) if _differ_in_shape(light, in_view, part)]
    faces = _lights(looks, likely) if parts else []
    patches = (_patch(looks, faces, in_view, part, laid_mm) for part in parts)
    return rendered([patch for patch in patches if patch is not None], float(looks.known.scene.white @ LUMA))


def _parts(near: NDArray[np.uint8]) -> list[Box]:
    """Boxes (left, top, width, height) round about what is near (H, W) to where faces differ, none of them larger than
    a figure is: over a whole card an angle that is off by little displaces print by a pixel."""
    _, _, boxes, _ = cv2.connectedComponentsWithStats(near)
    most, parts = round(_PART_MM * CLOSELY.px_per_mm), []
    for left, top, width, height in boxes[1:, :4].tolist():
        across, along = ceil(width / most), ceil(height / most)
        columns, rows = np.linspace(left, left + width, across + 1), np.linspace(top, top + height, along + 1)
        x, y = columns.round().astype(int).tolist(), rows.round().astype(int).tolist()
        parts += [(a, b, c - a, d - b) for a, c in pairwise(x) for b, d in pairwise(y)]
    return parts


def _differ_in_shape(light: Grey, in_view: NDArray[np.uint8], part: Box) -> bool:
    """Whether faces, of which the `light` (K, H, W) is given softly, differ in a part of what is `in_view` (H, W) by
    more than gain and haze: frames in two inks do not."""
    left, top, width, height = part
    here = slice(top, top + height), slice(left, left + width)
    levels = light[:, *here][:, in_view[here] > 0].astype(np.float64)
    if not levels.size:
        return False
    levels -= levels.mean(axis=1, keepdims=True)
    levels /= np.sqrt((levels**2).sum(axis=1, keepdims=True)) + _EVEN
    return bool((levels @ levels.T).min() < _SAME_SHAPE)


def _lights(looks: Looks, likely: Sequence[tuple[int, int]]) -> list[Grey]:
    """The light of each of some faces (H, W), upright (0) or turned (1), sharply."""
    faces = looks.known.scene.faces
    upright = {face: as_light(faces.finely(face).astype(np.float32)).astype(np.float32) for face, _ in likely}
    return [upright[face][::-1, ::-1].copy() if turned else upright[face] for face, turned in likely]


def _patch(
    looks: Looks, faces: Sequence[Grey], in_view: NDArray[np.uint8], box: Box, laid_mm: NDArray[np.float32]
) -> Patch | None:
    """The part of the picture in which a `box` of the card's grid lies, and each of the `faces` (K; H, W) there, laid
    beside the card's pose; `in_view` (h, w), on that grid, is 1 where the card is asked about. None if the picture does
    not show that part."""
    picture = looks.known.scene.pyramid.levels[_level(looks)]
    left, top, width, height = box
    part = np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]], float)
    part /= in_view.shape[::-1]
    pixels = _pixels(looks, part, np.zeros(2, np.float32))
    least, most = np.floor(pixels.min(axis=0)).astype(int), np.ceil(pixels.max(axis=0)).astype(int) + 1
    least, most = np.maximum(least, 0), np.minimum(most, np.array(picture.shape[::-1]))
    wide, high = (most - least).tolist()
    if min(wide, high) < 1:
        return None
    to_patch = _homography(part, in_view.shape, pixels - least)
    shown = cv2.warpPerspective(in_view, to_patch, (wide, high), flags=cv2.INTER_NEAREST) > 0
    finer = np.diag([OVERSAMPLED, OVERSAMPLED, 1.0])
    finer[:2, 2] = OVERSAMPLED * MARGIN_PX
    size = OVERSAMPLED * (wide + 2 * MARGIN_PX), OVERSAMPLED * (high + 2 * MARGIN_PX)
    drawn = np.empty((len(faces), size[1], size[0]), np.float32)
    there: dict[bytes, Array] = {}  # faces that lie the same way up lie in one place
    for number, (face, laid) in enumerate(zip(faces, laid_mm, strict=True)):
        place = laid.tobytes()
        if place not in there:
            there[place] = finer @ _homography(part, face.shape, _pixels(looks, part, laid) - least)
        cv2.warpPerspective(face, there[place], size, drawn[number], borderMode=cv2.BORDER_REPLICATE)
    seen = picture[least[1] : most[1], least[0] : most[0]]
    return Patch(as_light(seen.astype(np.float64)), np.asarray(shown), drawn)


def _pixels(looks: Looks, part: Array, laid_mm: NDArray[np.float32]) -> Array:
    """Where points (N, 2) of a card, from 0 at its left and top to 1, lie in the picture that is compared (N, 2), the
    card laid rightwards and upwards by `laid_mm` (2,)."""
    scene, deck = looks.known.scene, looks.known.scene.faces.deck
    x = (part[:, 0] - 0.5) * deck.width_mm + float(laid_mm[0])
    y = (0.5 - part[:, 1]) * deck.height_mm + float(laid_mm[1])
    pixels = scene.camera.project_plane(looks.pose.plane, np.stack([x, y, np.ones_like(x)]))
    return np.asarray(pixels.T * 0.5 ** _level(looks))


def _homography(part: Array, shape: tuple[int, ...], pixels: Array) -> Array:
    """From the points of a drawing of a card of some `shape` (H, W) to the picture, by four places: `part` (4, 2) on
    the card, from 0 to 1, and `pixels` (4, 2). Over a part of a card a lens distorts nothing."""
    points = part * shape[::-1] - 0.5  # the middle of a point is a whole number
    return np.asarray(cv2.getPerspectiveTransform(points.astype(np.float32), pixels.astype(np.float32)), np.float64)


def _level(looks: Looks) -> int:
    """The pyramid's level at which a card is compared: no finer than its faces are known."""
    px_per_mm = looks.known.scene.camera.px_per_mm(looks.pose.centre_mm)
    return max(0, ceil(log2(px_per_mm / FINELY_PX_PER_MM)))
