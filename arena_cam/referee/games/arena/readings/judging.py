"""One reading and a challenge card -> the duelling card, or why a person should look.

A still picture knows less than a game does: it has no order of throwing and no players. So the answer is computed for
every way the cards may plausibly lie and for every reading of the rules that the picture cannot decide between; it is
sure only where none of them speaks against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import Face, Landing, Lie, Reading
from arena_cam.domain.messages import Message
from arena_cam.formats.judgement import GUESS
from arena_cam.referee.games.arena.messages import JudgingDoubt
from arena_cam.referee.games.arena.readings.alternatives import PLAUSIBLE, alternatives
from arena_cam.referee.games.arena.readings.contacts import more_than_graze
from arena_cam.referee.games.arena.readings.hidden_challenge import with_hidden
from arena_cam.rules.games.arena.pile import Lying, beneath, pile_of

# More doubtful places than this in one pile are no longer worth enumerating (two to the sixth piles): ask a person.
MOST_ALTERNATIVES = 64


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of one still picture. `challenge` and `duelling` are card ids, None where there is none.

    `sure`: nothing that is seen, and no reading of the rules, speaks against `duelling`; `doubts` say what does,
    empty when sure. A still picture does not show who threw first: `candidates` are all cards that
    duel for some order of throwing (`duelling` lies lowest), and `depends_on` says so where there are several.
    """

    challenge: str | None
    duelling: str | None
    sure: bool
    doubts: tuple[Message, ...] = ()
    candidates: tuple[str, ...] = ()
    depends_on: tuple[Message, ...] = ()

    @property
    def why_unsure(self) -> tuple[str, ...]:
        """The doubts in plain English."""
        return tuple(str(doubt) for doubt in self.doubts)


def judge_reading(reading: Reading, deck: Deck, challenge: str | None = None) -> Judgement:
    """The duelling card among the lies of `reading`; without `challenge` the lowest flat card is the challenge card.

    The rule is that of the game record (Ruling at `close`). Never raises for a reading that makes no sense: that is a
    reason for being unsure.
    """
    why = list(reading.doubts)
    if not reading.sure and not why:
        why.append(JudgingDoubt.PICTURE_DOUBTFUL())
    if challenge is not None:
        pile = _connected(reading, deck, challenge)
        near = {thing.doubt for thing in reading.unknown if thing.may_be_card or not pile.isdisjoint(thing.near)}
        harmless = {thing.doubt for thing in reading.unknown} - near
        why = [doubt for doubt in why if doubt not in harmless]
    lowest = challenge is None
    if challenge is None:
        challenge = next((lie.card for lie in reading.lies if _is_flat_up(lie)), None)
        if challenge is None:
            return Judgement(None, None, not why, tuple(why))
    if all(lie.card != challenge for lie in reading.lies):
        of_eye = {thing.doubt for thing in reading.unknown}
        hidden = _judged_hidden(reading, deck, challenge) if of_eye.issuperset(why) else None
        return hidden or Judgement(challenge, None, False, (*why, JudgingDoubt.CHALLENGE_NOT_FOUND(card=challenge)))
    if any(lie.landing is None for lie in reading.lies):
        why.append(JudgingDoubt.NO_TABLE())
        return Judgement(challenge, None, False, tuple(why))
    if lowest:
        why += _doubts_of_lowest(reading, challenge)
    why += [JudgingDoubt.CHALLENGE_DOUBTED(card=challenge) for lie in reading.lies if _is_misnamed(lie, challenge)]
    best = _duelling(reading.lies, deck, challenge, any_passes=False, own_counts=False)
    if best is None:
        why.append(JudgingDoubt.LIE_IN_A_CIRCLE())
        return Judgement(challenge, None, False, tuple(why))
    wrong, depends = _rule_doubts(reading.lies, deck, challenge, best)
    why += wrong + _sight_doubts(reading, deck, challenge)
    duelling = best[0] if best else None
    return Judgement(challenge, duelling, not why, tuple(dict.fromkeys(why)), tuple(best), tuple(depends))


def _judged_hidden(reading: Reading, deck: Deck, challenge: str) -> Judgement | None:
    """The judgement of a picture in which nobody sees the challenge card, if that lies beneath the others and the
    answer is the same, and sure, wherever it may lie there; else None."""
    laid = with_hidden(reading, deck, challenge)
    plausible = [judge_reading(there, deck, challenge) for there, probability in laid if probability >= _WEIGHED]
    likely = sum(probability for _, probability in laid if probability >= _WEIGHED)
    if likely < 1.0 - PLAUSIBLE or any(not each.sure for each in plausible):
        return None
    if len({each.duelling for each in plausible}) > 1:
        return None
    return max(plausible, key=lambda each: len(each.candidates))


_WEIGHED = 0.1 * PLAUSIBLE  # places all together less likely than this decide nothing


def _connected(reading: Reading, deck: Deck, challenge: str) -> set[str]:
    """The keys of all cards joined to the challenge card by overlaps. A card that something unknown hides matters only
    if it overlaps one of these, and then the unknown thing is near that one."""
    waiting = [lie for lie in reading.lies if lie.card == challenge]
    found = {lie.key for lie in waiting}
    while waiting:
        card = waiting.pop()
        beside = [
            lie for lie in reading.lies if lie.key not in found and more_than_graze(card, lie, deck.corner_radius_mm)
        ]
        found |= {lie.key for lie in beside}
        waiting += beside
    return found


