"""The names of cards that are still doubtful once all cards lie in their final places.

A card is named when it is found. Its pose is known then at the coarse scale only, and of what covers it no more than
the tiles that show another card's print. In the end both are known to a fraction of a millimetre, and of a nearly blank
card that decides how much of a small figure is in view and where.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.reading.cards.face_comparison import Identity, SeenInk, gained_by_inks, ink_of
from arena_cam.vision.reading.cards.fitting import is_turned_from
from arena_cam.vision.reading.cards.known import Known, only_once
from arena_cam.vision.reading.cards.leaning import leans, lies_outside
from arena_cam.vision.reading.cards.lies import SURE_NAME, FittedCard
from arena_cam.vision.reading.cards.naming import (
    BY_CHANCE_NATS,
    KNOWN_NATS,
    Found,
    boosted,
    compared,
    compared_ways,
    is_plainly_named,
    tempered,
)
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.trust import InView
from arena_cam.vision.reading.finding.told_names import (
    has_compared,
    is_named_in_place,
    named_in_place,
    worth_telling,
)
from arena_cam.vision.reading.floor.reaching_in import is_large_enough, is_of_a_cards_size
from arena_cam.vision.reading.telling.kept_tellings import likelier_than
from arena_cam.vision.reading.telling.looks import Looks
from arena_cam.vision.reading.telling.other_inks import OTHER_INKS


def named_again(
    found: Sequence[Found],
    settled: Sequence[FittedCard],
    above: Sequence[Known],
    settled_faces: Collection[int],
    at_work: Callable[[], bool] = lambda: False,
) -> list[Found]:
    """The cards `found`, those of doubtful name under the name that their `settled` poses give them. `above` is what
    is known to lie over each, and `settled_faces` are known to be there. Of a deck whose faces differ, a card is asked
    again only if it was named before a card was found which lies over it, or by less than is in view of it in the end,
    or if its name leads by a little. A sure card is asked whether it is one that another has the name of in doubt.
    While people are `at_work`, which is asked for such cards alone, the frame is not sure, and what is covered and in
    doubt stays so: it is told when they have left."""
    named = list(found)
    in_doubt = {card.fit.face for card in settled if not is_surely_named(card)}
    for number, (card, over) in enumerate(zip(settled, above, strict=True)):
        is_sure = is_surely_named(card)
        in_view, before = card.fit.uncovered, found[number].fit.uncovered
        less, more = in_view < _AS_NAMED * before, in_view > before + _MORE_IN_VIEW
        if is_sure and card.fit.face not in settled_faces:
            turned = is_turned_from(found[number].fit.pose, card.resting.pose)
            if turned or more or _was_told_as_a_whole(over, card):
                named[number] = _named_anew(over, found[number], card)
            elif less or _hangs_on_little(over, card):
                named[number] = _doubted(over, found[number], card)
        if is_sure:
            rivals = only_once(over.scene, in_doubt - {card.fit.face})
            if rivals and card.fit.face not in settled_faces and named[number] is found[number]:
                named[number] = _among(over, found[number], card, rivals)
        if is_sure or (card.fit.uncovered < InView.MOST and at_work()):
            continue
        taken = (c.fit.face for n, c in enumerate(named) if n != number and is_surely_named(c))
        known = replace(over, taken=only_once(over.scene, taken))
        if not settled_faces and not _may_be_surer(known, card):
            continue
        fit, identity = named_in_place(known, card.fit, card.fit.outline)
        known_there = next((face for face in (card.fit.face, fit.face) if face in settled_faces), None)
        if known_there is not None:
            identity = boosted(identity, known_there)
            if identity.best == known_there != fit.face:
                fit = found[number].fit  # many names are as likely by what is in view
        if _surest(identity) > _surest(card.identity):
            named[number] = Found(fit, identity)
    return named


def _may_be_surer(over: Known, card: FittedCard) -> bool:
    """Whether what is in view of a card may make any name surer than it is. None is where every face that is worth
    telling there, and all of its drawing in another ink, is printed there as so many others are."""
    surest, looks = _surest(card.identity), Looks(over, card.fit.pose)
    if likelier_than(looks, [(card.fit.face, 0)], surest):
        return True
    seen = [at.log_likelihood for at in compared_ways(over, card.fit.pose)]
    likely = sorted(worth_telling(over, seen), key=lambda way: -float(seen[way[1]][way[0]]))
    faces, drawn_alike = {face for face, _ in likely}, over.scene.points.names.drawn_alike
    inks = {int(ink) for face in faces for ink in drawn_alike[face][: OTHER_INKS + 1]}.difference(faces, over.taken)
    return likelier_than(looks, likely + [(ink, way) for ink in sorted(inks) for way in (0, 1)], surest)


def _named_anew(over: Known, before: Found, card: FittedCard) -> Found:
    """The card as it was named, or, if its name in its final place, all faces compared, is another one or unsure, as
    that. A six with fine stripes, turned, was surely a seven: it had been laid by a seven's stripes, tilted by 17
    degrees, and rests flat."""
    fit, identity = named_in_place(replace(over, taken=()), card.fit, card.fit.outline)
    is_same = fit.face == before.fit.face and _probability(identity, fit.face) >= SURE_NAME
    return before if is_same else Found(fit, identity)


# A card of which a twentieth less is in view than when it was named was named by what covers it, too: white paper of a
# card not yet found stood for the missing tenth shape of ten, and a nine was said surely.
_AS_NAMED = 0.95
# And a card of which a twentieth of the whole more is in view was named without what a card beneath it had claimed: of
# a nine whose figure lay in the paper of the card below, what was left was as even as the back, and it was one, surely.
_MORE_IN_VIEW = 0.05


def _hangs_on_little(over: Known, card: FittedCard) -> bool:
    """Whether the sure name of a card of a deck whose faces differ hangs on a few nats over the whole card: by so much
    half a marker beside the edge of a card above took a one, a sixth of it in view, for a seven."""
    return not over.scene.faces.are_alike and _lead(card) < _LITTLE_NATS


def _was_told_as_a_whole(over: Known, card: FittedCard) -> bool:
    """Whether the sure name of a card whose faces look alike hangs on a few nats over the whole card: little print led
    to it, and no sides, so that nobody asked the points at which these faces differ. Of a four drawn as a dial a sixth
    was in view, two full spots and two empty ones. A nine, which has one, led by 5 nats, surely; these points told the
    four by 8."""
    return over.scene.faces.are_alike and not is_named_in_place(card.fit) and _lead(card) < _LITTLE_NATS


def _lead(card: FittedCard) -> float:
    """By how many nats the likeliest name of a card leads the next."""
    next_best, best = np.sort(card.identity.log_likelihood)[-2:]
    return float(best - next_best)


# The wrong name led by 7 nats. Of 453 cards of two decks that were named rightly and surely eight lead by less.
_LITTLE_NATS = 20.0


def _doubted(over: Known, before: Found, card: FittedCard) -> Found:
    """The card as it was named, or, if what is truly in view of it leaves the name open, as that leaves it; if that
    is surely another card, as that."""
    face, known = before.fit.face, replace(over, taken=())
    if not over.scene.faces.are_alike and card.fit.face == face and is_plainly_named(known, card.fit):
        return before
    fit, identity = named_in_place(known, card.fit, card.fit.outline)
    if fit.face != face and _probability(identity, fit.face) >= SURE_NAME:
        return Found(fit, identity)
    open_ = fit.face != face or _probability(identity, face) < SURE_NAME
    return replace(before, identity=identity) if open_ else before


def _among(over: Known, before: Found, card: FittedCard, rivals: Sequence[int]) -> Found:
    """The card as it was named, or, if its print may be one of the faces `rivals`, as what is in view tells it with all
    faces compared. A face that was found elsewhere had been left out of its comparison, whatever spoke for it there: a
    nine half beneath others was surely a six, since a corner of another card was, in doubt, the nine. One that was not
    left out has had its say."""
    rivals = [rival for rival in rivals if not has_compared(before, rival)]
    if not rivals:
        return before
    nats = compared(replace(over, taken=()), card.fit.pose).log_likelihood
    out = nats[card.fit.face] - _LITTLE_NATS
    return before if all(nats[rival] < out for rival in rivals) else _named_anew(over, before, card)


def is_surely_named(card: Found | FittedCard) -> bool:
    """Whether a card's name is as likely as one must be to be said surely."""
    return _probability(card.identity, card.fit.face) >= SURE_NAME


