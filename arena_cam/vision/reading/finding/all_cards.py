"""All cards of one frame, from plainly visible ones to those that are hardly visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fit import Fit, same_place
from arena_cam.vision.reading.cards.fitting import FLAT_FIRST, fit_coarse
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import laid_flat, lies_outside
from arena_cam.vision.reading.cards.lies import FittedCard
from arena_cam.vision.reading.cards.measuring import measure, on_card
from arena_cam.vision.reading.cards.naming import Found, boosted, compared, tempered
from arena_cam.vision.reading.cards.placed_face import outline_of
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.trust import Explained, InView, is_no_shadow, is_there
from arena_cam.vision.reading.finding.findings import Findings, arm_reaches_in, claimed_by_others
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.finding.guessing_rounds import GuessingRounds
from arena_cam.vision.reading.finding.hidden_markers import find_hidden_markers
from arena_cam.vision.reading.finding.known_cards import (
    expected_by_sides,
    find_expected,
    is_told_from,
    renamed_as_expected,
)
from arena_cam.vision.reading.finding.outline_fit import has_no_sides
from arena_cam.vision.reading.finding.peeling import peel
from arena_cam.vision.reading.finding.second_look import SecondLook
from arena_cam.vision.reading.finding.settling import (
    Pile,
    doubted_without_sides,
    named_once,
    ordered_by_any_name,
    settle,
)
from arena_cam.vision.reading.finding.sided_cards import explaining, explains
from arena_cam.vision.reading.finding.told_names import named_in_place
from arena_cam.vision.reading.floor.table_change import TableChange
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import Guess


def find_pile(
    bare: Known, finder: FeatureFinder, floor: FloorGuesses, believed: Sequence[Guess], wanted: Sequence[int]
) -> Pile:
    """The cards of one frame in their final places. As `find_cards`; where one of the cards found proves to be
    none there, what it hid of others is looked at once more."""
    again = _looked_twice(bare, finder, floor, believed, wanted)
    if bare.scene.faces.are_alike and not again.found and not believed:
        return Pile([], [], [])  # the search for the rest would be the same once more
    pile = settle(bare.scene, again.found, wanted)
    if pile.ghosts:
        again.without(pile.ghosts, wanted)
        _add_wanted(again, wanted, floor)
        pile = settle(bare.scene, again.found, wanted)
    pile = _shown_by_what_they_explain(bare.scene, _with_the_rest(bare, finder, floor, pile, wanted))
    pile = ordered_by_any_name(bare.scene, named_once(bare.scene, pile, wanted))
    return _with_arm(bare.scene, doubted_without_sides(bare.scene, pile))


def _with_arm(scene: Scene, pile: Pile) -> Pile:
    """The pile with how much an arm covers of each card: what lies there hides whatever else may lie on the card."""
    if scene.arm is None:
        return pile
    arm, card_mm2 = Claims.none_in(scene), scene.faces.deck.card_mm2
    shares = [float(arm.at(on_card(scene, card.fit.pose)).mean()) for card in pile.cards]
    cards = [replace(card, under_arm_mm2=share * card_mm2) for card, share in zip(pile.cards, shares, strict=True)]
    return replace(pile, cards=cards)


def _shown_by_what_they_explain(scene: Scene, pile: Pile) -> Pile:
    """The pile, cards of which little is in view shown to be there by what they explain: without such a card something
    unknown would be left on the floor. Of a challenge two fifths were in view, in a shade, with all the sides that may
    be seen, and people were asked whether it lay there."""
    outlines, cards = [card.placed.outline_px for card in pile.cards], list(pile.cards)
    for number, card in enumerate(pile.cards):
        outline = card.fit.outline or card.sides
        if scene.change is None or outline is None or not card.is_weak:
            continue
        others = [other for place, other in enumerate(outlines) if place != number]
        if explains(scene.change, outlines[number], others, scene.faces.deck.card_mm2):
            shown = replace(outline, explains=True)
            of_fit = card.fit.outline is not None
            cards[number] = (
                replace(card, fit=replace(card.fit, outline=shown)) if of_fit else replace(card, sides=shown)
            )
    return replace(pile, cards=cards)


def _with_the_rest(bare: Known, finder: FeatureFinder, floor: FloorGuesses, pile: Pile, wanted: Sequence[int]) -> Pile:
    """The pile with the cards that are found once the others lie in their final places: before, these claimed a little
    too much or too little, which is taken for a card's sides or print. Of a deck whose faces are alike, whose print
    leads to many a wrong place, what lies where the picture shows no sides of a card is searched for anew. Of any other
    deck sides are asked where something unknown is left: features tell of print with contrast alone."""
    scene = bare.scene
    alike = scene.faces.are_alike
    if scene.change is None or not (alike or _has_something_unknown(scene, scene.change, pile)):
        return pile
    found = [Found(card.fit, card.identity) for card in pile.cards]
    made: dict[Fit, Claims] = {}
    astray = [n for n in range(len(found)) if alike and _is_astray(scene, found, n, made)]
    again = SecondLook(bare, [card for n, card in enumerate(found) if n not in astray], floor, ())
    known = again.others()
    if alike and scene.change.all_explained(known.claims.mask, Claims.STEP):
        return pile
    goes_on = None if alike else partial(_may_be_more, scene, scene.change, pile)
    laid = [card.placed.outline_px for n, card in enumerate(pile.cards) if n not in astray]
    peeled = peel(known, GuessingRounds(scene, finder, (), floor, goes_on, laid)).found
    if not alike:  # a face with much print shows it: what does not is a shadow between cards and walls
        peeled = tuple(_flat_first(known, card) for card in peeled if is_no_shadow(card.fit))
    peeled = _with_what_explains_the_rest(known, floor, pile, peeled)
    more = [_as_wanted(scene, card, wanted) for card in peeled]
    again.found += more
    kept = [found[n] for n in astray if not any(_hide_each_other(scene, found[n], card) for card in more)]
    if not more and not kept and _has_all(found, wanted):
        return pile
    again.found += kept
    again.ask_again(wanted)
    _add_wanted(again, wanted, floor)
    settled = settle(scene, again.found, wanted)
    return replace(settled, cards=[_doubted(card, kept) for card in settled.cards])


def _with_what_explains_the_rest(
    known: Known, floor: FloorGuesses, pile: Pile, found: Sequence[Found]
) -> tuple[Found, ...]:
    """The cards `found` beside those of a pile, which are known, and those that what is left unknown must be."""
    scene, more = known.scene, tuple(found)
    for card in more:
        known = Findings(known).plus(card).known
    while scene.change is not None and len(more) < len(found) + _MOST_EXPLAINING:
        outlines = [card.placed.outline_px for card in pile.cards]
        outlines += [outline_of(scene, card.fit.pose) for card in more]
        if not scene.change.strangers(outlines) or arm_reaches_in(scene, outlines):
            break
        places = [guess.pose for guess in floor.from_sides(known, nearby=True)] + floor.leaning(known)
        found_there = explaining(known, places, outlines, partial(_named, known))
        if found_there is None:
            break
        if any(same_place(found_there.fit.pose.centre_mm, found_there.fit.pose.R, card.fit) for card in more):
            break
        more, known = (*more, found_there), Findings(known).plus(found_there).known
    return more


def _named(known: Known, fit: Fit) -> Found:
    return Found(*named_in_place(known, fit, fit.outline))


_MOST_EXPLAINING = 3


def _has_all(found: Sequence[Found], wanted: Sequence[int]) -> bool:
    return set(wanted) <= {card.fit.face for card in found}


def _flat_first(known: Known, card: Found) -> Found:
    """A covered card that seems to lean, as it lies flat if it shows nearly as much there: few of its sides are in
    view, and were followed before anybody knew the name. Cards above hold it flat, as a rule."""
    fit, scene = card.fit, known.scene
    if fit.uncovered >= InView.MOST or fit.pose.tilt_deg < _LEANS_DEG:
        return card
    flat = fit_coarse(known, fit.face, laid_flat(scene, fit.pose))
    flat_worth, worth = (each.evidence * each.explained for each in (flat, fit))
    is_as_good = flat.pose.tilt_deg < _LEANS_DEG and FLAT_FIRST * flat_worth >= worth
    return Found(flat, card.identity) if is_as_good else card


_LEANS_DEG = 2.5


def _has_something_unknown(scene: Scene, change: TableChange, pile: Pile) -> bool:
    """Whether something lies on the floor, or on a card, that no card of the pile explains, and no arm reaches in."""
    outlines = [card.placed.outline_px for card in pile.cards]
    if change.strangers(outlines):
        return not arm_reaches_in(scene, outlines)
    return any(card.is_strange for card in pile.cards)


def _may_be_more(scene: Scene, change: TableChange, pile: Pile, now: Findings) -> bool:
    """Whether something unknown is left beside the cards of a pile and those found since, or on a card of the pile."""
    outlines = [card.placed.outline_px for card in pile.cards]
    more = [outline_of(scene, card.fit.pose) for card in now.found]
    return not more or any(card.is_strange for card in pile.cards) or bool(change.strangers(outlines + more))


def _is_astray(scene: Scene, found: Sequence[Found], number: int, made: dict[Fit, Claims]) -> bool:
    return has_no_sides(scene, found[number].fit.pose, claimed_by_others(scene, found, number, made).claims)


def _hide_each_other(scene: Scene, a: Found, b: Found) -> bool:
    """Whether two cards would cover half of each other: then one of them is not there."""
    one, other = (outline_of(scene, card.fit.pose).astype(np.float32) for card in (a, b))
    return cv2.intersectConvexConvex(one, other)[0] > 0.5 * cv2.contourArea(one)


def _doubted(card: FittedCard, astray: Sequence[Found]) -> FittedCard:
    here = any(same_place(other.fit.pose.centre_mm, other.fit.pose.R, card.fit) for other in astray)
    return replace(card, astray=True) if here else card


def find_cards(
    bare: Known, finder: FeatureFinder, floor: FloorGuesses, believed: Sequence[Guess], wanted: Sequence[int]
) -> list[Found]:
    """The cards of one frame, in the order of acceptance.

    `bare` is what is known before any card is found, `believed` are cards known before, what covers others first, and
    `wanted` are faces that are certainly there.
    """
    return _looked_twice(bare, finder, floor, believed, wanted).found


def _looked_twice(
    bare: Known, finder: FeatureFinder, floor: FloorGuesses, believed: Sequence[Guess], wanted: Sequence[int]
) -> SecondLook:
    rounds = GuessingRounds(bare.scene, finder, believed, floor)
    plain = peel(bare, rounds)
    bare, offered = _with_hidden_markers(bare, plain, rounds)
    again = SecondLook(bare, [_as_wanted(bare.scene, card, wanted) for card in plain.found], floor, offered)
    again.ask_again(wanted)
    again.lay_into_sides()
    if rounds.unexplained:
        again.find_missed(wanted)
    _add_wanted(again, wanted, floor)
    return again


def _add_wanted(again: SecondLook, wanted: Sequence[int], floor: FloorGuesses) -> None:
    for face in wanted:
        if all(card.fit.face != face for card in again.found):
            again.others()  # what each card shows is told before any of them gives way
            again.found = _with_expected(face, again, floor)


def _with_hidden_markers(bare: Known, plain: Findings, rounds: GuessingRounds) -> tuple[Known, list[Guess]]:
    """What is known with the markers that become visible when the plain cards are painted over, and all guesses from
    features and from these markers."""
    scene = bare.scene
    asked = rounds.unexplained or any(card.fit.explained < Explained.AS_IT_SHOULD for card in plain.found)
    poses = [card.fit.pose for card in plain.found if card.fit.explained > Explained.PLAIN]
    more = find_hidden_markers(scene, poses) if asked else ()
    if not more:
        return bare, rounds.offered  # what was worked out of this scene is kept
    offered = rounds.offered + scene.points.markers.guesses(more, scene.camera)
    return replace(bare, scene=replace(scene, markers=scene.markers + more)), offered


def _as_wanted(scene: Scene, card: Found, wanted: Sequence[int]) -> Found:
    if card.fit.face not in wanted or lies_outside(scene, card.fit.pose):
        return card
    return Found(card.fit, boosted(card.identity, card.fit.face))


def _with_expected(face: int, again: SecondLook, floor: FloorGuesses) -> list[Found]:
    """The cards with a face added that is certainly in the arena: either it replaces a card that was guessed at its
    place, or one of the found cards gets its name."""
    renamed = renamed_as_expected(face, again)
    if renamed is not None and _explains_itself(face, renamed):
        return renamed
    doubtful = [number for number in range(len(again.found)) if again.is_doubtful(number, ())]
    instead = _instead_of(doubtful, face, again, floor) if doubtful else None
    if instead is not None:
        return instead
    if renamed is not None:
        return renamed
    known = again.others()

    def by_sides() -> Found | None:
        return expected_by_sides(known, face, floor.from_sides(known), again.found)

    def by_print() -> Found | None:
        return find_expected(known, face, floor.everywhere(known, face), again.found)

    # what is in view of it may be stripes or paper alone, of whatever deck
    card = by_sides() or by_print() if known.scene.faces.are_alike else by_print() or by_sides()
    if card is None:
        return again.found
    return next(
        (found for n in range(len(again.found)) if (found := _in_stead_of(n, card, again))), [*again.found, card]
    )


def _explains_itself(face: int, found: Sequence[Found]) -> bool:
    """Whether the card of that name shows all of its drawing where it was found: then it is looked for nowhere else. A
    violet seven may have been the blue one that lay there first, and gave way to it 5 mm aside, which showed less."""
    return any(card.fit.face == face and card.fit.explained > Explained.ALL for card in found)


def _in_stead_of(number: int, expected: Found, again: SecondLook) -> list[Found] | None:
    """The cards with the `expected` one in the place of card `number`, if most of either would lie under the other and
    the expected one explains more of what was taken for the other; None if not. Of a red five whose ends other cards
    covered three shapes in a row of two and one were taken for those of a four, which lay 28 mm aside: of the five
    there was no more left than a sliver."""
    other, face = again.found[number], expected.fit.face
    scene = again.others().scene
    if scene.faces.are_alike or other.fit.uncovered > InView.MOST or not _hide_each_other(scene, other, expected):
        return None
    known = again.others(number)
    was, fit = _measured_again(known, other.fit), fit_coarse(known, face, expected.fit.pose)
    if fit.explained < max(was.explained, Explained.AS_IT_SHOULD) or fit.evidence <= was.evidence:
        return None
    identity = boosted(tempered(compared(known, fit.pose, face), fit), face)
    if not identity.may_be(face):
        return None
    return [*(card for n, card in enumerate(again.found) if n != number), Found(fit, identity)]


def _measured_again(known: Known, fit: Fit) -> Fit:
    return replace(measure(known, fit.face, fit.alignment), outline=fit.outline)


def _instead_of(doubtful: Sequence[int], face: int, again: SecondLook, floor: FloorGuesses) -> list[Found] | None:
    """The cards with the face in place of the `doubtful` ones, without those of which nothing is left then; None if the
    face is not plainly visible there."""
    known = again.others(*doubtful)
    sure = [card for number, card in enumerate(again.found) if number not in doubtful]
    card = find_expected(known, face, floor.everywhere(known, face), sure)
    if card is None or card.fit.explained <= Explained.AS_IT_SHOULD:
        return None
    doubted = [again.found[number] for number in doubtful]
    here = [other for other in doubted if same_place(card.fit.pose.centre_mm, card.fit.pose.R, other.fit)]
    if any(is_told_from(known, face, other) for other in here):
        return None
    known = known.plus(card.fit, face)
    elsewhere = [other for other in doubted if all(other is not one for one in here)]  # no two lie in one place
    left = [other for other in elsewhere if is_there(_measured_again(known, other.fit))]
    return [*sure, *left, card]
