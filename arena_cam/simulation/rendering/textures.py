"""Procedural surfaces: albedo (linear light, blue-green-red) as a picture of the plane seen from above."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Image32 = NDArray[np.float32]
Field = NDArray[np.float32]


def linear(bgr: tuple[int, int, int]) -> Image32:
    """Linear reflectance (3,) of an sRGB colour given as 0 to 255, blue-green-red."""
    return srgb_to_linear(np.array(bgr, np.uint8))


def srgb_to_linear(image: NDArray[np.uint8]) -> Image32:
    """Linear light of 8-bit sRGB values (IEC 61966-2-1)."""
    value = np.arange(256) / 255.0
    table = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)
    return np.asarray(table[image])


def noise(rng: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float], octaves: int = 4) -> Field:
    """Smooth noise (h, w) of mean 0 and standard deviation 1; `cell` is the coarsest grid's spacing (x, y) in px."""
    height, width = shape
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        step = (max(cell[0] / 2**octave, 1.0), max(cell[1] / 2**octave, 1.0))
        grid = rng.standard_normal((int(height / step[1]) + 3, int(width / step[0]) + 3)).astype(np.float32)
        total += cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC) * 0.6**octave
    return np.asarray((total - total.mean()) / (total.std() + 1e-6), np.float32)


def _mix(a: tuple[int, int, int], b: tuple[int, int, int], amount: NDArray[np.floating]) -> Image32:
    share = np.clip(amount, 0.0, 1.0)[:, :, None]
    return np.asarray(linear(a) * (1 - share) + linear(b) * share, np.float32)


