"""One exposure for a whole deck: photographs of cards differ in exposure, white balance and in how light falls across.

What lies round the card is the same plain background in every photograph. Its slope across the picture is that of the
light, its level that of the exposure; and what is whitest on the whole deck is paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.straightening import Pixels
from arena_cam.vision.picture.linear_light import Linear, linear_light, srgb
from arena_cam.vision.picture.robust import MAD_TO_SD

Image = NDArray[np.uint8]

_RING_MM = (3.0, 5.0, 7.0, 9.0)  # outside the card: beyond its shadow, near enough to share its light
_DARKEST, _BRIGHTEST = 0.008, 0.92  # linear: below it is noise, above it is burnt out; neither tells a level
# Natural logarithms. A background less even than this is no plain one; light that falls off more over a card is shadow.
_PLAIN, _STEEPEST = 0.45, 0.5
# Backgrounds of one deck that differ by more were not the same: exposures differ by a stop, white balance by a little.
_SAME_LEVEL, _SAME_COLOUR = 0.9, 0.2
PAPER = 0.86  # of white light, as printing paper gives back: 238 of 255
_PAPER_SHARE = 0.002  # of a deck's pixels are paper, at the least: some index's figures
_NEUTRAL, _MOST_BALANCE = 0.30, 0.45  # logarithms: paper's colour before it is corrected, and how far that may go


@dataclass(frozen=True, eq=False)
class Background:
    """What a card lay on: `level` (3,) of linear light, blue-green-red, at its middle; `slope` (2,) of its logarithm
    from the middle to the card's right and lower side."""

    level: Array
    slope: Array


def background_round(light: Linear, pixels: Pixels, width_mm: float, height_mm: float) -> Background | None:
    """The background round a card, or None where it is not plain or too dark or bright to measure."""
    rings = []
    for beyond in _RING_MM:
        x, y = beyond / width_mm, beyond / height_mm
        t = np.linspace(-x, 1 + x, 60), np.linspace(-y, 1 + y, 80)
        for k in (-y, 1 + y):
            rings.append(np.column_stack([t[0], np.full(60, k)]))
        for k in (-x, 1 + x):
            rings.append(np.column_stack([np.full(80, k), t[1]]))
    shares = np.concatenate(rings)
    at = pixels(shares).astype(np.float32)[None]
    height, width = light.shape[:2]
    seen = np.asarray(((at >= 0.0) & (at <= (width - 1, height - 1))).all(axis=2), np.bool_)[0]
    colours = np.asarray(cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR)[0], np.float64)
    if seen.mean() < 0.5:
        return None
    level = np.median(colours[seen], axis=0)
    if level.min() < _DARKEST or level.max() > _BRIGHTEST:
        return None
    logs = np.log(np.maximum(colours[seen], _DARKEST / 4)).mean(axis=1)
    design = np.column_stack([np.ones(len(logs)), 2.0 * shares[seen] - 1.0])
    weight, plane = np.ones(len(logs)), np.zeros(3)
    for _ in range(5):
        root = np.sqrt(weight)
        plane = np.linalg.lstsq(design * root[:, None], logs * root, rcond=None)[0]
        off = np.abs(logs - design @ plane)
        spread = max(0.02, MAD_TO_SD * float(np.median(off)))
        weight = 1.0 / (1.0 + (off / (2.0 * spread)) ** 2)
    if spread > _PLAIN:
        return None
    return Background(level, np.clip(plane[1:], -_STEEPEST, _STEEPEST))


def evened(face: Linear, background: Background | None) -> Linear:
    """The face (H, W, 3) without the slope of the light over it."""
    if background is None:
        return face
    height, width = face.shape[:2]
    x, y = 2.0 * (np.arange(width) + 0.5) / width - 1.0, 2.0 * (np.arange(height) + 0.5) / height - 1.0
    slope = np.exp(background.slope[0] * x[None, :] + background.slope[1] * y[:, None])
    return np.asarray(face / slope[:, :, None], np.float32)


def exposure_gains(backgrounds: Sequence[Background | None]) -> Array:
    """The factors (N, 3) that bring all photographs to the exposure and white balance of most of them.

    A photograph whose background differs from the others' keeps its own.
    """
    known = [b.level for b in backgrounds if b is not None]
    gains = np.ones((len(backgrounds), 3))
    if len(known) < 2:
        return gains
    usual = np.median(np.log(known), axis=0)
    for k, background in enumerate(backgrounds):
        if background is None:
            continue
        off = usual - np.log(background.level)
        if abs(off.mean()) < _SAME_LEVEL and np.abs(off - off.mean()).max() < _SAME_COLOUR:
            gains[k] = np.exp(off)
    return gains


def paper_gain(faces: Sequence[Image]) -> Array:
    """The factor (3,) for the whole deck that makes its whitest print as white as paper; where that is coloured, as of
    brown paper or gold, its strongest colour."""
    light = np.concatenate([linear_light(face[::6, ::6]).reshape(-1, 3) for face in faces]).astype(np.float64)
    brightness = light.min(axis=1)  # white is what is bright in every colour
    limit = float(np.quantile(brightness, 1.0 - _PAPER_SHARE))
    if limit < _DARKEST:
        return np.ones(3)
    white = np.median(light[brightness >= 0.8 * limit], axis=0)
    colour = np.log(white / white.mean())
    if np.abs(colour).max() >= _NEUTRAL:
        return np.full(3, PAPER / float(white.max()))
    balance = np.exp(-np.clip(colour, -_MOST_BALANCE, _MOST_BALANCE))
    return np.asarray(balance * (PAPER / float((white * balance).mean())))


def exposed(face: Image, gain: Array) -> Image:
    """The face (H, W, 3) in another light."""
    return srgb(np.asarray(linear_light(face) * gain.astype(np.float32), np.float32))