def _is_flat_up(lie: Lie) -> bool:
    return lie.landing is Landing.FLAT and lie.face is Face.UP


def _is_misnamed(lie: Lie, challenge: str) -> bool:
    return lie.card == challenge and lie.identity_probability < 1.0 - PLAUSIBLE


def _doubts_of_lowest(reading: Reading, challenge: str) -> list[Message]:
    """Whether another card may just as well be the lowest: one that rests on nothing either, and lies flat, or may."""
    others = [lie.key for lie in reading.lies if not lie.rests_on and lie.card != challenge and _may_lie_flat_up(lie)]
    return [JudgingDoubt.TWO_LOWEST(card=key, card_other=challenge) for key in others]


def _may_lie_flat_up(lie: Lie) -> bool:
    """Of a card that shows too little to be named it is not known how it lies either."""
    flat = dict(lie.landing_probabilities).get(Landing.FLAT, 0.0)
    return _is_flat_up(lie) or (lie.face is Face.UP and (flat >= PLAUSIBLE or lie.identity_probability < GUESS))


def _duelling(lies: Sequence[Lie], deck: Deck, challenge: str, any_passes: bool, own_counts: bool) -> list[str] | None:
    """Every card that could be the duelling one for some order of throwing, bottom to top; None if lies contradict.

    `any_passes`: every card that cannot itself duel passes "on the challenge card" through, not the same value alone.
    `own_counts`: a card of the challenge's colour was thrown by another player, against the rules.
    """
    in_order = sorted(lies, key=lambda lie: lie.card != challenge)
    places = {lie.key: place for place, lie in enumerate(in_order)}
    own = deck.by_id[challenge].colour if challenge in deck.by_id else None
    cards = [_lying(lie, place, places, deck) for place, lie in enumerate(in_order)]
    try:
        pile = pile_of(cards, None if own_counts else own, any_passes)
    except Refused:
        return None
    lowest = [i for i in pile.candidates if beneath(cards, i).isdisjoint(pile.candidates)]
    return [str(in_order[i].card) for i in lowest]


def _lying(lie: Lie, place: int, places: Mapping[str, int], deck: Deck) -> Lying:
    """The lie in the rules' terms. Cards of a deck without colours are everybody's, without values all different."""
    card = deck.by_id.get(lie.card) if lie.card is not None else None
    return Lying(
        name=lie.card or lie.key,
        owner=None if card is None else card.colour or "nobody's colour",
        value=-1 - place if card is None or card.value is None else card.value,
        landing=lie.landing.value if lie.landing is not None else "",
        face=lie.face.value,
        rests_on=tuple(places[key] for key in lie.rests_on if key in places),
        line=0,
    )


def _rule_doubts(
    lies: Sequence[Lie], deck: Deck, challenge: str, best: list[str]
) -> tuple[list[Message], list[Message]]:
    """(why the answer `best` may be wrong, what it depends on) though everything that lies there is seen rightly.

    The answer depends on something where `best` is right for some order of throwing and another card for another; or
    where a card of the challenge's colour counts. Everybody plays the cards of one colour, and no other has them: who
    threw such a card is no question, but what hangs on it is told.
    """
    wrong: list[Message] = []
    depends: list[Message] = []
    if len(best) > 1:
        depends.append(JudgingDoubt.SIDE_BY_SIDE(cards=tuple(best)))
    for any_passes, own_counts, doubt in _OTHER_READINGS:
        other = _duelling(lies, deck, challenge, any_passes, own_counts)
        if other == best or other is None or (any_passes and own_counts and (wrong or depends)):
            continue
        (depends if own_counts or (best and best[0] in other) else wrong).append(doubt())
    return wrong, depends


# How else the rules might be read of a still picture, which knows neither players nor house rules.
_OTHER_READINGS = (
    (True, False, JudgingDoubt.CARD_BETWEEN),
    (False, True, JudgingDoubt.OWN_COLOUR),
    (True, True, JudgingDoubt.WHO_THREW),
)


def _sight_doubts(reading: Reading, deck: Deck, challenge: str) -> list[Message]:
    """The doubts whose other outcome would give another answer."""

    def answers(lies: Sequence[Lie]) -> list[list[str] | None]:
        return [_duelling(lies, deck, challenge, any_passes, own_counts=False) for any_passes in (False, True)]

    best, why, count = answers(reading.lies), [], 0
    duelling = {name for names in best for name in names or ()}
    for otherwise, doubt in islice(alternatives(reading, deck, challenge, duelling), MOST_ALTERNATIVES + 1):
        count += 1
        found = answers(otherwise)
        if found != best and found != _IN_A_CIRCLE:
            why.append(doubt)
    if count > MOST_ALTERNATIVES:
        why.append(JudgingDoubt.MANY_DOUBTS())
    return list(dict.fromkeys(why))[:3]


_IN_A_CIRCLE: list[list[str] | None] = [None] * 2  # cards cannot lie on each other so, however the rules are read
