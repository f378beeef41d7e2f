"""Finds the cards of one frame from the top down.

A card that lies uncovered is easy to be certain of. Once it is accepted, the pixels that show it are claimed, and what
lies beneath is fitted to the rest: covered parts neither count against a card nor pull its pose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.deck_faces import BACK
from arena_cam.vision.fitting import Claims, Fit, Scene, fit_coarse, in_view, measure
from arena_cam.vision.identity import Identity, compare_faces
from arena_cam.vision.proposals import Proposal

Array = NDArray[np.float64]

_ROUNDS = 4
# A card is accepted with this much evidence (nats) if this share of what is uncovered of it is explained, or with much
# more evidence if less is: then a hand or another stranger lies over it. Cards that are there, with 40 % or more
# visible, have over 50 nats and 0.6, and 3 nats a tile in view; guesses of nothing stay below 30 nats, 0.4, and 1.2
# nats a tile.
MIN_NATS = 34.0
_MIN_EXPLAINED = 0.5
_MANY_NATS, _FEW_EXPLAINED = 70.0, 0.3
_MIN_NATS_A_TILE = 1.8
_HOPELESS_NATS = -15.0  # a guess that explains its place so badly is not looked at again
_LIKELY_VOTES = 12.0  # features that agree on a place in such numbers do not do so by chance
# What other cards leave in view of a card must hold the tiles that could speak for it: less is not looked at.
LEAST_IN_VIEW = 0.06
# Where so little differs from the empty table no card lies: white ones on light sand show 0.11 and more.
_LEAST_ODD = 0.08
_AT_ONCE = 0.9  # accepted at once in the order of proposing, without comparing with the other guesses of the round


@dataclass(frozen=True, eq=False)
class Found:
    """An accepted card: its fit, with which claims it was measured, and what the comparison of faces said."""

    fit: Fit
    identity: Identity


def peel(
    scene: Scene,
    white_ratio: Array,
    propose: Callable[[Claims], Sequence[Proposal]],
    claims: Claims,
) -> list[Found]:
    """Cards found, in the order of acceptance. `propose` is asked once a round with what is claimed by then; `claims`
    holds what is known to be no card before the first, and is added to."""
    found: list[Found] = []
    hopeless: list[Proposal] = []
    for round_ in range(_ROUNDS):
        accepted = _one_round(scene, white_ratio, list(propose(claims)), claims, found, hopeless)
        if not accepted and round_ > 0:
            break
    return found


def _one_round(
    scene: Scene,
    white_ratio: Array,
    proposals: list[Proposal],
    claims: Claims,
    found: list[Found],
    hopeless: list[Proposal],
) -> bool:
    waiting: list[Fit] = []
    surely: list[Proposal] = []
    before = len(found)
    for proposal in _one_for_each_place(proposals):
        if any(_same_place(proposal.pose.centre_mm, proposal.pose.R, f.fit) for f in found):
            continue
        if any(_one_place(proposal, h) and proposal.face == h.face for h in hopeless):
            continue
        if scene.fresh is not None and any(_outvoted(proposal, s) for s in surely):
            continue
        free, odd = in_view(scene, proposal.pose, claims)
        if free < LEAST_IN_VIEW or (odd < _LEAST_ODD and proposal.finder == "features"):
            continue
        close = proposal.finder == "known" or (proposal.finder == "markers" and proposal.votes >= 2)
        fit = fit_coarse(
            scene, proposal.face, proposal.pose, claims, close=close, likely=proposal.votes >= _LIKELY_VOTES
        )
        if fit.uncovered * fit.explained < 0.02 or fit.evidence < _HOPELESS_NATS:
            hopeless.append(proposal)
            continue
        if fit.explained >= _AT_ONCE and _try(scene, white_ratio, fit, claims, found):
            continue
        waiting.append(fit)
        if fit.evidence >= _SURELY_NATS:
            surely.append(proposal)
    for fit in sorted(waiting, key=lambda f: -f.evidence * f.explained):
        again = measure(scene, fit.face, fit.alignment, claims)
        if again.uncovered < LEAST_IN_VIEW:
            continue
        if again.uncovered < 0.9 * fit.uncovered or again.explained < _MIN_EXPLAINED:
            again = fit_coarse(scene, fit.face, fit.pose, claims)
        _try(scene, white_ratio, again, claims, found)
    return len(found) > before


def _try(scene: Scene, white_ratio: Array, fit: Fit, claims: Claims, found: list[Found]) -> bool:
    """Accepts a fit, under the name that explains its pixels best, if it is good enough; says whether it did."""
    if fit.evidence < 0.4 * MIN_NATS or any(_same_place(fit.pose.centre_mm, fit.pose.R, f.fit) for f in found):
        return False
    back = len(scene.faces.names) - 1 if scene.faces.names[-1] == BACK else -1
    taken = [f.fit.face for f in found if f.fit.face != back]
    fit, identity = _named(scene, white_ratio, fit, claims, taken)
    if not _is_there(fit) or identity.best != fit.face:
        return False
    if fit.face == back and _beside_another_back(fit, found):
        return False
    found.append(Found(fit, identity))
    claims.add_tiles(scene, fit)
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


# Names this many nats behind the best are compared again, each aligned for itself: a face laid a little wrong because
# another one put it there can lose by that much.
_OPEN_NATS = 45.0
_OPEN_NAMES = 4
# The edge of a shadow over a card makes every face fit badly in colour, so that a wrong one may seem better: it must
# show nearly as much of its own drawing as the other does.
_AS_EVIDENT = 0.8
# A six upside down is nearly a nine: a face that explains less than this is tried the other way up as well.
_UPRIGHT_EXPLAINED = 0.93


def _named(scene: Scene, white_ratio: Array, fit: Fit, claims: Claims, taken: list[int]) -> tuple[Fit, Identity]:
    """The fit under the name that explains its pixels best, and the comparison of names at that fit's own pose."""
    if fit.explained >= _PLAIN_TO_SEE:
        in_place = scene.points.markers.in_place(scene.markers, scene.camera, fit.pose)
        if in_place.get(fit.face, 0) >= 2 and len(in_place) == 1:
            likelihood = np.full(len(scene.faces.names), -_NATS_A_MARKER * in_place[fit.face])
            likelihood[fit.face] = 0.0
            return fit, Identity(likelihood, 0)
        if any(face == fit.face and _same_place(pose.centre_mm, pose.R, fit) for face, pose in scene.believed):
            likelihood = np.full(len(scene.faces.names), -_BELIEVED_NATS)
            likelihood[fit.face] = 0.0
            return fit, Identity(likelihood, 0)
    identity = _compared(scene, fit.pose, white_ratio, claims, taken)
    poses = [(fit.pose, identity)]
    if fit.explained < _UPRIGHT_EXPLAINED:
        turned = fit.pose.half_turned
        poses.append((turned, _compared(scene, turned, white_ratio, claims, taken)))
    ranked = sorted(
        ((float(at.log_likelihood[i]), int(i), pose) for pose, at in poses for i in np.argsort(-at.log_likelihood)[:3]),
        key=lambda entry: -entry[0],
    )[:_OPEN_NAMES]
    ranked = [entry for entry in ranked if entry[0] > ranked[0][0] - _OPEN_NATS]
    if len(ranked) == 1 and ranked[0][1] == fit.face and ranked[0][2] is fit.pose:
        return fit, identity
    own: list[tuple[float, Fit, Identity]] = []
    for _, name, pose in ranked:
        tried = fit if name == fit.face and pose is fit.pose else fit_coarse(scene, name, pose, claims)
        at = identity if tried is fit else _compared(scene, tried.pose, white_ratio, claims, taken)
        own.append((float(at.log_likelihood[name]) + 0.5 * tried.evidence, tried, at))
    most = max(tried.evidence for _, tried, _ in own)
    own = [entry for entry in own if most <= 0.0 or entry[1].evidence >= _AS_EVIDENT * most]
    _, fit, identity = max(own, key=lambda entry: entry[0])
    # names that were far behind at the first pose stay behind
    likelihood = np.minimum(identity.log_likelihood, identity.log_likelihood[fit.face] - 10.0)
    likelihood[fit.face] = identity.log_likelihood[fit.face]
    for _, tried, at in own:
        if tried.face != fit.face:  # each name is given the benefit of its own alignment
            gained = float(at.log_likelihood[tried.face]) + 0.5 * (tried.evidence - fit.evidence)
            likelihood[tried.face] = max(gained, likelihood[tried.face])
    return fit, _tempered(Identity(likelihood, identity.points), fit.uncovered)


