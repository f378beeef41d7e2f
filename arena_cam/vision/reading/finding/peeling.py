"""Finds the cards of one frame from the top down.

A card that lies uncovered is easy to be certain of. Once it is accepted, the pixels that show it are claimed, and what
lies beneath is fitted to the rest: covered parts neither count against a card nor pull its pose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fit import Fit, claim_tiles, evidence_at, in_view, measure, same_place
from arena_cam.vision.reading.cards.fitting import fit_coarse, likeness
from arena_cam.vision.reading.cards.naming import NATS_A_MARKER, Found, named
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.guesses.guess import Guess

_ROUNDS = 5
# A card is accepted with this much evidence (nats) if this share of what is uncovered of it is explained, or with much
# more evidence if less is: then a hand or another stranger lies over it. Cards that are there, with 40 % or more
# visible, have over 50 nats and 0.6, and 3 nats a tile in view; guesses of nothing stay below 30 nats, 0.4, and 1.2
# nats a tile.
MIN_NATS = 34.0
_MIN_EXPLAINED = 0.5
_MANY_NATS, _FEW_EXPLAINED = 70.0, 0.3
_MIN_NATS_A_TILE = 1.8
_ALL_EXPLAINED = 0.93  # then a faint drawing, or one with little in it, need not say as much a tile
_HOPELESS_NATS = -15.0  # a guess that explains its place so badly is not looked at again
_LIKELY_VOTES = 12.0  # features that agree on a place in such numbers do not do so by chance
# What other cards leave in view of a card must hold the tiles that could speak for it: less is not looked at.
LEAST_IN_VIEW = 0.06
# Where so little differs from the empty table no card lies: white ones on light sand show 0.11 and more.
_LEAST_ODD = 0.08
# Where less than this does, a card is looked for last. Of 800 guesses that were right on photographs one in 25 showed
# less, of 1800 that were wrong three in four.
_SURELY_ODD = 0.5
# Accepted at once in the order of guessing, without comparing with the other guesses of the round: what is explained
# so well, or nearly so of a card that nothing covers.
_AT_ONCE, _AT_ONCE_WHOLE, _WHOLE = 0.9, 0.8, 0.97


def peel(
    scene: Scene,
    white_ratio: Array,
    next_guesses: Callable[[Claims, Sequence[Found]], Sequence[Guess]],
    claims: Claims,
    done: Callable[[Claims, Sequence[Found]], bool] = lambda _claims, _found: False,
) -> list[Found]:
    """Cards found, in the order of acceptance. `next_guesses` is asked once a round with what is claimed by then, and
    the cards that do; `claims` holds what is known to be no card before the first, and is added to. `done` says whether
    nothing is left to be found."""
    found: list[Found] = []
    hopeless: list[Guess] = []
    for round_ in range(_ROUNDS):
        guesses = list(next_guesses(claims, found))
        if round_ > 0 and not guesses:
            break
        if _one_round(scene, white_ratio, guesses, claims, found, hopeless, done):
            break
    return found


def _one_round(
    scene: Scene,
    white_ratio: Array,
    guesses: list[Guess],
    claims: Claims,
    found: list[Found],
    hopeless: list[Guess],
    done: Callable[[Claims, Sequence[Found]], bool],
    postpone: bool = True,
) -> bool:
    """Adds to `found` what the guesses of one round lead to; says whether nothing is left to be found."""
    waiting: list[tuple[Fit, Guess]] = []
    surely: list[Guess] = []
    postponed: list[Guess] = []
    before = len(found)
    then = Claims.none_in(scene)
    then.add(claims)
    for guess in _likelier_corners_first(scene, _one_for_each_place(guesses), claims):
        if any(same_place(guess.pose.centre_mm, guess.pose.R, f.fit) for f in found):
            continue
        if guess.finder == "markers" and any(_bears_them_all(scene, guess.face, f.fit) for f in found):
            continue
        if any(_one_place(guess, h) and guess.face == h.face for h in hopeless):
            continue
        free, odd = in_view(scene, guess.pose, claims)
        if free < LEAST_IN_VIEW or (odd < _LEAST_ODD and guess.finder == "features"):
            continue
        unlikely = guess.finder == "features" and odd < _SURELY_ODD
        if postpone and (unlikely or any(_outvoted(guess, s) for s in surely)):
            postponed.append(guess)
            continue
        by_looks = guess.finder in ("features", "outlines")
        from_afar = likeness(scene, guess.face, guess.pose, claims) if by_looks else None
        if guess.finder == "features" and _is_unlike(guess, from_afar):
            continue
        close = guess.finder == "known" or (guess.finder == "markers" and guess.votes >= 2)
        votes = guess.votes
        if len(found) > before:  # most of what spoke for it may be print of the cards found since
            votes *= free / max(free, in_view(scene, guess.pose, then)[0])
        likely = votes >= _LIKELY_VOTES or (from_afar is not None and from_afar > _ALIKE_NATS)
        fit = fit_coarse(scene, guess.face, guess.pose, claims, close=close, likely=likely)
        if fit.uncovered * fit.explained < 0.02 or fit.evidence < _HOPELESS_NATS:
            hopeless.append(guess)
            continue
        plain = fit.explained >= (_AT_ONCE_WHOLE if fit.uncovered > _WHOLE else _AT_ONCE)
        if plain and _try(scene, white_ratio, fit, claims, found):
            if done(claims, found):
                return True
            continue
        waiting.append((fit, guess))
        if fit.evidence >= _SURELY_NATS:
            surely.append(guess)
    for fit, guess in sorted(waiting, key=lambda entry: -entry[0].worth):
        again = measure(scene, fit.face, fit.alignment, claims)
        if again.uncovered < LEAST_IN_VIEW:
            continue
        if again.uncovered < 0.9 * fit.uncovered or again.explained < _MIN_EXPLAINED:
            again = fit_coarse(scene, fit.face, fit.pose, claims)
        _try(scene, white_ratio, again, claims, found, guess.pose)
    if postponed and len(found) == before:
        return _one_round(scene, white_ratio, postponed, claims, found, hopeless, done, postpone=False)
    return done(claims, found)


def _is_unlike(guess: Guess, from_afar: float | None) -> bool:
    """Whether a guess from features says too little for itself to be aligned, as yet: what covers it may be found.
    `from_afar` is its likeness."""
    return from_afar is not None and from_afar < (_UNLIKE_NATS if guess.votes >= _SOME_VOTES else _HARDLY_LIKE_NATS)


# Nats a point, seen from afar. Of 870 guesses of which half or more was in view and that proved right, on pictures of
# 30 tables, one, half under a card not yet found, said less; of 1836 that proved wrong three in four.
_UNLIKE_NATS, _HARDLY_LIKE_NATS, _SOME_VOTES = 0.03, 0.08, 8.0
# So like a guess is where only a fine pattern, which is not seen from afar, keeps it from finding its place near by.
_ALIKE_NATS = 0.25


def _try(
    scene: Scene, white_ratio: Array, fit: Fit, claims: Claims, found: list[Found], start: CardPose | None = None
) -> bool:
    """Accepts a fit, under the name that explains its pixels best, if it is good enough; says whether it did. `start`
    is where the card was guessed to lie."""
    back = len(scene.faces.names) - 1 if scene.faces.names[-1] == BACK else -1
    taken = [f.fit.face for f in found if f.fit.face != back]

    def marked(fit: Fit) -> float:
        # beside a card its markers still fit, those of one side where it prints those of the other
        return 0.0 if fit.evidence >= _MANY_NATS or fit.face in taken else marked_nats(scene, fit)

    if fit.evidence + marked(fit) < 0.4 * MIN_NATS:
        return False
    if any(same_place(fit.pose.centre_mm, fit.pose.R, f.fit) for f in found):
        return False
    fit, identity = named(scene, white_ratio, fit, claims, taken, start)
    if not is_there(fit, marked(fit)) or identity.best != fit.face:
        return False
    if fit.face == back and _beside_another_back(fit, found):
        return False
    found.append(Found(fit, identity))
    claim_tiles(claims, scene, fit)
    return True


def _beside_another_back(fit: Fit, found: list[Found]) -> bool:
    """A back whose evidence is thin, partly over a back already found: its pattern repeats, and what is left of the one
    along its rim looks like another."""
    near = any(
        f.fit.face == fit.face and np.hypot(*(f.fit.pose.centre_mm - fit.pose.centre_mm)[:2]) < _BACKS_APART_MM
        for f in found
    )
    return near and fit.evidence < _BACK_NATS


_BACKS_APART_MM, _BACK_NATS = 70.0, 150.0


def claimed_by_others(scene: Scene, found: Sequence[Found], card: int) -> Claims:
    """What all cards of `found` but number `card` claim to show, by the tiles that show their drawing."""
    claims = Claims.none_in(scene)
    for number, other in enumerate(found):
        if number != card:
            claim_tiles(claims, scene, other.fit)
    return claims


def marked_nats(scene: Scene, fit: Fit) -> float:
    """What the face's own markers say for its being there, in nats: nothing unless two of them lie where it prints
    them, as the place was found by the first. A hand may hide more of a card than it leaves in view."""
    marks = scene.markers_in_place(fit.pose).get(fit.face, 0)
    return NATS_A_MARKER * marks if marks >= 2 else 0.0


def is_there(fit: Fit, marked_nats: float = 0.0) -> bool:
    """Whether the picture shows the face at all, whatever its name. `marked_nats`: what its markers say for it."""
    if fit.evidence + marked_nats >= _MANY_NATS:
        return fit.explained >= _FEW_EXPLAINED
    if fit.evidence < MIN_NATS or fit.explained < _MIN_EXPLAINED:
        return False
    telling = int((fit.shown & (fit.tiles > 0.0)).sum())  # tiles without print say nothing for a card
    return fit.explained >= _ALL_EXPLAINED or fit.evidence >= _MIN_NATS_A_TILE * telling


def _one_for_each_place(guesses: list[Guess], most: int = 22) -> list[Guess]:
    """The best supported guess of each place and rotation, whatever its name: that is settled at the pose. A card known
    to have lain there is the better guess."""
    kept: list[Guess] = []
    for guess in sorted(guesses, key=lambda p: -p.votes):
        here = next((i for i, k in enumerate(kept) if _one_place(guess, k)), None)
        if here is None:
            kept.append(guess)
        elif guess.finder == "known" and kept[here].finder == "features":
            kept[here] = guess
    return kept[:most]


def _likelier_corners_first(scene: Scene, guesses: list[Guess], claims: Claims) -> list[Guess]:
    """Where a card bears one marker in several corners and too few are seen to tell which they are, the corner comes
    first from which the picture shows most of the card: the others then need not be tried."""
    of_face: dict[int, list[int]] = {}
    for number, p in enumerate(guesses):
        if p.finder == "markers":
            of_face.setdefault(p.face, []).append(number)

    def rank(numbered: tuple[int, Guess]) -> tuple[float, int, float]:
        number, p = numbered
        if p.finder != "markers" or len(of_face[p.face]) < 2:
            return -p.votes, number, 0.0
        return -p.votes, of_face[p.face][0], -evidence_at(scene, p.face, p.pose, claims)

    return [p for _, p in sorted(enumerate(guesses), key=rank)]


def _bears_them_all(scene: Scene, face: int, fit: Fit) -> bool:
    """Whether a card found is the `face`, and all its markers seen are those it shows."""
    return fit.face == face and scene.all_markers_in_place(face, fit.pose)


def _one_place(a: Guess, b: Guess) -> bool:
    gap = float(np.hypot(*(a.pose.centre_mm[:2] - b.pose.centre_mm[:2])))
    return gap <= 8.0 and float(a.pose.R[:, 0] @ b.pose.R[:, 0]) >= np.cos(np.radians(15.0))


# Where something lies that surely is a card, though not which and how, guesses for which so much less speaks, and whose
# middles lie so near, wait until it is known what it hides: most of them are made of its own print. So do those that
# take its markers for those of its other corners.
_SURELY_NATS, _OUTVOTED, _NEAR_MM = 150.0, 0.5, 50.0


def _outvoted(guess: Guess, surely: Guess) -> bool:
    if guess.finder == surely.finder == "markers":
        return guess.face == surely.face
    gap = float(np.hypot(*(guess.pose.centre_mm[:2] - surely.pose.centre_mm[:2])))
    same_finder = guess.finder == surely.finder == "features"
    return same_finder and guess.votes < _OUTVOTED * surely.votes and gap < _NEAR_MM
