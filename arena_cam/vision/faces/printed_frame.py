"""The frame that most faces of a deck have printed alike inside their sides: a rectangle with a card's proportions.

Where a card lies on others of its colour its sides show less than its frame does, which is then taken for them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array

Grid = NDArray[np.float32]

_REACH_MM = 9.0  # from a side: what lies farther in is no card's size
_FIRST_MM = 1.5  # nearer lines are hardly parted from the edge by a camera
_MIDDLE = slice(0.2, 0.8)  # of a side, by shares: corners are round
_BROKEN = 25.0  # percentile: of a frame's line so much may be missing, where a figure stands in it
# Grey levels of the change across it in one grid step, in the channel that changes most: of 19 decks eight have a line
# with 16 and more, the others 6 and less.
_CHANGE = 10.0


def frame_mm(faces: Iterable[Grid], px_per_mm: float) -> tuple[float, float]:
    """How far inside the left and right sides, and inside the upper and lower ones, a line runs on most of the `faces`
    (each (H, W, 3), grey levels) along both; 0 where none does."""
    lines = [[_lines(face, px_per_mm), _lines(face.transpose(1, 0, 2), px_per_mm)] for face in faces]
    if not lines:
        return 0.0, 0.0
    across, along = (np.median([both[way] for both in lines], axis=0) for way in (0, 1))
    return _inset(across, px_per_mm), _inset(along, px_per_mm)


def _lines(face: Grid, px_per_mm: float) -> Array:
    """(D,): how much a face (H, W, 3) changes from one column to the next, at so many steps inside the left and the
    right side, along most of both."""
    change = np.abs(np.diff(face, axis=1)).max(axis=2)
    height, reach = len(change), round(_REACH_MM * px_per_mm)
    middle = change[round(_MIDDLE.start * height) : round(_MIDDLE.stop * height)]
    both = np.stack([middle[:, :reach], middle[:, ::-1][:, :reach]])
    return np.asarray(np.percentile(both, _BROKEN, axis=1).min(axis=0), np.float64)


def _inset(change: Array, px_per_mm: float) -> float:
    """The middle of the line where the `change` (D,) is greatest, in mm from the side; 0 if it is none. A thin line
    changes twice, at both its edges."""
    at_mm = (np.arange(len(change)) + 1) / px_per_mm
    change = np.where(at_mm >= _FIRST_MM, change, 0.0)
    if not change.max(initial=0.0) >= _CHANGE:
        return 0.0
    about = np.where(np.abs(at_mm - at_mm[int(np.argmax(change))]) <= _LINE_MM, change, 0.0)
    return float(about @ at_mm / about.sum())


_LINE_MM = 1.0
