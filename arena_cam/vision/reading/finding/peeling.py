"""Finds the cards of one frame from the top down.

A card in full view is the easiest to be certain of. Once it is accepted, the pixels that show it are claimed, and cards
beneath are fitted to the remaining pixels. So covered parts neither count against a card nor pull its pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.reading.cards.face_comparison import Identity, compare_ways
from arena_cam.vision.reading.cards.fit import Fit, Outline, same_place
from arena_cam.vision.reading.cards.fitting import fit_coarse
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import is_sunk
from arena_cam.vision.reading.cards.measuring import evidence_at, in_view, likeness, measure
from arena_cam.vision.reading.cards.naming import Found, named
from arena_cam.vision.reading.cards.placed_face import outline_of
from arena_cam.vision.reading.cards.scene import COARSE_HALVINGS, Scene
from arena_cam.vision.reading.cards.trust import (
    ALL_ROUND,
    SEEN_ALL_ROUND,
    Explained,
    InView,
    Nats,
    is_plain,
    is_seen_by_sides,
    is_there,
    marked_nats,
)
from arena_cam.vision.reading.finding.findings import Findings, Refusal
from arena_cam.vision.reading.finding.guessing_rounds import GuessingRounds
from arena_cam.vision.reading.finding.outline_fit import has_no_sides
from arena_cam.vision.reading.finding.sided_cards import (
    LEAST_ODD,
    fit_by_sides,
    flat_by_print,
    is_shadow_of,
    is_shadow_of_arm,
    laid_finely,
    laid_or_free,
    told_finely,
)
from arena_cam.vision.reading.finding.told_names import is_named_in_place, named_in_place
from arena_cam.vision.reading.guesses.guess import Finder, Guess, one_for_each_place, one_place

_ROUNDS, _SIDED_ROUNDS = 5, 3  # of a deck of faces that are alike so many more, by their sides
_LIKELY_VOTES = 12.0  # features that agree on a place in such numbers do not do so by chance
# Where less than this does, a card is looked for last, but for where features agree so: a pale card on a pale table
# hardly differs from it. Of 800 guesses that were right on photographs one in 25 showed less, of 1800 that were wrong
# three in four.
_SURELY_ODD = 0.5
# A waiting card that others have covered since by more than this is aligned again.
_STILL_IN_VIEW = 0.9


def peel(known: Known, rounds: GuessingRounds) -> Findings:
    """The cards found, in the order of acceptance. `known` claims everything that is known to be no card; `rounds`
    makes the guesses of each round from the cards found so far, and ends the search."""
    findings = Findings(known)
    for round_ in range(_ROUNDS + _SIDED_ROUNDS):
        guesses = rounds.next_guesses(findings)
        if round_ > 0 and not guesses:
            break
        findings, all_found = _one_round(findings, rounds, guesses)
        if all_found:
            break
    return findings


def _one_round(findings: Findings, rounds: GuessingRounds, guesses: Sequence[Guess]) -> tuple[Findings, bool]:
    """The findings after one round of guesses, and whether nothing is left to be found."""
    first = _try_each(findings, rounds, guesses, postpone=True)
    now = first.findings if first.all_found else _with_the_best(first)
    if first.all_found or not first.postponed or len(now.found) > len(findings.found):
        return now, first.all_found or rounds.all_is_known(now)
    second = _try_each(now, rounds, first.postponed, postpone=False)
    now = second.findings if second.all_found else _with_the_best(second)
    return now, second.all_found or rounds.all_is_known(now)


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A guess and its fit. `refusal` is that it is no card by what was known when it was aligned, which was `asked`
    then or is asked when the fits of a round are compared."""

    fit: Fit
    guess: Guess
    refusal: Refusal
    asked: bool


@dataclass(frozen=True, eq=False)
class _Tried:
    """The result of trying each guess of a round by itself: `waiting` fits are to be compared with each other,
    `postponed` guesses wait until the plain cards are known, and `all_found` says whether nothing is left."""

    findings: Findings
    waiting: Sequence[_Waiting]
    postponed: Sequence[Guess]
    all_found: bool


