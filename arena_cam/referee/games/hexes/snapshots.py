"""A match of hexagons -> what pages are told of it (values.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.games.hexes.desk import again, announcer, by_hand, table_of
from arena_cam.referee.games.hexes.round_table import PlayerBoard, RoundTable
from arena_cam.referee.games.hexes.values import BoardSnapshot
from arena_cam.rules.games.hexes.board import board_items

Json = dict[str, Any]


def colours_of(ledger: Ledger) -> dict[str, str | None]:
    """By player the colour of the board, None where the header does not say it."""
    said = {player["name"]: player.get("colour") for player in ledger.record.header.data["players"]}
    return {name: colour if isinstance(colour, str) else None for name, colour in said.items()}


def phase_of(match: Match) -> str:
    if match.ledger.awaiting == "nothing":
        return "over"
    if by_hand(match):
        return "hand"
    return "boards" if table_of(match).at_the_boards else "drawing"


def last_round(ledger: Ledger) -> tuple[Json, Json] | None:
    """The event `boards` that ended the last round and its ruling `round`; None before the first."""
    for _, event, _, rulings in reversed(ledger.steps):
        for ruling in rulings:
            if ruling["code"] == "round" and event["type"] == "boards":
                return event, ruling
    return None


def snapshot(match: Match) -> Json:
    table, ledger = table_of(match), match.ledger
    state = ledger.played.state
    told = last_round(ledger) if not table.drawn else None
    return {
        "phase": phase_of(match),
        "announcer": announcer(match),
        "tile": table.tile,
        "drawn": list(table.drawn),
        "said": table.said,
        "by_itself": table.by_itself,
        "suns": sorted(state.setup.suns),
        "boards": [_board(match, table, name) for name in ledger.players],
        "shown": boards_of_round(ledger, *told) if told is not None else [],
        "shown_round": told[1]["round"] if told is not None else 0,
    }


def boards_of_round(ledger: Ledger, event: Json, ruling: Json) -> list[BoardSnapshot]:
    """The boards of a finished round with everything that they scored."""
    table, colours = again(event, RoundTable()), colours_of(ledger)
    return [_told(name, colours[name], table.board(name), table, ruling["items"][name]) for name in ledger.players]


def _board(match: Match, table: RoundTable, name: str) -> BoardSnapshot:
    board, setup = table.board(name), match.ledger.played.state.setup
    items = board_items(board.cells, setup.suns, setup.options)[0] if board.full else []
    return _told(name, colours_of(match.ledger)[name], board, table, items)


def _told(
    name: str, colour: str | None, board: PlayerBoard, table: RoundTable, items: Sequence[Mapping[str, Any]]
) -> BoardSnapshot:
    return {
        "player": name,
        "colour": colour,
        "cells": dict(board.cells),
        "photo": board.photo,
        "size_px": list(board.size_px),
        "cells_px": {cell: list(at) for cell, at in board.cells_px.items()},
        "likely": {cell: list(tiles) for cell, tiles in board.likely.items()},
        "doubts": dict(board.doubts),
        "mended": list(board.mended),
        "full": board.full,
        "confirmed": board.confirmed,
        "items": [dict(item) for item in items],
        "points": sum(item["points"] for item in items),
        "to_lay": list(table.to_lay(name)),
        "placed": name in table.placed,
        "lays_last": table.lays_last(name),
    }
