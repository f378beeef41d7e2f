"""Names a card at its place: the best face against the next best, and against a card that the deck does not have."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.photographs.alignment import Templates
from arena_cam.vision.photographs.candidates import Candidate, better, settle
from arena_cam.vision.photographs.comparison import compare, rank_faces
from arena_cam.vision.photographs.picture import Picture

_RIVALS = 4
_UPSIDE_DOWN = np.diag([-1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Name:
    """A card named. `margin` is the log-likelihood of its face against the next best one, `rivals` (face, margin).

    `ink_mm2` is how much of the face's print was seen and agreed, `ink_missing_mm2` how much should have been seen in
    the visible part and was not, `odd_mm2` the largest patch there that is not as the face has it.
    """

    candidate: Candidate
    margin: float
    rivals: tuple[tuple[int, float], ...]
    ink_mm2: float
    ink_missing_mm2: float
    odd_mm2: float


def name_card(picture: Picture, found: Candidate, own: NDArray[np.bool_], fine: Templates) -> Name | None:
    """`found` aligned on the fine grid and compared with its rivals there; `own` (H, W) on the coarse grid."""
    candidate = better(picture, found, fine)
    if candidate is None:
        return None
    grid = fine.grid
    mine = cv2.resize(own.astype(np.uint8), grid.mask.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    rivals = _rivals(picture, candidate, mine, fine)
    if rivals and rivals[0][1] < 0 and rivals[0][2] is not None:
        candidate, mine = rivals[0][2], rivals[0][3]
        rivals = [r for r in _rivals(picture, candidate, mine, fine) if r[1] > 0] or rivals[:1]
    ink, missing, odd = _disagreement(candidate, mine)
    listed = tuple((face, margin) for face, margin, *_ in rivals)
    return Name(candidate, listed[0][1] if listed else 0.0, listed, ink, missing, odd)


def _rivals(
    picture: Picture, candidate: Candidate, mine: NDArray[np.bool_], fine: Templates
) -> list[tuple[int, float, Candidate | None, NDArray[np.bool_]]]:
    """The next best faces, each aligned on its own, with the log-likelihood by which `candidate` beats them."""
    blur = fine.blur_for(candidate.px_from_mm)
    weights = (candidate.visible & mine).astype(np.float32) * 0.9 + 0.1 * (candidate.comparison.inside & mine)
    options = []
    for turned in (False, True):
        place = candidate.px_from_mm @ _UPSIDE_DOWN if turned else candidate.px_from_mm
        w = np.ascontiguousarray(weights[::-1, ::-1]) if turned else weights
        patch, _ = picture.patch(place, fine.grid)
        alike = rank_faces(patch, w, fine.stack(blur))
        options += [(float(alike[face]), int(face), place, w) for face in np.argsort(-alike)[: _RIVALS + 1]]
    options.sort(key=lambda option: -option[0])
    found: list[tuple[int, float, Candidate | None, NDArray[np.bool_]]] = []
    best = _cost(candidate, mine)
    for _, face, place, w in options:
        if face == candidate.face or any(face == other for other, *_ in found):
            continue
        rival = settle(picture, place, face, fine, candidate.origin, w, 3)
        m = mine[::-1, ::-1] if place is not candidate.px_from_mm else mine
        if rival is None:
            comparison = compare(picture, place, fine, w, [face], blur)
            cost = float((comparison.fits[0].cost * m * comparison.inside).sum())
        else:
            cost = _cost(rival, m)
        found.append((face, (cost - best) * candidate.comparison.nats_per_cell, rival, m))
        if len(found) == _RIVALS:
            break
    found.sort(key=lambda rival: rival[1])
    return found


def _cost(candidate: Candidate, mine: NDArray[np.bool_]) -> float:
    return float((candidate.comparison.fits[0].cost * (candidate.comparison.inside & mine)).sum())


def _disagreement(candidate: Candidate, mine: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Print seen, print missing, and the largest odd patch, in square millimetres within the hull of what is visible."""
    grid = candidate.templates.grid
    cell_mm2 = 1.0 / grid.px_per_mm**2
    seen = candidate.visible & mine
    face = candidate.templates.template(candidate.face, candidate.templates.blur_for(candidate.px_from_mm)).bgr
    paper = np.median(face[grid.mask], axis=0)
    ink = (np.abs(face - paper).max(axis=2) * candidate.contrast > 40) & grid.mask
    hull = np.zeros(grid.mask.shape, np.uint8)
    points = cv2.findNonZero(cv2.morphologyEx(seen.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)))
    if points is not None:
        cv2.fillConvexPoly(hull, cv2.convexHull(points), 1)
    within = (hull > 0) & mine & candidate.comparison.inside
    cost = candidate.comparison.fits[0].cost
    disagrees = (cost > 2.5) & within
    odd = cv2.morphologyEx(disagrees.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(odd)
    largest = float(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0.0
    return (
        float((ink & seen & ~disagrees).sum()) * cell_mm2,
        float((ink & disagrees).sum()) * cell_mm2,
        largest * cell_mm2,
    )
