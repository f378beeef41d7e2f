"""The alternatives of a still picture: every other plausible set of lies, each with the doubt behind it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import prod

from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Face, Landing, Lie, Reading
from arena_cam.domain.messages import Message
from arena_cam.formats.judgement import GUESS
from arena_cam.referee.games.arena.messages import JudgingDoubt
from arena_cam.referee.games.arena.readings.contacts import contact_probability, more_than_graze

# An alternative counts as plausible from this probability on. At one card in fifty, a frame of five cards on which
# nothing is plausible but the best is right in more than nine cases of ten by the doubts alone, and the doubts left
# out are those that the calibrated confidence already calls nearly certain.
PLAUSIBLE = 0.02


@dataclass(frozen=True, slots=True)
class Otherwise:
    """One thing that may be otherwise: the lies that replace those of the same keys, and how likely that is."""

    lies: tuple[Lie, ...]
    probability: float
    message: Message


def alternatives(
    reading: Reading, deck: Deck, challenge: str, duelling: Collection[str]
) -> Iterator[tuple[tuple[Lie, ...], Message]]:
    """Every other plausible set of lies with the doubt that it stands for; those with one doubt come first. `duelling`
    are the cards that may duel as the reading stands.

    Doubts come in groups of which at most one holds: a card has one name, and of two cards one is the upper.
    """
    groups = [
        *_landing_doubts(reading, challenge),
        *_identity_doubts(reading, deck, challenge, duelling),
        *_order_doubts(reading, deck),
        *_contact_doubts(reading, deck),
    ]
    for several in range(1, len(groups) + 1):
        for chosen in combinations(groups, several):
            for doubts in product(*chosen):
                if prod(doubt.probability for doubt in doubts) >= PLAUSIBLE:
                    yield _applied(reading.lies, doubts), doubts[0].message


def _applied(lies: tuple[Lie, ...], doubts: Sequence[Otherwise]) -> tuple[Lie, ...]:
    """`lies` with every doubt's change of landing, name or contacts put in."""
    out = {lie.key: lie for lie in lies}
    before = {lie.key: lie for lie in lies}
    for otherwise in (lie for doubt in doubts for lie in doubt.lies):
        was, now = before[otherwise.key], out[otherwise.key]
        changes = {
            name: getattr(otherwise, name)
            for name in ("landing", "card", "face")
            if getattr(otherwise, name) != getattr(was, name)
        }
        gained = set(otherwise.rests_on) - set(was.rests_on)
        lost = set(was.rests_on) - set(otherwise.rests_on)
        contacts = tuple(k for k in now.rests_on if k not in lost) + tuple(sorted(gained - set(now.rests_on)))
        out[otherwise.key] = replace(now, rests_on=contacts, **changes)
    return tuple(out.values())


def _landing_doubts(reading: Reading, challenge: str) -> Iterator[list[Otherwise]]:
    """Only flat against not flat matters to the rule, and never for the challenge card, which stays however it lies."""
    for lie in reading.lies:
        if lie.card == challenge or lie.face is Face.DOWN:
            continue
        flat = dict(lie.landing_probabilities).get(Landing.FLAT)
        if flat is None:
            flat = lie.confidence if lie.landing is Landing.FLAT else 1.0 - lie.confidence
        other = Landing.DIAGONAL if lie.landing is Landing.FLAT else Landing.FLAT
        otherwise = 1.0 - flat if lie.landing is Landing.FLAT else flat
        if otherwise >= PLAUSIBLE:
            doubt = JudgingDoubt.MAY_LIE_OTHERWISE(card=lie.card or lie.key, landing_other=other, landing=lie.landing)
            yield [Otherwise((replace(lie, landing=other),), otherwise, doubt)]


def _identity_doubts(
    reading: Reading, deck: Deck, challenge: str, duelling: Collection[str]
) -> Iterator[list[Otherwise]]:
    """Other names that a card may have: those told, and for what they leave open one of each kind that the rule treats
    in its own way. A card that is thought to lie face down may lie face up, and the other way round."""
    present = {lie.card for lie in reading.lies}
    for lie in reading.lies:
        if lie.card == challenge:
            continue
        names = [
            (name, p, _may_be(lie, name, deck))
            for name, p in _told_by_kind(lie, deck, challenge, present, lie.card in duelling)
        ]
        untold = 1.0 - lie.identity_probability - sum(p for _, p in lie.other_names)
        if untold >= PLAUSIBLE:
            told = present | {name for name, _ in lie.other_names}
            others = [name for name in _one_of_each_kind(deck, challenge) if name not in told]
            names += [(name, untold, JudgingDoubt.MAY_BE_ANOTHER(card=lie.card or lie.key)) for name in others]
        plausible = [entry for entry in names if entry[1] >= PLAUSIBLE]
        if plausible:
            yield [Otherwise((_called(lie, name, deck),), p, doubt) for name, p, doubt in plausible]


def _called(lie: Lie, name: str, deck: Deck) -> Lie:
    """The same lie with the card called by a `name`."""
    if _is_back(name, deck):
        return replace(lie, card=None, face=Face.DOWN)
    return replace(lie, card=name, face=Face.UP)


def _may_be(lie: Lie, name: str, deck: Deck) -> Message:
    """The doubt that a card may be called by a `name`."""
    if _is_back(name, deck):
        return JudgingDoubt.MAY_LIE_FACE_DOWN(card=lie.card or lie.key)
    return JudgingDoubt.MAY_BE(card=lie.card or lie.key, card_other=name)


