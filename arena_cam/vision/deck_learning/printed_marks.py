"""Markers and a QR code that a learned card bears, found on its straightened picture, as deck.toml names them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import PrintedMarker, PrintedQr
from arena_cam.vision.deck_learning.straightening import PX_PER_MM
from arena_cam.vision.picture.markers import SeenMarker, find_markers
from arena_cam.vision.picture.qr_codes import SeenCode, find_codes

Image = NDArray[np.uint8]

# That of the printed deck, see docs/conventions.md. Fiducials and blocks are of another, which no card may bear.
DICTIONARY = "DICT_4X4_50"
LEAST_MARKER_MM = 5.0  # smaller ones have less than two pixels a module at the usual 2 px/mm
# deck.toml holds markers that are square and upright on their card; a learned one may be so much off.
_LEAN, _UNEVEN = 0.06, 0.08
# How well a marker drawn anew must match: real ones do by 0.956 and more at 1.3 px/mm, by 0.995 at 3; artwork with a
# marker's bits, uneven or with an open border, by less.
_MATCH = 0.93


def printed_marks(face: Image) -> tuple[tuple[PrintedMarker, ...], PrintedQr | None]:
    """What a card's picture (H, W, 3), cut to its outline at PX_PER_MM, bears: its markers of DICTIONARY, from the top
    left row by row, and its QR code. None where there is not exactly one code, or no reader for codes."""
    grey = np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = find_markers(grey, DICTIONARY, round(LEAST_MARKER_MM * PX_PER_MM))
    markers = [marker for one in seen if (marker := _as_printed(grey, one)) is not None]
    codes = find_codes(grey)
    code = _code(codes[0]) if len(codes) == 1 else None
    return tuple(sorted(markers, key=lambda m: (round(m.y_mm), m.x_mm))), code


def _as_printed(grey: Image, seen: SeenMarker) -> PrintedMarker | None:
    """The marker as deck.toml holds it; None for one that is not square and upright, and for artwork like one."""
    across, along = seen.corners_px[1] - seen.corners_px[0], seen.corners_px[3] - seen.corners_px[0]
    width, height = float(np.hypot(*across)), float(np.hypot(*along))
    side = (width + height) / 2
    if across[0] <= 0 or abs(across[1]) > _LEAN * side or abs(along[0]) > _LEAN * side:
        return None
    if abs(width - height) > _UNEVEN * side or _match(grey, seen) < _MATCH:
        return None
    x, y = (seen.corners_px.mean(axis=0) + 0.5) / PX_PER_MM
    # its corners are the middles of its outermost pixels
    return PrintedMarker(DICTIONARY, seen.id, _tenth((side + 1.0) / PX_PER_MM), _tenth(x), _tenth(y))


def _match(grey: Image, seen: SeenMarker) -> float:
    """Correlation of the picture with the marker drawn anew."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    modules = known.markerSize + 2
    drawn = cv2.aruco.generateImageMarker(known, seen.id, modules).astype(np.float64)
    finer = 8
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * modules * finer - 0.5
    flat = cv2.warpPerspective(
        grey,
        cv2.getPerspectiveTransform(seen.corners_px.astype(np.float32), square),
        (modules * finer, modules * finer),
    )
    means = cv2.resize(flat, (modules, modules), interpolation=cv2.INTER_AREA).astype(np.float64)
    return float(np.corrcoef(means.ravel(), drawn.ravel())[0, 1])


def _code(seen: SeenCode) -> PrintedQr:
    low, high = seen.corners_px.min(axis=0), seen.corners_px.max(axis=0)
    x, y = (low + high) / 2 / PX_PER_MM
    return PrintedQr(seen.text, _tenth(float((high - low).mean()) / PX_PER_MM), _tenth(x), _tenth(y))


def _tenth(mm: float) -> float:
    """Rounds to a tenth of a millimetre, the precision of a photograph."""
    return round(float(mm), 1)
