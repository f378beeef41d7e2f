"""The true state of the simulated table, in the words of the vision contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.lies import Face
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena.throwing import PlacedCard
from arena_cam.simulation.things.resting import CardSize

# Who covers whom is read off a drawing from above at this scale: an overlap under 2 mm2 is none that a camera sees.
MAP_PX_MM = 2.0
LEAST_OVERLAP_PX = 8
FINE = 4  # parts of a pixel in which visible shares are counted


def smooth_outline(pose: CardPose, size: CardSize, per_side: int = 6) -> Array:
    """The card's outline in the world, (N, 3), fine enough for a distorting lens."""
    w, h, r = size.width_mm / 2, size.height_mm / 2, size.corner_radius_mm
    points: list[tuple[float, float]] = []
    for cx, cy, start in ((-w + r, h - r, 180.0), (w - r, h - r, 90.0), (w - r, -h + r, 0.0), (-w + r, -h + r, -90.0)):
        angles = np.radians(start - np.linspace(0.0, 90.0, per_side))
        points += [(cx + r * float(np.cos(a)), cy + r * float(np.sin(a))) for a in angles]
    local = np.array(points)
    dense = [local[k - 1] + t * (local[k] - local[k - 1]) for k in range(len(local)) for t in (0.0, 0.25, 0.5, 0.75)]
    return pose.points(np.array(dense)[:, 0], np.array(dense)[:, 1])


def covered_by(pile: Sequence[PlacedCard], size: CardSize) -> list[tuple[list[int], list[int]]]:
    """For each card, which earlier ones it lies on directly and which it covers at all, seen from above."""
    if not pile:
        return []
    outlines = [smooth_outline(placed.pose, size)[:, :2] for placed in pile]
    low = np.min([outline.min(axis=0) for outline in outlines], axis=0) - 2.0
    high = np.max([outline.max(axis=0) for outline in outlines], axis=0) + 2.0
    shape = tuple(int(n) for n in np.ceil((high - low) * MAP_PX_MM)[::-1])
    top = np.full(shape, -1, np.int16)
    masks: list[NDArray[np.bool_]] = []
    found = []
    for k, outline in enumerate(outlines):
        stencil = np.zeros(shape, np.uint8)
        cv2.fillPoly(stencil, [np.round((outline - low) * MAP_PX_MM).astype(np.int32)], 1)
        mask = stencil > 0
        counts = np.bincount(top[mask][top[mask] >= 0], minlength=k) if k else np.zeros(0, int)
        direct = [i for i in range(k) if counts[i] >= LEAST_OVERLAP_PX]
        all_below = [i for i in range(k) if np.count_nonzero(masks[i] & mask) >= LEAST_OVERLAP_PX]
        found.append((direct, all_below))
        top[mask] = k
        masks.append(mask)
    return found


def visible_shares(
    pile: Sequence[PlacedCard], size: CardSize, camera: Camera, size_px: tuple[int, int], hidden: Any = None
) -> list[tuple[float, float]]:
    """For each card the share that is in the picture and covered by nothing, and the share that no card covers.

    `hidden` (h, w) bool are pixels in front of which something else is (a hand).
    """
    shares = []
    canvas = np.full((size_px[1] * FINE // 2, size_px[0] * FINE // 2), -1, np.int16)
    areas = []
    for k, placed in enumerate(pile):
        outline = (camera.project(smooth_outline(placed.pose, size)) + 0.5) * (FINE / 2)
        areas.append(abs(float(cv2.contourArea(outline.astype(np.float32)))))
        cv2.fillPoly(canvas, [np.round(outline * 16).astype(np.int32)], k, cv2.LINE_8, 4)
    free = canvas.copy()
    if hidden is not None:
        covered = cv2.resize(hidden.astype(np.uint8), canvas.shape[::-1], interpolation=cv2.INTER_NEAREST)
        free[covered > 0] = -1
    for k, area in enumerate(areas):
        alone, seen = np.count_nonzero(canvas == k), np.count_nonzero(free == k)
        shares.append((min(1.0, seen / area), min(1.0, alone / area)) if area > 0 else (0.0, 0.0))
    return shares


def truth_of(
    pile: Sequence[PlacedCard],
    size: CardSize,
    camera: Camera,
    size_px: tuple[int, int],
    challenge: str | None = None,
    hidden: Any = None,
) -> dict[str, Any]:
    """The truth of one moment as plain JSON data; the pile in the order of throwing, which is bottom to top."""
    below = covered_by(pile, size)
    shares = visible_shares(pile, size, camera, size_px, hidden)
    cards = []
    for index, (placed, (direct, above), (seen, alone)) in enumerate(zip(pile, below, shares, strict=True)):
        corners = placed.corners_mm(size)
        cards.append(
            {
                "id": placed.card,
                "face": placed.face.value,
                "landing": placed.landing.value,
                "tilt_deg": round(placed.rest.tilt_deg, 2),
                "centre_mm": _rounded(placed.pose.centre_mm),
                "corners_mm": [_rounded(corner) for corner in corners],
                "corners_px": [_rounded(corner) for corner in camera.project(corners)],
                "angle_deg": round(_heading_deg(corners), 2),
                "visible_fraction": round(seen, 4),
                "unoccluded_fraction": round(alone, 4),
                "rests_on": [pile[i].card for i in direct],
                "above": [pile[i].card for i in above],
                "touches": [name for name in placed.rest.supports if name not in ("floor", "wall", "table")],
                "throw_index": index,
                "overhang_mm": round(placed.overhang_mm, 2),
                "ambiguous": placed.ambiguous,
                "supports": list(placed.rest.supports),
                "curl_mm": round(placed.curl_mm, 2),
            }
        )
    candidates = duelling_candidates(pile, below, challenge)
    return {
        "cards": cards,
        "challenge": challenge,
        "duelling": candidates[0] if candidates else None,
        "duelling_candidates": candidates,
        "duelling_unique": len(candidates) <= 1,
        "order": [placed.card for placed in pile],
    }


def duelling_candidates(
    pile: Sequence[PlacedCard], below: Sequence[tuple[list[int], list[int]]], challenge: str | None
) -> list[str]:
    """The flat cards, face up, that may duel: directly over the challenge card, or over same-value cards on it.

    In the order of throwing; the first is the duelling card. A card with another candidate anywhere beneath it is none.
    """
    names = [placed.card for placed in pile]
    if challenge not in names:
        return []
    start = names.index(challenge)
    beneath: list[set[int]] = []
    for direct, _ in below:
        beneath.append(set(direct).union(*(beneath[i] for i in direct)))
    passes, candidates = {start}, list[int]()
    for k in range(start + 1, len(pile)):
        placed, direct = pile[k], below[k][0]
        if placed.landing != "flat" or placed.face is not Face.UP or not passes.intersection(direct):
            continue
        if _colour(names[k]) == _colour(challenge):
            continue
        if _value(names[k]) == _value(challenge):
            passes.add(k)
        elif not beneath[k].intersection(candidates):
            candidates.append(k)
    return [names[k] for k in candidates]


def _colour(card: str) -> str:
    return card.rpartition("-")[0] or card[-1:]


def _value(card: str) -> str:
    return card.rpartition("-")[2] if "-" in card else card[:-1]


def _heading_deg(corners: Array) -> float:
    """Direction of the card's upright axis seen from above, from world y counterclockwise."""
    up = corners[0] - corners[3]
    return float(np.degrees(np.arctan2(-up[0], up[1])))


def _rounded(values: Array) -> list[float]:
    return [round(float(v), 3) for v in values]
