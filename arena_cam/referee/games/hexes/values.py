"""What pages are told of a game of hexagons beside what all games tell (interface.GameSnapshot)."""

from __future__ import annotations

from typing import Any, TypedDict, cast

from arena_cam.referee.interface import GameSnapshot


class BoardSnapshot(TypedDict):
    """A player's board. `cells`: cell to tile, only where one lies. `items`: its lines as the ruling `round` has them,
    with `points` their sum: of a full board, else empty. `size_px`, `cells_px`: of its photograph. `likely`: for a cell
    the tiles that may lie there, likeliest first. `doubts`: what must be looked at, by cell, "" of the whole board."""

    player: str
    colour: str | None
    cells: dict[str, str]
    photo: str | None
    size_px: list[int]
    cells_px: dict[str, list[float]]
    likely: dict[str, list[str | None]]
    doubts: dict[str, dict[str, Any]]
    mended: list[str]
    full: bool
    confirmed: bool
    items: list[dict[str, Any]]
    points: int
    to_lay: list[str]
    placed: bool


class HexesGame(GameSnapshot):
    """`phase`: drawing, boards, hand (the record has a draw that somebody entered), over. `tile` is the one announced
    last, `drawn` all of this round, `said` grows with each announcement. `shown`: the boards of the round before."""

    phase: str
    announcer: str
    tile: str | None
    drawn: list[str]
    said: int
    by_itself: bool
    suns: list[str]
    boards: list[BoardSnapshot]
    shown: list[BoardSnapshot]
    shown_round: int


def hexes_game(game: GameSnapshot) -> HexesGame:
    return cast(HexesGame, game)