def _probability(identity: Identity, face: int) -> float:
    return float(identity.probabilities()[face])


def _surest(identity: Identity) -> float:
    return float(np.max(identity.probabilities()))


def told_by_inks(cards: Sequence[FittedCard], above: Sequence[Known]) -> list[FittedCard]:
    """The settled cards, those whose ink leaves the name open compared with how the same inks are seen on cards near by
    that are surely named. A sixth of a violet five was in view, between a violet card and a blue one, and of the light
    on it nobody knew whether it made violet of blue. `above` is what is known to lie over each card. Of faces that are
    alike there is too little ink for that."""
    told = list(cards)
    for number, (card, over) in enumerate(zip(cards, above, strict=True)):
        rivals = [] if over.scene.faces.are_alike else _in_play(card.identity)
        colours = {face: _colour(over.scene, face) for face in rivals}
        if len(set(colours.values())) < 2:
            continue
        near = _inks_near_by(cards, above, number)
        if card.fit.face not in rivals or not near.keys() >= set(colours.values()):
            continue
        gained = gained_by_inks(over, card.fit.pose, {face: near[colour] for face, colour in colours.items()})
        if gained is not None:
            likelihood = card.identity.log_likelihood.copy()
            likelihood[rivals] += np.clip(gained - gained[rivals.index(card.fit.face)], -_MOST_BY_INK, _MOST_BY_INK)
            told[number] = replace(card, identity=replace(card.identity, log_likelihood=likelihood))
    return told


