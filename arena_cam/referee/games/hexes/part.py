"""This game's part of the referee, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena_cam.domain.lies import Lie
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Action, Photo, Request
from arena_cam.referee.game.snapshots import phrase
from arena_cam.referee.games.any_game import AnyGame
from arena_cam.referee.games.hexes import desk, reports, snapshots
from arena_cam.referee.games.hexes.messages import HexesHint
from arena_cam.referee.games.hexes.moved_boards import move_board
from arena_cam.referee.games.hexes.photographs import photographed
from arena_cam.referee.games.hexes.round_table import TILES_A_ROUND
from arena_cam.referee.games.hexes.shown_tile import announced
from arena_cam.referee.games.hexes.values import (
    ByPlayer,
    DrawByItself,
    DrawTile,
    Lay,
    Mend,
    MoveBoard,
    OfBoard,
    PhotoOfBoards,
)
from arena_cam.referee.interface import Phrase
from arena_cam.referee.messages import Difference

Json = dict[str, Any]

ACTIONS: Mapping[str, Action] = {
    "draw_tile": Action(DrawTile, desk.draw_tile),
    "take_tile_back": Action(ByPlayer, desk.take_tile_back),
    "draw_by_itself": Action(DrawByItself, desk.draw_by_itself),
    "placed": Action(OfBoard, desk.placed),
    "lay": Action(Lay, desk.lay),
    "mend": Action(Mend, desk.mend),
    "confirm_board": Action(OfBoard, desk.confirm_board),
    "move_board": Action(MoveBoard, move_board),
    "open_board": Action(OfBoard, desk.open_board),
}


class HexesPart(AnyGame):
    """referee.game.part.Part for boards of hexagons: a round goes into the record when its boards are confirmed."""

    hints = HexesHint
    actions: Mapping[str, Action] = {**AnyGame.actions, **ACTIONS}
    phone_actions = frozenset(ACTIONS)
    takes_photos = True
    photo_shape = PhotoOfBoards
    keeps_throws = True

    def begun(self, match: Match) -> Match:
        """Who plays alone needs nobody to draw: the next tile comes by itself."""
        return desk.with_table(match, replace(desk.table_of(match), by_itself=len(match.ledger.players) == 1))

    def known_of_photo(self, match: Match, player: str | None) -> Json:
        """{drawn}: the tiles of the round, if no other can lie there. While tiles are drawn, the announcer's board and
        a camera's picture may show the next one."""
        table = desk.table_of(match)
        may_announce = not table.all_drawn and player in (None, desk.announcer(match))
        return {"drawn": list(table.drawn)} if table.drawn and not may_announce else {}

    def photographed(self, match: Match, photo: Photo, now_s: float) -> Match:
        """The tile that it announces, else the boards; in automatic mode a full board read surely counts at once."""
        if match.ledger.awaiting == "nothing" or desk.by_hand(match):
            return match
        before, colours = desk.table_of(match), snapshots.colours_of(match.ledger)
        shown = announced(match, photo, colours, now_s)
        if shown is not None:
            return shown
        table = photographed(before, photo, colours)
        match = desk.with_table(match, table)
        for name in match.ledger.players if match.mode == "automatic" else ():
            board = desk.table_of(match).board(name)
            if board is not before.board(name) and board.full and not board.doubts and not board.confirmed:
                match = desk.confirm_board(match, Request({"player": name}, "camera", now_s))
        return match

    def corrected(self, match: Match, before: Match) -> Match:
        """A round that was taken back lies there again, to be mended."""
        told = snapshots.last_round(before.ledger)
        if told is None or reports.rounds(match.ledger) >= reports.rounds(before.ledger):
            return match
        return desk.with_table(match, desk.again(told[0], desk.table_of(match)))

    def legal(self, match: Match) -> list[str]:
        phase, table = snapshots.phase_of(match), desk.table_of(match)
        if phase == "over":
            return []
        if phase == "hand":
            return ["play"]
        actions = ["placed", "lay", "mend", "confirm_board", "open_board", "move_board", "draw_by_itself"]
        if phase == "drawing" and len(table.drawn) < TILES_A_ROUND:
            actions.append("draw_tile")
        if table.drawn:
            actions.append("take_tile_back")
        else:
            actions.append("play")
        return actions

    def hint(self, match: Match, sense_reads: bool) -> Phrase:
        phase, table = snapshots.phase_of(match), desk.table_of(match)
        if phase == "hand":
            return super().hint(match, sense_reads)
        if phase == "drawing":
            everybody = set(table.placed) >= set(match.ledger.players)
            if table.tile is not None and not everybody:
                return phrase(HexesHint.LAY, tile=table.tile)
            return phrase(HexesHint.DRAW, player=desk.announcer(match))
        unseen = [name for name in match.ledger.players if not table.board(name).full]
        if any(table.lays_last(name) for name in unseen):
            return phrase(HexesHint.LAST, tile=table.drawn[-1], players=unseen)
        if unseen:
            return phrase(HexesHint.BOARDS, players=unseen)
        unconfirmed = [name for name in match.ledger.players if not table.board(name).confirmed]
        return phrase(HexesHint.CONFIRM, players=unconfirmed)

    def snapshot(self, match: Match, sense_reads: bool) -> Json:
        return super().snapshot(match, sense_reads) | snapshots.snapshot(match)

    def card(self, match: Match, lie: Lie) -> Json:
        return {"throw": match.throws.get(lie.key)}

    def rounds(self, ledger: Ledger) -> int:
        return reports.rounds(ledger)

    def line(self, ledger: Ledger, line: int) -> Json:
        """The boards of a round that was told by its boards, to be mended."""
        event = ledger.event(line)
        found = [
            ruling
            for number, _, _, rulings in ledger.steps
            for ruling in rulings
            if number == line and ruling["code"] == "round"
        ]
        boards = snapshots.boards_of_round(ledger, event, found[0]) if event["type"] == "boards" and found else []
        return {**super().line(ledger, line), "boards": boards, "suns": sorted(ledger.played.state.setup.suns)}

    def statistics(self, ledger: Ledger) -> dict[str, dict[str, float]]:
        return reports.statistics(ledger)

    def photo_differences(self, before: Json | None, after: Json) -> list[Json]:
        """The cells that a photograph read again shows otherwise."""
        was, now = _cells(before), _cells(after)
        return [
            {
                "code": Difference.READING.value,
                "card": cell,
                "what": str(Difference.READING(card=cell)),
                "before": was.get(cell) or "–",
                "after": now.get(cell) or "–",
            }
            for cell in dict.fromkeys([*was, *now])
            if was.get(cell) != now.get(cell)
        ]


def _cells(reading: Json | None) -> dict[str, str | None]:
    """Cell to tile over all boards of a reading; those of further boards with the board's number."""
    boards: Sequence[Json] = reading["boards"] if reading is not None else []
    return {
        cell if number == 0 else f"{number + 1}: {cell}": tile
        for number, board in enumerate(boards)
        for cell, tile in board["cells"].items()
    }


PART = HexesPart()
