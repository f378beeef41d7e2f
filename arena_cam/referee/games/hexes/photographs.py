"""What is read of a photograph of boards, and what follows for the boards of the players.

A board knows more than its picture: no tile lies on it twice, and where all 19 tiles of a round were announced, just
these lie there. So a cell that cannot be read clearly is given the likeliest tile that can lie there, and is asked
about all the same; and where a clear picture contradicts what was announced, that is asked about, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena_cam.domain.messages import message_to_json
from arena_cam.referee.game.part import Photo
from arena_cam.referee.games.hexes.messages import BoardQuestion
from arena_cam.referee.games.hexes.round_table import PlayerBoard, RoundTable

Json = dict[str, Any]


def photographed(table: RoundTable, photo: Photo, colours: Mapping[str, str | None]) -> RoundTable:
    """The round after a photograph. `colours`: by player the colour of the board, None where it was not said."""
    boards = photo.reading["boards"] if photo.reading is not None else []
    if photo.player is None:
        for player, number in _whose(boards, colours).items():
            table = table.with_board(player, _board_of(table, photo, boards[number]))
        return table
    player = photo.player
    own = _own(boards, colours.get(player))
    if own is None:
        doubt = BoardQuestion.UNREAD() if photo.reading is None else BoardQuestion.NO_BOARD_OF(player=player)
        size = photo.reading["size_px"] if photo.reading is not None else (0, 0)
        before = table.board(player)
        return table.with_board(
            player,
            PlayerBoard(before.cells, photo.id, size, doubts={"": message_to_json(doubt)}, mended=before.mended),
        )
    board = _board_of(table, photo, own)
    other = next(
        (name for name, colour in colours.items() if colour and colour == own["colour"] and name != player), None
    )
    if other is not None and colours.get(player) != own["colour"]:
        doubts = {**board.doubts, "": message_to_json(BoardQuestion.OTHERS_BOARD(player=other))}
        board = PlayerBoard(board.cells, board.photo, board.size_px, board.cells_px, board.likely, doubts)
    return table.with_board(player, board)


def _own(boards: Sequence[Json], colour: str | None) -> Json | None:
    """Of the boards in a player's photograph that of the player: by its colour, else the first and largest."""
    same = [board for board in boards if colour is not None and board["colour"] == colour]
    found = same or list(boards)
    return found[0] if found else None


def _whose(boards: Sequence[Json], colours: Mapping[str, str | None]) -> dict[str, int]:
    """By player the number of the board in a picture of several, by its colour; who plays alone has the only one."""
    if len(colours) == 1 and len(boards) == 1:
        return dict.fromkeys(colours, 0)
    found: dict[str, int] = {}
    for player, colour in colours.items():
        numbers = [number for number, board in enumerate(boards) if colour is not None and board["colour"] == colour]
        if len(numbers) == 1:
            found[player] = numbers[0]
    return found


def _board_of(table: RoundTable, photo: Photo, board: Json) -> PlayerBoard:
    """A board as its picture and what was announced have it together."""
    cells: dict[str, str | None] = dict(board["cells"])
    doubts: dict[str, Json] = dict(board["doubts"])
    drawn = set(table.drawn)
    if drawn:
        _against_the_draw(cells, doubts, board["likely"], drawn)
    if table.all_drawn:
        _left_over(cells, doubts, drawn)
    assert photo.reading is not None
    return PlayerBoard(
        cells={cell: tile for cell, tile in cells.items() if tile is not None},
        photo=photo.id,
        size_px=tuple(photo.reading["size_px"]),
        cells_px={cell: (x, y) for cell, (x, y) in board["cells_px"].items()},
        likely={cell: tuple(tiles) for cell, tiles in board["likely"].items()},
        doubts=doubts,
    )


def _against_the_draw(
    cells: dict[str, str | None], doubts: dict[str, Json], likely: Mapping[str, Sequence[str | None]], drawn: set[str]
) -> None:
    """Names that were not announced, or that lie surely elsewhere, give way to the next likely one; both are asked."""
    surely = {tile for cell, tile in cells.items() if tile in drawn and cell not in doubts}
    for cell, tile in list(cells.items()):
        if tile is None or (tile in drawn and (cell not in doubts or tile not in surely)):
            continue
        instead = next((other for other in likely.get(cell, ()) if other in drawn - surely), None)
        if cell not in doubts:
            doubts[cell] = message_to_json(BoardQuestion.AGAINST_THE_DRAW(tile=tile, cell=cell))
        cells[cell] = instead


def _left_over(cells: dict[str, str | None], doubts: dict[str, Json], drawn: set[str]) -> None:
    """One cell without a tile and one tile without a cell belong together, probably: that is asked."""
    empty = [cell for cell, tile in cells.items() if tile is None]
    missing = sorted(drawn - {tile for tile in cells.values() if tile is not None})
    if len(empty) == len(missing) == 1:
        cells[empty[0]] = missing[0]
        doubts[empty[0]] = message_to_json(BoardQuestion.LEFT_OVER(tile=missing[0], cell=empty[0]))
