"""Where might a card lie of which a piece shows that is unlike the empty table? By the piece's own straight edges.

A piece of a card that others cover has at least one of the card's corners: with its edges along the piece's, a card of
known size can lie in a few ways only, and in none that would have bare floor where the card should be seen.
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.proposals import GUESS_HEIGHT_MM
from arena_cam.vision.strangers import VIEW_PX_PER_MM

Mask = NDArray[np.uint8]

_SMALLEST_MM2 = 300.0  # smaller pieces have no edges to go by
_STRIP_MM = 9.0  # thinner strips are the rims of cards already found
_BLURRED_MM = 3.0  # a piece may seem larger than it is by this: shadow and blur


def places_of_pieces(unexplained: Mask, half_mm: tuple[float, float], deck: Deck) -> list[CardPose]:
    """Poses, flat and upright or on the side, that a card may have which shows a piece of `unexplained` (H, W; a view
    from above that reaches `half_mm` from the middle). Which way up is left open: each stands for its half turn too."""
    size = round(_STRIP_MM * VIEW_PX_PER_MM)
    solid = cv2.morphologyEx(unexplained, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    contours, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        if cv2.contourArea(contour) < _SMALLEST_MM2 * VIEW_PX_PER_MM**2:
            continue
        pixels = contour.reshape(-1, 2).astype(np.float64)
        outline = pixels / VIEW_PX_PER_MM * (1.0, -1.0) + (-half_mm[0], half_mm[1])
        (_, _), _, degrees = cv2.minAreaRect(outline.astype(np.float32))
        along = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
        found += _lying_along(outline, along, deck)
    return found


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
