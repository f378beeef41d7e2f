"""Guesses places of cards from their outlines: convex quadrilaterals among the edges of several thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.vision.planes.face_features import PlaceGuess

_LONGEST_SIDE_PX = 800
_LEAST_SIDE_PX = 30.0  # of a resized card: below, no index can be read
# A card seen from the side shrinks along one direction: 45 deg off makes 0.7 of it.
_LEAST_FORESHORTENING = 0.55


def guess_quads(image_bgr: NDArray[np.uint8], deck: Deck) -> list[PlaceGuess]:
    """A guess for each quadrilateral that a card's outline may be; upright or upside down is left open."""
    guesses = []
    for quad in find_quads(image_bgr):
        guesses += _upright(quad, deck)
    return guesses


def find_quads(
    image_bgr: NDArray[np.uint8], extra_masks: Sequence[NDArray[np.uint8]] = ()
) -> list[NDArray[np.float64]]:
    """Corners (4, 2) in pixels of every quadrilateral that one of several thresholds makes a blob of its own.

    `extra_masks` (H, W) are further black-and-white pictures to look in.
    """
    factor = min(1.5, _LONGEST_SIDE_PX / max(image_bgr.shape[:2]))
    kind = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=kind), np.uint8)
    size = (small.shape[1], small.shape[0])
    masks = _masks(small) + [np.asarray(cv2.resize(m, size, interpolation=cv2.INTER_NEAREST)) for m in extra_masks]
    quads: list[NDArray[np.float64]] = []
    for mask in masks:
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            quad = _quad(np.asarray(contour, np.int32))
            if quad is not None and not _known(quad, quads):
                quads.append(quad)
    return [(quad + 0.5) / factor - 0.5 for quad in quads]


def _known(quad: NDArray[np.float64], quads: list[NDArray[np.float64]]) -> bool:
    """Whether one of `quads` is the same, wherever its corners start, but for 2 % of its size."""
    if not quads:
        return False
    size = float(np.linalg.norm(quad[0] - quad[2]))
    others = np.stack(quads)
    return any(
        bool((np.abs(others - np.roll(quad, turn, axis=0)).max(axis=(1, 2)) < 0.02 * size + 0.5).any())
        for turn in range(4)
    )


def _masks(image_bgr: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Black-and-white pictures in which a card may be one blob."""
    smooth = cv2.bilateralFilter(image_bgr, 5, 30, 5)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)
    light = lab[:, :, 0]
    masks = [cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1]]
    masks += [cv2.threshold(light, level, 255, cv2.THRESH_BINARY)[1] for level in (90, 120, 150, 180, 205)]
    longest = max(light.shape)
    for part, offset in ((0.12, -8), (0.3, -12)):
        block = max(3, round(longest * part) | 1)
        masks.append(cv2.adaptiveThreshold(light, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, offset))
    for low, high in ((20, 60), (50, 120)):
        edges = cv2.max(cv2.Canny(light, low, high), cv2.Canny(lab[:, :, 2], low, high))
        masks.append(255 - cv2.dilate(edges, np.ones((3, 3), np.uint8)))
    return [np.asarray(mask, np.uint8) for mask in masks]


def _quad(contour: NDArray[np.int32]) -> NDArray[np.float64] | None:
    """The four corners (4, 2) of a contour whose hull is nearly a quadrilateral, clockwise in the picture."""
    if len(contour) < 4 * _LEAST_SIDE_PX * 0.8:
        return None
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if area < _LEAST_SIDE_PX**2:
        return None
    perimeter = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.035, 0.05):
        corners = cv2.approxPolyDP(hull, tolerance * perimeter, True)
        if len(corners) == 4:
            points = contour.reshape(-1, 2)[:: max(1, len(contour) // 400)].astype(np.float64)
            quad = _side_lines(points, corners.reshape(4, 2).astype(np.float64))
            if quad is not None and 0.85 < abs(cv2.contourArea(quad.astype(np.float32))) / area < 1.25:
                return quad
    return None


def _side_lines(points: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Corners where lines through the contour's sides meet: rounded corners do not pull them inwards."""
    lines = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.linalg.norm(b - a))
        if length < _LEAST_SIDE_PX * 0.5:
            return None
        direction = (b - a) / length
        along = (points - a) @ direction
        across = np.abs((points - a) @ np.array([-direction[1], direction[0]]))
        near = points[(along > 0.15 * length) & (along < 0.85 * length) & (across < 0.04 * length + 1.5)]
        if len(near) < 4:
            return None
        vx, vy, x0, y0 = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((-float(vy), float(vx), float(vy) * float(x0) - float(vx) * float(y0)))
    quad = []
    for (a1, b1, c1), (a2, b2, c2) in zip(lines[-1:] + lines[:-1], lines, strict=True):
        crossing = a1 * b2 - a2 * b1
        if abs(crossing) < 1e-3:
            return None
        quad.append(((b1 * c2 - b2 * c1) / crossing, (c1 * a2 - c2 * a1) / crossing))
    return np.array(quad)


def _upright(quad: NDArray[np.float64], deck: Deck) -> list[PlaceGuess]:
    """Homographies with the card's long side along either pair of sides, as far as perspective allows."""
    if cv2.contourArea(quad.astype(np.float32), True) < 0:
        quad = quad[::-1]
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    half_w, half_h = deck.width_mm / 2, deck.height_mm / 2
    corners_mm = np.array([[-half_w, half_h], [half_w, half_h], [half_w, -half_h], [-half_w, -half_h]], np.float32)
    guesses = []
    for first in (0, 1):
        across, along = sides[first] + sides[first + 2], sides[first + 1] + sides[(first + 3) % 4]
        ratio = along / across / (deck.height_mm / deck.width_mm)
        if _LEAST_FORESHORTENING < ratio < 1 / _LEAST_FORESHORTENING:
            h = cv2.getPerspectiveTransform(corners_mm, np.roll(quad, -first, axis=0).astype(np.float32))
            guesses.append(PlaceGuess(np.asarray(h, np.float64), None, 0.0, "outline"))
    return guesses