def _tempered(identity: Identity, uncovered: float) -> Identity:
    """A small part in view says less than its many pixels seem to: a figure's corner may be all that tells two
    apart."""
    say = min(1.0, max(0.3, uncovered / 0.6))
    top = float(identity.log_likelihood.max())
    return Identity(top + (identity.log_likelihood - top) * say, identity.points)


# Two markers read where this face prints them, and no others, on a face that looks as it should: that settles the name.
_PLAIN_TO_SEE = 0.85
# A face that was surely there a moment ago and still looks as it should: another card in its very place is no chance.
_BELIEVED_NATS = 20.0
# A marker read at the very place where a face prints it: the dictionaries fire falsely now and then, hardly ever there.
_NATS_A_MARKER = 40.0


def _compared(
    scene: Scene, pose: CardPose, white_ratio: Array, claims: Claims, taken: list[int], asked: int | None = None
) -> Identity:
    """The comparison of faces at a pose with what markers say."""
    identity = compare_faces(scene, pose, white_ratio, claims, taken, asked)
    likelihood = identity.log_likelihood.copy()
    for face, count in scene.points.markers.in_place(scene.markers, scene.camera, pose).items():
        if face not in taken:
            likelihood[face] += _NATS_A_MARKER * count
    return Identity(likelihood, identity.points)


