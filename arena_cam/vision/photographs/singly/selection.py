"""Chooses among candidates the cards that explain a photograph together: each pixel is explained once."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.faces.deck_faces import FaceGrid
from arena_cam.vision.planes.candidates import Candidate
from arena_cam.vision.planes.picture import Homography, mm_from_cell

_LEAST_EVIDENCE = 25.0  # nats
# Of a candidate's evidence, what no better card explains already; a card seen twice, a little shifted, keeps less.
_LEAST_OWN_SHARE = 0.6
LEAST_VISIBLE = 0.12  # of a face: a card of which less is seen is not looked for


@dataclass(frozen=True, eq=False)
class Chosen:
    """A candidate that stays; `own` (H, W) is true on the cells that no card chosen before it explains."""

    candidate: Candidate
    own: NDArray[np.bool_]
    own_evidence: float


def choose(found: list[Candidate], size: tuple[int, int]) -> list[Chosen]:
    """Greedily, most evidence first. `size` is the photograph's (width, height)."""
    claimed = np.zeros((size[1], size[0]), np.uint8)
    chosen: list[Chosen] = []
    for candidate in sorted(found, key=lambda c: -c.total):
        if candidate.visible_fraction < LEAST_VISIBLE:
            continue
        own = ~sampled(claimed, candidate.px_from_mm, candidate.templates.grid)
        evidence = float(candidate.evidence[own].sum())
        if evidence < _LEAST_EVIDENCE or evidence < _LEAST_OWN_SHARE * candidate.total:
            continue
        chosen.append(Chosen(candidate, own, evidence))
        claimed |= painted(candidate.visible, candidate.px_from_mm, candidate.templates.grid, size)
    return chosen


def painted(
    cells: NDArray[np.bool_], px_from_mm: Homography, grid: FaceGrid, size: tuple[int, int]
) -> NDArray[np.uint8]:
    """The cells of a card's grid painted into a picture (H, W) of zeros and ones."""
    wide = cv2.morphologyEx(cells.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    cell = px_from_mm @ mm_from_cell(grid)
    return np.asarray(cv2.warpPerspective(wide, cell, size, flags=cv2.INTER_NEAREST), np.uint8)


def sampled(claimed: NDArray[np.uint8], px_from_mm: Homography, grid: FaceGrid) -> NDArray[np.bool_]:
    """Which cells of a card's grid fall on painted pixels."""
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    cell = px_from_mm @ mm_from_cell(grid)
    return np.asarray(cv2.warpPerspective(claimed, cell, grid.mask.shape[::-1], flags=flags) > 0)


def area_mm2(cells: NDArray[np.bool_], grid: FaceGrid) -> float:
    """Area of cells on the card."""
    return float(cells.sum()) / grid.px_per_mm**2