def _try_each(before: Findings, rounds: GuessingRounds, guesses: Sequence[Guess], postpone: bool) -> _Tried:
    """Aligns the guesses one by one. A plainly visible card is accepted at once, so that later guesses know of it."""
    now = before
    waiting: list[_Waiting] = []
    surely: list[Guess] = []
    postponed: list[Guess] = []
    for guess in _likelier_corners_first(before.known, one_for_each_place(guesses)):
        seen = _worth_a_try(now, guess)
        if seen is None:
            continue
        if postpone and (seen.unlikely or any(_outvoted(guess, other) for other in surely)):
            postponed.append(guess)
            continue
        refusal = now.refusal_of(guess)
        fit = _aligned(now, before, guess, seen.free) if refusal is None else refusal.fit
        if fit is None:
            now = now.refusing(guess, refusal or Refusal.of(now.known, guess, None))
            continue
        if _is_hopeless(fit):
            now = now.without_hope_for(guess)
            continue
        accepted = _accepted(now, fit) if refusal is None and is_plain(fit) else None
        if accepted is None:
            asked = refusal is not None or (is_plain(fit) and _is_named_in_place(now, fit))
            waiting.append(_Waiting(fit, guess, refusal or Refusal.of(now.known, guess, fit), asked))
            surely += [guess] if fit.evidence >= Nats.SURELY else []
            continue
        now = accepted
        if rounds.all_is_known(now):
            return _Tried(now, (), (), all_found=True)
    return _Tried(now, waiting, postponed, all_found=False)


@dataclass(frozen=True, slots=True)
class _Seen:
    """How much of a guessed card is visible, and whether so little of that is odd that it is probably no card."""

    free: float
    unlikely: bool


def _worth_a_try(now: Findings, guess: Guess) -> _Seen | None:
    """None if a guess leads to nothing new: a card was found there, or no card can be visible there."""
    scene = now.known.scene
    if now.has_one_at(guess):
        return None
    if guess.finder.traits.reads_names and any(_bears_them_all(scene, guess.face, card.fit) for card in now.found):
        return None
    if any(one_place(guess.pose, other.pose) and guess.names_as(other) for other in now.hopeless):
        return None
    free, odd = in_view(now.known, guess.pose)
    by_chance = guess.finder.traits.by_chance
    by_chance = by_chance and guess.votes < _LIKELY_VOTES
    if free < InView.LEAST or (odd < LEAST_ODD and by_chance):
        return None
    return _Seen(free, by_chance and odd < _SURELY_ODD)


def _aligned(now: Findings, before: Findings, guess: Guess, free: float) -> Fit | None:
    """The guess aligned on its visible share `free`; None if it does not match at the coarse scale. `before` are the
    findings at the time of the guess."""
    if guess.finder is Finder.SIDES:
        return fit_by_sides(now.known, guess.pose)
    traits = guess.finder.traits
    from_afar = likeness(now.known, guess.face, guess.pose) if traits.by_looks else None
    if traits.by_chance and from_afar is not None and from_afar < _least_likeness(guess):
        return None
    votes = guess.votes
    if len(now.found) > len(before.found):  # most of what spoke for it may be print of the cards found since
        votes *= free / max(free, in_view(before.known, guess.pose)[0])
    likely = votes >= _LIKELY_VOTES or (from_afar is not None and from_afar > _ALIKE_NATS)
    return fit_coarse(now.known, guess.face, guess.pose, close=guess.is_exact, likely=likely)


def _least_likeness(guess: Guess) -> float:
    """The coarse match that a guess needs to be aligned now; a covering card may have to be found first."""
    return _UNLIKE_NATS if guess.votes >= _SOME_VOTES else _HARDLY_LIKE_NATS


# Nats a point, seen from afar. Of 870 guesses of which half or more was in view and that proved right, on pictures of
# 30 tables, one, half under a card not yet found, said less; of 1836 that proved wrong three in four.
_UNLIKE_NATS, _HARDLY_LIKE_NATS, _SOME_VOTES = 0.03, 0.08, 8.0
# So like a guess is where only a fine pattern, which is not seen from afar, keeps it from finding its place near by.
_ALIKE_NATS = 0.25


