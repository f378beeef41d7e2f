"""Whether the picture shows a card where a pose says that it is: its sides, and paper within them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.picture.sampling import sample_at

_OFF_MM = np.arange(-4.0, 4.01, 0.5)  # across a side
_REACH_MM = 1.5  # a side may be so far from where the pose says
_POINTS = 14
_ROUND_CORNER_MM = 6.0
# A side is a step in brightness, averaged along it: of so many grey levels and this part of the light, and more than
# any beside it by this factor. A cloth's weave averages out, and so do the pips near a side.
_LEAST_LEVELS, _LEAST_SHARE, _MORE = 7.0, 0.05, 1.3


def sides_seen(grey: NDArray[np.float32], camera: Camera, pose: CardPose, card_mm: tuple[float, float]) -> float:
    """How many of the four sides of a card at `pose` the picture shows, in halves."""
    corners = pose.corners(*card_mm)[:, :2]
    halves = 0
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        round_off = (b - a) * _ROUND_CORNER_MM / float(np.hypot(*(b - a)))
        middle = (a + b) / 2
        halves += _is_seen(grey, camera, a + round_off, middle) + _is_seen(grey, camera, middle, b - round_off)
    return halves / 2


def _is_seen(grey: NDArray[np.float32], camera: Camera, a: Array, b: Array) -> bool:
    long = float(np.hypot(*(b - a)))
    along = (b - a) / long
    across = np.array([-along[1], along[0]])
    t = np.linspace(0.0, long, _POINTS)
    points = a + t[:, None, None] * along + _OFF_MM[None, :, None] * across
    flat = np.concatenate([points.reshape(-1, 2), np.zeros((points.shape[0] * points.shape[1], 1))], axis=1)
    pixels = camera.project(flat)
    height, width = grey.shape
    inside = ((pixels >= 0) & (pixels <= [width - 1, height - 1])).all(axis=1).reshape(points.shape[:2]).all(axis=1)
    if inside.sum() < _POINTS / 2:
        return False
    seen = sample_at(grey, pixels.T).reshape(points.shape[:2])[inside].mean(axis=0)
    steps = np.abs((seen[2:-1] + seen[3:]) - (seen[:-3] + seen[1:-2])) / 2
    middle = _OFF_MM[1:-2] + 0.25
    near = np.abs(middle) <= _REACH_MM
    least = max(_LEAST_LEVELS, _LEAST_SHARE * float(seen.max()))
    return bool(steps[near].max() > least and steps[near].max() > _MORE * steps[~near].max())


# Paper in one light: as light as the lightest card's to this share, and of its colour (logarithm of channel by green).
_DARKEST, _TINT = 0.5, 0.25
_LIGHT_PERCENTILE = 80.0  # of a face: what is not printed on


def paper_of(image_bgr: NDArray[np.uint8], camera: Camera, pose: CardPose, card_mm: tuple[float, float]) -> Array:
    """The colour (3,) of the unprinted part of what is seen where a card at `pose` lies; zeros outside the picture."""
    x, y = np.meshgrid(*(np.linspace(-0.45 * side, 0.45 * side, 16) for side in card_mm))
    pixels = np.round(camera.project(pose.points(x.ravel(), y.ravel()))).astype(int)
    height, width = image_bgr.shape[:2]
    seen = pixels[((pixels >= 0) & (pixels < [width, height])).all(axis=1)]
    if not len(seen):
        return np.zeros(3)
    return np.asarray(np.percentile(image_bgr[seen[:, 1], seen[:, 0]], _LIGHT_PERCENTILE, axis=0))


def is_same_paper(colour: Array, other: Array) -> bool:
    """Whether one colour (3,) may be the same paper as another that is known to be, a little shaded or not."""
    if colour[1] < _DARKEST * other[1]:
        return False
    tints = [np.log(np.maximum(each, 1.0) / max(float(each[1]), 1.0)) for each in (colour, other)]
    return bool(np.abs(tints[0] - tints[1]).max() < _TINT)
