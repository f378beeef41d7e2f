"""A card that is certainly in the arena, as the challenge card is, but was not found: where is it?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena_cam.geometry.arrays import Array
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.face_comparison import compare_faces
from arena_cam.vision.reading.cards.fit import Fit, measure, same_place
from arena_cam.vision.reading.cards.fitting import fit_coarse
from arena_cam.vision.reading.cards.naming import AS_EVIDENT, KNOWN_NATS, OPEN_NATS, Found, boosted, compared, tempered
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.guesses.guess import Guess

# A card that is known to be there needs less to be believed at a place: only where it lies is open, not whether.
EXPECTED_NATS, _EXPECTED_NATS_A_TILE = 9.0, 1.0
# What other cards show of themselves is not claimed to the last tile, so a little of them may be taken for its part.
_EXPECTED_EXPLAINED = 0.35


def is_expected(fit: Fit) -> bool:
    """Whether the picture shows enough of a face for a card that is known to be in the arena."""
    if fit.evidence < EXPECTED_NATS or fit.explained < _EXPECTED_EXPLAINED:
        return False
    return fit.evidence / (fit.uncovered * fit.tiles.size * fit.explained) >= _EXPECTED_NATS_A_TILE


def _worth(fit: Fit) -> float:
    """How good a place is for a card that lies mostly under others: these hold it flat."""
    return fit.worth * (1.0 if fit.pose.tilt_deg < _HELD_FLAT_DEG else 0.5)


_HELD_FLAT_DEG = 5.0


def find_expected(
    scene: Scene, white_ratio: Array, face: int, guesses: Sequence[Guess], claims: Claims, found: Sequence[Found]
) -> Found | None:
    """The face that is known to lie somewhere, at the best of the guessed places; None where none will do.

    It may only be a part that other cards leave in view: a place that is mostly uncovered would have been found before.
    """
    best: Fit | None = None
    for guess in guesses:
        if any(same_place(guess.pose.centre_mm, guess.pose.R, f.fit) for f in found):
            continue
        fit = fit_coarse(scene, face, guess.pose, claims)
        if best is None or _worth(fit) > _worth(best):
            best = fit
    if best is None or not is_expected(best):
        return None
    identity = compare_faces(scene, best.pose, white_ratio, claims, [f.fit.face for f in found], face)
    return Found(best, boosted(tempered(identity, best), face))


def rename_expected(
    scene: Scene, white_ratio: Array, face: int, found: list[Found], others: Callable[[int], Claims]
) -> bool:
    """Gives the face that is known to lie somewhere to the card found that may well be it; False where none may.

    `others` tells, for a card's number, what all other cards claim.
    """
    best: tuple[float, int, Found] | None = None
    taken = [f.fit.face for f in found]
    for number, card in enumerate(found):
        likelihood = card.identity.log_likelihood
        if likelihood[face] < likelihood[card.fit.face] - OPEN_NATS or _is_unmistaken(card.fit):
            continue
        claims = others(number)
        fit = fit_coarse(scene, face, card.fit.pose, claims)
        before = measure(scene, card.fit.face, card.fit.alignment, claims)
        if fit.evidence < AS_EVIDENT * before.evidence or not same_place(fit.pose.centre_mm, fit.pose.R, card.fit):
            continue
        rest = [t for i, t in enumerate(taken) if i != number]
        identity = tempered(compared(scene, fit.pose, white_ratio, claims, rest, face), fit)
        ahead = float(identity.log_likelihood[face] + KNOWN_NATS - identity.log_likelihood.max())
        if ahead >= 0.0 and (best is None or ahead > best[0]):
            best = (ahead, number, Found(fit, boosted(identity, face)))
    if best is None:
        return False
    found[best[1]] = best[2]
    return True


def _is_unmistaken(fit: Fit) -> bool:
    """Whether a card shows so much of itself, and all of that as it should, that it is what it was taken for."""
    return fit.explained > _UNMISTAKEN and fit.uncovered > _MUCH


_UNMISTAKEN, _MUCH = 0.97, 0.4