def _is_hopeless(fit: Fit) -> bool:
    return fit.uncovered * fit.explained < InView.HOPELESS or fit.support < Nats.HOPELESS


def _with_the_best(tried: _Tried) -> Findings:
    """The findings after the waiting fits are accepted from best to worst; each claims pixels that a worse one would
    use."""
    now = tried.findings
    for entry in sorted(tried.waiting, key=lambda entry: -entry.fit.worth):
        fit, holds = entry.fit, entry.refusal.holds(now.known)
        if holds and (entry.asked or _is_none_in_its_outline(fit)):
            now = now.refusing(entry.guess, entry.refusal)
            continue
        again = measure(now.known, fit.face, fit.alignment)
        if again.uncovered < InView.LEAST:
            continue
        still = again.uncovered >= _STILL_IN_VIEW * fit.uncovered and again.explained >= Explained.HALF
        fitted = replace(again, outline=fit.outline) if still else _fitted_again(now.known, fit)
        accepted = None if fitted is None else _accepted(now, fitted, entry.guess.pose)
        now = accepted or (now.refusing(entry.guess, entry.refusal) if holds else now)
    return now


def _is_none_in_its_outline(fit: Fit) -> bool:
    """Whether a fit in an outline shows too little of any face to be a card while nothing else is known round about:
    its sides, followed once more, lead to the same outline. Of 44 such fits on 70 pictures none became a card."""
    return fit.outline is not None and fit.explained < Explained.HALF


def _fitted_again(known: Known, fit: Fit) -> Fit | None:
    """A fit repeated from its own pose, on the part of it that is still visible."""
    if fit.outline is not None:
        return fit_by_sides(known, fit.outline.pose)
    return fit_coarse(known, fit.face, fit.pose)


def _accepted(now: Findings, fit: Fit, start: CardPose | None = None) -> Findings | None:
    """The findings with a fit under the name that explains its pixels best; None if it is not good enough. `start` is
    the guessed pose."""
    scene, taken = now.known.scene, now.known.taken

    def marked(fit: Fit) -> float:
        # beside a card its markers still fit, those of one side where it prints those of the other
        return 0.0 if fit.evidence >= Nats.MANY or fit.face in taken else marked_nats(scene, fit)

    if fit.support + marked(fit) < _WORTH_A_NAME * Nats.LEAST:
        return None
    if any(same_place(fit.pose.centre_mm, fit.pose.R, card.fit) for card in now.found):
        return None
    outline = fit.outline
    if outline is not None and not _is_worth_a_name(now.known, fit, outline):
        return None
    fit, identity = _named(now, fit, start) if not scene.faces.is_square else _named_by_quarters(now, fit, start)
    coarse, fit = fit, _seen_finely(now.known, fit)
    if fit is not coarse or _shows_finely_alone(now.known, fit):
        identity = told_finely(now.known, fit, identity)
    if not is_there(fit, marked(fit)) or not _has_its_name(fit, identity) or is_sunk(scene, fit.pose):
        return None
    if _is_shade(now, fit):
        return None
    if scene.faces.are_alike and fit.outline is None and has_no_sides(scene, fit.pose, now.known.claims):
        return None  # or it lies under cards not yet known: it is guessed again
    if scene.faces.names[fit.face] == BACK and _beside_another_back(fit, now.found):
        return None
    return now.plus(Found(fit, identity))


def _is_worth_a_name(known: Known, fit: Fit, outline: Outline) -> bool:
    """Whether a fit in an outline may be a card under some name. Asked before the name, which costs most: another one
    keeps the outline, and turns a card in it by little. So what is floor in it, or a shadow beside an arm, is so under
    any name: of 240 fits that were named in an outline, on 277 pictures, 12 were, all of them refused afterwards, and
    they took a fifth of the time of these names, half a second where all faces look alike in so little."""
    scene = known.scene
    is_plain = outline.shown >= SEEN_ALL_ROUND and outline.nats >= Nats.BY_ALL_SIDES
    least = _MAY_BE_NAMED if scene.faces.are_alike or is_plain else _MAY_BE_NAMED_OTHERWISE
    if outline.shown < ALL_ROUND or fit.explained < least:
        return False
    if fit.evidence < 0.0 and not is_seen_by_sides(fit):
        return False  # seen neither by its sides nor by the print of a face that lies there
    return not (is_sunk(scene, fit.pose) or is_shadow_of_arm(known, fit) or _is_floor_in_view(known, fit))


