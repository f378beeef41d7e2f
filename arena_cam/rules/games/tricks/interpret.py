"""What a card that was seen to come to rest face up means in a game of tricks. Pure."""

from __future__ import annotations

from collections.abc import Collection

from arena_cam.rules.game import Value
from arena_cam.rules.interpreting import NOTHING, Event, Interpretation, Question

PLAYED_BEFORE, NOT_ALLOWED, NEXT_DEAL = "played_before", "not_allowed", "next_deal"


class CardSeen(Value, frozen=True):
    """`card` came to rest face up. `lately`: the cards of the trick before, which are being swept away."""

    card: str
    lately: Collection[str] = ()


class Trick(Value, frozen=True):
    """What interpreting must know of the game.

    table: cards of the trick; playable: what the rules allow next; played: cards of the deal's finished tricks;
    put_aside: their score-cards.
    """

    awaiting: str
    table: Collection[str]
    playable: Collection[str]
    played: Collection[str]
    put_aside: Collection[str]


def is_play(card: str, seen_before: Collection[str]) -> bool:
    """Whether a card that came to rest is a play: of a pack each card is played once, so one that was seen before in
    this deal was put aside, pushed or uncovered."""
    return card not in seen_before


def interpret(trick: Trick, seen: CardSeen) -> Interpretation:
    """A play, nothing, or a question.

    Cards of this trick and the one before, and score-cards, lie about face up and are seen again: they are no plays. A
    card of an older trick has no business on the table: a second pack, or a card that was misread then or now.
    """
    card = seen.card
    if trick.awaiting == "nothing" or card in seen.lately:
        return NOTHING
    play = {"type": "play", "card": card}
    if trick.awaiting == "deal":
        return [Question(code=NEXT_DEAL, event=play, words={"card": card})]
    if not is_play(card, {*trick.table, *trick.put_aside}):
        return NOTHING
    if card in trick.played:
        return [Question(code=PLAYED_BEFORE, event=play, words={"card": card})]
    if card not in trick.playable:
        return [Question(code=NOT_ALLOWED, event=play, words={"card": card})]
    return [Event(data=play)]
