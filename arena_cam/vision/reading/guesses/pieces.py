"""Guesses for a visible piece of a card that differs from the empty table, from the piece's straight edges.

A piece of a card that others cover has at least one of the card's corners. With its edges along the piece's edges, a
card of known size fits in few poses, and in none where bare floor is visible in its place.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.floor.table_change import VIEW_PX_PER_MM
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM

Mask = NDArray[np.uint8]

_SMALLEST_MM2 = 300.0  # smaller pieces have no edges to go by
_STRIP_MM = 9.0  # thinner strips are the rims of cards already found
_BLURRED_MM = 3.0  # a piece may seem larger than it is by this: shadow and blur


def places_of_pieces(unexplained: Mask, claimed: Mask, half_mm: tuple[float, float], deck: Deck) -> list[CardPose]:
    """Poses, flat and upright or on the side, that a card may have which shows a piece of `unexplained` (H, W; a view
    from above that reaches `half_mm` from the middle), where `claimed` (H, W) shows the cards known. Which way up is
    left open: each stands for its half turn too."""
    size = round(_STRIP_MM * VIEW_PX_PER_MM)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    solid = cv2.morphologyEx(unexplained, cv2.MORPH_OPEN, disc)
    reach = 2 * round(_BESIDE_MM * VIEW_PX_PER_MM) + 1
    beside = cv2.dilate(claimed, np.ones((reach, reach), np.uint8)) > 0
    contours, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        if cv2.contourArea(contour) < _SMALLEST_MM2 * VIEW_PX_PER_MM**2:
            continue
        pixels = contour.reshape(-1, 2).astype(np.float64)
        outline = pixels / VIEW_PX_PER_MM * (1.0, -1.0) + (-half_mm[0], half_mm[1])
        for degrees in _directions(contour, beside):
            along = np.array([np.cos(np.radians(degrees)), -np.sin(np.radians(degrees))])
            found += _lying_along(outline, along, deck)
    return found


def _directions(contour: NDArray[Any], beside: NDArray[np.bool_]) -> list[float]:
    """Directions (degrees in the picture, modulo 90) in which the card's own edges may run, likeliest first: those of
    the straight parts of a piece's outline that do not run `beside` a card (H, W) that covers it; if none does, that of
    the smallest rectangle round it."""
    corners = cv2.approxPolyDP(contour, _STRAIGHT_MM * VIEW_PX_PER_MM, closed=True).reshape(-1, 2).astype(np.float64)
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.hypot(*(end - start)))
        along = np.linspace(start, end, 9)[1:-1].round().astype(np.intp)
        if length >= _SIDE_MM * VIEW_PX_PER_MM and beside[along[:, 1], along[:, 0]].mean() < 0.5:
            sides.append((length, float(np.degrees(np.arctan2(end[1] - start[1], end[0] - start[0]))) % 90.0))
    found: list[float] = []
    for _, degrees in sorted(sides, reverse=True):
        if all(abs((degrees - other + 45.0) % 90.0 - 45.0) > _ALIKE_DEG for other in found):
            found.append(degrees)
    return found[:_MOST_DIRECTIONS] or [float(cv2.minAreaRect(contour)[2])]


_STRAIGHT_MM, _SIDE_MM = 1.5, 12.0  # how far a side may bend, and how long it must be to show a direction
_BESIDE_MM = 6.0  # what is odd begins so far from a known card, its rim and the doubt about its outline
_ALIKE_DEG, _MOST_DIRECTIONS = 6.0, 2


def _lying_along(outline: NDArray[np.float64], along: NDArray[np.float64], deck: Deck) -> list[CardPose]:
    """Poses of a card whose edges run along the unit vector `along` and across it, and that covers `outline` (N, 2)."""
    axes = np.stack([along, (-along[1], along[0])])
    spans = [(float(at.min()), float(at.max())) for at in axes @ outline.T]
    found = []
    for lengths in ((deck.width_mm, deck.height_mm), (deck.height_mm, deck.width_mm)):
        if any(high - low > length + _BLURRED_MM for (low, high), length in zip(spans, lengths, strict=True)):
            continue
        middles = [{low + length / 2, high - length / 2} for (low, high), length in zip(spans, lengths, strict=True)]
        for middle in product(*middles):
            x, y = np.array(middle) @ axes
            upright = axes[1] if lengths[0] == deck.width_mm else axes[0]
            found.append(CardPose.flat(x, y, float(np.degrees(np.arctan2(-upright[0], upright[1]))), GUESS_HEIGHT_MM))
    return found
