"""What a picture shows where a pose says that a card lies: paper, and of what colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose

# Paper in one light: as light as the lightest card's to this share, and of its colour (logarithm of channel by green).
_DARKEST, _TINT = 0.5, 0.25
_AS_LIGHT, _MIDDLE = 0.75, 0.36
_LIGHT_PERCENTILE = 80.0  # of a face: what is not printed on


def paper_of(image_bgr: NDArray[np.uint8], camera: Camera, pose: CardPose, card_mm: tuple[float, float]) -> Array:
    """The colour (3,) of the unprinted part of what is seen where a card at `pose` lies; zeros outside the picture."""
    seen = _pixels_of(image_bgr, camera, pose, card_mm, 0.45)
    if not len(seen):
        return np.zeros(3)
    return np.asarray(np.percentile(seen, _LIGHT_PERCENTILE, axis=0))


def paper_share(
    image_bgr: NDArray[np.uint8], camera: Camera, pose: CardPose, card_mm: tuple[float, float], paper: Array
) -> float:
    """Which share of the middle of a card at `pose` is of the colour (3,) of paper; 1 outside the picture."""
    seen = _pixels_of(image_bgr, camera, pose, card_mm, _MIDDLE).astype(np.float64)
    if not len(seen):
        return 1.0
    light = seen.max(axis=1) > _AS_LIGHT * float(paper.max())
    tints = np.log(np.maximum(seen, 1.0) / np.maximum(seen[:, 1:2], 1.0)) - np.log(
        np.maximum(paper, 1.0) / max(float(paper[1]), 1.0)
    )
    return float((light & (np.abs(tints).max(axis=1) < _TINT)).mean())


def _pixels_of(
    image_bgr: NDArray[np.uint8], camera: Camera, pose: CardPose, card_mm: tuple[float, float], within: float
) -> NDArray[np.uint8]:
    """Pixels (N, 3) of a grid over the card, to this share of its sides from its middle."""
    x, y = np.meshgrid(*(np.linspace(-within * side, within * side, 16) for side in card_mm))
    pixels = np.round(camera.project(pose.points(x.ravel(), y.ravel()))).astype(int)
    height, width = image_bgr.shape[:2]
    kept = pixels[((pixels >= 0) & (pixels < [width, height])).all(axis=1)]
    return np.asarray(image_bgr[kept[:, 1], kept[:, 0]], np.uint8)


def is_same_paper(colour: Array, other: Array) -> bool:
    """Whether one colour (3,) may be the same paper as another that is known to be, a little shaded or not."""
    if colour[1] < _DARKEST * other[1]:
        return False
    tints = [np.log(np.maximum(each, 1.0) / max(float(each[1]), 1.0)) for each in (colour, other)]
    return bool(np.abs(tints[0] - tints[1]).max() < _TINT)
