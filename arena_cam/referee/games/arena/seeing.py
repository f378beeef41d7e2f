"""What the eye saw -> events of the game record. Pure, like match.py.

Here it is decided what an observation is in the game's terms: a challenge, a throw, a card that moved, or nothing.
What no game could have reached is not believed: it becomes a question (questions.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena_cam.domain.lies import Face, Landing, Lie
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, Observation
from arena_cam.referee.game.corrections import overruled
from arena_cam.referee.game.ledger import Impossible
from arena_cam.referee.game.match import CAMERA, Match, append, ask, in_arena, swapped
from arena_cam.rules.games.arena.pile import CARDS

Json = dict[str, Any]
# An identity is asked about from this probability of being another card on.
DOUBTED_IDENTITY = 0.02


@dataclass(frozen=True)
class Seen:
    """An observation with the name that its evidence would have."""

    observation: Observation
    throw: str | None = None


def observe(match: Match, seen: Sequence[Seen]) -> Match:
    """What one frame's observations make of the match. Never raises for what was seen: doubts become questions."""
    came_to_rest, gone = [], list[Lie]()
    for each in seen:
        observation = each.observation
        if isinstance(observation, CardRested):
            key = observation.lie.key
            if key in match.table:  # known already: an eye that was opened anew sees what lay there before
                match = replace(match, table={**match.table, key: observation.lie})
                match = match if match.paused else _lies_otherwise(match, key, observation.at_s, each.throw)
            else:
                match = _on_table(match, observation.lie, observation.at_s, each.throw)
                came_to_rest.append(key)
        elif isinstance(observation, CardMoved):
            match = _moved(match, observation, each.throw)
        elif isinstance(observation, CardGone):
            match = _gone(match, observation)
            gone.append(observation.before)
    if match.paused:
        return replace(match, stale=match.stale | (set(came_to_rest) - set(match.lines)))
    before = match
    for key in came_to_rest:
        match = _came_to_rest(match, key)
    match = _open_round(match)
    match = _doubt_order(before, match, came_to_rest)
    return _taken_back(_swept(match), gone)


def believe(match: Match, key: str, lie: Lie, who: str) -> Match:
    """The card `key` is what `lie` says (the referee's word): as if it had come to rest so. Raises Impossible."""
    match = replace(match, table={**match.table, key: lie}, stale=match.stale - {key})
    if match.ledger.awaiting == "challenge":
        return _challenge(match, key, who)
    return _throw(match, key, who)


# --- what lies on the table ---


def _on_table(match: Match, lie: Lie, at_s: float, throw: str | None) -> Match:
    throws = {**match.throws, lie.key: throw} if throw is not None else match.throws
    return replace(match, table={**match.table, lie.key: lie}, rested={**match.rested, lie.key: at_s}, throws=throws)


def _gone(match: Match, gone: CardGone) -> Match:
    key = gone.before.key
    return replace(
        match,
        table={k: v for k, v in match.table.items() if k != key},
        rested={k: v for k, v in match.rested.items() if k != key},
        stale=match.stale - {key},
        questions=tuple(q for q in match.questions if q.line is not None or q.lie is None or q.lie.key != key),
        quiet_since_s=gone.at_s,
    )


def _moved(match: Match, moved: CardMoved, throw: str | None) -> Match:
    """A card lies otherwise: on the table always, in the record only while it matters there."""
    old, lie = moved.before.key, moved.lie
    table = {(lie.key if key == old else key): (lie if key == old else was) for key, was in match.table.items()}
    table[lie.key] = lie
    if old != lie.key:
        match = replace(
            match,
            lines=_renamed(match.lines, old, lie.key),
            throws=_renamed(match.throws, old, lie.key),
            rested=_renamed(match.rested, old, lie.key),
            stale=frozenset(lie.key if key == old else key for key in match.stale),
        )
    match = replace(match, table=table)
    return match if match.paused else _lies_otherwise(match, lie.key, moved.at_s, throw, moved.before)


