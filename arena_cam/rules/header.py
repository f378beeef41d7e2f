"""Reads the header of a record: which game, who plays, by which house rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_cam.domain.messages import Message
from arena_cam.rules import all_games, find_game
from arena_cam.rules.game import Game, Header
from arena_cam.rules.messages import RuleRefusal, ValueRefusal
from arena_cam.rules.reading import Data, listed, optional_object, player, refuse, shown

_LONGEST_NAME = 40  # characters, so that a name fits a scoreboard


def read_header(data: Data) -> tuple[Game, Header, Any]:
    """The game, its header and the state before the first event. Raises Refused if the header is not good."""
    game, header, draft = prepare(data)
    return game, header, draft.fair_copy()


def prepare(data: Data) -> tuple[Game, Header, Any]:
    """As `read_header`, with a draft of the state, to be played on at once."""
    name = data.get("game")
    try:
        game = find_game(str(name))
    except (KeyError, TypeError):  # no such game, or nothing that could be a name
        refuse("unknown_game", ValueRefusal.GAME(names=listed(list(all_games())), text=shown(name)))
    version = data.get("version")
    if type(version) is not int or version != 1:
        refuse("unknown_version", ValueRefusal.VERSION(text=shown(version)))
    players = _players(data, game)
    for key in game.starters:
        player(data, key, players, default=players[0])
    header = Header(game.name, players, _options(data, game), data)
    return game, header, game.prepare(header)


def _players(data: Data, game: Game) -> tuple[str, ...]:
    entries = data.get("players")
    if not isinstance(entries, list) or len(entries) not in game.players:
        low, high = game.players[0], game.players[-1]
        count = str(low) if low == high else f"{low} to {high}"
        refuse("players", RuleRefusal.BAD_PLAYERS(count=count, game=game.name))
    names: list[str] = []
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if type(name) is not str or not _good_name(name):
            refuse(
                "name",
                RuleRefusal.BAD_NAME(most=_LONGEST_NAME, name=shown(name)),
            )
        if name in names:
            refuse("name_twice", RuleRefusal.NAME_TWICE(name=shown(name)))
        names.append(name)
    return tuple(names)


def _good_name(name: str) -> bool:
    return 1 <= len(name) <= _LONGEST_NAME and name.isprintable() and name.strip(" ") == name


def _options(data: Data, game: Game) -> dict[str, Any]:
    chosen = optional_object(data, "options") or {}
    options = {name: option.default for name, option in game.options.items()}
    for name, value in chosen.items():
        option = game.options.get(name)
        if option is None:
            names = listed(list(options), 20)
            refuse("unknown_option", ValueRefusal.OPTION_NAME(text=shown(name), game=game.name, names=names))
        if not option.offers(value):
            refuse("option", _not_offered(name, option.values, value))
        options[name] = value
    return options


def _not_offered(name: str, offered: Sequence[object], value: object) -> Message:
    if isinstance(offered, range):
        least, most = offered[0], offered[-1]
        return ValueRefusal.OPTION_RANGE(name=name, least=least, most=most, text=shown(value))
    return ValueRefusal.OPTION(name=name, offered=listed([_json(v) for v in offered]), text=shown(value))


def _json(value: object) -> str:
    return shown(value) if isinstance(value, bool) else str(value)