def _wood(light: tuple[int, int, int], dark: tuple[int, int, int]) -> Callable[..., Image32]:
    def paint(rng: np.random.Generator, shape: tuple[int, int], px_mm: float) -> Image32:
        height = shape[0]
        plank = int(rng.uniform(60, 130) * px_mm)
        shift = noise(rng, shape, (520 * px_mm, 60 * px_mm), 3) * 5 * px_mm
        rows = np.arange(height, dtype=np.float32)[:, None] + shift
        offset = rng.uniform(0, 1000, height // plank + 2).astype(np.float32)
        which = np.arange(height) // plank
        rings = 0.5 + 0.5 * np.sin((rows + offset[which][:, None]) * (0.8 / px_mm))
        grain = noise(rng, shape, (60 * px_mm, 1.2 * px_mm), 2)
        tone = rng.normal(0.0, 0.10, len(offset)).astype(np.float32)[which][:, None]
        out = _mix(light, dark, 0.34 * rings**2 + 0.14 * grain + 0.28 + tone)
        seam = (np.arange(height) % plank) < max(1, round(0.8 * px_mm))
        out[seam] *= 0.45
        return out

    return paint


def _felt(colour: tuple[int, int, int], rough: float = 0.10) -> Callable[..., Image32]:
    def paint(rng: np.random.Generator, shape: tuple[int, int], px_mm: float) -> Image32:
        fibre = noise(rng, shape, (2.0 * px_mm, 2.0 * px_mm), 3)
        cloud = noise(rng, shape, (70 * px_mm, 70 * px_mm), 3)
        return np.asarray(linear(colour) * np.clip(1 + rough * fibre + 0.05 * cloud, 0.3, 2.0)[:, :, None], np.float32)

    return paint


def _weave(colour: tuple[int, int, int], pitch_mm: float = 1.1) -> Callable[..., Image32]:
    def paint(rng: np.random.Generator, shape: tuple[int, int], px_mm: float) -> Image32:
        warp = noise(rng, shape, (40 * px_mm, pitch_mm * px_mm), 2) + noise(
            rng, shape, (pitch_mm * px_mm, 40 * px_mm), 2
        )
        return np.asarray(linear(colour) * np.clip(1 + 0.10 * warp, 0.3, 2.0)[:, :, None], np.float32)

    return paint


def _gingham(colour: tuple[int, int, int]) -> Callable[..., Image32]:
    def paint(rng: np.random.Generator, shape: tuple[int, int], px_mm: float) -> Image32:
        square = rng.uniform(14, 26) * px_mm
        down, across = ((np.arange(n) / square % 2 < 1).astype(np.float32) for n in shape)
        amount = 0.5 * (down[:, None] + across[None, :])
        cloth = _weave((235, 238, 240))(rng, shape, px_mm)
        return np.asarray(cloth * (1 - amount[:, :, None]) + cloth * linear(colour) * amount[:, :, None], np.float32)

    return paint


def _marble(rng: np.random.Generator, shape: tuple[int, int], px_mm: float) -> Image32:
    bend = noise(rng, shape, (140 * px_mm, 140 * px_mm), 5)
    vein = np.exp(-((bend * 6) ** 2))
    return _mix(
        (226, 224, 226), (120, 116, 122), 0.8 * vein + 0.12 * noise(rng, shape, (60 * px_mm, 60 * px_mm), 4) + 0.1
    )


def _speckle(a: tuple[int, int, int], b: tuple[int, int, int], cell_mm: float) -> Callable[..., Image32]:
    def paint(rng: np.random.Generator, shape: tuple[int, int], px_mm: float) -> Image32:
        return _mix(a, b, 0.5 + 0.28 * noise(rng, shape, (cell_mm * px_mm, cell_mm * px_mm), 3))

    return paint


def _granite(rng: np.random.Generator, shape: tuple[int, int], px_mm: float) -> Image32:
    """Grains of three minerals, a few millimetres each, under polish."""
    grain = noise(rng, shape, (3.4 * px_mm, 3.4 * px_mm), 2)
    dark = noise(rng, shape, (5.0 * px_mm, 5.0 * px_mm), 2) > 1.1
    out = _mix((150, 150, 156), (108, 112, 128), 0.5 + 0.4 * grain)
    out[dark] = linear((44, 42, 42))
    return out


def _flowers(rng: np.random.Generator, shape: tuple[int, int], px_mm: float) -> Image32:
    """A printed table-cloth: flowers of five petals in three colours on a pale ground."""
    out = (_weave((206, 222, 226))(rng, shape, px_mm) * 255).astype(np.float32)
    pitch = rng.uniform(34, 52) * px_mm
    for row in range(int(shape[0] / pitch) + 1):
        for column in range(int(shape[1] / pitch) + 1):
            x, y = (column + 0.5 * (row % 2)) * pitch, row * pitch
            colour = linear(((60, 50, 190), (150, 90, 40), (40, 160, 220))[(row + column) % 3]) * 255
            turn = float(rng.uniform(0, 6.3))
            for k in range(5):
                a = turn + k * 2 * np.pi / 5
                at = (round(x + 6 * px_mm * np.cos(a)), round(y + 6 * px_mm * np.sin(a)))
                cv2.circle(out, at, round(4.2 * px_mm), [float(c) for c in colour], -1, cv2.LINE_AA)
            cv2.circle(out, (round(x), round(y)), round(3 * px_mm), (20.0, 140.0, 190.0), -1, cv2.LINE_AA)
    return np.asarray(out / 255, np.float32)


MATERIALS: dict[str, Callable[[np.random.Generator, tuple[int, int], float], Image32]] = {
    "oak": _wood((108, 156, 196), (62, 100, 142)),
    "walnut": _wood((62, 84, 112), (34, 48, 70)),
    "ash": _wood((128, 140, 150), (82, 92, 102)),
    "white": _speckle((214, 216, 218), (206, 208, 212), 30.0),
    "black": _speckle((34, 33, 33), (44, 42, 42), 3.0),
    "grey": _speckle((122, 120, 118), (132, 130, 128), 4.0),
    "blue": _speckle((118, 74, 44), (130, 84, 52), 4.0),
    "marble": _marble,
    "linen": _weave((150, 170, 180)),
    "felt": _felt((110, 62, 38)),
    "gingham": _gingham((60, 60, 190)),
    "granite": _granite,
    "flowers": _flowers,
    "lacquer": _speckle((44, 34, 92), (50, 40, 104), 60.0),
    "speckle": _speckle((70, 68, 64), (140, 134, 128), 1.6),
    "green-felt": _felt((48, 84, 34)),
    "red-felt": _felt((42, 30, 110)),
    "black-felt": _felt((34, 32, 32)),
    "blue-felt": _felt((104, 64, 36)),
    "grey-card": _speckle((128, 128, 126), (146, 146, 144), 5.0),
    "kraft": _speckle((86, 124, 160), (104, 144, 180), 3.0),
    "cork": _speckle((62, 104, 152), (110, 156, 200), 2.2),
}


def paint(material: str, rng: np.random.Generator, shape: tuple[int, int], px_per_mm: float) -> Image32:
    """The surface `material`, shape (h, w, 3), at `px_per_mm`. KeyError for a material that is not known."""
    return np.clip(MATERIALS[material](rng, shape, px_per_mm), 0.004, 0.95)