def _renamed(by_key: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    return {(new if key == old else key): value for key, value in by_key.items()}


def _lies_otherwise(match: Match, key: str, at_s: float, throw: str | None, before: Lie | None = None) -> Match:
    """Writes down what of a card of this round differs from what the record says.

    What a person has corrected stands as long as the eye only says again what it said then: `before` is how it saw
    the card until now, where it has just seen it move.
    """
    name, lie = match.name(key), match.table[key]
    if name is None or match.ledger.awaiting != "throws":
        return match
    card = next(card for card in match.ledger.lying if card.name == name)
    match = _reconsidered(match, lie, card.line)
    differs: Json = {}
    if lie.landing is not None and lie.landing.value != card.landing and card is not match.ledger.lying[0]:
        differs["landing"] = lie.landing.value
    if lie.face.value != card.face:
        differs["face"] = lie.face.value
    rests_on = _rests_on(match, lie)
    if {match.ledger.lying[i].name for i in card.rests_on} != set(rests_on) and card is not match.ledger.lying[0]:
        differs["rests_on"] = rests_on
    news = {key for key in differs if before is not None and getattr(before, key) != getattr(lie, key)}
    differs = {k: v for k, v in differs.items() if k in news or not overruled(match.ledger, card.line, k, v)}
    if not differs:
        return match
    event: Json = {"type": "moved", "card": name} | differs
    events = [event | {"at": round(at_s, 3)} | ({"throw": throw} if throw else {})]
    if lie.face is Face.UP and name.startswith("?") and lie.card is not None:
        events.insert(0, {"type": "amend", "line": card.line, "set": {"card": lie.card}, "reason": "turned over"})
    try:
        match = append(match, events, CAMERA, at_s, throw)
    except Impossible as error:
        return ask(match, "impossible", lie, card.line, throw, (error.message,))
    return _doubted(match, key, card.line, throw) if "landing" in event else match


def _reconsidered(match: Match, lie: Lie, line: int) -> Match:
    """A doubt that a better look has settled needs no answer any more; one that remains is about what is seen now."""
    questions = [
        replace(q, lie=lie, why=lie.why_unsure) if q.kind == "unsure" and q.line == line else q
        for q in match.questions
        if not (q.kind == "unsure" and q.line == line and lie.sure and match.mode == "confirm_unsure")
    ]
    return replace(match, questions=tuple(questions))


def caught_up(match: Match, now_s: float) -> Match:
    """`match` with everything written down that moved while it was paused."""
    for key in list(match.lines):
        if key in match.table:
            match = _lies_otherwise(match, key, now_s, None)
    return match


def _taken_back(match: Match, gone: Sequence[Lie]) -> Match:
    """Somebody took a thrown card back before the challenge was closed: whether it counts, a person must say."""
    for lie in gone:
        line = match.lines.get(lie.key)
        thrown = match.ledger.awaiting == "throws" and line is not None and line != match.ledger.lying[0].line
        if thrown and lie.key not in match.table:
            match = ask(match, "taken_back", lie, line, match.throws.get(lie.key))
    return match


def _swept(match: Match) -> Match:
    """All of the round's cards were taken away: nobody throws any more."""
    ledger = match.ledger
    if ledger.awaiting != "throws" or match.paused or not match.lines or set(match.lines) & set(match.table):
        return match
    try:
        return append(match, [{"type": "close", "why": "swept"}], CAMERA, match.quiet_since_s)
    except Impossible:
        return match


# --- throws ---


def _came_to_rest(match: Match, key: str) -> Match:
    awaiting, lie = match.ledger.awaiting, match.table[key]
    if awaiting == "challenge":
        return match  # _open_round looks at the arena as a whole
    if awaiting != "throws":
        return replace(match, stale=match.stale | {key})  # too late: it counts for nothing and must be taken away
    again = _seen_again(match, key)
    if again is not None:
        back = tuple(q for q in match.questions if (q.kind, q.line) != ("taken_back", again))
        match = replace(match, questions=back)
        return _lies_otherwise(replace(match, lines={**match.lines, key: again}), key, match.rested[key], None)
    if lie.card is not None and not match.in_hand(lie.card):
        return _unbelievable(match, key)
    try:
        return _throw(match, key, CAMERA)
    except Impossible as error:
        return ask(match, "impossible", lie, None, match.throws.get(key), (error.message,))


def _seen_again(match: Match, key: str) -> int | None:
    """The line of a card of this round that was out of sight and is seen again; None for a card that is new."""
    lie = match.table[key]
    if lie.face is Face.UP and match.name(key) is not None:
        return match.lines[key]  # under whatever name a person gave it
    linked = {line for other, line in match.lines.items() if other in match.table and other != key}
    for card in match.ledger.lying:
        same = card.name == lie.card if lie.card is not None else card.face == "down"
        if same and card.line not in linked:
            return card.line
    return None


def _unbelievable(match: Match, key: str) -> Match:
    """A card that cannot be in a hand: won cards laid beside the arena are no throws, anything else is asked about."""
    lie = match.table[key]
    if lie.landing is Landing.BESIDE:
        return replace(match, stale=match.stale | {key})
    lying = {card.name for card in match.ledger.lying}
    kind = "twice" if lie.card in lying else "out_of_game"
    if lie.card not in CARDS or CARDS[lie.card][0] not in _colours(match):
        kind = "not_in_game"
    return ask(match, kind, lie, None, match.throws.get(key))


def _colours(match: Match) -> set[str]:
    return set(match.ledger.played.state.setup.player_of)


def _throw(match: Match, key: str, who: str) -> Match:
    lie, line, at_s = match.table[key], match.ledger.next_line, match.rested.get(key, match.quiet_since_s)
    throw = match.throws.get(key)
    event: Json = {
        "type": "throw",
        "card": lie.card if lie.face is Face.UP else None,
        "landing": (lie.landing or Landing.FLAT).value,
        "face": lie.face.value,
        "rests_on": _rests_on(match, lie),
        "at": round(at_s, 3),
    } | ({"throw": throw} if throw else {})
    match = append(replace(match, lines={**match.lines, key: line}, auto_close=True), [event], who, at_s, throw)
    match = _supported_by(match, key, at_s)
    return _doubted(match, key, line, throw) if who == CAMERA else match


def _supported_by(match: Match, key: str, at_s: float) -> Match:
    """Cards that were written down while `key` was in doubt may rest on it."""
    for other in [k for k, lie in match.table.items() if key in lie.rests_on and k in match.lines]:
        match = _lies_otherwise(match, other, at_s, None)
    return match


def _rests_on(match: Match, lie: Lie) -> list[str]:
    names = [match.name(key) for key in lie.rests_on]
    return [name for name in names if name is not None]


def _doubted(match: Match, key: str, line: int, throw: str | None) -> Match:
    """Asks about a card that was written down, where the mode and the doubt want it."""
    lie = match.table[key]
    if match.mode == "confirm_always":
        return ask(match, "unsure" if not lie.sure else "confirm", lie, line, throw, lie.why_unsure)
    if match.mode == "confirm_unsure" and not lie.sure:
        return ask(match, "unsure", lie, line, throw, lie.why_unsure)
    return match


def _doubt_order(before: Match, match: Match, keys: Sequence[str]) -> Match:
    """Two cards that came to rest in one look: who was first is asked where it decides the duel."""
    if match.mode == "automatic" or before.ledger.awaiting not in ("throws", "challenge") or len(keys) < 2:
        return match
    thrown = [key for key in keys if key in match.lines and key not in before.lines]
    duelling = next((r["card"] for r in match.ledger.preview if r["code"] == "duelling"), None)
    first = next((key for key in thrown if match.name(key) == duelling), None)
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
            why = (str(duelling), str(match.name(second)))
            return ask(match, "order", match.table[second], match.lines[second], match.throws.get(second), why)
    return match


# --- the next round ---


def _open_round(match: Match) -> Match:
    """The next round begins when the right player's card lies in an otherwise empty arena."""
    ledger = match.ledger
    inside = in_arena(match)
    if ledger.awaiting != "challenge" or match.stale & set(inside) or not inside:
        return match
    hand = ledger.state["hands"][ledger.state["provocateur"]]
    mine = [key for key in inside if match.table[key].card in hand]
    if not mine:
        return _wrong_card(match, inside[0]) if len(inside) == 1 else match
    challenge = min(mine, key=lambda key: (match.rested.get(key, 0.0), inside.index(key)))
    others = [key for key in inside if key != challenge]
    if any(match.rested.get(key, 0.0) < match.rested.get(challenge, 0.0) for key in others):
        return match  # somebody's card lay there before: the arena was not empty
    try:
        match = _challenge(match, challenge, CAMERA)
    except Impossible as error:
        return ask(match, "impossible", match.table[challenge], None, match.throws.get(challenge), (error.message,))
    for key in others:
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
        match = ask(match, "unsure" if doubted else "confirm", lie, line, throw, lie.why_unsure)
    return match


def _wrong_card(match: Match, key: str) -> Match:
    """One card lies in the empty arena, and it is not one that may open the round."""
    lie = match.table[key]
    if lie.card is None:
        return match  # face down: the hint says to turn it over
    kind = "wrong_provocateur" if match.in_hand(lie.card) else "out_of_game"
    if lie.card not in CARDS or CARDS[lie.card][0] not in _colours(match):
        kind = "not_in_game"
    return ask(match, kind, lie, None, match.throws.get(key))
