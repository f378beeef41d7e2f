"""A tile announced by a photograph: who announces lays it on their own board and photographs that.

What is new on the board is the tile. It is announced only where the picture names it surely and nothing else is new.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arena_cam.domain.messages import message_to_json
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Photo, Request
from arena_cam.referee.games.hexes import desk
from arena_cam.referee.games.hexes.messages import BoardQuestion
from arena_cam.referee.games.hexes.photographs import own_board, owner_of
from arena_cam.referee.games.hexes.round_table import TILES_A_ROUND, RoundTable

Json = dict[str, Any]


def announced(match: Match, photo: Photo, colours: Mapping[str, str | None], now_s: float) -> Match | None:
    """The match with the tile shown, or with the question which it is; None where a board is photographed to count.

    A camera over the table (`photo.player` is None) announces a tile that is plain, and asks nothing.
    """
    table, who = desk.table_of(match), desk.announcer(match)
    if table.at_the_boards or photo.reading is None or photo.player not in (None, who):
        return None
    board, plain = own_board(photo.reading["boards"], who, colours)
    if board is None:
        return _asked(match, table, who) if photo.player == who and table.drawn else None
    filled = sum(tile is not None for tile in board["cells"].values())
    if filled > len(table.drawn) + 1 and (not table.drawn or filled == TILES_A_ROUND):
        return None
    owners = (who,) if photo.player is None else (who, None)
    tile = _new_tile(board, table)
    if tile is None or not plain or owner_of(board, colours) not in owners:
        return _asked(match, table, who) if photo.player == who else None
    # The next tile comes from the pile, too: the program draws none by itself.
    match = desk.with_table(match, replace(table, by_itself=False))
    match = desk.draw_tile(match, Request({"tile": tile}, who, now_s))
    return desk.placed(match, Request({"player": who}, who, now_s))


def _new_tile(board: Json, table: RoundTable) -> str | None:
    """The one tile of the board that was not announced; None where there is none, more than one, or it is not sure."""
    new = [cell for cell, tile in board["cells"].items() if tile is not None and tile not in table.drawn]
    return board["cells"][new[0]] if len(new) == 1 and new[0] not in board["doubts"] else None


def _asked(match: Match, table: RoundTable, who: str) -> Match:
    doubt = message_to_json(BoardQuestion.NO_NEW_TILE(player=who))
    return desk.with_table(match, table.with_board(who, replace(table.board(who), doubts={"": doubt})))
