"""How a face looks in the light on its card, and what of a patch it leaves unexplained."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import PLAIN, PrintLight, fit_print_light
from arena_cam.vision.tokens.view.set_prints import CardGrid

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

# Grey levels within which a pixel is as the lit face has it: noise, and what blurred edges are off by.
NOISE, OF_PRINT = 9.0, 30.0


def tolerance(light: PrintLight) -> float:
    """Grey levels by which a pixel may differ from the lit print and still be explained."""
    return NOISE + OF_PRINT * float(light.gain[:, 0].mean())


def face_costs(
    grid: CardGrid,
    faces: NDArray[np.intp],
    light: PrintLight,
    patch: Grey,
    mask: Mask,
    size_mm: tuple[float, float],
    thinned: int = 1,
) -> Floats:
    """What each of the faces leaves unexplained of a patch, each pixel counted up to 1; one pixel in `thinned`."""
    rows, columns = (each[::thinned] for each in np.nonzero(mask))
    xy = np.column_stack([columns + 0.5, rows + 0.5]) / grid.px_per_mm - np.asarray(size_mm) / 2
    lit = light.on(grid.faces[faces[:, None], rows, columns], xy[None, :, 0], xy[None, :, 1])
    lit -= patch[rows, columns]
    np.abs(lit, out=lit)
    off = np.maximum(np.maximum(lit[..., 0], lit[..., 1]), lit[..., 2]) * np.float32(1.0 / tolerance(light))
    return np.asarray(np.minimum(off * off, 1.0).sum(axis=1), np.float64)


def face_light(grid: CardGrid, face: int, patch: Grey, mask: Mask, size_mm: tuple[float, float]) -> PrintLight:
    """The light on a card of that face, from one pixel in four."""
    rows, columns = np.nonzero(mask)
    rows, columns = rows[::4], columns[::4]
    if not len(rows):
        return PLAIN
    xy = np.column_stack([columns + 0.5, rows + 0.5]) / grid.px_per_mm - np.asarray(size_mm) / 2
    return fit_print_light(grid.faces[face][rows, columns], patch[rows, columns], xy)


def lit_face(grid: CardGrid, face: int, light: PrintLight, size_mm: tuple[float, float]) -> Grey:
    """How that face looks in that light, (h, w, 3)."""
    height, width = grid.mask.shape
    x = (np.arange(width) + 0.5) / grid.px_per_mm - size_mm[0] / 2
    y = (np.arange(height) + 0.5) / grid.px_per_mm - size_mm[1] / 2
    return light.on(grid.faces[face], *np.meshgrid(x, y))
