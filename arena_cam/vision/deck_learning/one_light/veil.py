"""The veil that gloss lays over photographs of cards: light that comes from the surface, not from the print.

It makes black grey. The game's camera, elsewhere, sees another veil or none; less than none there is not, so what is
learned must have none. A deck with black print anywhere shows how much there is: no print is darker than black.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.picture.linear_light import Linear, linear_light, srgb

Image = NDArray[np.uint8]

# Of full light: what black ink on coated paper gives back (density 1.7), and the most that a matt or glossy card's
# surface gives back of a room (4 % of the light, of a lamp's reflection more: such a photograph is no use).
BLACK, USUAL = 0.02, 0.06
# At a table the lamp stands still and all cards are taken in one place: its reflection lies on all of them alike, and
# black print still tells it. Under a lamp that laid 0.15 on brown cards 25 of 44 were named without, 3 frames surely
# wrong. What is taken too much is no harm: a picture may have a haze of its own, but none that is less than none.
AT_TABLE = 0.25
_CELL_MM, _SOFTLY_PX = 2.0, 3.0  # parts of a card of which the darkest is asked for; noise is not print
_DARKEST_SHARE = 0.05  # of the faces: one speck is no print
# Light that a cell may be above the veil and still tell it; how much less a cell that is above the veil counts than one
# below it, which cannot be; and what holds the veil even (how often a cell's weight), where few are dark.
_NEAR, _BELOW, _EVEN = 0.02, 300.0, 10.0
_STEPS = 200


def without_veil(faces: Sequence[Image], px_per_mm: float, most: float = USUAL) -> list[Image]:
    """Faces (H, W, 3) of one size in one light, without the greatest smooth veil under which no print of the deck is
    darker than black, of `most` of full light where it is densest."""
    if not faces:
        return []
    light = [linear_light(face) for face in faces]
    height, width = faces[0].shape[:2]
    darkest = np.quantile([_cells(face, px_per_mm) for face in light], _DARKEST_SHARE, axis=0) - BLACK
    veil = np.stack([_under(darkest[:, :, channel], most) for channel in range(3)], axis=2).astype(np.float32)
    whole = cv2.resize(veil, (width, height), interpolation=cv2.INTER_LINEAR)
    return [srgb(np.asarray(face - whole, np.float32)) for face in light]


def _cells(light: Linear, px_per_mm: float) -> Linear:
    """The darkest light (h, w, 3) in each cell of a face, a cell at its rim left out."""
    cell = round(_CELL_MM * px_per_mm)
    softly = cv2.GaussianBlur(light, (0, 0), _SOFTLY_PX)
    rows, columns = softly.shape[0] // cell, softly.shape[1] // cell
    cells = softly[: rows * cell, : columns * cell].reshape(rows, cell, columns, cell, 3).min(axis=(1, 3))
    cells[[0, -1]], cells[:, [0, -1]] = 1.0, 1.0
    return np.asarray(cells, np.float32)


def _under(darkest: Array, most: float) -> Array:
    """The greatest smooth veil (h, w) of `most` light below the `darkest` (h, w): a second-order surface, 0 where
    nothing dark tells it. Cells above it pull it up, the less the farther they are; cells below it hold it down."""
    tells = (darkest < most).ravel()
    if not tells.any():
        return np.zeros_like(darkest)
    y, x = np.meshgrid(*(np.linspace(-1.0, 1.0, size) for size in darkest.shape), indexing="ij")
    surface = np.stack([np.ones_like(x), x, y, x * x - 1 / 3, x * y, y * y - 1 / 3], axis=2).reshape(-1, 6)
    light, held = darkest.ravel(), _EVEN * np.diag([0.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    of = np.array([light.min(), 0.0, 0.0, 0.0, 0.0, 0.0])
    for _ in range(_STEPS):
        above = light - surface @ of
        weight = np.where(above < 0.0, _BELOW, tells * np.exp(-np.maximum(above, 0.0) / _NEAR))
        by_weight = (surface * weight[:, None]).T
        of = np.linalg.solve(by_weight @ surface + held + 1e-9 * np.eye(6), by_weight @ light)
    return np.asarray((surface @ of).clip(0.0, most)).reshape(darkest.shape)
