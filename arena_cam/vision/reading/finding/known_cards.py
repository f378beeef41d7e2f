"""Searches a card that is certainly in the arena, such as the challenge card, but was not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arena_cam.vision.reading.cards.face_comparison import Identity, compare_faces
from arena_cam.vision.reading.cards.fit import Fit, Outline, same_place
from arena_cam.vision.reading.cards.fitting import fit_coarse, laid_into
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import lies_outside
from arena_cam.vision.reading.cards.lies import SURE_NAME
from arena_cam.vision.reading.cards.measuring import measure
from arena_cam.vision.reading.cards.naming import AS_EVIDENT, KNOWN_NATS, OPEN_NATS, Found, boosted, compared, tempered
from arena_cam.vision.reading.cards.trust import ALL_ROUND, SEEN_ALL_ROUND, Explained, InView, Nats, is_expected
from arena_cam.vision.reading.finding.second_look import SecondLook
from arena_cam.vision.reading.finding.sided_cards import fit_by_sides
from arena_cam.vision.reading.finding.told_names import has_compared, named_in_place
from arena_cam.vision.reading.guesses.guess import Guess


def _worth(fit: Fit) -> float:
    """How good a place is for a card that lies mostly under others, which hold it flat."""
    return fit.worth * (1.0 if fit.pose.tilt_deg < _HELD_FLAT_DEG else 0.5)


_HELD_FLAT_DEG = 5.0


def find_expected(known: Known, face: int, guesses: Sequence[Guess], found: Sequence[Found]) -> Found | None:
    """The face that is known to lie somewhere, at the best of the guessed places; None where none will do. `known` are
    the cards `found`.

    It may only be a part that other cards leave in view: a place that is mostly uncovered would have been found before.
    """
    best: Fit | None = None
    for guess in guesses:
        if any(same_place(guess.pose.centre_mm, guess.pose.R, card.fit) for card in found):
            continue
        if lies_outside(known.scene, guess.pose):
            continue
        fit = fit_coarse(known, face, guess.pose)
        if best is None or _worth(fit) > _worth(best):
            best = fit
    if best is None or not is_expected(best):
        return None
    identity = tempered(compare_faces(known, best.pose, face), best)
    if _ahead(identity, face) < 0.0:
        return None  # a piece of another card: it explains more of what is seen there, even against what is known
    return Found(best, boosted(identity, face))


def expected_by_sides(known: Known, face: int, guesses: Sequence[Guess], found: Sequence[Found]) -> Found | None:
    """A nearly blank face that is known to lie somewhere, in the best outline that may be its own: so little of it may
    be in view that nobody would name the card."""
    best: tuple[float, Found] | None = None
    for guess in guesses:
        fit = None if lies_outside(known.scene, guess.pose) else fit_by_sides(known, guess.pose)
        if fit is None or fit.outline is None or fit.outline.shown < ALL_ROUND:
            continue
        if not _may_be_its_sides(fit) or any(same_place(fit.pose.centre_mm, fit.pose.R, card.fit) for card in found):
            continue
        if best is not None and fit.support <= best[0]:
            continue
        own = _laid_either_way(known, face, fit.outline)
        if fit.explained < Explained.HALF and own.explained < Explained.EXPECTED:
            continue
        _, identity = named_in_place(known, fit, fit.outline, face)
        if _ahead(identity, face) >= 0.0:
            best = fit.support, Found(own, boosted(identity, face))
    return None if best is None else best[1]


def _laid_either_way(known: Known, face: int, outline: Outline) -> Fit:
    """A face laid into an outline the way up in which more of it shows. Of a blank part in view nothing tells a name,
    and the likeliest one may have print there that does not show, where the face has none."""
    return max((laid_into(known, face, way) for way in (outline, outline.half_turned)), key=lambda fit: fit.evidence)


def _may_be_its_sides(fit: Fit) -> bool:
    """Whether the sides in view are enough for a card of which only the place is open: few will do, if all show. Of a
    challenge under three cards a seventh was in view, in three pieces with 10 nats, and it was said not to be found."""
    if fit.support >= Nats.BY_SIDES:
        return True
    return fit.support >= Nats.EXPECTED and fit.outline is not None and fit.outline.shown >= SEEN_ALL_ROUND


def renamed_as_expected(face: int, again: SecondLook) -> list[Found] | None:
    """The cards found, the one that may well be the face that is known to lie somewhere under that name; None where
    none may."""
    best: tuple[float, int, Found] | None = None
    for number in range(len(again.found)):
        known = again.others(number)
        if lies_outside(known.scene, again.found[number].fit.pose):
            continue
        card = _asked_of(known, face, again.found[number])
        likelihood = card.identity.log_likelihood
        if likelihood[face] < likelihood[card.fit.face] - OPEN_NATS:
            continue
        if (_is_unmistaken(known, card.fit) and not card.identity.may_be(face)) or is_told_from(known, face, card):
            continue
        before = measure(known, card.fit.face, card.fit.alignment)
        fit, identity = _under_its_name(known, face, card)
        # of a blank part the print says little, and that little may be against the card
        least = before.evidence - (1.0 - AS_EVIDENT) * abs(before.evidence)
        if fit.evidence < least or not same_place(fit.pose.centre_mm, fit.pose.R, card.fit):
            continue
        ahead = _ahead(identity, face)
        if ahead >= 0.0 and (best is None or ahead > best[0]) and not _lacks_its_print(known, fit):
            best = (ahead, number, Found(fit, boosted(identity, face)))
    if best is None:
        return None
    return [best[2] if number == best[1] else card for number, card in enumerate(again.found)]


def _lacks_its_print(known: Known, fit: Fit) -> bool:
    """Whether much that is drawn on a face should be in view, and an even grey explains what is seen there as well:
    that it certainly lies somewhere says nothing for it here. An even back was as dark as a challenge full of clouds is
    on average, and had its name, surely: four fifths of it were in view, and showed none of these."""
    even = np.asarray(known.scene.points.tiles(fit.face).even, np.bool_).reshape(fit.tiles.shape)
    printed = fit.tiles[~even & (fit.tiles != 0.0)]
    return printed.size >= _MUCH_PRINT and float(printed.sum()) <= 0.0


_MUCH_PRINT = 16  # tiles, a quarter of a card


def _asked_of(known: Known, face: int, card: Found) -> Found:
    """The card with the face compared, too, where its name is open. Of a deck whose faces are alike only those were
    compared that look most like the likeliest: of a hidden figure these are all as likely, and so is the face.

    Nor has a name its say that was told before a card was found above: of a seven six shapes were in view, and the
    paper of the card on the seventh spoke for a six, by 69 nats."""
    identity = card.identity
    alike, seen = known.scene.faces.are_alike, measure(known, card.fit.face, card.fit.alignment)
    if seen.uncovered < card.fit.uncovered - _LESS_IN_VIEW and not alike:
        return Found(card.fit, tempered(compared(known, card.fit.pose, face), seen))
    if not alike or float(identity.probabilities().max()) >= SURE_NAME or has_compared(card, face):
        return card
    return Found(card.fit, named_in_place(known, card.fit, card.fit.outline, face)[1])


_LESS_IN_VIEW = 0.1  # of the card than when it was named: a tenth of it may be the shape that tells a six from a seven


def _under_its_name(known: Known, face: int, card: Found) -> tuple[Fit, Identity]:
    """A card found aligned as if it were a face, and the comparison of names. Of a deck whose faces are alike the names
    were compared at the points where these differ: nothing tells more."""
    outline = card.fit.outline
    if outline is None:
        fit = fit_coarse(known, face, card.fit.pose)
    else:  # what is the same in view explains as much in the same place, wherever its own alignment ends
        there = replace(measure(known, face, card.fit.alignment), outline=outline)
        fit = max(laid_into(known, face, outline), there, key=lambda each: each.evidence)
    if known.scene.faces.are_alike:
        return fit, card.identity
    return fit, tempered(compared(known, fit.pose, face), fit)


def is_told_from(known: Known, face: int, card: Found) -> bool:
    """Whether a card in plain view is not the face, though which one it is may be open. Of a deck whose faces are alike
    any face explains what is visible of the card; the points at which they differ have said which it may be."""
    likelihood = card.identity.log_likelihood
    behind = float(likelihood.max() - likelihood[face])
    return known.scene.faces.are_alike and card.fit.uncovered > InView.MUCH and behind > KNOWN_NATS


def _ahead(identity: Identity, face: int) -> float:
    """Nats by which a face that is certainly in the arena leads all others."""
    return float(identity.log_likelihood[face] + KNOWN_NATS - identity.log_likelihood.max())


def _is_unmistaken(known: Known, fit: Fit) -> bool:
    """Whether so much of a card is visible, and all of it as its face has it, that its name cannot be wrong, unless
    what is in view is printed on another face as well. Faces that are alike look as they should under many a name."""
    alike = known.scene.faces.are_alike
    return not alike and fit.explained > Explained.UNMISTAKEN and fit.uncovered > InView.MUCH
