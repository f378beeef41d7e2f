"""The Icelandic Dilemma!: everybody lays the same tiles on a board of their own, in lines of one colour.

Read from top to bottom this is the rulebook, with `hexes_board` for the board and the counting. IS is the Icelandic
rulebook; docs/rules/hexes.md says where it is silent and what we rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena_cam.rules.drafts import Playing
from arena_cam.rules.game import (
    FLAG,
    NO_RULINGS,
    Choose,
    Game,
    Header,
    History,
    Kind,
    Legal,
    OneOf,
    Option,
    Ruling,
    Value,
    standing,
)
from arena_cam.rules.games.hexes.board import (
    CELLS,
    DEFAULT_SUNS,
    NEIGHBOURS,
    TILES,
    Board,
    board_items,
    may_lie,
)
from arena_cam.rules.games.hexes.messages import HexesEvent, HexesHouseRule, HexesRefusal, HexesRuling
from arena_cam.rules.reading import Data, awaited, optional_list, optional_object, player, refuse, shown

LONGEST_BONUS = 60  # IS, Lengsta sól- eða mánalína

OPTIONS = {
    "rounds": Option(range(1, 101), 1),
    "side_by_side": FLAG,
    "next_to_mark": FLAG,
    "mark_lines": FLAG,
    "mark_line_min": Option((3, 2), 3),
    "longest_line": Option(("off", "along", "beside"), "off"),
}


# --- Undirbúningur (preparation) ---


class Setup(Value, frozen=True):
    """What stays the same for the whole game. `suns` are the tiles with a sun, told by `marks`: header or default."""

    players: tuple[str, ...]
    first: str
    suns: frozenset[str]
    marks: str
    options: Mapping[str, Any]


class State(Playing):
    """Where the game stands.

    awaiting: draw, place or nothing. round counts from 1; when over it is the last.
    drawn: the tiles of this round in the order drawn. to_place: who has not laid the last of them yet.
    boards: by player cell to tile, of this round. scores: of the finished rounds, by player.
    """

    setup: Setup
    awaiting: str
    round: int
    drawn: list[str]
    to_place: set[str]
    boards: dict[str, dict[str, str]]
    scores: dict[str, int]


def prepare(header: Header) -> State:
    """Empty boards; the announcer of round 1 draws. Refused if `suns` are not tiles, each once."""
    suns = optional_list(header.data, "suns")
    for tile in suns or ():
        _tile(tile)
    if suns is not None and len(set(suns)) < len(suns):
        refuse("tile_twice", HexesRefusal.SUN_TWICE())
    players = header.players
    setup = Setup(
        players=players,
        first=header.data.get("first") or players[0],
        suns=DEFAULT_SUNS if suns is None else frozenset(suns),
        marks="default" if suns is None else "header",
        options=header.options,
    )
    return State(
        setup=setup,
        awaiting="draw",
        round=1,
        drawn=[],
        to_place=set(),
        boards={name: {} for name in players},
        scores=dict.fromkeys(players, 0),
    )


def _tile(tile: object) -> str:
    if type(tile) is str and tile in _TILES:
        return tile
    return refuse("unknown_tile", HexesRefusal.UNKNOWN_TILE(text=shown(tile)))


_TILES = frozenset(TILES)


# --- Events ---


class Draw(Value, frozen=True):
    """The announcer draws and announces `tile`."""

    line: int
    tile: str


class Place(Value, frozen=True):
    """`player` lays the tile drawn on `cell`; `tile`, if given, must be that tile."""

    line: int
    player: Any
    cell: Any
    tile: Any


class Boards(Value, frozen=True):
    """A whole round at once: the finished boards of all players."""

    line: int
    boards: Mapping[str, Any]


def _read_draw(data: Data, line: int, _history: History | None) -> Draw:
    return Draw(line, _tile(data.get("tile")))


def _read_place(data: Data, line: int, _history: History | None) -> Place:
    return Place(line, data.get("player"), data.get("cell"), data.get("tile"))


def _read_boards(data: Data, line: int, _history: History | None) -> Boards:
    boards = optional_object(data, "boards")
    if boards is None:
        refuse("empty", HexesRefusal.NO_BOARDS())
    return Boards(line, {name: _read_board(board, name) for name, board in boards.items()})


def _read_board(board: object, name: str) -> Board:
    board = {cell: tile for cell, tile in board.items() if tile is not None} if isinstance(board, dict) else {}
    if board.keys() != NEIGHBOURS.keys():
        refuse("cells", HexesRefusal.BOARD_NOT_FULL(player=shown(name), count=len(CELLS)))
    for tile in board.values():
        _tile(tile)
    if len(set(board.values())) < len(CELLS):
        refuse("tile_twice", HexesRefusal.TILE_TWICE(player=shown(name)))
    return board


# --- Gangur spilsins (play) ---


def _draw(state: State, event: Draw) -> Sequence[Ruling]:
    """The announcer draws a tile; everybody must lay it before the next draw."""
    awaited(HexesEvent.DRAW, "draw", state.awaiting)
    if event.tile in state.drawn:
        refuse("drawn_before", HexesRefusal.DRAWN_BEFORE(tile=event.tile))
    state.drawn.append(event.tile)
    state.to_place.update(state.setup.players)
    state.awaiting = "place"
    return NO_RULINGS


def _place(state: State, event: Place) -> Sequence[Ruling]:
    """A player lays the tile on a free cell."""
    if state.awaiting != "place":
        awaited(HexesEvent.PLACE, "place", state.awaiting)
    name, cell, tile = event.player, event.cell, state.drawn[-1]
    if type(name) is not str or name not in state.to_place:
        player({"player": name}, "player", state.setup.players)
        refuse("placed_before", HexesRefusal.PLACED_BEFORE(player=name, tile=tile))
    if event.tile is not None and event.tile != tile:
        refuse("other_tile", HexesRefusal.OTHER_TILE(tile=tile, text=shown(event.tile)))
    board = state.boards[name]
    if type(cell) is not str or cell not in NEIGHBOURS:
        refuse("unknown_cell", HexesRefusal.UNKNOWN_CELL(text=shown(cell)))
    if cell in board:
        refuse("cell_taken", HexesRefusal.CELL_TAKEN(cell=cell, player=name, tile=board[cell]))
    if board and cell not in _allowed(state, board):
        refuse("variant", HexesRefusal.VARIANT_FORBIDS(tile=tile, cell=cell, player=name))
    board[cell] = tile
    state.to_place.remove(name)
    if state.to_place:
        return NO_RULINGS
    state.awaiting = "draw"
    return [_end_round(state, event.line)] if len(state.drawn) == len(CELLS) else NO_RULINGS


def _allowed(state: State, board: Board) -> frozenset[str]:
    """The cells of `board` where the variants let the tile drawn be laid."""
    options = state.setup.options
    return may_lie(
        board,
        state.drawn,
        state.setup.suns,
        side_by_side=options["side_by_side"],
        next_to_mark=options["next_to_mark"],
    )


def _boards(state: State, event: Boards) -> Sequence[Ruling]:
    """A whole round at once; the order of placing is not known, so the variants of placing are not checked."""
    awaited(HexesEvent.BOARDS, "draw", state.awaiting)
    if state.drawn:
        refuse("round_begun", HexesRefusal.ROUND_BEGUN())
    players = state.setup.players
    if set(event.boards) != set(players):
        refuse("unknown_player", HexesRefusal.BOARDS_OF_OTHERS())
    boards = {name: event.boards[name] for name in players}
    if any(set(board.values()) != set(boards[players[0]].values()) for board in boards.values()):
        refuse("other_tiles", HexesRefusal.OTHER_TILES())
    state.boards = {name: dict(board) for name, board in boards.items()}
    return [_end_round(state, event.line)]


# --- Stigatalning (counting) ---


def _end_round(state: State, line: int) -> Ruling:
    """Unbroken lines count, with the variants sun and moon lines and the longest of them; rounds add up."""
    setup, options = state.setup, state.setup.options
    items: dict[str, list[dict[str, Any]]] = {}
    best: dict[str, tuple[int, int]] = {}
    for name in setup.players:
        items[name], found = board_items(state.boards[name], setup.suns, options)
        if found is not None:
            best[name] = found
    for name, item in _longest_items(best).items():
        items[name].append(item)
    points = {name: sum([item["points"] for item in items[name]]) for name in setup.players}
    for name in setup.players:
        state.scores[name] += points[name]
    facts = {"round": state.round, "points": points, "items": items}
    words = {"round": state.round, "told": ", ".join([f"{name} {points[name]}" for name in setup.players])}
    _begin_next_round(state)
    return Ruling(line, "round", facts, HexesRuling.ROUND, "IS, Stigatalning", words)


def _longest_items(best: Mapping[str, tuple[int, int]]) -> dict[str, dict[str, Any]]:
    """60 points for the longest line; tied, for the one along the better colour line; still tied, shared equally."""
    longest_of_all = max(best.values(), default=None)
    sharers = [name for name, found in best.items() if found == longest_of_all]
    return {
        name: {
            "kind": "longest",
            "tiles": best[name][0],
            "colour_points": best[name][1],
            "points": LONGEST_BONUS // len(sharers),  # up to six players share 60 without a rest
        }
        for name in sharers
    }


def _begin_next_round(state: State) -> None:
    """The role of the announcer passes to the left; after the rounds agreed on the highest score wins."""
    if state.round == state.setup.options["rounds"]:
        state.awaiting = "nothing"
        return
    state.awaiting = "draw"
    state.round += 1
    state.drawn, state.boards = [], {name: {} for name in state.setup.players}


def _announcer(state: State) -> str:
    players = state.setup.players
    return players[(players.index(state.setup.first) + state.round - 1) % len(players)]


# --- What a page or a program may ask ---


def legal(state: State) -> list[Legal]:
    """What may come next."""
    if state.awaiting == "draw":
        draw = Legal("draw", {"tile": OneOf(tuple(tile for tile in TILES if tile not in state.drawn))}, weight=3)
        return [draw] if state.drawn else [draw, Legal("boards", make=_filled(state.setup.players))]
    legal = []
    for name in state.setup.players:
        if state.awaiting == "place" and name in state.to_place:
            board = state.boards[name]
            allowed = _allowed(state, board) if board else CELLS
            cells = tuple(cell for cell in CELLS if cell in allowed and cell not in board)
            legal.append(Legal("place", {"player": OneOf((name,)), "cell": OneOf(cells)}))
    return legal


def _filled(players: Sequence[str]) -> Callable[[Choose], dict[str, Any]]:
    """Makes boards with the same 19 tiles for everybody."""

    def shuffled(tiles: Sequence[str], choose: Choose) -> list[str]:
        left = list(tiles)
        return [left.pop(choose(range(len(left)))) for _ in CELLS]

    def make(choose: Choose) -> dict[str, Any]:
        tiles = shuffled(TILES, choose)
        return {"boards": {name: dict(zip(CELLS, shuffled(tiles, choose), strict=True)) for name in players}}

    return make


def result(state: State) -> dict[str, Any]:
    """The game's answers: over, winners, scores, state."""
    placing = state.awaiting == "place"
    answers = {
        "awaiting": state.awaiting,
        "round": state.round,
        "announcer": _announcer(state),
        "tile": state.drawn[-1] if placing else None,
        "to_place": [name for name in state.setup.players if placing and name in state.to_place],
        "boards": {name: dict(board) for name, board in state.boards.items()},
        "marks": state.setup.marks,
    }
    return standing(dict(state.scores), state.awaiting == "nothing", answers)


GAME = Game(
    name="hexes",
    title="Dilemma! (Iceland)",
    source="IS",
    players=range(1, 7),
    options=OPTIONS,
    events={
        "draw": Kind(Draw, frozenset({"tile"}), _read_draw, _draw),
        "place": Kind(Place, frozenset({"player", "cell", "tile"}), _read_place, _place),
        "boards": Kind(Boards, frozenset({"boards"}), _read_boards, _boards),
    },
    prepare=prepare,
    legal=legal,
    result=result,
    rulings=HexesRuling,
    house_rules=HexesHouseRule,
    starters=("first",),
)
