"""Cards laid side by side on a plain ground: outlined.

What differs from the ground is a card if four sides bound it. Where exactly its edges are is traced from there, card by
card: print at a card's edge hides the edge from a colour's threshold, but not the card.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.messages import Message
from arena_cam.vision.board_learning.hexagons import ALIKE, LONGEST_PX, Floats, Image, from_ground
from arena_cam.vision.deck_learning.card_outline import CardOutline, PhotographedCard, upright
from arena_cam.vision.deck_learning.edge_tracing import fit_outline, linear_light
from arena_cam.vision.deck_learning.taking_messages import NotFound

SHARES = (1.0, 0.6, 0.3)  # of Otsu's threshold: a band nearer to the ground's colour than to paper is card, too
LEAST_SHARE = 0.002  # of the picture's area: 40 cards of one photograph fill a tenth of it
LEAST_SOLID = 0.9
LEAST_RECTANGULAR = 0.8  # of the four-sided outline's area that is the hull's; a disc in its square has 0.79
MOST_STRETCHED = 1.9  # of the proportions: what 55 degrees off the vertical make of a card
K1_SD = 0.04  # lenses that bend a straight line by more are fisheyes
# Of a card's side, from the rough outline to the edge, round after round; the ground's grain may lead a wide look away.
REACHES = ((0.03, 0.012, 0.006), (0.015, 0.006))
LEAST_SUPPORT = 0.6  # of each side along which an edge is seen


def find_cards_apart(image_bgr: Image, card_mm: tuple[float, float]) -> list[Floats]:
    """Rough outlines (4, 2) in pixels of the cards of a photograph (h, w, 3) that do not touch each other."""
    factor = min(1.0, LONGEST_PX / max(image_bgr.shape[:2]))
    small = np.asarray(cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    away = from_ground(small)
    level, _ = cv2.threshold(away.astype(np.uint8), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    tried = [_of_mask(away > max(level * share, 6.0), card_mm) for share in SHARES]
    best = max(tried, key=lambda quads: sum(_area(quad) for quad in quads))  # halves of cards are more, but smaller
    return [np.asarray((outline + 0.5) / factor - 0.5) for outline in best]


def traced_outline(image_bgr: Image, rough_px: Floats, card_mm: tuple[float, float]) -> CardOutline | Message:
    """The outline of a card whose corners (4, 2) in a photograph (h, w, 3) are about there, or why there is none."""
    corners = upright(rough_px, *card_mm)
    if corners is None:
        return NotFound.NO_CARD()
    curve = PhotographedCard(image_bgr.shape[1], image_bgr.shape[0])
    prior, light, start = np.append(np.full(8, np.inf), K1_SD), linear_light(image_bgr), curve.start(corners)
    side = float(np.sqrt(_area(corners)))
    tried = [fit_outline(light, start, curve, prior, tuple(max(4.0, s * side) for s in each)) for each in REACHES]
    traced = max(tried, key=lambda each: float(each.support(2.0).min()))
    if traced.support(2.0).min() < LEAST_SUPPORT:
        return NotFound.NO_EDGE()
    sharp = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    return CardOutline(curve(traced.parameters, sharp), traced, curve)


def _area(quad: Floats) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def _of_mask(mask: NDArray[np.bool_], card_mm: tuple[float, float]) -> list[Floats]:
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    outlines, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [q for each in outlines if (q := _four_sides(np.asarray(each, np.int32), mask.shape, card_mm)) is not None]
    if not found:
        return []
    areas = [_area(quad) for quad in found]
    usual = float(np.median(areas))
    return [quad for quad, area in zip(found, areas, strict=True) if ALIKE[0] < area / usual < ALIKE[1]]


def _four_sides(outline: NDArray[np.int32], picture: tuple[int, ...], card_mm: tuple[float, float]) -> Floats | None:
    """The four-sided outline round a blob; None for a blob that is no card, or is cut off by the picture's border."""
    hull = np.asarray(cv2.convexHull(outline), np.int32)
    area = cv2.contourArea(hull)
    if area < LEAST_SHARE * picture[0] * picture[1] or cv2.contourArea(outline) < LEAST_SOLID * area:
        return None
    x, y, width, height = cv2.boundingRect(hull)
    if x <= 1 or y <= 1 or x + width >= picture[1] - 1 or y + height >= picture[0] - 1:
        return None
    (_, _), sides, _ = box = cv2.minAreaRect(hull)
    stretched = max(sides) / max(min(sides), 1.0) / (max(card_mm) / min(card_mm))
    near = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True)[:, 0]
    quad = np.asarray(near if len(near) == 4 else cv2.boxPoints(box), np.float64)
    if not 1.0 / MOST_STRETCHED < stretched < MOST_STRETCHED:
        return None
    return quad if area > LEAST_RECTANGULAR * _area(quad) else None