def _in_play(identity: Identity) -> list[int]:
    """The faces that a name may be, if it is not sure; the others are too far behind for their ink to matter."""
    likelihood = identity.log_likelihood
    if float(identity.probabilities().max()) >= SURE_NAME:
        return []
    return [int(face) for face in np.flatnonzero(likelihood > likelihood.max() - _OPEN_INK_NATS)]


_OPEN_INK_NATS = 8.0
# Nats that inks say at most, and how near (mm) another card must lie for its light to be the same. Of 58 cards in full
# view or covered the nearest of the same ink, as far as 290 mm off, told a wrong one by up to 8 nats in five cases, all
# beyond 60 mm; nearer ones rendered it alike within a twentieth.
_MOST_BY_INK, _SAME_LIGHT_MM = 4.0, 60.0


def _colour(scene: Scene, face: int) -> str | None:
    card = scene.faces.deck.by_id.get(scene.faces.names[face])
    return None if card is None else card.colour


def _inks_near_by(cards: Sequence[FittedCard], above: Sequence[Known], number: int) -> dict[str | None, SeenInk]:
    """By colour, how the nearest other card that is surely named is seen, of those that lie in the same light and show
    enough of themselves."""
    found: dict[str | None, SeenInk] = {}
    for gap, other in sorted((_gap_mm(cards[number], card), other) for other, card in enumerate(cards)):
        card, over = cards[other], above[other]
        colour = _colour(over.scene, card.fit.face)
        is_plain = is_surely_named(card) and card.fit.uncovered >= InView.TELLING
        if other == number or gap > _SAME_LIGHT_MM or not is_plain or colour is None or colour in found:
            continue
        ink = ink_of(over, card.fit.pose, card.fit.face)
        if ink is not None:
            found[colour] = ink
    return found


def _gap_mm(a: FittedCard, b: FittedCard) -> float:
    return float(np.hypot(*(a.fit.pose.centre_mm - b.fit.pose.centre_mm)[:2]))