def _named(now: Findings, fit: Fit, start: CardPose | None) -> tuple[Fit, Identity]:
    """The fit under the name that explains its pixels best, upright or turned by half a turn, and how likely all names
    are."""
    if _is_named_in_place(now, fit):
        return named_in_place(now.known, fit, fit.outline)
    named_, identity = named(now.known, fit, start)
    if now.known.scene.faces.are_alike and named_.evidence >= Nats.MANY:
        return named_in_place(now.known, named_, fit.outline)
    return named_, identity


def _named_by_quarters(now: Findings, fit: Fit, start: CardPose | None) -> tuple[Fit, Identity]:
    """The same of a square card, whose sides lie as well turned by a quarter: under the name that shows more of its
    drawing. Each name is as likely as in the quarter that suits it better. Of a card with six shapes another showed
    seven of nine, a quarter off, and was said surely."""
    here = _named(now, fit, start)
    outline = None if fit.outline is None else fit.outline.quarter_turned
    pose = fit.pose.quarter_turned
    face = max(compare_ways(now.known, pose), key=lambda way: float(way.log_likelihood.max())).best
    laid = fit_coarse(now.known, face, pose, close=True) if outline is None else laid_or_free(now.known, face, outline)
    there = _named(now, laid, None)
    (best, names), (other, others) = sorted((here, there), key=lambda each: -each[0].evidence)
    behind = others.log_likelihood - others.log_likelihood.max() - 0.5 * (best.evidence - other.evidence)
    either = np.maximum(names.log_likelihood, names.log_likelihood.max() + behind)
    return best, replace(names, log_likelihood=either)


def _is_shade(now: Findings, fit: Fit) -> bool:
    """Whether what seems to be a card is the shadow of an arm, or of a card found, or floor beside one."""
    known = now.known
    if is_shadow_of_arm(known, fit) or any(is_shadow_of(known, fit, card.fit) for card in now.found):
        return True
    return _is_floor_in_view(known, fit)


def _is_floor_in_view(known: Known, fit: Fit) -> bool:
    """Whether much of what is in view of a covered card is the bare floor, and its print and sides do not say much: in
    a corner the edge of a deep shade told a dark striped back by 44 nats, and by 55 on another deck, surely."""
    change = known.scene.change
    if change is None or fit.support >= Nats.MANY or fit.uncovered >= InView.MOST:
        return False
    bare = change.share_bare(outline_of(known.scene, fit.pose), known.claims.mask, known.claims.STEP)
    return bare is not None and bare > _MUCH_FLOOR


# Of two such backs half and nine tenths were bare floor; of a dark card on brown cork, of whose strip no more than a
# shadow could be told, nothing.
_MUCH_FLOOR = 0.3


def _has_its_name(fit: Fit, identity: Identity) -> bool:
    """Whether a fit has the likeliest name, or, where others cover it, one that is as likely: they may hide what tells
    it. A card in full view on which nothing tells any name lies elsewhere."""
    return identity.best == fit.face or (fit.uncovered < InView.FULL and identity.may_be(fit.face))


def _seen_finely(known: Known, fit: Fit) -> Fit:
    """A card in an outline that shows much of its drawing, and not enough of it for a card, as it lies by the fine
    scale. Stripes of 1.2 mm are hardly seen at the coarse one, and alignment there leads off to any other stripe: a
    back in full view that leaned by six degrees showed two thirds of them, and 0.97 in its place."""
    if fit.outline is None or fit.evidence < Nats.WEAK:
        return fit
    if fit.explained < Explained.AS_IT_SHOULD and fit.outline.pose.tilt_deg > _LEANS_DEG:
        flat = flat_by_print(known, fit)
        if flat is not None:
            return flat
    if is_there(fit):
        return fit
    finely = laid_finely(known, fit.face, fit.outline)
    return finely if finely.evidence > fit.evidence else fit


