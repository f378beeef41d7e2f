"""What a drawing looks like that is made on wood, on cloth or stone, in watercolour, or printed in dots."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.printing.hexes.canvas import Bgr, Image

FINEST_PX_MM = 16.0  # of the canvas that is drawn on
Grain = NDArray[np.float32]


def wood(pixels: Image, strength: float) -> Image:
    """The drawing as if on wood: streaks along x that darken it by up to `strength`."""
    rng = np.random.default_rng(11)
    coarse = rng.standard_normal((pixels.shape[0] // 6 + 1, 6)).astype(np.float32)
    streaks = cv2.resize(coarse, (pixels.shape[1], pixels.shape[0]), interpolation=cv2.INTER_CUBIC)
    light = 1.0 - strength * np.clip(0.5 + 0.4 * streaks, 0.0, 1.0)
    return np.asarray(np.clip(pixels * light[:, :, None], 0, 255), np.uint8)


def land(pixels: Image, strength: float, seed: int) -> Image:
    """The drawing as if painted with fields and woods: blotches of all sizes that brighten and darken it."""
    rng = np.random.default_rng(seed)
    height, width = pixels.shape[:2]
    light = np.ones((height, width), np.float32)
    for finer in (4, 12, 40):
        grain = rng.standard_normal((max(2, finer * height // width), finer)).astype(np.float32)
        light += strength / 2 * cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(pixels * np.clip(light, 0.3, 1.5)[:, :, None], 0, 255), np.uint8)


def wash(pixels: Image, strength: float, seed: int) -> Image:
    """The drawing as if in watercolour: edges that run a little, and pigment that grows paler to one side."""
    rng = np.random.default_rng(seed)
    height, width = pixels.shape[:2]
    off = [cv2.resize(rng.standard_normal((24, 24)).astype(np.float32), (width, height)) for _ in range(2)]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    run = 0.35 * strength * FINEST_PX_MM
    soft = cv2.remap(pixels, x + run * off[0], y + run * off[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    turn = float(rng.uniform(0, 2 * math.pi))
    across = (math.cos(turn) * (x / width - 0.5) + math.sin(turn) * (y / height - 0.5)) + 0.25 * off[0]
    paler = np.clip(strength * (0.5 + across), 0.0, 0.8)[:, :, None]
    return np.asarray(np.clip(soft * (1 - paler) + 250.0 * paler, 0, 255), np.uint8)


def surface(kind: str, pixels: Image, seed: int) -> Image:
    """The drawing as if on a photographed material: "planks", "cloth" or "stone"; each piece is cut from elsewhere."""
    rng = np.random.default_rng([seed, 29])
    height, width = pixels.shape[:2]
    if kind == "planks":
        light = 1.0 + 0.10 * _rings(rng, height, width) + 0.07 * _noise(rng, height, width, (width // 4, 3))
    elif kind == "cloth":
        y, x = np.mgrid[0:height, 0:width].astype(np.float32) / FINEST_PX_MM
        threads = np.sin(2 * math.pi * x / 0.9) * np.sin(2 * math.pi * y / 0.9)
        light = 1.0 + 0.09 * threads + 0.05 * _noise(rng, height, width, (40, 40))
    else:
        light = 1.0 + 0.13 * _noise(rng, height, width, (10, 10)) + 0.08 * _noise(rng, height, width, (120, 120))
    return np.asarray(np.clip(pixels * np.clip(light, 0.3, 1.6)[:, :, None], 0, 255), np.uint8)


def _rings(rng: np.random.Generator, height: int, width: int) -> Grain:
    """Year rings of a board sawn along x, -1 to 1."""
    bend = 2.5 * _noise(rng, height, width, (width // 2, height // 3))
    y = np.arange(height, dtype=np.float32)[:, None] / FINEST_PX_MM
    return np.asarray(np.sin(2.0 * (y + bend) + float(rng.uniform(0, 6))), np.float32)


def _noise(rng: np.random.Generator, height: int, width: int, cell: tuple[int, int]) -> Grain:
    """Smooth noise of mean 0 and deviation about 1 with features of `cell` (x, y) pixels."""
    grid = rng.standard_normal((height // max(cell[1], 1) + 3, width // max(cell[0], 1) + 3)).astype(np.float32)
    return np.asarray(cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def halftone(pixels: Image, paper: Bgr, pitch_mm: float = 1.1) -> Image:
    """The drawing with what is coloured printed in dots over a lighter tone, as in old comics."""
    y, x = np.mgrid[0 : pixels.shape[0], 0 : pixels.shape[1]].astype(np.float32) / (FINEST_PX_MM * pitch_mm)
    u, v = x + y, x - y
    dots = (np.cos(math.pi * u) * np.cos(math.pi * v) > 0.1)[:, :, None]
    lighter = pixels * 0.45 + np.array(paper) * 0.55
    return np.asarray(np.where(dots, pixels, lighter), np.uint8)


def faded(pixels: Image, before: Image, towards: tuple[float, float], strength: float) -> Image:
    """What was drawn since `before`, growing paler from where `towards` (a unit vector) points to the other side."""
    height, width = pixels.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    along = ((x - width / 2) * towards[0] + (y - height / 2) * towards[1]) / (height / 2)
    share = (strength * np.clip(0.5 - 0.5 * along, 0.0, 1.0))[:, :, None]
    return np.asarray(np.round(pixels * (1 - share) + before * share), np.uint8)


def engraved(pixels: Image, before: Image, depth_mm: float) -> Image:
    """What was drawn since `before`, with a dark edge towards a lamp at the upper left and a light one beyond."""
    changed = np.abs(pixels.astype(np.int16) - before).max(axis=2) > 6
    by = max(1, round(depth_mm * FINEST_PX_MM))
    moved = np.roll(changed, (by, by), axis=(0, 1))
    back = np.roll(changed, (-by, -by), axis=(0, 1))
    light = 1.0 - 0.5 * (changed & ~moved) + 0.45 * (~changed & moved & ~back)
    return np.asarray(np.clip(pixels * light[:, :, None], 0, 255), np.uint8)
