"""Makes up records of the arena game as a camera and a busy referee would leave them: cards face down, disturbed,
misread and corrected, throws added afterwards. Some are wrong on purpose."""

from __future__ import annotations

import random
from typing import Any

from arena_cam.domain.errors import BadRecord
from arena_cam.formats.game_record import Played, play_record, read_record, write_line
from arena_cam.rules import find_game
from arena_cam.rules.random_play import random_event, random_header

Json = dict[str, Any]
ARENA = find_game("arena")


def play(header: Json, lines: list[Json]) -> Played | int:
    """What the engine makes of a record: how it was played, or the line to blame."""
    try:
        return play_record(read_record("".join(map(write_line, [header, *lines]))))
    except BadRecord as error:
        return error.line


def messy_record(seed: int, steps: int = 45) -> tuple[Json, list[Json]]:
    """A header and event lines; the same for the same seed."""
    rng = random.Random(seed)
    header = random_header(ARENA, rng.choice, house_rules=rng.random() < 0.7)
    lines: list[Json] = []
    played = play(header, lines)
    for _ in range(steps):
        assert isinstance(played, Played)
        event = _event(rng, played.state, lines)
        after = play(header, [*lines, event])
        if isinstance(after, int):
            if rng.random() < 0.02:
                return header, [*lines, event]  # a record may be wrong
            continue
        lines.append(event)
        played = after
    return header, lines


def _event(rng: random.Random, state: Any, lines: list[Json]) -> Json:
    names = [card.name for card in state.lying] + [f"?{card.line}" for card in state.lying]
    names += [line["card"] for line in lines if line.get("card")][-6:]
    what = rng.random()
    if lines and (what < 0.25 or state.awaiting == "identify"):
        return _amendment(rng, state, lines, names)
    if state.awaiting == "throws" and what < 0.35:
        return {"type": "throw", "card": None, "face": "down", **_how(rng, names, always=True)}
    if state.awaiting == "throws" and what < 0.55:
        return {"type": "moved", "card": rng.choice(names), **_how(rng, names)}
    legal = ARENA.legal(state)
    return random_event(legal, rng.choice) if legal else {"type": "note", "text": "over"}


def _how(rng: random.Random, names: list[str], always: bool = False) -> Json:
    how: Json = {}
    if always or rng.random() < 0.5:
        how["landing"] = rng.choice(["flat"] * 5 + ["diagonal", "edge", "beside"])
    if rng.random() < 0.7:
        how["rests_on"] = rng.sample([*names, None], k=min(len(names), rng.choice([0, 1, 1, 2])))
    if rng.random() < 0.2 and not always:
        how["face"] = rng.choice(["up", "down"])
    return how


def _amendment(rng: random.Random, state: Any, lines: list[Json], names: list[str]) -> Json:
    targets = [n for n, line in enumerate(lines, 2) if line["type"] in ("throw", "challenge")][-5:]
    targets += [n for n, line in enumerate(lines, 2) if line["type"] != "amend"][-8:]
    target = rng.choice(targets or [2])
    if state.unidentified and rng.random() < 0.6:
        target = int(rng.choice(state.unidentified)[1:])
    cards = [card for hand in state.hands.values() for card in sorted(hand)] or ["red-1"]
    amendment: Json = {"type": "amend", "line": target}
    if rng.random() < 0.25:
        throw = {"type": "throw", "card": rng.choice(cards), **_how(rng, names, always=True)}
        moved = {"type": "moved", "card": rng.choice([throw["card"], *names]), **_how(rng, names)}
        amendment["before"] = rng.choice(
            [[throw], [throw, moved], [moved], [{"type": "close"}], [{"type": "note"}, throw]]
        )
    if "before" not in amendment or rng.random() < 0.2:
        changes: Json = {"card": rng.choice([*cards, *cards, *names, None])} if rng.random() < 0.7 else {}
        changes |= _how(rng, names)
        if rng.random() < 0.1:
            changes["type"] = rng.choice(["note", "throw", "moved", "close", "challenge"])
        if changes.get("card", "") is None:
            changes["face"] = "down"
        if changes:
            amendment["set"] = changes
    return amendment if len(amendment) > 2 else {**amendment, "set": {"landing": "flat"}}