def shared_with_rivals(
    cards: Sequence[FittedCard], above: Sequence[Known], face: int, lowest: Sequence[float] | Array = ()
) -> list[FittedCard]:
    """The settled cards, where one has the name of a `face` that is certainly there and others may have it as well:
    each is as likely to be that card as its own print says, against the others, and as who covers whom does: by so many
    nats, `lowest`, for each. The face lies there once, and where it was looked for first says nothing. `above` is what
    is known to lie over each card."""
    named = next((number for number, card in enumerate(cards) if card.fit.face == face), None)
    if named is None:
        return list(cards)
    odds = np.zeros(len(cards))
    odds[named] = _odds(cards[named].identity, face)
    for number, (card, over) in enumerate(zip(cards, above, strict=True)):
        if number != named and _is_open(card, over):
            odds[number] = math.exp(KNOWN_NATS) * _odds(_asked(over, card, face), face)
    odds *= np.exp(lowest) if len(lowest) else 1.0
    others = [1.0 + float(np.delete(odds, number).sum()) for number in range(len(cards))]
    if others[named] < 1.0 + _NO_RIVAL * max(1.0, odds[named]):
        return list(cards)
    return [
        replace(card, identity=_with_odds(card.identity, face, mine / against)) if mine > 0.0 else card
        for card, mine, against in zip(cards, odds, others, strict=True)
    ]


def each_name_once(scene: Scene, cards: Sequence[FittedCard]) -> list[FittedCard]:
    """The settled cards, those under one name each as likely to be that card as its own print says, against the others:
    a deck has each card once. Where one shows it beyond doubt the others lose it; where several do, none is sure."""
    told, names = list(cards), Counter(only_once(scene, (card.fit.face for card in cards)))
    for face in (face for face, count in names.items() if count > 1):
        odds = {number: _odds(card.identity, face) for number, card in enumerate(cards) if card.fit.face == face}
        for number, mine in odds.items():
            against = 1.0 + sum(others for other, others in odds.items() if other != number)
            told[number] = replace(told[number], identity=_with_odds(told[number].identity, face, mine / against))
    return told


def as_likely_as_unseen(scene: Scene, cards: Sequence[FittedCard], face: int) -> list[FittedCard]:
    """The settled cards, where one has the name of a `face` that is certainly there: as likely to be that card as the
    face is not to lie where nobody sees it. That hangs on what the picture would show of it. Where a card differs from
    the empty floor, a part of another one beside it would have been noticed; a black card on a black floor is not, and
    its name was given to a card of which nothing tells the name. And what lay there first was laid flat: of a card that
    leans on a wall and shows nothing of its figure it is as likely that the face lies elsewhere."""
    number = next((number for number, card in enumerate(cards) if card.fit.face == face), None)
    if number is None:
        return list(cards)
    unseen = _HIDDEN + _MISSED * (1.0 - _share_told(scene, cards, number))
    unseen = max(unseen, _AS_WELL if leans(scene, cards[number].fit.pose) else _beside_them(scene, cards))
    names = max(len(scene.faces.deck.cards) - len(cards), 1)  # that the card may have if the face lies elsewhere
    more = math.log(names * (1.0 - unseen) / unseen) - KNOWN_NATS
    likelihood = cards[number].identity.log_likelihood.copy()
    ahead = float(likelihood[face] - np.delete(likelihood, face).max())
    if more > 0.0 and ahead < KNOWN_NATS - BY_CHANCE_NATS:
        return list(cards)  # others may be it, or another face shows more plainly: no doubt about these is less
    likelihood[face] += min(more, max(_room_beside_rivals(cards, number), 0.0))
    identity = replace(cards[number].identity, log_likelihood=likelihood)
    return [replace(card, identity=identity) if card is cards[number] else card for card in cards]


