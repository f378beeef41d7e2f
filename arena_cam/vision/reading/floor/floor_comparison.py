"""A picture of the floor compared with an earlier one, pixel by pixel: what is odd, what is bare."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.calls import floor_compared

Grid = NDArray[np.float32]
Mask = NDArray[np.uint8]
Marks = NDArray[np.bool_]

# Log ratios to the empty floor, the light's own change taken out. On 120 photographs of twelve tables 99.9 % of the
# bare floor stayed within 0.06, and within 0.10 in colour; shadows reach -1 and, where lamps mix, are grey to 0.15.
COLOUR, BRIGHTER, BLACK = 0.18, 0.12, -1.4
DARK = -0.7  # a dark card on a pale table is no darker than a deep shadow: it is worth a look, no more
# What is nearer to the empty floor than this is the floor, but for one point in twenty.
_SAME_COLOUR, _SAME_GREY, _SAME_NOISES = 0.05, 0.035, 2.5
_PLAIN = 1.5  # what is so many times as far off is no play of light, however small a piece it is
_NOISES = 6.0  # where the picture is noisier than that: so many robust standard deviations

LIGHT_STEP = 8  # pixels a side: the light's own change is smooth, and is known on a grid

# Eight grey levels of black level and noise: dark floors would otherwise be all ratio and no signal.
LOG_OFFSET = 8.0
LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(LOG_OFFSET))
_OUTSIDE = float(LOG[0]) + 0.01  # what the view from above shows beyond the picture is black


@dataclass(frozen=True, eq=False)
class Compared:
    """The `mean` log ratio (H, W) of a picture to the empty floor, and where (H, W) it is what: `in_both` pictures,
    `odd` (a dark card, or a deep shadow), `pale` (no shadow is so), `strange` (beyond doubt), `bare` floor."""

    mean: Grid
    in_both: Marks
    odd: Marks
    pale: Marks
    strange: Marks
    bare: Marks


def compared(now: NDArray[np.uint8], floor: Grid, light: Grid, valid: Mask, noise: float) -> Compared:
    """Compares a picture `now` (H, W, 3), in levels, with the logarithms (H, W, 3) of the empty `floor`, where that is
    `valid` (H, W).
    `light` (h, w, 3) is the change of the light, each for LIGHT_STEP pixels each way, `noise` that of the bare floor's
    ratio (a standard deviation)."""
    limits = _limits(noise)
    found = floor_compared(now, LOG, floor, (light, LIGHT_STEP), valid, limits)
    mean, masks = found or _in_numpy(LOG[now], floor, everywhere(light), valid, limits)
    return Compared(mean, *masks)


def logarithms(levels: NDArray[np.uint8]) -> Grid:
    """The logarithms (H, W, 3) of grey levels."""
    return np.asarray(cv2.LUT(levels, LOG), dtype=np.float32)


def everywhere(light: Grid) -> Grid:
    """The change of the light (h, w, 3) at each pixel: (h, w, 3) times LIGHT_STEP each way."""
    height, width = light.shape[:2]
    return np.asarray(cv2.resize(light, (width * LIGHT_STEP, height * LIGHT_STEP)), dtype=np.float32)


def _limits(noise: float) -> Grid:
    """All limits (9,), in the order of the compiled twin: those of colour and brightness after one another."""
    enough = np.maximum((COLOUR, BRIGHTER), _NOISES * noise)
    same = np.maximum((_SAME_COLOUR, _SAME_GREY), _SAME_NOISES * noise)
    return np.concatenate([(_OUTSIDE, DARK, BLACK), enough, enough * _PLAIN, same]).astype(np.float32)


def _in_numpy(now: Grid, floor: Grid, light: Grid, valid: Mask, limits: Grid) -> tuple[Grid, Marks]:
    outside, dark, black = limits[:3]
    enough, plain, same = limits[3:].reshape(3, 2)
    mean, colour = mean_and_colour(now - floor - light[: valid.shape[0], : valid.shape[1]])
    asked, is_black = valid > 0, mean < black
    seen = (colour > enough[0]) | (mean > enough[1])
    masks = (
        np.minimum(now[:, :, 1], floor[:, :, 1]) > outside,
        asked & (seen | (mean < dark)),
        asked & (seen | is_black),
        asked & ((colour > plain[0]) | (mean > plain[1]) | is_black),
        asked & (np.abs(mean) < same[1]) & (colour < same[0]),
    )
    return mean, np.stack(masks)


def mean_and_colour(ratio: Grid) -> tuple[Grid, Grid]:
    """Of log ratios (H, W, 3): their mean over the channels, and the most that a channel differs from it."""
    blue, green, red = cv2.split(ratio)
    mean = (blue + green + red) * np.float32(1 / 3)
    colour = np.maximum(np.maximum(cv2.absdiff(blue, mean), cv2.absdiff(green, mean)), cv2.absdiff(red, mean))
    return np.asarray(mean, dtype=np.float32), np.asarray(colour, dtype=np.float32)
