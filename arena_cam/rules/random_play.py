"""Makes up legal games of any kind from what `Game.legal` offers. Pure: chance comes in as a function that chooses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena_cam.rules.game import Choose, ForEach, Game, Legal, OneOf, SomeOf
from arena_cam.rules.header import read_header
from arena_cam.rules.reading import Data

NAMES = ("Anna", "Bernhard", "Christine", "Daniel", "Eric", "Freya", "Gunnar", "Helga", "Ivan", "Jana")


def random_header(game: Game, choose: Choose, players: int | None = None, house_rules: bool = False) -> dict[str, Any]:
    """A header of `game` for `players` (default: any number that may play), with any house rules if asked for."""
    count = choose(game.players) if players is None else players
    names = [NAMES[i] if i < len(NAMES) else f"Player {i + 1}" for i in range(count)]
    header: dict[str, Any] = {"game": game.name, "version": 1, "players": [{"name": name} for name in names]}
    for key, values in game.seats.items():
        left = list(values)
        for entry in header["players"]:
            entry[key] = left.pop(choose(range(len(left))))
    header |= {key: choose(names) for key in game.starters}
    if house_rules:
        header["options"] = {name: choose(option.values) for name, option in game.options.items() if choose((0, 1))}
    return header


def random_events(game: Game, header: Data, choose: Choose, most: int) -> Iterator[dict[str, Any]]:
    """Legal events one after another until the game is over, `most` have been made, or nothing is legal."""
    _, _, state = read_header(header)
    for number in range(most):
        legal = game.legal(state)
        if not legal:
            return
        event = random_event(legal, choose)
        state, _ = game.apply(state, game.read(event, number + 2))  # the header stands on line 1
        yield event


def random_event(legal: list[Legal], choose: Choose) -> dict[str, Any]:
    """One of the events that are legal now."""
    kind = choose([may for may in legal for _ in range(may.weight)])
    event = {"type": kind.kind, **{key: _value(values, choose) for key, values in kind.keys.items()}}
    return event if kind.make is None else {**event, **kind.make(choose)}


def _value(values: OneOf | SomeOf | ForEach, choose: Choose) -> Any:
    if isinstance(values, OneOf):
        weights = values.weights or (1,) * len(values.values)
        return choose([value for value, weight in zip(values.values, weights, strict=True) for _ in range(weight)])
    if isinstance(values, SomeOf):
        return [value for value in values.values if choose((False, True))]
    each: Mapping[str, tuple[Any, ...]] = values.values
    return {name: choose(offered) for name, offered in each.items()}