def _room_beside_rivals(cards: Sequence[FittedCard], number: int) -> float:
    """By how many nats card `number` may become likelier to have the name that it has and still leave as much to the
    others that may have it as these were given by their print. That the face lies unseen is unlikely says as much for
    each of them. Of two dark cards whose tubes lay beneath others neither was plainly the blue one: the one said by 4
    in 100 that it was it, and the other was it all the same, by 986 in 1000, and was not."""
    face, mine = cards[number].fit.face, cards[number].identity
    others = (card.identity for n, card in enumerate(cards) if n != number and not is_surely_named(card))
    theirs = sum(float(identity.probabilities()[face]) for identity in others)
    most = (1.0 - min(theirs, 0.5)) / max(theirs, _NO_RIVAL**2)
    return math.log(most) - math.log(max(_odds(mine, face), _NO_RIVAL**2))


# Of 260 challenges on drawn tables two showed less than a fiftieth of themselves. Of 100 more ten showed up to a tenth,
# or more, and were not found, most of them leaving something unknown on the floor.
_HIDDEN, _MISSED = 0.01, 0.1
# Where something unknown lies beside the cards it may as well be that, however small: of a challenge under three others
# 0.8 cm2 looked out between them, as something unknown, and a card on it that showed its paper alone was surely that
# challenge. And where the card leans on a wall. Of 332
# challenges on drawn tables all lay flat: that one was moved since is rarer than that nobody sees it.
_AS_WELL = 0.5
# What is larger than a card is a hand, which hides cards, and while it does nothing more is looked for. Of eleven hands
# one kept the challenge from being found, half in view: a red five, in full view, was surely that red eight.
_BENEATH_A_HAND = 0.2


def _beside_them(scene: Scene, cards: Sequence[FittedCard]) -> float:
    """How likely it is that a card lies in or beneath something unknown that is left on the floor beside the others."""
    change, deck = scene.change, scene.faces.deck
    left = [] if change is None else change.strangers([card.placed.outline_px for card in cards])
    large = [thing for thing, _ in left if is_large_enough(thing, deck.card_mm2)]
    if any(is_of_a_cards_size(thing, deck.width_mm, deck.height_mm) for thing in large):
        return _AS_WELL
    if not large and any(near for _, near in left):  # a corner of it: where every card is known nothing is left
        return _AS_WELL
    return _BENEATH_A_HAND if large else 0.0


def _share_told(scene: Scene, cards: Sequence[FittedCard], number: int) -> float:
    """Of what is in view of a card over the arena's floor, the share (0..1) that plainly differs from the floor."""
    if scene.change is None:
        return 0.0
    outlines = [card.placed.outline_px for card in cards]
    return scene.change.share_told(outlines[number], [o for n, o in enumerate(outlines) if n != number]) or 0.0


_NO_RIVAL = 1e-3  # of the odds of the card that has the name: less takes nothing from it


def _is_open(card: FittedCard, over: Known) -> bool:
    """Whether a card that lies face up in the arena may have another name than it has."""
    is_back = over.scene.faces.names[card.fit.face] == BACK
    return not (is_back or is_surely_named(card) or lies_outside(over.scene, card.fit.pose))


def _asked(over: Known, card: FittedCard, face: int) -> Identity:
    """The names of a card in its final place, with a face among those that are compared."""
    if over.scene.faces.are_alike:
        if has_compared(Found(card.fit, card.identity), face):
            return card.identity
        return named_in_place(over, card.fit, card.fit.outline, face)[1]
    return tempered(compared(over, card.fit.pose, face), card.fit)


def _odds(identity: Identity, face: int) -> float:
    """How much likelier a face is than all others together."""
    nats = identity.log_likelihood
    return math.exp(min(float(nats[face] - np.logaddexp.reduce(np.delete(nats, face))), _MOST_NATS))


_MOST_NATS = 60.0  # of names that nothing leaves open


def _with_odds(identity: Identity, face: int, odds: float) -> Identity:
    """The comparison with a face so much likelier than all others together."""
    nats = identity.log_likelihood.copy()
    nats[face] = float(np.logaddexp.reduce(np.delete(nats, face))) + math.log(odds)
    return Identity(nats, identity.points)
