"""The eye's observations -> events of the game record. Pure, like match.py.

What an observation is in the game's terms is decided in rules/games/arena/interpret.py. Here its events are appended,
its questions asked, and the eye's own doubts turned into questions, as the mode wants it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena_cam.domain.lies import Lie, Reading
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, Observation
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.ledger import Impossible
from arena_cam.referee.game.match import CAMERA, Match
from arena_cam.referee.game.part import Seen
from arena_cam.referee.games.arena.corrections import overruled
from arena_cam.referee.games.arena.rounds import ask, in_arena, name_of, swapped
from arena_cam.rules.games.arena.awaiting import Awaiting
from arena_cam.rules.games.arena.engine import round_of
from arena_cam.rules.games.arena.interpret import Observed, OnTable, Round, interpret, seen_again, throw_of
from arena_cam.rules.interpreting import Event, Ignored, Interpretation, Question

Json = dict[str, Any]
# An identity is asked about from this probability of being another card on.
DOUBTED_IDENTITY = 0.02
TURN_UP = "turn_up"  # nobody is asked: the hint says it
NO_READING = Reading("", 0.0, ())  # of a card that is looked at again in what is known already


def observe(match: Match, seen: Sequence[Seen]) -> Match:
    """The match after one frame's observations. Never raises for an observation: doubts become questions."""
    came_to_rest, gone = [], list[CardGone]()
    for each in seen:
        observation = each.observation
        if isinstance(observation, CardRested):
            known = observation.lie.key in match.table  # so for an eye that was opened anew
            match = _on_table(match, observation, None if known else each.throw)
            if known:
                match = match if match.paused else _lies_otherwise(match, observation, each.throw)
            else:
                came_to_rest.append(observation.lie.key)
        elif isinstance(observation, CardMoved):
            match = _on_table(match, observation, None)
            match = match if match.paused else _lies_otherwise(match, observation, each.throw)
        elif isinstance(observation, CardGone):
            match = _on_table(match, observation, None)
            gone.append(observation)
    if match.paused:
        return replace(match, stale=match.stale | (set(came_to_rest) - set(match.lines)))
    before = match
    if match.ledger.awaiting != Awaiting.CHALLENGE:
        for key in came_to_rest:
            match = _came_to_rest(match, key)
    match = _open_round(match)
    match = _doubt_order(before, match, came_to_rest)
    return _taken_back(_swept(match), gone)


def believe(match: Match, key: str, lie: Lie, who: str) -> Match:
    """The card `key` is what `lie` says (the referee's word): as if it had come to rest so. Raises Impossible."""
    match = replace(match, table={**match.table, key: lie}, stale=match.stale - {key})
    if match.ledger.awaiting == Awaiting.CHALLENGE:
        return _challenge(match, key, who)
    return _throw(match, key, throw_of(_round(match), table_of(match), lie), who)


def table_of(match: Match) -> OnTable:
    """The cards on the table, and how they are tied to the record."""
    return OnTable(match.table, match.rested, match.lines, match.stale)


def _round(match: Match) -> Round:
    return round_of(match.ledger.played.state)


def _understood(match: Match, what: Observation | None) -> Interpretation:
    """The game's own interpretation of `what`, the table being as it is now."""
    return interpret(_round(match), Observed(table_of(match), what))


# --- what lies on the table ---


def _on_table(match: Match, seen: CardRested | CardMoved | CardGone, throw: str | None) -> Match:
    """The table after what was seen, in the match."""
    table = table_of(match).after(seen)
    match = replace(match, table=table.lies, rested=table.rested, lines=table.lines, stale=table.stale)
    if isinstance(seen, CardRested):
        return replace(match, throws={**match.throws, seen.lie.key: throw}) if throw is not None else match
    key = seen.before.key
    if isinstance(seen, CardMoved):
        throws = {(seen.lie.key if k == key else k): name for k, name in match.throws.items()}
        return replace(match, throws=throws)
    questions = tuple(q for q in match.questions if q.line is not None or q.lie is None or q.lie.key != key)
    return replace(match, questions=questions, quiet_since_s=seen.at_s)


