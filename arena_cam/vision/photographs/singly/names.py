"""Names a card at its place: the best face against the next best, and against a card that the deck does not have."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.faces.deck_faces import FaceGrid
from arena_cam.vision.planes.candidates import Candidate, better, settle
from arena_cam.vision.planes.comparison import compare, rank_faces
from arena_cam.vision.planes.picture import Picture
from arena_cam.vision.planes.plane_alignment import Templates

_RIVALS = 4
_LEAST_OWN = 0.04  # of a card that must be seen and be its own: an index and a pip
_INK_LEVELS = 45.0  # grey levels that a print differs from its paper by in the deck's picture
_UPSIDE_DOWN = np.diag([-1.0, -1.0, 1.0])


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the photograph and a face agree, leaving out what other cards cover.

    `ink_mm2` of the face's print was seen, `ink_missing_mm2` should have been seen in the visible part and was not;
    `ink_absent_mm2` of it is clean paper, as on a card that the deck does not have. `odd_mm2` is the largest patch in
    the visible part that is not as the face has it.
    """

    visible_fraction: float
    ink_mm2: float
    ink_missing_mm2: float
    ink_absent_mm2: float
    odd_mm2: float


@dataclass(frozen=True, eq=False)
class Name:
    """A card named. `margin` is the log-likelihood of its face against the next best one, `rivals` (face, margin)."""

    candidate: Candidate
    margin: float
    rivals: tuple[tuple[int, float], ...]
    agreement: Agreement


def name_card(picture: Picture, found: Candidate, own: NDArray[np.bool_], fine: Templates) -> Name | None:
    """`found` aligned on the fine grid and compared with its rivals there; `own` (H, W) on the coarse grid."""
    candidate = better(picture, found, fine)
    if candidate is None:
        return None
    grid = fine.grid
    mine = cv2.resize(own.astype(np.uint8), grid.mask.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    if (candidate.visible & mine).sum() < _LEAST_OWN * grid.mask.sum():
        return None
    rivals = _rivals(picture, candidate, mine, fine)
    if rivals and rivals[0][1] < 0 and rivals[0][2] is not None:
        candidate, mine = rivals[0][2], rivals[0][3]
        rivals = [r for r in _rivals(picture, candidate, mine, fine) if r[1] > 0] or rivals[:1]
    patch, _ = picture.patch(candidate.px_from_mm, grid)
    agreement = _disagreement(candidate, mine, patch)
    listed = tuple((face, margin) for face, margin, *_ in rivals)
    return Name(candidate, listed[0][1] if listed else 0.0, listed, agreement)


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


def _disagreement(candidate: Candidate, mine: NDArray[np.bool_], patch: NDArray[np.float32]) -> Agreement:
    grid = candidate.templates.grid
    cell_mm2 = 1.0 / grid.px_per_mm**2
    seen = candidate.visible & mine
    face = candidate.templates.template(candidate.face, candidate.templates.blur_for(candidate.px_from_mm)).bgr
    paper = np.median(face[grid.mask], axis=0)
    difference = np.abs(face - paper).max(axis=2)
    ink = (difference > _INK_LEVELS) & grid.mask
    cost = candidate.comparison.fits[0].cost
    within = _hull(seen) & mine & candidate.comparison.inside
    disagrees = (cost > 2.5) & within
    clean = _clean_paper(patch, seen & ~disagrees & (difference < 0.3 * _INK_LEVELS), grid)
    odd = cv2.morphologyEx(disagrees.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(odd)
    largest = float(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0.0
    return Agreement(
        visible_fraction=float(seen.sum() / grid.mask.sum()),
        ink_mm2=float((ink & seen & ~disagrees).sum()) * cell_mm2,
        ink_missing_mm2=float((ink & disagrees).sum()) * cell_mm2,
        ink_absent_mm2=float((ink & disagrees & clean).sum()) * cell_mm2,
        odd_mm2=largest * cell_mm2,
    )


def _hull(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    hull = np.zeros(cells.shape, np.uint8)
    points = cv2.findNonZero(cv2.morphologyEx(cells.astype(np.uint8), cv2.MORPH_OPEN, np.ones((11, 11), np.uint8)))
    if points is not None:
        cv2.fillConvexPoly(hull, cv2.convexHull(points), 1)
    return hull > 0


def _clean_paper(patch: NDArray[np.float32], paper: NDArray[np.bool_], grid: FaceGrid) -> NDArray[np.bool_]:
    """Cells of the patch that look like the paper seen on `paper`, whose brightness may fall off evenly."""
    plane = np.stack([np.ones_like(grid.x_mm), grid.x_mm / 40, grid.y_mm / 40], axis=-1)
    a = plane[paper]
    if len(a) < 30:
        return np.zeros(paper.shape, np.bool_)
    solution = np.linalg.lstsq(a, patch[paper], rcond=None)[0]
    left = np.abs(patch - plane @ solution).max(axis=2)
    return np.asarray(left < max(3.0 * float(np.median(left[paper])), 12.0))
