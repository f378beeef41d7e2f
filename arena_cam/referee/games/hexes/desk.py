"""What people do at a table of hexagons: announce, lay, mend, confirm. Pure: a match in, a match out."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Request
from arena_cam.referee.games.hexes.messages import HexesTable
from arena_cam.referee.games.hexes.round_table import PlayerBoard, RoundTable, from_json
from arena_cam.rules.games.hexes.board import CELLS, TILES, broken_variant, may_lie
from arena_cam.rules.games.hexes.messages import HexesRefusal

Json = dict[str, Any]
PLAYED_BY_HAND = "place"  # what the game awaits while a round is entered event by event


def table_of(match: Match) -> RoundTable:
    """The round that is on."""
    return from_json(match.own)


def with_table(match: Match, table: RoundTable) -> Match:
    return replace(match, own=table.to_json())


def by_hand(match: Match) -> bool:
    """Whether the record itself has begun the round, with a draw that somebody entered."""
    state = match.ledger.played.state
    return bool(state.drawn) and match.ledger.awaiting != "nothing"


def open_round(match: Match) -> RoundTable:
    """The round that is on. Raises Refused where none is, or it is entered by hand."""
    if match.ledger.awaiting == "nothing":
        raise Refused("not_now", HexesTable.ALL_DRAWN())
    if by_hand(match):
        raise Refused("not_now", HexesTable.ROUND_BY_HAND())
    return table_of(match)


def announcer(match: Match) -> str:
    return str(match.ledger.state["announcer"])


def _may_announce(match: Match, request: Request) -> None:
    """At the desk anybody's tiles are drawn; from a phone only the announcer's. Who is named must play."""
    player = request.args.get("player")
    if player is not None:
        player_of(match, player)
    if request.args.get("phone") and player != announcer(match):
        raise Refused("not_yours", HexesTable.NOT_ANNOUNCER(player=announcer(match)))


# --- announcing ---


def draw_tile(match: Match, request: Request) -> Match:
    """The next tile: the one named, else one by chance."""
    table = open_round(match)
    _may_announce(match, request)
    if table.all_drawn:
        raise Refused("not_now", HexesTable.ALL_DRAWN())
    if table.at_the_boards:
        raise Refused("not_now", HexesTable.BOARDS_BEGUN())
    tile = request.args.get("tile")
    return with_table(match, _drawn(table, _tile(tile) if tile is not None else None))


def _drawn(table: RoundTable, tile: str | None) -> RoundTable:
    if tile in table.drawn:
        raise Refused("bad_argument", HexesTable.TILE_DRAWN(tile=tile))
    if tile is None:
        # The system's own randomness: nobody can foretell the tiles from those that have come.
        tile = random.SystemRandom().choice([each for each in TILES if each not in table.drawn])
    # What was asked about a tile that was shown is answered now.
    boards = {name: board if board.photo else replace(board, doubts={}) for name, board in table.boards.items()}
    return replace(table, drawn=(*table.drawn, tile), placed=(), boards=boards, said=table.said + 1)


def take_tile_back(match: Match, request: Request) -> Match:
    """The last tile was not drawn; it leaves the boards on which it was laid."""
    table = open_round(match)
    _may_announce(match, request)
    if not table.drawn:
        raise Refused("not_now", HexesTable.NONE_DRAWN())
    last = table.drawn[-1]
    boards = {name: _without(board, last) for name, board in table.boards.items()}
    back = replace(table, drawn=table.drawn[:-1], placed=(), boards=boards, said=table.said + 1)
    return with_table(match, back)


def _without(board: PlayerBoard, tile: str) -> PlayerBoard:
    cells = {cell: lain for cell, lain in board.cells.items() if lain != tile}
    return replace(board, cells=cells, confirmed=False)


def draw_by_itself(match: Match, request: Request) -> Match:
    """Whether the next tile is drawn as soon as the last lies on every board; at once if it lies there already."""
    table = open_round(match)
    _may_announce(match, request)
    return with_table(match, _if_all_placed(match, replace(table, by_itself=bool(request.args.get("on")))))


# --- laying ---


def placed(match: Match, request: Request) -> Match:
    """The player says that the tile announced last lies on the board."""
    table = open_round(match)
    player = _player(match, request)
    if not table.drawn:
        raise Refused("not_now", HexesTable.NONE_DRAWN())
    return with_table(match, _and_on(match, table, player))


def _and_on(match: Match, table: RoundTable, player: str) -> RoundTable:
    """`player` has placed the last tile; the next is drawn if everybody has, and it is to come by itself."""
    return _if_all_placed(match, replace(table, placed=tuple(dict.fromkeys((*table.placed, player)))))


def _if_all_placed(match: Match, table: RoundTable) -> RoundTable:
    everybody = set(table.placed) >= set(match.ledger.players)
    return _drawn(table, None) if table.by_itself and everybody and not table.all_drawn else table


def lay(match: Match, request: Request) -> Match:
    """A tile on the player's board as the phone shows it: the oldest that does not lie there yet, or the one named.

    Once a tile lies it stays, but the last may be moved until the next is drawn.
    """
    table = open_round(match)
    player, cell = _player(match, request), _cell(request.args.get("cell"))
    board = table.board(player)
    waiting = table.to_lay(player)
    if board.photo is not None or board.confirmed or (table.at_the_boards and not waiting):
        return mend(match, request)
    tile = _tile(request.args.get("tile") or (waiting[0] if waiting else table.tile))
    if tile not in table.drawn:
        raise Refused("bad_argument", HexesTable.NOT_DRAWN_YET(tile=tile))
    lain = {at: what for at, what in board.cells.items() if what != tile}
    if cell in lain or (tile not in waiting and tile != table.tile):
        raise Refused("not_now", HexesTable.STAYS(tile=lain.get(cell, tile)))
    _check_variants(match, lain, table, tile, cell)
    table = table.with_board(player, PlayerBoard(cells={**lain, cell: tile}))
    return with_table(match, _and_on(match, table, player) if not table.to_lay(player) else table)


def _check_variants(match: Match, lain: Mapping[str, str], table: RoundTable, tile: str, cell: str) -> None:
    options, suns = match.ledger.record.header.options, match.ledger.played.state.setup.suns
    so_far = table.drawn[: table.drawn.index(tile) + 1]
    allowed = may_lie(lain, so_far, suns, side_by_side=options["side_by_side"], next_to_mark=options["next_to_mark"])
    if cell not in allowed:
        raise Refused("impossible", HexesTable.NOT_ALLOWED_THERE(tile=tile, cell=cell))


# --- the boards at the end ---


def mend(match: Match, request: Request) -> Match:
    """What a person says lies on a cell: `tile`, or nothing."""
    table = open_round(match)
    player, cell = _player(match, request), _cell(request.args.get("cell"))
    tile = request.args.get("tile")
    board = table.board(player)
    if board.confirmed:
        raise Refused("not_now", HexesTable.CONFIRMED())
    return with_table(match, table.with_board(player, board.with_tile(cell, _tile(tile) if tile is not None else None)))


def confirm_board(match: Match, request: Request) -> Match:
    """The player says that the board is right; once all are, the round counts.

    From a phone the variants of placing are checked; the referee may count a board as it lies.
    """
    table = open_round(match)
    player = _player(match, request)
    board = table.board(player)
    empty = [cell for cell in CELLS if cell not in board.cells]
    if empty:
        raise Refused("not_now", HexesTable.NOT_FULL(count=len(empty), cells=", ".join(empty[:4])))
    _check_tiles(match, table, player)
    if request.args.get("phone"):
        _check_order(match, table, board)
    table = table.with_board(player, replace(board, confirmed=True, doubts={}))
    if all(table.board(name).confirmed for name in match.ledger.players):
        return _count(match, table, request)
    return with_table(match, table)


def _check_tiles(match: Match, table: RoundTable, player: str) -> None:
    """Each tile lies on the board once, and the same on every board: those announced or, where none was, those of a
    board confirmed before."""
    cells = table.board(player).cells
    for tile in sorted(set(cells.values())):
        places = tuple(cell for cell in CELLS if cells[cell] == tile)
        if len(places) > 1:
            raise Refused("impossible", HexesTable.TWICE(tile=tile, cells=places))
    cell_of = {tile: cell for cell, tile in cells.items()}
    if table.drawn:
        for tile in sorted(set(cell_of) - set(table.drawn)):
            raise Refused("impossible", HexesTable.NOT_DRAWN(tile=tile, cell=cell_of[tile]))
        return
    for name in match.ledger.players:
        if name != player and table.board(name).confirmed:
            for tile in sorted(set(cell_of) - set(table.board(name).cells.values())):
                raise Refused("impossible", HexesTable.OTHER_TILE(tile=tile, cell=cell_of[tile], player=name))


def _check_order(match: Match, table: RoundTable, board: PlayerBoard) -> None:
    options, suns = match.ledger.record.header.options, match.ledger.played.state.setup.suns
    tile = broken_variant(board.cells, table.drawn, suns, options)
    if tile is not None:
        cell = next(cell for cell, lain in board.cells.items() if lain == tile)
        raise Refused("impossible", HexesTable.BROKEN(tile=tile, cell=cell))


def _count(match: Match, table: RoundTable, request: Request) -> Match:
    """The round goes into the record, with the order of the tiles and the names of the photographs."""
    players = match.ledger.players
    event: Json = {"type": "boards", "boards": {name: dict(table.board(name).cells) for name in players}}
    if table.drawn:
        event["drawn"] = list(table.drawn)
    photos = {name: table.board(name).photo for name in players if table.board(name).photo is not None}
    if photos:
        event["photos"] = photos
        event["places"] = {name: _places(table.board(name)) for name in photos}
    throws = {name: throw for name, throw in match.throws.items() if throw not in set(photos.values())}
    counted = append(match, [event], request.who, request.now_s)
    return with_table(replace(counted, throws=throws), table.over())


def _places(board: PlayerBoard) -> Json:
    """Where the cells are in the photograph, to draw lines over it later."""
    return {
        "size_px": list(board.size_px),
        "cells_px": {c: [round(x), round(y)] for c, (x, y) in board.cells_px.items()},
    }


def open_board(match: Match, request: Request) -> Match:
    """The player takes back that the board is right."""
    table = open_round(match)
    player = _player(match, request)
    return with_table(match, table.with_board(player, replace(table.board(player), confirmed=False)))


def again(event: Mapping[str, Any], table: RoundTable) -> RoundTable:
    """The round of an event `boards` that was taken back: its boards are there to be mended, nothing is confirmed."""
    places = event.get("places") or {}
    boards = {}
    for name, cells in event["boards"].items():
        where = places.get(name) or {"size_px": (0, 0), "cells_px": {}}
        boards[name] = PlayerBoard(
            cells=dict(cells),
            photo=(event.get("photos") or {}).get(name),
            size_px=tuple(where["size_px"]),
            cells_px={cell: (x, y) for cell, (x, y) in where["cells_px"].items()},
        )
    return replace(table, drawn=tuple(event.get("drawn", ())), placed=(), boards=boards)


# --- what is said ---


def _player(match: Match, request: Request) -> str:
    return player_of(match, request.args.get("player"))


def player_of(match: Match, player: object) -> str:
    """The player of that name. Raises Refused where nobody is called so."""
    if player not in match.ledger.players:
        raise Refused("unknown", HexesTable.NO_PLAYER(player=str(player)[:40]))
    return str(player)


def _cell(cell: object) -> str:
    if cell not in CELLS:
        raise Refused("bad_argument", HexesTable.NO_CELL(text=str(cell)[:20]))
    return str(cell)


def _tile(tile: object) -> str:
    if tile not in TILES:
        raise Refused("bad_argument", HexesRefusal.UNKNOWN_TILE(text=str(tile)[:20]))
    return str(tile)
