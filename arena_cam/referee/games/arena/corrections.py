"""A person's correction of a thrown card -> the events that say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import Face, Landing
from arena_cam.referee.game.corrections import MOST_MENDED, amendment, amendments, listed, signed, whole
from arena_cam.referee.game.ledger import Impossible, Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.games.arena.rounds import lying_in
from arena_cam.referee.messages import Refusal
from arena_cam.rules.games.arena.awaiting import Awaiting

Json = dict[str, Any]


def correct_card(match: Match, args: Mapping[str, Any], who: str) -> list[Json]:
    """Says what a card is (`id`) or how it lies (`landing`, `face`, `rests_on`); named by `key`, `card` or `line`."""
    line = line_of(match, args)
    event = match.ledger.event(line)
    if event["type"] not in ("throw", "challenge"):
        raise Refused("bad_argument", Refusal.NO_CARD_IN_LINE(line=line))
    changes: dict[int, Json] = {}
    if args.get("id") is not None:
        changes[line] = {"card": str(args["id"])}
    for key in ("landing", "face", "rests_on"):
        if args.get(key) is None:
            continue
        if event["type"] == "challenge":
            raise Refused("bad_argument", Refusal.CHALLENGE_STAYS())
        value = _checked(key, args[key])
        changes.setdefault(_said_last(match.ledger, line, key), {})[key] = value
    if not changes:
        raise Refused("bad_argument", Refusal.NOTHING_TO_CORRECT())
    events = [amendment(match.ledger, number, {"set": change}) for number, change in changes.items()]
    return signed(events, str(args.get("reason") or ""), who)


def throw_missed(match: Match, args: Mapping[str, Any], who: str) -> list[Json]:
    """A throw that the camera did not see: now, or just before `line`."""
    event: Json = {"type": "throw", "card": args.get("card"), "landing": _checked("landing", args.get("landing"))}
    event |= {key: _checked(key, args[key]) for key in ("face", "rests_on") if args.get(key) is not None}
    if event["card"] is None and event.get("face") != "down":
        raise Refused("bad_argument", Refusal.UNNAMED_CARD())
    if args.get("line") is None and match.ledger.awaiting == Awaiting.THROWS:
        return [event | {"who": who}]
    line = whole(args, "line") if args.get("line") is not None else _last_close(match.ledger)
    reason = str(args.get("reason") or "the camera missed it")
    return signed([amendment(match.ledger, line, {"before": [event]})], reason, who)


def throw_never_happened(match: Match, args: Mapping[str, Any], who: str) -> list[Json]:
    """Strikes a throw, and with it whatever the record says of its card's place; `also` as in `amend`."""
    line = line_of(match, args)
    event = match.ledger.event(line)
    if event["type"] not in ("throw", "challenge", "moved"):
        raise Refused("bad_argument", Refusal.NO_THROW_IN_LINE(line=line))
    events = amendments(match.ledger, [{"line": line, "set": {"type": "note"}}, *listed(args, "also")])
    names = {event.get("card"), f"?{line}"}
    for _ in range(MOST_MENDED):
        try:
            match.ledger.appended(events)
            break
        except Impossible as error:
            mended = _without(match.ledger, error.line, names, events)
            if mended is None:
                break  # the refusal says which line stands in the way
            events.append(mended)
    return signed(events, str(args.get("reason") or "it never happened"), who)


def line_of(match: Match, args: Mapping[str, Any]) -> int:
    """The line that `args` mean by `line`, `key` (a card on the table) or `card` (its name, in this round first)."""
    if args.get("line") is not None:
        return whole(args, "line")
    key, card = args.get("key"), args.get("card")
    if key is not None and key in match.lines:
        return match.lines[str(key)]
    wanted = card if card is not None else key
    for lying in reversed(lying_in(match.ledger)):
        if wanted is not None and wanted in (lying.name, f"?{lying.line}"):
            return lying.line
    for each in reversed(match.ledger.amended):
        if wanted is not None and each.data["type"] in ("throw", "challenge") and each.data.get("card") == wanted:
            return each.number
    raise Refused("unknown", Refusal.CARD_NOT_THROWN(name=repr(str(wanted)[:40])))


def _said_last(ledger: Ledger, line: int, key: str) -> int:
    """The line that says how the card of `line` lies now: the last `moved` of it that says `key`, else its throw."""
    name = next(
        (card.name for card in lying_in(ledger) if card.line == line), ledger.event(line).get("card") or f"?{line}"
    )
    said = line
    for each in ledger.amended:
        if each.number > line and each.data["type"] == "moved" and each.data.get(key) is not None:
            if each.data.get("card") in (name, f"?{line}"):
                said = each.number
        elif each.number > line and each.data["type"] in ("close", "challenge") and name not in _in_round(ledger):
            break
    return said


def overruled(ledger: Ledger, line: int, key: str, seen: Any) -> bool:
    """Whether the record first said `seen` of `key` (landing, face, rests_on) of the card of `line`, and a person has
    corrected just that since."""
    said = _said_last(ledger, line, key)
    first = next(each.data for each in ledger.record.events if each.number == said).get(key)
    return _alike(first, seen) and not _alike(ledger.event(said).get(key), seen)


def _alike(a: Any, b: Any) -> bool:
    return set(a) == set(b) if isinstance(a, list) and isinstance(b, list) else bool(a == b)


def _in_round(ledger: Ledger) -> set[str]:
    return {card.name for card in lying_in(ledger)}


def _without(ledger: Ledger, line: int, names: set[Any], events: list[Json]) -> Json | None:
    """The correction that frees `line` from a card that is struck; None if the line is about something else."""
    if any(line in (event.get("line"), event.get("corrects")) for event in events):
        return None
    event = ledger.event(line)
    if event["type"] == "moved" and event.get("card") in names:
        return amendment(ledger, line, {"set": {"type": "note"}})
    rests_on = event.get("rests_on") or []
    if names & set(rests_on):
        return amendment(ledger, line, {"set": {"rests_on": [name for name in rests_on if name not in names]}})
    return None


def _last_close(ledger: Ledger) -> int:
    for each in reversed(ledger.amended):
        if each.data["type"] == "close":
            return each.number
    raise Refused("not_now", Refusal.NO_ROUND())


def _checked(key: str, value: Any) -> Any:
    if key == "landing" and value not in list(Landing):
        raise Refused("bad_argument", ArgumentRefusal.ONE_OF(name=key, names=", ".join(Landing)))
    if key == "face" and value not in list(Face):
        raise Refused("bad_argument", ArgumentRefusal.ONE_OF(name=key, names=", ".join(Face)))
    if key == "rests_on" and not (isinstance(value, list) and all(isinstance(name, str) for name in value)):
        raise Refused("bad_argument", ArgumentRefusal.CARD_NAMES(name=key))
    return value
