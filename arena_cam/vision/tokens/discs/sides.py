"""The sides of tokens: of a thick disc seen askew more is seen than its face, on the side that is turned to the camera.

Face and foot are circles of one size in parallel planes. Projected onto the table they are nearly equal circles, and
between them the side sweeps their hull: all points within a radius of the line between both middles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.table_view import TableView

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# A token is at most so thick, in its own radii: wooden discs of 25 mm are 3 mm thick, poker chips of 39 mm 3.4.
THICKEST = 0.25


class Piece(Protocol):
    """A round piece on the table: the middle (2,) of its face, as it is seen, and its radius, in mm."""

    @property
    def middle(self) -> Floats: ...

    @property
    def radius_mm(self) -> float: ...


@dataclass(frozen=True, eq=False)
class Sides:
    """Where tokens show their sides to a camera above `beneath` (2,), in mm of the table, that is `high_mm` over it."""

    beneath: Floats
    high_mm: float

    @classmethod
    def of(cls, camera: TableView) -> Sides:
        """The sides that a camera sees."""
        eye = camera.eye_mm
        return cls(eye[:2], abs(float(eye[2])))

    def foot(self, piece: Piece) -> Floats:
        """(2,): from the middle of a piece's face, as it is seen, to that of its foot, if it is as thick as can be."""
        return (self.beneath - piece.middle) * (THICKEST * piece.radius_mm / self.high_mm)

    def on(self, token: SeenDisc, points: Floats) -> Mask:
        """(N,): which of the points (N, 2) may show the token's side, and not its face."""
        away, foot = points - token.middle, self.foot(token)
        share = np.clip(away @ foot / max(float(foot @ foot), 1e-9), 0.0, 1.0)
        x, y = away.T
        near = np.hypot(x - share * foot[0], y - share * foot[1]) < token.radius_mm
        return np.asarray(near & (np.hypot(x, y) >= token.radius_mm))
