"""Which card a new picture may show: one taken before, one of a deck that looks alike, or at least its colour."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Grid = NDArray[np.float32]
Image = NDArray[np.uint8]

_PX_PER_MM = 2.0
_WINDOW_MM = 5.0  # the size of a figure in a corner: where two cards of one colour differ
# Grey levels: what another exposure and the sensor leave between two pictures of one card, and half a pixel's shift.
_NOISE, _SHIFT_PX = 7.0, 0.5
_GAINS = 0.4, 2.5
# Two pictures of one card on the same table differ by up to 0.54 times that in the window where they differ most. Two
# cards with figures on white differ by 2.2 and more, black and gold or night blue ones by 0.55 and more: as much as two
# pictures of one card in different rooms, up to 1.9. Asking once too often does no harm; a new card that is said to be
# known can never be learned.
_SAME = 0.6
# The next one differs by so many times as much: of dark decks two known cards are often about as like a new one, and of
# a known one none was less than 1.2 times as far off.
_STANDS_OUT = 1.2
_LEAD = 1.3  # of a similar deck's card: the next one must differ by so many times as much
# Hues in degrees of what people call so, each up to the next one's beginning.
_HUES = ((0, "red"), (22, "orange"), (38, "yellow"), (70, "green"), (170, "blue"), (255, "violet"), (325, "red"))
_SATURATED, _COLOURED_SHARE, _OF_ONE_HUE = 70, 0.12, 0.6


class KnownFaces:
    """Faces by name, as they come; finds the one that a picture shows, whichever way up."""

    def __init__(self, width_mm: float, height_mm: float) -> None:
        self._size = round(width_mm * _PX_PER_MM), round(height_mm * _PX_PER_MM)
        self._faces: dict[str, Grid] = {}

    def add(self, name: str, face: Image) -> None:
        """Knows the face (H, W, 3) from now on."""
        self._faces[name] = self._reduced(face)

    def same_as(self, face: Image) -> str | None:
        """The name under which this very card was added from the same table, None if it was not or is not sure."""
        off = self.differences(face)
        ranked = sorted(off, key=lambda name: off[name])
        if not ranked or off[ranked[0]] >= _SAME:
            return None
        stands_out = len(ranked) == 1 or off[ranked[1]] >= _STANDS_OUT * off[ranked[0]]
        return ranked[0] if stands_out else None

    def most_like(self, face: Image, among: Sequence[str]) -> str | None:
        """The one of `among` that it looks like, None where several are about as like."""
        off = {name: value for name, value in self.differences(face).items() if name in among}
        ranked = sorted(off, key=lambda name: off[name])
        if not ranked or (len(ranked) > 1 and off[ranked[1]] < _LEAD * off[ranked[0]]):
            return None
        return ranked[0]

    def differences(self, face: Image) -> dict[str, float]:
        """How much each known face differs where it differs most, as a multiple of what noise and shift explain."""
        seen = self._reduced(face)
        both = (seen, np.ascontiguousarray(seen[::-1, ::-1]))
        return {name: min(_difference(known, way) for way in both) for name, known in self._faces.items()}

    def _reduced(self, face: Image) -> Grid:
        small = cv2.resize(face, self._size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), 0.7), np.float32)


def _difference(known: Grid, seen: Grid) -> float:
    rim = 4  # pixels: what a card lay on, and where its outline was put a little differently
    known, seen = known[rim:-rim, rim:-rim], seen[rim:-rim, rim:-rim]
    height, width = known.shape[:2]
    y, x = np.mgrid[-1.0 : 1.0 : height * 1j, -1.0 : 1.0 : width * 1j]
    residual = np.zeros((height, width), np.float32)
    for channel in range(3):
        k, s = known[..., channel].ravel().astype(np.float64), seen[..., channel].ravel().astype(np.float64)
        # another exposure is a gain and an offset, light from one side a gain that changes across the card
        design = np.column_stack([k, k * x.ravel(), k * y.ravel(), np.ones(k.size)])
        fitted = np.linalg.lstsq(design[::7], s[::7], rcond=None)[0]
        if not _GAINS[0] <= fitted[0] <= _GAINS[1]:
            return float("inf")
        off = np.abs(s - design @ fitted).reshape(height, width) / (3.0 * max(float(fitted[0]), 1.0))
        residual += off.astype(np.float32)
    grey = known.mean(axis=2)
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0) / 8.0, cv2.Sobel(grey, cv2.CV_32F, 0, 1) / 8.0)
    window = round(_WINDOW_MM * _PX_PER_MM)
    off, explained = (cv2.blur(part, (window, window)) for part in (residual, _NOISE + _SHIFT_PX * steep))
    return float((off / explained).max())


def colour_name(face: Image, colours: Sequence[str]) -> str | None:
    """The one of `colours` that most of what is coloured on a face (H, W, 3) has, None where none stands out."""
    hsv = cv2.cvtColor(cv2.resize(face, (60, 84), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2HSV)
    coloured = (hsv[..., 1] > _SATURATED) & (hsv[..., 2] > 40)
    if coloured.mean() < _COLOURED_SHARE:
        return None
    hues = hsv[..., 0][coloured].astype(np.float64) * 2.0
    named = np.searchsorted([start for start, _ in _HUES], hues, side="right") - 1
    shares: dict[str, float] = {}
    for k, (_, name) in enumerate(_HUES):
        shares[name] = shares.get(name, 0.0) + float((named == k).mean())
    shares["yellow"] += shares.pop("orange")  # what is told apart from yellow on no deck of five colours
    shares["violet"] += 0.0
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= _OF_ONE_HUE and best in colours else None
