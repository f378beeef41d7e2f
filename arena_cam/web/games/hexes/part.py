"""This game's part of the pages, put together."""

from __future__ import annotations

from typing import Any

from arena_cam.domain.colours import COLOURS
from arena_cam.referee.games.hexes.values import hexes_game
from arena_cam.referee.interface import GameSnapshot
from arena_cam.rules.games.hexes.board import TILES
from arena_cam.web.games.hexes.board_view import board_as_read, draw_board, draw_photo
from arena_cam.web.games.hexes.words import WORDS
from arena_cam.web.games.part import WebPart
from arena_cam.web.words.wording import N_

MOST_PLAYERS = 6
BOARD_COLOURS = (*COLOURS, N_("black"))


class HexesPages(WebPart):
    """Scoreboard, phones, desk and history of the game of hexagons."""

    words = WORDS
    kept = N_("Photographs")
    none_kept = WebPart.NO_PHOTOGRAPHS
    here_comes = N_("Here each tile is announced, and at the end everybody's board is drawn with its lines.")

    def helpers(self) -> dict[str, Any]:
        return {"draw_board": draw_board, "draw_photo": draw_photo, "board_as_read": board_as_read, "all_tiles": TILES}

    def new_game(self) -> dict[str, Any]:
        return {"board_colours": BOARD_COLOURS, "most_players": MOST_PLAYERS}

    def rematch(self, game: GameSnapshot) -> dict[str, Any]:
        """The same players with their boards, in the same seats."""
        boards = hexes_game(game)["boards"]
        players = [{"name": b["player"]} | ({"colour": b["colour"]} if b["colour"] else {}) for b in boards]
        return {**super().rematch(game), "players": players}


PART = HexesPages()
