"""The eye's observations -> plays in the record, and questions. Pure.

What a card means in the game's terms is decided in rules/games/tricks/interpret.py. While a card is asked about that is
not in the record yet, cards that come to rest wait: who plays them depends on the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie
from arena_cam.domain.messages import Message
from arena_cam.domain.observations import CardGone, CardRested
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.ledger import Impossible
from arena_cam.referee.game.match import CAMERA, Asked, Match, ask
from arena_cam.referee.game.part import Seen
from arena_cam.referee.games.tricks.tricks_told import lying_about
from arena_cam.rules.games.tricks.engine import GAME
from arena_cam.rules.games.tricks.interpret import PLAYED_BEFORE, CardSeen
from arena_cam.rules.interpreting import Event, Question

Json = dict[str, Any]
WAITING = "waiting"  # in Match.own: keys of cards that came to rest while another is asked about
UNSURE, CONFIRM = "unsure_card", "confirm_card"


def observe(match: Match, seen: Sequence[Seen]) -> Match:
    """The match after one frame's observations. Never raises for an observation."""
    for each in seen:
        if isinstance(each.observation, CardRested):
            match = _rested(match, each.observation, each.throw)
        elif isinstance(each.observation, CardGone):
            match = _gone(match, each.observation)
    return match


def _rested(match: Match, seen: CardRested, throw: str | None) -> Match:
    lie = seen.lie
    if lie.card is None:  # the stock, a card dealt
        return match
    match = replace(
        match,
        table={**match.table, lie.key: lie},
        rested={**match.rested, lie.key: seen.at_s},
        throws={**match.throws, lie.key: throw} if throw is not None else match.throws,
    )
    if lie.key in match.stale or match.paused:
        return replace(match, stale=match.stale | {lie.key})
    return with_waiting(match, [*waiting(match), lie.key])


def _gone(match: Match, seen: CardGone) -> Match:
    key = seen.before.key
    match = replace(
        match,
        table={k: lie for k, lie in match.table.items() if k != key},
        stale=match.stale - {key},
        # a card that is not in the record was taken back: nothing is left to ask
        questions=tuple(q for q in match.questions if q.line is not None or q.lie is None or q.lie.key != key),
    )
    return with_waiting(match, [each for each in waiting(match) if each != key])


def waiting(match: Match) -> list[str]:
    return list(match.own.get(WAITING, []))


def with_waiting(match: Match, keys: list[str]) -> Match:
    """The match with cards to take up, as far as no question about a card stands in the way."""
    match = replace(match, own={**match.own, WAITING: []})
    for number, key in enumerate(keys):
        if any(question.line is None and question.blocking for question in match.questions):
            return replace(match, own={**match.own, WAITING: keys[number:]})
        if key in match.table:
            match = _taken_up(match, key)
    return match


def _taken_up(match: Match, key: str) -> Match:
    """The card with `key`, as the game understands it."""
    lie = match.table[key]
    assert GAME.interpret is not None
    assert lie.card is not None
    if _is_second(lie):
        return _asked_about_second(match, key, lie)
    if _is_guess(lie):
        return _guessed(match, key, lie)
    for understood in GAME.interpret(match.ledger.played.state, CardSeen(lie.card, lying_about(match.ledger))):
        if isinstance(understood, Event):
            match = played(match, key, lie.card, CAMERA)
        elif isinstance(understood, Question):
            why = _why_not(match, dict(understood.event or {}))
            match = ask(match, Asked("", understood.code, lie, None, match.throws.get(key), doubts=why))
    return match


def _is_second(lie: Lie) -> bool:
    """Whether another card of that name lies on the table, too."""
    return lie.key != lie.card


def _asked_about_second(match: Match, key: str, lie: Lie) -> Match:
    """Asks what lies there while cards are played: a pack has each card once."""
    if match.ledger.awaiting != "play":
        return match
    return ask(match, Asked("", PLAYED_BEFORE, lie, None, match.throws.get(key), doubts=lie.doubts))


