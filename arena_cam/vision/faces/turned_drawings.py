"""Which faces are drawn as another one, a little turned? Where print alone gives a card's place, alignment lays the one
on the lines of the other, by a few degrees off."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.name_points import NAMES_PX_PER_MM
from arena_cam.vision.faces.softness import LUMA

# Degrees: from a guess farther off alignment does not find its way; and the steps in which drawings are turned.
_FARTHEST_DEG, _STEP_DEG = 6, 1
# Lines of 0.3 mm still meet where they lie half a step beside each other, 0.2 mm at the rim of a figure.
_SOFT_MM = 0.5
# The correlation at the best turn, and by how much more that is than as drawn. Of 36 decks the one of flowers in thin
# lines, turned from card to card, has such faces, two each: 0.86 to 0.97, and 0.5 to 0.88 as drawn. No other one has
# any that gain 0.03, but for nearly blank ones (0.7) and clouds (0.75).
_ONE_DRAWING, _GAINED = 0.8, 0.05
_EVEN = 1e-6  # grey levels: a face of one tone is like none


@dataclass(frozen=True, slots=True)
class TurnedDrawing:
    """A face, and by how much its drawing is turned against that of another one: degrees, counterclockwise."""

    face: int
    turned_deg: float


class TurnedDrawings:
    """For each face of a deck the faces that are drawn as it is but for a small turn about the middle of the card."""

    def __init__(self, faces: DeckFaces) -> None:
        self._grid = grid = faces.grid(NAMES_PX_PER_MM)
        drawn = (grid.bgr_of(face) @ LUMA.astype(np.float32) for face in range(len(faces.names)))
        self._soft = [cv2.GaussianBlur(grey, (0, 0), _SOFT_MM * NAMES_PX_PER_MM) for grey in drawn]
        self._upright = _normed(np.stack([grey[grid.inner] for grey in self._soft]))
        self._of: dict[int, list[TurnedDrawing]] = {}

    def of(self, face: int) -> list[TurnedDrawing]:
        """Those drawn as a `face`, turned, the likest first."""
        if face not in self._of:
            self._of[face] = self._found(face)
        return self._of[face]

    def _found(self, face: int) -> list[TurnedDrawing]:
        angles = np.arange(-_FARTHEST_DEG, _FARTHEST_DEG + _STEP_DEG, _STEP_DEG)
        alike = np.stack([self._turned(face, float(angle)) for angle in angles]) @ self._upright.T
        most, as_drawn = alike.max(axis=0), alike[len(angles) // 2]
        is_one = (most > _ONE_DRAWING) & (most > as_drawn + _GAINED)
        is_one[face] = False
        likest = sorted(np.flatnonzero(is_one).tolist(), key=lambda other: -float(most[other]))
        return [TurnedDrawing(other, float(angles[alike[:, other].argmax()])) for other in likest]

    def _turned(self, face: int, angle_deg: float) -> NDArray[np.float32]:
        """A face (N,) turned counterclockwise."""
        grey = self._soft[face]
        middle = (grey.shape[1] - 1) / 2, (grey.shape[0] - 1) / 2
        turn = cv2.getRotationMatrix2D(middle, angle_deg, 1.0)
        there = cv2.warpAffine(grey, turn, grey.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        return _normed(np.asarray(there[self._grid.inner], np.float32))


def _normed(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Faces (..., N) whose products are correlations."""
    varies = grey - grey.mean(axis=-1, keepdims=True)
    return np.asarray(varies / np.maximum(np.linalg.norm(varies, axis=-1, keepdims=True), _EVEN), np.float32)