def _lies_otherwise(match: Match, seen: CardRested | CardMoved, throw: str | None) -> Match:
    """Writes down what of a card of this round differs from what the record says.

    What a person has corrected stands as long as the eye only says again what it said then: a CardMoved tells how it
    saw the card until now.
    """
    lie = seen.lie
    card = _round(match).card_of(match.lines.get(lie.key))
    if card is None or match.ledger.awaiting != Awaiting.THROWS:
        return match
    match = _reconsidered(match, lie, card.line)
    events = []
    for each in _understood(match, seen):
        assert isinstance(each, Event)  # nobody asks about a card that lies there
        events.append(_news(match, each, card.line, seen) if each.data["type"] == "moved" else dict(each.data))
    if not events or len(events[-1]) <= 2:  # type and card: nothing that a person has not corrected
        return match
    events[-1] |= {"at": round(seen.at_s, 3)} | ({"throw": throw} if throw else {})
    try:
        match = append(match, events, CAMERA, seen.at_s, throw)
    except Impossible as error:
        return ask(match, "impossible", lie, card.line, throw, (error.said,))
    return _doubted(match, lie.key, card.line, throw) if "landing" in events[-1] else match


def _news(match: Match, moved: Event, line: int, seen: CardRested | CardMoved) -> Json:
    """What of `moved` a person has not corrected, or was seen to change since."""

    def is_new(key: str, value: Any) -> bool:
        changed = isinstance(seen, CardMoved) and getattr(seen.before, key) != getattr(seen.lie, key)
        return changed or not overruled(match.ledger, line, key, value)

    return {k: v for k, v in moved.data.items() if k in ("type", "card") or is_new(k, v)}


def _reconsidered(match: Match, lie: Lie, line: int) -> Match:
    """A doubt that a better look has settled needs no answer any more; one that remains is about what is seen now."""
    questions = [
        replace(q, lie=lie, doubts=lie.doubts) if q.kind == "unsure" and q.line == line else q
        for q in match.questions
        if not (q.kind == "unsure" and q.line == line and lie.sure and match.mode == "confirm_unsure")
    ]
    return replace(match, questions=tuple(questions))


def caught_up(match: Match, now_s: float) -> Match:
    """`match` with everything written down that moved while it was paused."""
    for key in list(match.lines):
        if key in match.table:
            match = _looked_at_again(match, key, now_s)
    return match


def _looked_at_again(match: Match, key: str, at_s: float) -> Match:
    """What lies there as `key` once more, as of a card that is seen to lie there without having been seen to move."""
    return _lies_otherwise(match, CardRested(at_s, match.table[key], NO_READING), None)


def _taken_back(match: Match, gone: Sequence[CardGone]) -> Match:
    for each in gone:
        line = match.lines.get(each.before.key)
        for question in _understood(match, each):
            assert isinstance(question, Question)
            match = ask(match, question.code, each.before, line, match.throws.get(each.before.key))
    return match


def _swept(match: Match) -> Match:
    """All of the round's cards were taken away: nobody throws any more."""
    if match.ledger.awaiting != Awaiting.THROWS or match.paused:
        return match
    closed = [dict(each.data) for each in _understood(match, None) if isinstance(each, Event)]
    try:
        return append(match, closed, CAMERA, match.quiet_since_s) if closed else match
    except Impossible:
        return match


# --- throws ---


def _came_to_rest(match: Match, key: str) -> Match:
    lie, at_s = match.table[key], match.rested.get(key, match.quiet_since_s)
    again = seen_again(_round(match), table_of(match), lie)
    if again is not None and match.ledger.awaiting == Awaiting.THROWS:
        back = tuple(q for q in match.questions if (q.kind, q.line) != ("taken_back", again))
        return _looked_at_again(replace(match, questions=back, lines={**match.lines, key: again}), key, at_s)
    for each in _understood(match, CardRested(at_s, lie, NO_READING)):
        match = _thrown(match, key, each)
    return match


def _thrown(match: Match, key: str, understood: Event | Question | Ignored) -> Match:
    if isinstance(understood, Ignored):  # it counts for nothing and must be taken away
        return replace(match, stale=match.stale | {key})
    if isinstance(understood, Question):
        return ask(match, understood.code, match.table[key], None, match.throws.get(key))
    try:
        return _throw(match, key, dict(understood.data), CAMERA)
    except Impossible as error:
        return ask(match, "impossible", match.table[key], None, match.throws.get(key), (error.said,))