def _shows_finely_alone(known: Known, fit: Fit) -> bool:
    """Whether a card in an outline shows its print, and does so at the fine scale alone: the points by which it was
    named see stripes as the grey that they are on average. A back of pale stripes in full view, 71 nats of them, was by
    these points as likely a face."""
    is_fine = known.scene.points.halvings(fit.face) < COARSE_HALVINGS
    return is_fine and fit.outline is not None and fit.evidence >= Nats.LEAST and fit.explained >= Explained.PLAIN


def _is_named_in_place(now: Findings, fit: Fit) -> bool:
    """Whether a fit is named by the points at which faces differ: so is one by its sides, of whatever deck."""
    return fit.outline is not None or (now.known.scene.faces.are_alike and is_named_in_place(fit))


_LEANS_DEG = 2.5

# Of what is in view of a card found by its sides, the share that must look as the likeliest face does for another name
# to make it `Explained.PLAINLY`. Of 103 such cards of 13 decks six came so far, all of them with 0.70 and more; of 40
# pictures of two decks whose faces are alike one with 0.63. Of faces that differ all over the likeliest one is seldom
# another, and shows most of itself.
# Where the print of the likeliest face says that it does not lie there, and the sides alone do not show a card, no
# other name did either: of 191 such fits that were named, on 84 pictures of 24 decks, these were 14, all refused
# afterwards. They took a seventh of the time of all names.
_MAY_BE_NAMED, _MAY_BE_NAMED_OTHERWISE = Explained.HALF, Explained.UNLIKE
_WORTH_A_NAME = 0.4  # of the evidence that it needs to be accepted: under another name it may have the rest


def _beside_another_back(fit: Fit, found: Sequence[Found]) -> bool:
    """Whether a back with weak evidence partly covers a back already found. A back's pattern repeats, so the visible
    rim of one looks like another back."""
    near = any(
        card.fit.face == fit.face and np.hypot(*(card.fit.pose.centre_mm - fit.pose.centre_mm)[:2]) < _BACKS_APART_MM
        for card in found
    )
    return near and fit.evidence < Nats.SURELY


_BACKS_APART_MM = 70.0


def _likelier_corners_first(known: Known, guesses: list[Guess]) -> list[Guess]:
    """Sorts guesses from a marker that a card bears in several corners. If too few markers are visible to tell the
    corner, the corner comes first for which most of the card is visible, so that the others need not be tried."""
    of_face: dict[int, list[int]] = {}
    for number, guess in enumerate(guesses):
        if guess.finder.traits.reads_names:
            of_face.setdefault(guess.face, []).append(number)

    def rank(numbered: tuple[int, Guess]) -> tuple[float, int, float]:
        number, guess = numbered
        if not guess.finder.traits.reads_names or len(of_face[guess.face]) < 2:
            return -guess.votes, number, 0.0
        return -guess.votes, of_face[guess.face][0], -evidence_at(known, guess.face, guess.pose)

    return [guess for _, guess in sorted(enumerate(guesses), key=rank)]


def _bears_them_all(scene: Scene, face: int, fit: Fit) -> bool:
    """Whether the card found is the `face`, and shows all visible markers of that face."""
    return fit.face == face and scene.all_markers_in_place(face, fit.pose)


# Where something lies that surely is a card, though not which and how, guesses for which so much less speaks, and whose
# middles lie so near, wait until it is known what it hides: most of them are made of its own print. So do those that
# take its markers for those of its other corners.
_OUTVOTED, _NEAR_MM = 0.5, 50.0


def _outvoted(guess: Guess, surely: Guess) -> bool:
    if guess.finder is not surely.finder:
        return False
    if guess.finder.traits.reads_names:
        return guess.face == surely.face
    gap = float(np.hypot(*(guess.pose.centre_mm[:2] - surely.pose.centre_mm[:2])))
    return guess.finder.traits.by_chance and guess.votes < _OUTVOTED * surely.votes and gap < _NEAR_MM
