"""What pages are told of a game of hexagons beside what all games tell (interface.GameSnapshot), and what its actions
are given."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict, cast

from msgspec import Meta

from arena_cam.referee.arguments import Keys, Name, SizePx, Word
from arena_cam.referee.interface import GameSnapshot


class BoardSnapshot(TypedDict):
    """A player's board. `cells`: cell to tile, only where one lies. `items`: its lines as the ruling `round` has them,
    with `points` their sum: of a full board, else empty. `size_px`, `cells_px`: of its photograph. `likely`: for a cell
    the tiles that may lie there, likeliest first. `doubts`: what must be looked at, by cell, "" of the whole board.
    `lays_last`: the round's last tile is announced, and nothing says yet that it lies there."""

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
    lays_last: bool


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


class ByPlayer(TypedDict):
    """`player`: who does it, or whose board it is; of a phone its own player."""

    player: NotRequired[Name]


class DrawTile(ByPlayer):
    """`tile`: the one drawn; by default one by chance."""

    tile: NotRequired[Word | None]


class DrawByItself(ByPlayer):
    """`on`: whether the next tile is drawn as soon as everybody has placed the last."""

    on: NotRequired[bool]


class OfBoard(TypedDict):
    """`player`: whose board."""

    player: Name


class Lay(OfBoard):
    """`cell`: A1 to E3; `tile`: one that was drawn, by default the one that is to be laid next."""

    cell: Word
    tile: NotRequired[Word | None]


class MoveBoard(OfBoard):
    """`to`: whose board it is."""

    to: Name


class Mend(OfBoard):
    """`cell`: A1 to E3; `tile`: what lies there, or null."""

    cell: Word
    tile: NotRequired[Word | None]


class PhotoBoard(TypedDict):
    """A board that was seen: cell to tile, None of an empty one; `doubts`: by cell what must be looked at."""

    colour: Word | None
    cells: Annotated[dict[Word, Word | None], Meta(max_length=19)]
    doubts: NotRequired[dict[Word, Keys]]


class PhotoOfBoards(TypedDict):
    """What was read of a photograph of boards."""

    size_px: SizePx
    boards: Annotated[list[PhotoBoard], Meta(max_length=20)]
