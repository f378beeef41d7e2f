"""A round as it is played at the table: tiles announced, boards filled, photographed, mended, confirmed.

The record has the round only when it is over, as one event `boards`. Until then this is what is known, plain values
that are kept with every step (Match.own).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from arena_cam.domain.board_doubts import BoardDoubt
from arena_cam.domain.messages import Reason

Json = dict[str, Any]
TILES_A_ROUND = 19
# What a kept board may doubt: said after a restart without a set, too, when no eye is there to bring the words.
DOUBTS: type[Reason] = BoardDoubt


@dataclass(frozen=True)
class PlayerBoard:
    """One player's board. `cells`: cell to tile, as far as tiles lie there, as it is believed now.

    Of a photograph: `photo` its name, `size_px` its width and height, `cells_px` where the cells' middles are, `likely`
    for a cell what may lie there, likeliest first (None: nothing). `doubts`: what must be looked at, a cell to a
    message as JSON, under "" what concerns the whole board. `mended`: cells that a person has named.
    """

    cells: Mapping[str, str] = field(default_factory=dict)
    photo: str | None = None
    size_px: tuple[int, int] = (0, 0)
    cells_px: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    likely: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    doubts: Mapping[str, Json] = field(default_factory=dict)
    mended: tuple[str, ...] = ()
    confirmed: bool = False

    @property
    def full(self) -> bool:
        return len(self.cells) == TILES_A_ROUND

    def with_tile(self, cell: str, tile: str | None) -> PlayerBoard:
        """`tile` lies on `cell`, None: nothing does. A tile that lay elsewhere changes places with what lay here."""
        cells = dict(self.cells)
        here = cells.pop(cell, None)
        elsewhere = next((other for other, lain in cells.items() if lain == tile), None)
        if elsewhere is not None:
            del cells[elsewhere]
            if here is not None:
                cells[elsewhere] = here
        if tile is not None:
            cells[cell] = tile
        touched = {cell, elsewhere} - {None}
        doubts = {name: doubt for name, doubt in self.doubts.items() if name not in touched}
        mended = tuple(dict.fromkeys((*self.mended, cell)))
        return replace(self, cells=cells, doubts=doubts, mended=mended)


@dataclass(frozen=True)
class RoundTable:
    """The round that is on. `drawn`: tiles in the order announced; `placed`: who says that the last of them lies.

    `said` counts what was announced in this game. `by_itself`: the next tile is drawn once it lies on every board.
    """

    drawn: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    boards: Mapping[str, PlayerBoard] = field(default_factory=dict)
    said: int = 0
    by_itself: bool = False

    def board(self, player: str) -> PlayerBoard:
        return self.boards.get(player, PlayerBoard())

    def with_board(self, player: str, board: PlayerBoard) -> RoundTable:
        return replace(self, boards={**self.boards, player: board})

    def to_lay(self, player: str) -> tuple[str, ...]:
        """The tiles announced that do not lie on the player's board as it was told, the oldest first."""
        lain = set(self.board(player).cells.values())
        return tuple(tile for tile in self.drawn if tile not in lain)

    @property
    def tile(self) -> str | None:
        """The tile announced last."""
        return self.drawn[-1] if self.drawn else None

    @property
    def all_drawn(self) -> bool:
        return len(self.drawn) == TILES_A_ROUND

    def lays_last(self, player: str) -> bool:
        """Whether the last tile of the round is announced and nothing says yet that it lies on the player's board."""
        board = self.board(player)
        said = player in self.placed or bool(board.photo) or board.full or self.tile in board.cells.values()
        return self.all_drawn and not said

    @property
    def at_the_boards(self) -> bool:
        """Whether the boards count now: all tiles are drawn, or none and boards are shown all the same."""
        return self.all_drawn or (not self.drawn and any(board.cells or board.photo for board in self.boards.values()))

    def over(self) -> RoundTable:
        """The next round, before its first tile."""
        return RoundTable(said=self.said, by_itself=self.by_itself)

    def to_json(self) -> Json:
        return asdict(self)


def from_json(data: Mapping[str, Any]) -> RoundTable:
    """What `to_json` wrote; an empty round from nothing."""
    return RoundTable(
        drawn=tuple(data.get("drawn", ())),
        placed=tuple(data.get("placed", ())),
        boards={name: _board(board) for name, board in data.get("boards", {}).items()},
        said=int(data.get("said", 0)),
        by_itself=bool(data.get("by_itself", False)),
    )


def _board(data: Mapping[str, Any]) -> PlayerBoard:
    width, height = data["size_px"]
    return PlayerBoard(
        cells=dict(data["cells"]),
        photo=data["photo"],
        size_px=(int(width), int(height)),
        cells_px={cell: (float(x), float(y)) for cell, (x, y) in data["cells_px"].items()},
        likely={cell: tuple(tiles) for cell, tiles in data["likely"].items()},
        doubts=dict(data["doubts"]),
        mended=tuple(data["mended"]),
        confirmed=bool(data["confirmed"]),
    )