def _is_back(name: str, deck: Deck) -> bool:
    """Whether a name is that of the back: what is no card's is."""
    return bool(deck.by_id) and name not in deck.by_id


def _told_by_kind(
    lie: Lie, deck: Deck, challenge: str, present: Collection[str | None], duels: bool
) -> Iterator[tuple[str, float]]:
    """The other names told of a card, the likeliest of each kind as likely as all of that kind together: that it is one
    of them is one doubt. Of a strip of a yellow card it may be open which yellow one it is, and matter to none. Which
    of its kind a card is matters only where it `duels`, and of these some more are told: if it does by another doubt
    alone, that one tells already. Of a half-covered ten an eight, a seven and a nine had 0.016 each, none of them
    plausible by itself: the eight that it was duelled, and was surely the ten."""
    kinds: dict[tuple[bool, bool] | None, list[tuple[str, float]]] = {}
    for name, p in lie.other_names:
        if name not in present:
            kinds.setdefault(_kind(deck, name, challenge), []).append((name, p))
    own = None if lie.card is None else _kind(deck, lie.card, challenge)
    for kind, names in kinds.items():
        if kind != own or duels:
            yield names[0][0], sum(p for _, p in names)
        if kind == own and duels:
            yield from names[1:_TOLD_OF_ITS_KIND]


_TOLD_OF_ITS_KIND = 3  # one tells that the name is open, more say which it may be


def _one_of_each_kind(deck: Deck, challenge: str) -> list[str]:
    """Cards of the challenge's value, of its colour, and of neither: one of each, by their ids."""
    if challenge not in deck.by_id:
        return []
    kinds: dict[tuple[bool, bool] | None, str] = {}
    for card in deck.cards:
        kinds.setdefault(_kind(deck, card.id, challenge), card.id)
    return [name for name in kinds.values() if name != challenge]


def _kind(deck: Deck, name: str, challenge: str) -> tuple[bool, bool] | None:
    """Whether a card has the challenge's value, and its colour: the rule asks no more of it. None if either is
    unknown to the deck."""
    card, asked = deck.by_id.get(name), deck.by_id.get(challenge)
    return None if card is None or asked is None else (card.value == asked.value, card.colour == asked.colour)


def _order_doubts(reading: Reading, deck: Deck) -> Iterator[list[Otherwise]]:
    """Overlapping pairs of which nobody saw who covers whom: either may rest on the other, or neither. What was seen of
    a card whose name is a guess was held against the wrong face, as likely as not, where it is not the same by any."""
    seen = {frozenset(pair) for pair in reading.covers}
    lies = [lie for lie in reading.lies if lie.landing is not Landing.BESIDE]
    for i, lower in enumerate(lies):
        for upper in lies[i + 1 :]:
            pair = frozenset((lower.key, upper.key))
            known = pair in seen or upper.key in lower.rests_on or lower.key in upper.rests_on
            guessed = _is_guessed_at(lower) or _is_guessed_at(upper)
            if (not known or guessed) and more_than_graze(lower, upper, deck.corner_radius_mm):
                doubt = JudgingDoubt.OVERLAP_UNTOLD(card=lower.card or lower.key, card_other=upper.card or upper.key)
                yield [
                    Otherwise(laid, _EITHER, doubt)
                    for a, b in ((upper, lower), (lower, upper))
                    for laid in _laid_on(a, b, reading.covers)
                ]


def _is_guessed_at(lie: Lie) -> bool:
    return lie.identity_probability < GUESS and not lie.covers_by_any_name


def _contact_doubts(reading: Reading, deck: Deck) -> Iterator[list[Otherwise]]:
    """Cards whose edges are so near each other that nobody can see whether the one lies on the other or beside it."""
    seen = {frozenset(pair) for pair in reading.covers}
    lies = [lie for lie in reading.lies if lie.landing is not Landing.BESIDE]
    for i, lower in enumerate(lies):
        for upper in lies[i + 1 :]:
            if frozenset((lower.key, upper.key)) in seen:
                continue
            contact = contact_probability(lower, upper, deck.corner_radius_mm)
            doubt = JudgingDoubt.MAY_LIE_ON(card=upper.card or upper.key, card_below=lower.card or lower.key)
            if lower.key in upper.rests_on:
                beside = replace(upper, rests_on=tuple(key for key in upper.rests_on if key != lower.key))
                changed = Otherwise((beside,), 1.0 - contact, doubt)
            else:
                changed = Otherwise((replace(upper, rests_on=(*upper.rests_on, lower.key)),), contact, doubt)
            if PLAUSIBLE <= changed.probability <= 1.0 - PLAUSIBLE:
                yield [changed]


def _laid_on(upper: Lie, lower: Lie, covers: Sequence[tuple[str, str]]) -> list[tuple[Lie, Lie]]:
    """The two of them as they lie where the first rests on the second, with the first no longer between the second and
    what that covers: it may touch this then, or not."""
    without = tuple(key for key in lower.rests_on if key != upper.key)
    freed = tuple(b for a, b in covers if a == lower.key and b != upper.key and b not in without)
    above = replace(upper, rests_on=(*(key for key in upper.rests_on if key != lower.key), lower.key))
    return [(above, replace(lower, rests_on=(*without, *touched))) for touched in ([(), freed] if freed else [()])]


_EITHER = 0.5  # of two cards whose overlap is hidden either may be the upper one
