"""Which of two overlapping cards of any pack lies above: the upper one's edges and its index are seen in the lower."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.photographs.indexed_cards import IndexedCard

_LEAST_OVERLAP_MM2, _TOLD = 25.0, 1.25
_ASKED_MM2 = 60.0  # a smaller overlap is none worth a question
_EDGE_MM, _STEP_MM = 1.2, 1.0
_PERCENTILE = 30.0  # of the steps along the edges: print has as plain ones in places, an edge everywhere


def overlaps(
    image: NDArray[np.uint8], camera: Camera, cards: Sequence[IndexedCard], size: tuple[float, float]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Pairs (upper, lower), and pairs of which it cannot be told. The upper card's edges are seen in the lower; a card
    lies over those that lie under one beneath it."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)
    told, untold = [], []
    for a in range(len(cards)):
        for b in range(a):
            one, other = (cards[n].pose.corners(*size)[:, :2].astype(np.float32) for n in (a, b))
            area, _ = cv2.intersectConvexConvex(one.reshape(-1, 1, 2), other.reshape(-1, 1, 2))
            if area < _LEAST_OVERLAP_MM2:
                continue
            mine, yours = _index_covers(cards[a], cards[b], size), _index_covers(cards[b], cards[a], size)
            first, second = (_edge(grey, camera, *pair) for pair in ((one, other), (other, one)))
            if mine != yours:
                told.append((a, b) if mine else (b, a))
            elif max(first, second) > _TOLD * min(first, second):
                told.append((a, b) if first > second else (b, a))
            elif area > _ASKED_MM2:
                untold.append((a, b))
    implied = [pair for pair in untold if _lies_over(told, *pair)]
    implied += [(b, a) for a, b in untold if _lies_over(told, b, a)]
    return [*told, *implied], [(a, b) for a, b in untold if not {(a, b), (b, a)} & set(implied)]


def _lies_over(told: Sequence[tuple[int, int]], upper: int, lower: int) -> bool:
    """Whether cards between them, each over the next, say that `upper` lies over `lower`."""
    reached, left = {upper}, [upper]
    while left:
        one = left.pop()
        below = {low for up, low in told if up == one} - reached
        reached |= below
        left += sorted(below)
    return lower in reached


def _index_covers(card: IndexedCard, other: IndexedCard, size: tuple[float, float]) -> bool:
    """Whether an index of a card is seen where the other one lies, too: then the card is the upper."""
    half = np.array(size) / 2 - 1.5
    for index in (
        index for index in card.indices if index.card == card.card
    ):  # of a covered one a part reads otherwise
        for point in (index.top, index.middle, index.bottom):
            local = (np.array([*point, 0.0]) - other.pose.centre_mm) @ other.pose.R
            if (np.abs(local[:2]) < half).all():
                return True
    return False


def _edge(grey: NDArray[np.float32], camera: Camera, one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """How plainly the sides of one outline (4, 2) are seen where they run inside another, in grey levels."""
    steps = []
    contour = other.reshape(-1, 1, 2)
    for p, q in zip(one, np.roll(one, -1, axis=0), strict=True):
        long = float(np.hypot(*(q - p)))
        along = (q - p) / long
        across = np.array([-along[1], along[0]])
        for t in np.arange(4.0, long - 4.0, _STEP_MM):
            at = p + along * t
            if cv2.pointPolygonTest(contour, (float(at[0]), float(at[1])), True) < 2.0:
                continue
            line = at + np.linspace(-_EDGE_MM, _EDGE_MM, 7)[:, None] * across
            pixels = camera.project(np.column_stack([line, np.zeros(7)])).astype(np.float32)
            seen = cv2.remap(grey, pixels[:, :1], pixels[:, 1:], cv2.INTER_LINEAR).ravel()
            steps.append(float(seen.max() - seen.min()))
    return float(np.percentile(steps, _PERCENTILE)) + 1.0 if steps else 1.0