def _is_guess(lie: Lie) -> bool:
    """Whether a name is too doubtful to be written down before somebody has confirmed it."""
    return any(doubt.sentence is Doubt.INDEX_ALONE for doubt in lie.doubts)


def _guessed(match: Match, key: str, lie: Lie) -> Match:
    """Asks about a guess before it counts, unless it would mean nothing: a card swept or put aside."""
    assert GAME.interpret is not None
    assert lie.card is not None
    understood = GAME.interpret(match.ledger.played.state, CardSeen(lie.card, lying_about(match.ledger)))
    for each in understood:
        if isinstance(each, Question):
            why = (*lie.doubts, *_why_not(match, dict(each.event or {})))
            return ask(match, Asked("", each.code, lie, None, match.throws.get(key), doubts=why))
        if isinstance(each, Event):
            return ask(match, Asked("", UNSURE, lie, None, match.throws.get(key), doubts=lie.doubts))
    return match


def _why_not(match: Match, event: Json) -> tuple[Message, ...]:
    """The rules' objection to an event."""
    try:
        match.ledger.appended([event])
    except Impossible as error:
        return (error.said,)
    return ()


def played(match: Match, key: str, card: str, who: str, before: Sequence[Json] = ()) -> Match:
    """The card that lies as `key` is a play, after the events `before`. Raises Impossible where the rules object."""
    at_s, throw, deal = match.rested.get(key, match.quiet_since_s), match.throws.get(key), match.ledger.state["deal"]
    event: Json = {"type": "play", "card": card, "at": round(at_s, 3)} | ({"throw": throw} if throw else {})
    line = match.ledger.next_line + len(before)
    match = replace(match, lines={**match.lines, key: line})
    match = append(match, [*before, event], who, at_s, throw)
    if match.ledger.awaiting != "play" or match.ledger.state["deal"] != deal:
        match = replace(match, stale=frozenset(match.table), lines={})
    return _doubted(match, key, line) if who == CAMERA else match


def _doubted(match: Match, key: str, line: int) -> Match:
    """Asks about a card that was written down, where the mode and the doubt want it."""
    lie = match.table[key]
    if match.mode == "automatic" or (lie.sure and match.mode != "confirm_always"):
        return match
    kind = CONFIRM if lie.sure else UNSURE
    return ask(match, Asked("", kind, lie, line, match.throws.get(key), doubts=lie.doubts))


def relinked(match: Match) -> Match:
    """The questions that still hold after the record has changed: a line's as long as it says what was asked about; a
    card that was not allowed is looked at again."""
    kept = tuple(q for q in match.questions if q.line is None or _still_says(match, q))
    again = [q for q in kept if q.line is None and q.lie is not None and _is_allowed_now(match, q)]
    match = replace(match, questions=tuple(q for q in kept if q not in again))
    return with_waiting(match, [*(q.lie.key for q in again if q.lie is not None), *waiting(match)])


def _still_says(match: Match, question: Asked) -> bool:
    line = next((each for each in match.ledger.amended if each.number == question.line), None)
    return line is not None and question.lie is not None and line.data.get("card") == question.lie.card


def _is_allowed_now(match: Match, question: Asked) -> bool:
    assert GAME.interpret is not None
    assert question.lie is not None
    assert question.lie.card is not None
    if _is_second(question.lie):
        return False
    understood = GAME.interpret(match.ledger.played.state, CardSeen(question.lie.card, lying_about(match.ledger)))
    return not any(isinstance(each, Question) for each in understood)


def fresh(match: Match) -> list[str]:
    """Keys of cards that came to rest since the last deal ended, in that order: the deal has begun with them."""
    keys = [key for key, lie in match.table.items() if key not in match.stale and lie.card is not None]
    return sorted(keys, key=lambda key: match.rested.get(key, 0.0))
