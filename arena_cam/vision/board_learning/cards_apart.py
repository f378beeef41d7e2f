"""Cards laid side by side on a plain ground: outlined.

What differs from the ground is a card if four sides bound it. Where exactly its edges are is traced from there, card by
card: print at a card's edge hides the edge from a colour's threshold, but not the card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.messages import Message
from arena_cam.vision.board_learning.hexagons import ALIKE, LONGEST_PX, Floats, Image, from_ground
from arena_cam.vision.deck_learning.card_outline import CardOutline, PhotographedCard, upright
from arena_cam.vision.deck_learning.edge_tracing import Traced, fit_outline
from arena_cam.vision.deck_learning.flat_card import ANY_LENS, misfit
from arena_cam.vision.deck_learning.taking_messages import NotFound
from arena_cam.vision.picture.linear_light import Linear, linear_light

SHARES = (1.0, 0.6, 0.3)  # of Otsu's threshold: a band nearer to the ground's colour than to paper is card, too
LEAST_SHARE = 0.002  # of the picture's area: 40 cards of one photograph fill a tenth of it
LEAST_SOLID = 0.9
LEAST_RECTANGULAR = 0.8  # of the four-sided outline's area that is the hull's; a disc in its square has 0.79
MOST_STRETCHED = 1.9  # of the proportions: what 55 degrees off the vertical make of a card
K1_SD = 0.04  # lenses that bend a straight line by more are fisheyes
# Of a card's side, from the rough outline to the edge, round after round. The ground's grain may lead a wide look away,
# and a narrow one may end at print along an edge. Of what is found, that which a flat card of this size can have is
# right: true outlines of 56 printed cards misfit by 0.003 to 0.02 mm, those cut at a printed band by 0.10 to 0.21. Seen
# from straight above a cut one misfits by less, so of those about as flat the largest is the card's.
REACHES = ((0.06, 0.02, 0.006), (0.03, 0.012, 0.006), (0.015, 0.006))
AS_FLAT_MM = 0.08
MOST_MISFIT_MM = 0.5  # of bent cards and of lenses that are not quite straight
CLEARLY_FLAT_MM = 0.05  # misfits: see above
STEP_MM = 0.25
GROWN_MM = tuple(np.arange(0.5, 6.01, STEP_MM))  # as wide as bands are printed along an edge
SHARP = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
LEAST_SUPPORT = 0.6  # of each side along which an edge is seen

Found = tuple[float, CardOutline]


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
    light, tracing = linear_light(image_bgr), _Tracing(curve, card_mm, (image_bgr.shape[1], image_bgr.shape[0]))
    side = float(np.sqrt(_area(corners)))
    tried = [tracing.traced(light, corners, [max(4.0, share * side) for share in each]) for each in REACHES]
    found = [each for each in tried if each is not None]
    found += [wider for each in found if (wider := tracing.grown(light, each)) is not None]
    if not found:
        return NotFound.NO_EDGE()
    least = min(off_mm for off_mm, _ in found)
    as_flat = [outline for off_mm, outline in found if off_mm <= least + AS_FLAT_MM]
    return max(as_flat, key=lambda each: _area(each.corners_px)) if least <= MOST_MISFIT_MM else NotFound.NOT_FLAT()


@dataclass(frozen=True)
class _Tracing:
    """Traces outlines of cards of one size in a picture of one size; each with its misfit in mm as a flat card."""

    curve: PhotographedCard
    card_mm: tuple[float, float]
    size_px: tuple[int, int]

    def traced(self, light: Linear, corners: Floats, reaches_px: Sequence[float]) -> Found | None:
        """The outline near to corners (4, 2); None where some side shows no edge."""
        prior = np.append(np.full(8, np.inf), K1_SD)
        traced = fit_outline(light, self.curve.start(corners), self.curve, prior, tuple(reaches_px))
        return self._found(traced) if traced.support(2.0).min() >= LEAST_SUPPORT else None

    def grown(self, light: Linear, found: Found) -> Found | None:
        """Where an outline ends at print along one side: the one with that side as far out as a flat card has it.

        Its edge may be too faint to be seen: a band may have nearly the ground's colour.
        """
        off_mm, outline = found
        if off_mm < CLEARLY_FLAT_MM or outline.traced is None:
            return None
        best_of_side = [min(self._moved(outline, side), key=lambda each: each[0]) for side in range(4)]
        least = min(each[0] for each in best_of_side)
        if least > off_mm - CLEARLY_FLAT_MM:
            return None
        as_flat = [each for each in best_of_side if each[0] <= least + AS_FLAT_MM]
        best = max(as_flat, key=lambda each: _unlike_ground(light, outline.corners_px, each[1].corners_px))
        px_a_mm = float(np.sqrt(_area(outline.corners_px) / (self.card_mm[0] * self.card_mm[1])))
        return self.traced(light, best[1].corners_px, [max(2.0, STEP_MM * px_a_mm)]) or best

    def _moved(self, outline: CardOutline, side: int) -> list[Found]:
        """The outline with one side further and further out."""
        assert outline.traced is not None
        moved = [_moved_out(outline.corners_px, side, mm, self.card_mm) for mm in GROWN_MM]
        return [self._found(replace(outline.traced, parameters=self.curve.start(each))) for each in moved]

    def _found(self, traced: Traced) -> Found:
        flat = misfit(partial(self.curve, traced.parameters), self.size_px, *self.card_mm)
        return flat.at(ANY_LENS), CardOutline(self.curve(traced.parameters, SHARP), traced, self.curve, flat)


def _moved_out(corners: Floats, side: int, mm: float, card_mm: tuple[float, float]) -> Floats:
    """Corners (4, 2) with one side (0: top, then clockwise) `mm` further out."""
    first, second = side, (side + 1) % 4
    share = mm / card_mm[1 - side % 2]
    moved = corners.copy()
    moved[first] += share * (corners[first] - corners[(side + 3) % 4])
    moved[second] += share * (corners[second] - corners[(side + 2) % 4])
    return moved


def _unlike_ground(light: Linear, inner: Floats, outer: Floats) -> float:
    """How far the strip between two outlines (4, 2) differs from what is as far again beyond; ground does not."""
    masks = []
    for near, far in ((inner, outer), (outer, 2 * outer - inner)):
        mask = np.zeros(light.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(far).astype(np.int32), 1)
        cv2.fillConvexPoly(mask, np.round(near).astype(np.int32), 0)
        masks.append(mask > 0)
    if not all(mask.any() for mask in masks):
        return 0.0
    strip, beyond = (np.median(np.cbrt(light[mask]), axis=0) for mask in masks)
    return float(np.linalg.norm(strip - beyond))


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