# A card that is known to be there needs less to be believed at a place: only where it lies is open, not whether.
EXPECTED_NATS, _EXPECTED_NATS_A_TILE = 9.0, 1.0
# What other cards show of themselves is not claimed to the last tile, so a little of them may be taken for its part.
_EXPECTED_EXPLAINED = 0.35


def _worth(fit: Fit) -> float:
    """How good a place is for a card that lies mostly under others: these hold it flat."""
    return fit.evidence * fit.explained * (1.0 if fit.pose.tilt_deg < _HELD_FLAT_DEG else 0.5)


_HELD_FLAT_DEG = 5.0
# How much likelier a card that is known to be in the arena is at a place than any one of the fifty others: these lie
# there only where the known one is hidden altogether, once in thirty times.
_KNOWN_NATS = 7.0


def find_expected(
    scene: Scene, white_ratio: Array, face: int, proposals: Sequence[Proposal], claims: Claims, found: list[Found]
) -> bool:
    """Adds the face that is known to lie somewhere, at the best of the proposed places; False where none will do.

    It may only be a part that other cards leave in view: a place that is mostly uncovered would have been found before.
    """
    best: Fit | None = None
    for proposal in proposals:
        if any(_same_place(proposal.pose.centre_mm, proposal.pose.R, f.fit) for f in found):
            continue
        fit = fit_coarse(scene, face, proposal.pose, claims)
        if best is None or _worth(fit) > _worth(best):
            best = fit
    if best is None or best.evidence < EXPECTED_NATS or best.explained < _EXPECTED_EXPLAINED:
        return False
    if best.evidence / (best.uncovered * best.tiles.size * best.explained) < _EXPECTED_NATS_A_TILE:
        return False
    identity = compare_faces(scene, best.pose, white_ratio, claims, [f.fit.face for f in found], face)
    identity = _tempered(identity, best.uncovered)
    found.append(Found(best, boosted(identity, face)))
    claims.add_tiles(scene, best)
    return True


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
        if likelihood[face] < likelihood[card.fit.face] - _OPEN_NATS or card.fit.explained > _UNMISTAKEN:
            continue
        claims = others(number)
        fit = fit_coarse(scene, face, card.fit.pose, claims)
        if fit.evidence < _AS_EVIDENT * card.fit.evidence or not _same_place(fit.pose.centre_mm, fit.pose.R, card.fit):
            continue
        rest = [t for i, t in enumerate(taken) if i != number]
        identity = _tempered(_compared(scene, fit.pose, white_ratio, claims, rest, face), fit.uncovered)
        ahead = float(identity.log_likelihood[face] + _KNOWN_NATS - identity.log_likelihood.max())
        if ahead >= 0.0 and (best is None or ahead > best[0]):
            best = (ahead, number, Found(fit, boosted(identity, face)))
    if best is None:
        return False
    found[best[1]] = best[2]
    return True