def _throw(match: Match, key: str, event: Json, who: str) -> Match:
    line, at_s, throw = match.ledger.next_line, match.rested.get(key, match.quiet_since_s), match.throws.get(key)
    event |= {"at": round(at_s, 3)} | ({"throw": throw} if throw else {})
    match = append(replace(match, lines={**match.lines, key: line}, auto_close=True), [event], who, at_s, throw)
    match = _supported_by(match, key, at_s)
    return _doubted(match, key, line, throw) if who == CAMERA else match


def _supported_by(match: Match, key: str, at_s: float) -> Match:
    """Cards that were written down while `key` was in doubt may rest on it."""
    for other in [k for k, lie in match.table.items() if key in lie.rests_on and k in match.lines]:
        match = _looked_at_again(match, other, at_s)
    return match


def _doubted(match: Match, key: str, line: int, throw: str | None) -> Match:
    """Asks about a card that was written down, where the mode and the doubt want it."""
    lie = match.table[key]
    if match.mode == "confirm_always":
        return ask(match, "unsure" if not lie.sure else "confirm", lie, line, throw, lie.doubts)
    if match.mode == "confirm_unsure" and not lie.sure:
        return ask(match, "unsure", lie, line, throw, lie.doubts)
    return match


def _doubt_order(before: Match, match: Match, keys: Sequence[str]) -> Match:
    """Two cards that came to rest in one look: who was first is asked where it decides the duel."""
    if (
        match.mode == "automatic"
        or before.ledger.awaiting not in (Awaiting.THROWS, Awaiting.CHALLENGE)
        or len(keys) < 2
    ):
        return match
    thrown = [key for key in keys if key in match.lines and key not in before.lines]
    duelling = next((r["card"] for r in match.ledger.preview if r["code"] == "duelling"), None)
    first = next((key for key in thrown if name_of(match, key) == duelling), None)
    if duelling is None or first is None:
        return match
    for second in thrown:
        touching = first in match.table[second].rests_on or second in match.table[first].rests_on
        if second == first or touching or match.lines[second] < match.lines[first]:
            continue
        events = swapped(match, match.lines[first], match.lines[second])
        try:
            other = match.ledger.appended(events)
        except Impossible:
            continue
        if next((r["card"] for r in other.preview if r["code"] == "duelling"), None) != duelling:
            why = (str(duelling), str(name_of(match, second)))
            return ask(match, "order", match.table[second], match.lines[second], match.throws.get(second), about=why)
    return match


# --- the next round ---


def _open_round(match: Match) -> Match:
    """The next round begins when the right player's card lies in an otherwise empty arena."""
    if match.ledger.awaiting != Awaiting.CHALLENGE:
        return match
    inside = in_arena(match)
    for each in _understood(match, None):
        if isinstance(each, Question):
            return match if each.code == TURN_UP else _wrong_card(match, inside[0], each)
        if isinstance(each, Event):
            return _opened(match, next(key for key in inside if match.table[key].card == each.data["card"]), inside)
    return match


def _wrong_card(match: Match, key: str, question: Question) -> Match:
    return ask(match, question.code, match.table[key], None, match.throws.get(key))


def _opened(match: Match, challenge: str, inside: Sequence[str]) -> Match:
    try:
        match = _challenge(match, challenge, CAMERA)
    except Impossible as error:
        return ask(match, "impossible", match.table[challenge], None, match.throws.get(challenge), (error.said,))
    for key in inside:
        if key != challenge:
            match = _came_to_rest(match, key)
    return match


def _challenge(match: Match, key: str, who: str) -> Match:
    lie, line, throw = match.table[key], match.ledger.next_line, match.throws.get(key)
    at_s = match.rested.get(key, match.quiet_since_s)
    event: Json = {"type": "challenge", "card": lie.card, "at": round(at_s, 3)} | ({"throw": throw} if throw else {})
    match = replace(match, lines={key: line}, auto_close=True, stale=frozenset())
    match = append(replace(match, questions=()), [event], who, at_s, throw)
    # how the challenge card lies does not matter to the rules: only who it is can be doubted
    doubted = any(probability >= DOUBTED_IDENTITY for _, probability in lie.other_names)
    if who == CAMERA and (match.mode == "confirm_always" or (match.mode == "confirm_unsure" and doubted)):
        match = ask(match, "unsure" if doubted else "confirm", lie, line, throw, lie.doubts)
    return match
