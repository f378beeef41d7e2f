"""Candidates: a face aligned at a place, its visible part, and the evidence for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.planes.comparison import Comparison, compare, rank_faces
from arena_cam.vision.planes.face_features import PlaceGuess
from arena_cam.vision.planes.picture import Homography, Picture
from arena_cam.vision.planes.plane_alignment import Alignment, Templates, align

_UPSIDE_DOWN = np.diag([-1.0, -1.0, 1.0])
# A face costs less than this where it is seen: 1.7 standard deviations.
_AGREES = 1.5
# Neither a face nor blank paper: anything else explains a cell at this cost.
ANYTHING = 3.0
_LEAST_ALIKE = 0.25  # correlation: an ace in a coarse outline has 0.4
_MOST_OUTLINES = 40
_SUPPORT_MM = 9.0  # how far around a recognised keypoint the card is taken to be seen


# Print fainter than that against the paper, as the deck has it, is chance: blur and veil leave two thirds.
_LEAST_CONTRAST = 0.45

Trial = tuple[Homography, int, PlaceGuess]


@dataclass(frozen=True, eq=False)
class Candidate:
    """`visible` (H, W) is true where the face is seen; `evidence` (H, W) in nats against anything else, 0 elsewhere."""

    px_from_mm: Homography
    face: int
    origin: str
    fit: Alignment
    templates: Templates
    comparison: Comparison
    visible: NDArray[np.bool_]
    evidence: NDArray[np.float32]
    contrast: float

    @property
    def total(self) -> float:
        return float(self.evidence.sum())

    @property
    def visible_fraction(self) -> float:
        return float(self.visible.sum() / self.templates.grid.mask.sum())


def candidates(picture: Picture, guesses: list[PlaceGuess], templates: Templates) -> list[Candidate]:
    """The guesses that stand after alignment, most evidence first."""
    trials: list[Trial] = [(p.px_from_mm, p.face, p) for p in guesses if p.face is not None]
    trials += _outlined(picture, [p for p in guesses if p.face is None], templates)
    found = []
    for place, face, guess in trials:
        candidate = settle(picture, place, face, templates, guess.origin, _support(guess, templates))
        if candidate is not None:
            found.append(candidate)
    found.sort(key=lambda candidate: -candidate.total)
    return found


def settle(
    picture: Picture,
    px_from_mm: Homography,
    face: int,
    templates: Templates,
    origin: str,
    support: NDArray[np.float32] | None = None,
    steps: int = 10,
) -> Candidate | None:
    """`face` aligned from `px_from_mm`; None if there is no evidence for it."""
    fit = align(picture, px_from_mm, templates, face, steps, support)
    if fit is None:
        return None
    return assess(picture, fit, face, templates, origin)


def assess(picture: Picture, fit: Alignment, face: int, templates: Templates, origin: str) -> Candidate | None:
    """The evidence for `face` where it was aligned; None if there is next to none."""
    blur = templates.blur_for(fit.px_from_mm)
    comparison = compare(picture, fit.px_from_mm, templates, fit.weights, [face], blur)
    best = comparison.fits[0]
    if best.gain < _LEAST_CONTRAST:
        return None
    agrees = (best.cost < _AGREES) & comparison.inside
    cells = max(3, round(4 * templates.grid.px_per_mm)) | 1
    share = cv2.blur(agrees.astype(np.float32), (cells, cells)) / np.maximum(
        cv2.blur(comparison.inside.astype(np.float32), (cells, cells)), 0.05
    )
    visible = (share > 0.6) & comparison.inside
    evidence = np.where(visible, np.minimum(comparison.blank, ANYTHING) - best.cost, 0.0) * comparison.nats_per_cell
    candidate = Candidate(
        fit.px_from_mm, face, origin, fit, templates, comparison, visible, evidence.astype(np.float32), best.gain
    )
    return candidate if candidate.total > 5.0 and _card_shaped(fit.px_from_mm, templates) else None


def better(picture: Picture, candidate: Candidate, templates: Templates, steps: int = 6) -> Candidate | None:
    """`candidate` aligned again on another grid, looking first where it is seen."""
    size = templates.grid.mask.shape[::-1]
    seen = cv2.resize(candidate.visible.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    support = np.asarray(seen, np.float32)
    again = settle(picture, candidate.px_from_mm, candidate.face, templates, candidate.origin, support, steps)
    return None if again is None else replace(again, origin=candidate.origin)


def _support(guess: PlaceGuess, templates: Templates) -> NDArray[np.float32] | None:
    if guess.seen_mm is None:
        return None
    grid = templates.grid
    near = np.full(grid.mask.shape, np.inf)
    for x, y in guess.seen_mm:
        near = np.minimum(near, (grid.x_mm - x) ** 2 + (grid.y_mm - y) ** 2)
    return np.asarray(0.03 + 0.97 * np.exp(-0.5 * near / _SUPPORT_MM**2), np.float32)


def _outlined(picture: Picture, guesses: list[PlaceGuess], templates: Templates) -> list[Trial]:
    """Which faces to try in which outlines: the pairs most alike of all, either way up."""
    trials: list[tuple[float, Trial]] = []
    for guess in guesses:
        here: list[tuple[float, Trial]] = []
        for place in (guess.px_from_mm, guess.px_from_mm @ _UPSIDE_DOWN):
            patch, inside = picture.patch(place, templates.grid)
            weights = (inside & templates.grid.mask).astype(np.float32)
            alike = rank_faces(patch, weights, templates.stack(templates.blur_for(place)))
            here += [(float(alike[face]), (place, int(face), guess)) for face in np.argsort(-alike)[:2]]
        here.sort(key=lambda trial: -trial[0])
        trials += [trial for trial in here[:2] if trial[0] > _LEAST_ALIKE]
    trials.sort(key=lambda trial: -trial[0])
    return [trial for _, trial in trials[:_MOST_OUTLINES]]


def corners_px(px_from_mm: Homography, templates: Templates) -> NDArray[np.float64]:
    """The card's corners (4, 2) in the photograph: top-left, top-right, bottom-right, bottom-left, the card upright."""
    half_w, half_h = templates.faces.deck.width_mm / 2, templates.faces.deck.height_mm / 2
    return transformed(
        px_from_mm, np.array([[-half_w, half_h], [half_w, half_h], [half_w, -half_h], [-half_w, -half_h]])
    )


def _card_shaped(px_from_mm: Homography, templates: Templates) -> bool:
    """Whether a camera could see a flat card so: convex, not mirrored, not foreshortened beyond reading."""
    quad = corners_px(px_from_mm, templates)
    side = np.roll(quad, -1, axis=0) - quad
    turn = side[:, 0] * np.roll(side[:, 1], -1) - side[:, 1] * np.roll(side[:, 0], -1)
    if not (turn > 0).all():
        return False
    length = np.linalg.norm(side, axis=1)
    opposite = max(length[0] / length[2], length[2] / length[0], length[1] / length[3], length[3] / length[1])
    u = px_from_mm / px_from_mm[2, 2]
    stretch = np.linalg.svd(u[:2, :2] - np.outer(u[:2, 2], u[2, :2]), compute_uv=False)
    return bool(opposite < 1.6 and stretch[1] > 0.45 * stretch[0])