_UNMISTAKEN = 0.97  # a card that shows so much of what is uncovered of it is what it was taken for


def boosted(identity: Identity, face: int) -> Identity:
    """The comparison for a face that is known to lie somewhere: the deck's other faces are far less likely here."""
    likelihood = identity.log_likelihood.copy()
    likelihood[face] += _KNOWN_NATS
    return Identity(likelihood, identity.points)


def _is_there(fit: Fit) -> bool:
    """Whether the picture shows the face at all, whatever its name."""
    if fit.evidence >= _MANY_NATS:
        return fit.explained >= _FEW_EXPLAINED
    shown = fit.uncovered * fit.tiles.size * max(fit.explained, 0.01)
    return fit.evidence >= MIN_NATS and fit.explained >= _MIN_EXPLAINED and fit.evidence / shown >= _MIN_NATS_A_TILE


def _one_for_each_place(proposals: list[Proposal], most: int = 22) -> list[Proposal]:
    """The best supported guess of each place and rotation, whatever its name: that is settled at the pose. A card known
    to have lain there is the better guess."""
    kept: list[Proposal] = []
    for proposal in sorted(proposals, key=lambda p: -p.votes):
        here = next((i for i, k in enumerate(kept) if _one_place(proposal, k)), None)
        if here is None:
            kept.append(proposal)
        elif proposal.finder == "known" and kept[here].finder == "features":
            kept[here] = proposal
    return kept[:most]


def _one_place(a: Proposal, b: Proposal) -> bool:
    gap = float(np.hypot(*(a.pose.centre_mm[:2] - b.pose.centre_mm[:2])))
    return gap <= 8.0 and float(a.pose.R[:, 0] @ b.pose.R[:, 0]) >= np.cos(np.radians(15.0))


# Where something lies that surely is a card, though not which and how, guesses for which so much less speaks, and whose
# middles lie so near, wait until it is known what it hides: most of them are made of its own print.
_SURELY_NATS, _OUTVOTED, _NEAR_MM = 150.0, 0.25, 50.0


def _outvoted(guess: Proposal, surely: Proposal) -> bool:
    gap = float(np.hypot(*(guess.pose.centre_mm[:2] - surely.pose.centre_mm[:2])))
    same_finder = guess.finder == surely.finder == "features"
    return same_finder and guess.votes < _OUTVOTED * surely.votes and gap < _NEAR_MM


def _same_place(centre_mm: Array, rotation: Array, fit: Fit) -> bool:
    """True where two poses are one card read twice: rigid cards cannot lie within a few millimetres and degrees of each
    other unless one hides the other."""
    gap = float(np.hypot(*(centre_mm[:2] - fit.pose.centre_mm[:2])))
    return gap < 6.0 and abs(float(rotation[:, 0] @ fit.pose.R[:, 0])) > np.cos(np.radians(8.0))
