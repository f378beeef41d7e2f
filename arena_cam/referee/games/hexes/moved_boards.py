"""A board that was given to the wrong player is moved to the right one. Pure: a match in, a match out."""

from __future__ import annotations

from dataclasses import replace

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Request
from arena_cam.referee.games.hexes.desk import open_round, player_of, with_table
from arena_cam.referee.games.hexes.messages import HexesTable
from arena_cam.referee.games.hexes.round_table import PlayerBoard


def move_board(match: Match, request: Request) -> Match:
    """The board of `player` is that of `to`, with its photograph; what `to` had goes to `player`.

    So nothing is lost. From a phone it goes only to a player of whom no board is known yet: nobody takes another's.
    """
    table = open_round(match)
    player, other = player_of(match, request.args.get("player")), player_of(match, request.args.get("to"))
    if player == other:
        raise Refused("bad_argument", HexesTable.SAME_PLAYER(player=player))
    mine, theirs = table.board(player), table.board(other)
    if mine.confirmed or theirs.confirmed:
        raise Refused("not_now", HexesTable.CONFIRMED())
    if not mine.cells and mine.photo is None:
        raise Refused("not_now", HexesTable.NO_BOARD_YET(player=player))
    if request.args.get("phone") and (theirs.cells or theirs.photo is not None):
        raise Refused("not_yours", HexesTable.HAS_BOARD(player=other))
    return with_table(match, table.with_board(other, _told(mine)).with_board(player, _told(theirs)))


def _told(board: PlayerBoard) -> PlayerBoard:
    """The board without the question whose it is: a person has said it."""
    return replace(board, doubts={cell: doubt for cell, doubt in board.doubts.items() if cell})
