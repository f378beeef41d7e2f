"""What is read of a photograph of boards, and what follows for the boards of the players.

A board knows more than its picture: no tile lies on it twice, and where all 19 tiles of a round were announced, just
these lie there. So a cell that cannot be read clearly is given the likeliest tile that can lie there, and is asked
about all the same; and where a clear picture contradicts what was announced, that is asked about, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena_cam.domain.board_doubts import BoardDoubt
from arena_cam.domain.messages import message_to_json
from arena_cam.referee.game.part import Photo
from arena_cam.referee.games.hexes.messages import BoardQuestion
from arena_cam.referee.games.hexes.round_table import PlayerBoard, RoundTable

Json = dict[str, Any]


def photographed(table: RoundTable, photo: Photo, colours: Mapping[str, str | None]) -> RoundTable:
    """The round after a photograph. `colours`: by player the colour of the board, None where it was not said."""
    boards = photo.reading["boards"] if photo.reading is not None else []
    if photo.player is None:
        for player, (number, sure) in _whose(boards, colours).items():
            board = _board_of(table, photo, boards[number])
            table = table.with_board(player, board if sure else _whose_asked(board))
        return table
    player = photo.player
    own, plain = own_board(boards, player, colours)
    if own is None:
        doubt = BoardQuestion.UNREAD() if photo.reading is None else BoardQuestion.NO_BOARD_OF(player=player)
        size = photo.reading["size_px"] if photo.reading is not None else (0, 0)
        before = table.board(player)
        return table.with_board(
            player,
            PlayerBoard(before.cells, photo.id, size, doubts={"": message_to_json(doubt)}, mended=before.mended),
        )
    board = _board_of(table, photo, own)
    other = owner_of(own, colours)
    if other is not None and colours.get(player) != own["colour"]:
        board = replace(board, doubts={**board.doubts, "": message_to_json(BoardQuestion.OTHERS_BOARD(player=other))})
    elif not plain:
        board = _whose_asked(board)
    return table.with_board(player, board)


def owner_of(board: Json, colours: Mapping[str, str | None]) -> str | None:
    """The player whose board's colour this surely is; None if it is nobody's, or cannot be told."""
    if not board.get("colour_sure", True):
        return None
    return next((name for name, colour in colours.items() if colour and colour == board["colour"]), None)


def _whose_asked(board: PlayerBoard) -> PlayerBoard:
    """The board, with the question whose it is: confirming it is the answer."""
    return replace(board, doubts={**board.doubts, "": message_to_json(BoardDoubt.COLOUR())})


def own_board(boards: Sequence[Json], player: str, colours: Mapping[str, str | None]) -> tuple[Json | None, bool]:
    """Of the boards in a player's photograph that of the player, and whether that need not be asked.

    By its colour; else one that is not surely somebody else's, the largest first. Who photographs a single board
    whose colour cannot be told says with it whose it is.
    """
    own = [board for board in boards if owner_of(board, colours) == player]
    nobodys = [board for board in boards if owner_of(board, colours) is None]
    found = own or nobodys or list(boards)
    plain = bool(own) or len(nobodys) <= 1 or all(board.get("colour_sure", True) for board in nobodys)
    return (found[0] if found else None), plain


def _whose(boards: Sequence[Json], colours: Mapping[str, str | None]) -> dict[str, tuple[int, bool]]:
    """By player the number of the board in a picture of several, and whether that is sure.

    By its colour; who plays alone has the only one. Where the picture does not say a colour surely, the board goes to
    the player of the likeliest one, or to the only one who has none yet, if no other board may be theirs; it is asked.
    """
    if len(colours) == 1 and len(boards) == 1:
        return dict.fromkeys(colours, (0, True))
    owners = [owner_of(board, colours) for board in boards]
    found = {name: (owners.index(name), True) for name in colours if owners.count(name) == 1}
    open_boards = [number for number, board in enumerate(boards) if not board.get("colour_sure", True)]
    without = [name for name in colours if name not in owners]
    guessed = [boards[number]["colour"] for number in open_boards]
    for name in without:
        numbers = [number for number, colour in zip(open_boards, guessed, strict=True) if colour == colours[name]]
        if colours[name] and len(numbers) == 1:
            found[name] = (numbers[0], False)
    if len(without) == len(open_boards) == 1:
        found[without[0]] = (open_boards[0], False)
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
