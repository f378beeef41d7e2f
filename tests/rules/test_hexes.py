"""The Icelandic game, rule by rule."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.records import Json, refused, score

TILES = [f"{a}-{b}-{c}" for a in (1, 5, 9) for b in (3, 4, 8) for c in (2, 6, 7)]
HEIGHTS = {"A": 3, "B": 4, "C": 5, "D": 4, "E": 3}
CELLS = [f"{column}{row}" for column, height in HEIGHTS.items() for row in range(1, height + 1)]
# Where the middle of a cell is: columns apart by 2, cells of a column apart by 2, columns centred on each other.
PLACE = {cell: (2 * "ABCDE".index(cell[0]), 2 * int(cell[1]) - HEIGHTS[cell[0]]) for cell in CELLS}


def header(players: int = 1, **options: Any) -> Json:
    names = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fay"][:players]
    return {"game": "hexes", "players": [{"name": name} for name in names], "options": options}


def boards(*boards: Json) -> Json:
    return {"type": "boards", "boards": dict(zip(["Anna", "Ben", "Cleo", "Dora", "Emil", "Fay"], boards, strict=False))}


def shuffled(seed: int, tiles: list[str]) -> Json:
    return dict(zip(CELLS, random.Random(seed).sample(tiles, len(CELLS)), strict=True))


def lucky_board(seed: int) -> Json:
    """A board with many unbroken lines: columns of one first number."""
    rng = random.Random(seed)
    columns = dict(zip("ABCDE", [1, 5, 9, rng.choice((1, 5)), rng.choice((5, 9))], strict=True))
    left = rng.sample(TILES, len(TILES))
    board = {}
    for cell in CELLS:
        fitting = [tile for tile in left if int(tile[0]) == columns[cell[0]]]
        board[cell] = (fitting or left)[0]
        left.remove(board[cell])
    return board


def runs() -> list[list[str]]:
    """All straight lines across the board, found from where the cells are and not from a list."""
    lines = []
    for dx, dy in ((0, 2), (2, 1), (2, -1)):
        for cell, (x, y) in PLACE.items():
            line = [cell]
            if (x - dx, y - dy) in PLACE.values():
                continue
            while (x + dx, y + dy) in PLACE.values():
                x, y = x + dx, y + dy
                line.append(next(c for c, at in PLACE.items() if at == (x, y)))
            lines.append((dx, dy, line))
    return [[str([(0, 2), (2, 1), (2, -1)].index((dx, dy))), *line] for dx, dy, line in lines]


def counted_by_hand(board: Json, suns: set[str], shortest: int) -> tuple[set[Any], set[Any]]:
    """(colour lines, mark stretches) as (kind, from, to, points), by trying every part of every line."""
    colour, marks = set(), set()
    for direction, *line in runs():
        numbers = {int(board[cell].split("-")[int(direction)]) for cell in line}
        if len(numbers) == 1:
            colour.add(("colour", line[0], line[-1], numbers.pop() * len(line)))
        for i in range(len(line)):
            for j in range(i + shortest, len(line) + 1):
                part = [board[cell] in suns for cell in line[i:j]]
                around = [board[cell] in suns for cell in line[max(0, i - 1) : i] + line[j : j + 1]]
                if len(set(part)) == 1 and part[0] not in around:
                    kind, each = ("sun", 7) if part[0] else ("moon", 6)
                    marks.add((kind, line[i], line[j - 1], each * len(part)))
    return colour, marks


@pytest.mark.parametrize("shortest", [3, 2])
@pytest.mark.parametrize("seed", range(25))
def test_a_board_counts_as_counting_by_hand_says(seed: int, shortest: int) -> None:
    board = lucky_board(seed)
    suns = set(random.Random(seed).sample(TILES, 13))
    head = {**header(mark_lines=True, mark_line_min=shortest), "suns": sorted(suns)}
    (ruling,) = score(head, boards(board))["rulings"]
    items = {(item["kind"], item["from"], item["to"], item["points"]) for item in ruling["items"]["Anna"]}
    colour, marks = counted_by_hand(board, suns, shortest)
    assert items == colour | marks
    assert len(colour) >= 3
    assert ruling["points"]["Anna"] == sum(item[3] for item in items)


def test_without_suns_the_even_sums_bear_them() -> None:
    board = lucky_board(1)
    even = {tile for tile in TILES if sum(map(int, tile.split("-"))) % 2 == 0}
    assert len(even) == 12
    by_default = score(header(mark_lines=True), boards(board))
    told = score({**header(mark_lines=True), "suns": sorted(even)}, boards(board))
    assert by_default["scores"] == told["scores"]
    assert (by_default["state"]["marks"], told["state"]["marks"]) == ("default", "header")
    for wrong in (["1-3-2", "1-3-2"], ["2-3-1"], [7], "1-3-2"):
        assert refused({**header(), "suns": wrong}, boards(board)) == 1


def longest_of(result: Json) -> dict[str, Any]:
    items = result["rulings"][0]["items"]
    return {name: item for name in items for item in items[name] if item["kind"] == "longest"}


def longest_by_hand(board: Json, suns: set[str], beside: bool) -> tuple[int, int] | None:
    """(tiles, points of the colour line) of the best mark line, from where the cells are."""
    best = []
    lines = runs()
    steps = [(0, 2), (2, 1), (2, -1)]

    def offset(line: list[str]) -> int:  # the same for all cells of a line, 4 apart for neighbouring rows
        (dx, dy), (x, y) = steps[int(line[0])], PLACE[line[1]]
        return x * dy - y * dx

    for line in lines:
        for i in range(1, len(line)):
            for j in range(i + 3, len(line) + 1):
                if len({board[cell] in suns for cell in line[i:j]}) > 1:
                    continue
                for other in lines:
                    away = abs(offset(other) - offset(line))
                    numbers = {board[cell].split("-")[int(line[0])] for cell in other[1:]}
                    if other[0] == line[0] and away == (4 if beside else 0) and len(numbers) == 1:
                        best.append((j - i, int(numbers.pop()) * len(other[1:])))
    return max(best, default=None)


@pytest.mark.parametrize("way", ["along", "beside"])
@pytest.mark.parametrize("seed", range(12))
def test_the_longest_line_is_worth_60_to_the_best_or_shared(seed: int, way: str) -> None:
    names = ["Anna", "Ben", "Cleo"]
    tiles = list(lucky_board(seed).values())
    straight = lucky_board(seed)
    crooked = dict(zip(CELLS, random.Random(seed).sample(tiles, len(tiles)), strict=True))
    suns = set(random.Random(seed + 100).sample(TILES, 10))
    result = score({**header(3, longest_line=way), "suns": sorted(suns)}, boards(straight, crooked, straight))
    by_hand = [longest_by_hand(board, suns, way == "beside") for board in (straight, crooked, straight)]
    best = max((found for found in by_hand if found), default=None)
    sharers = [name for name, found in zip(names, by_hand, strict=True) if found and found == best]
    expected = {
        name: {"kind": "longest", "tiles": best[0], "colour_points": best[1], "points": 60 // len(sharers)}
        for name in sharers
        if best
    }
    assert longest_of(result) == expected


def test_the_longest_line_counts_only_if_it_is_played_for() -> None:
    board = lucky_board(2)
    assert longest_of(score(header(mark_lines=True), boards(board))) == {}


def draw(tile: str) -> Json:
    return {"type": "draw", "tile": tile}


def place(player: str, cell: str, **more: Any) -> Json:
    return {"type": "place", "player": player, "cell": cell, **more}


def test_everybody_lays_the_tile_before_the_next_draw() -> None:
    state = score(header(2), draw("1-3-2"), place("Ben", "C3"))["state"]
    assert (state["tile"], state["to_place"], state["announcer"]) == ("1-3-2", ["Anna"], "Anna")
    both = [draw("1-3-2"), place("Ben", "C3"), place("Anna", "C3", tile="1-3-2")]
    assert refused(header(2), *both, draw("1-3-6")) == 0
    for wrong in (
        draw("1-3-2"),
        draw("1-3-3"),
        place("Anna", "A1"),
        boards(shuffled(1, TILES), shuffled(1, TILES)),
    ):
        assert refused(header(2), *both, wrong) == 5
    for wrong in (
        draw("1-3-6"),
        place("Ben", "A1"),
        place("Zoe", "A1"),
        place("Anna", "C6"),
        place("Anna", "A1", tile="1-3-6"),
    ):
        assert refused(header(2), *both[:2], wrong) == 4
    assert refused(header(2), *both, draw("1-3-6"), place("Anna", "C3")) == 6, "a tile lies there"


def test_side_by_side_each_tile_touches_another() -> None:
    begun = [draw("1-3-2"), place("Anna", "C3"), draw("1-3-6")]
    for cell in CELLS:
        near = abs(PLACE[cell][0] - 4) <= 2 and abs(PLACE[cell][1] - 1) <= 2 and cell != "C3"
        allowed = near and (PLACE[cell][0] != 4 or abs(PLACE[cell][1] - 1) == 2)
        allowed = allowed and (PLACE[cell][0] == 4 or abs(PLACE[cell][1] - 1) == 1)
        assert (refused(header(side_by_side=True), *begun, place("Anna", cell)) == 0) == allowed, cell


def test_next_to_mark_binds_tiles_of_the_same_mark_while_there_is_room() -> None:
    head = {**header(next_to_mark=True), "suns": ["1-3-2", "1-3-6", "1-3-7", "9-3-2"]}
    first = [draw("1-3-2"), place("Anna", "A1")]
    assert refused(head, *first, draw("1-3-6"), place("Anna", "E3")) == 5
    assert refused(head, *first, draw("1-3-6"), place("Anna", "A2")) == 0
    assert refused(head, *first, draw("5-3-7"), place("Anna", "E3")) == 0, "another mark goes anywhere"
    # moons beside each other close A1 in; a sun drawn just after the sun on A1 then goes anywhere
    moons = [("5-3-2", "A2"), ("5-3-6", "B2"), ("5-4-2", "B1")]
    closed = [event for tile, cell in moons for event in (draw(tile), place("Anna", cell))]
    sun_in_the_corner = [draw("1-3-2"), place("Anna", "A1"), draw("1-3-6"), place("Anna", "E3")]
    assert refused(head, *closed, *sun_in_the_corner) == 0


def test_boards_are_whole_and_alike() -> None:
    good = shuffled(1, TILES)
    same = shuffled(2, list(good.values()))
    assert refused(header(2), boards(good, same)) == 0
    for wrong in (
        boards(good),
        boards(good, same, good),
        boards(good, shuffled(3, TILES)),
        boards(good, {**same, "A1": same["A2"]}),
        boards(good, {**same, "A1": None}),
        boards(good, {**same, "A4": "1-3-2"}),
        boards(good, {**same, "A1": "1-1-1"}),
        boards(good, ["A1"]),  # type: ignore[arg-type]  # what a careless program writes
        {"type": "boards"},
    ):
        assert refused(header(2), wrong) == 2


def test_rounds_add_up_and_the_announcer_passes_to_the_left() -> None:
    board = lucky_board(3)
    once = score(header(3), boards(board, board, board))
    assert (once["over"], once["state"]["announcer"], once["winners"]) == (True, "Anna", ["Anna", "Ben", "Cleo"])
    assert once["state"]["boards"]["Ben"] == board
    twice = score({**header(3, rounds=3), "first": "Cleo"}, *[boards(board, board, board)] * 2)
    assert (twice["over"], twice["state"]["announcer"], twice["state"]["round"]) == (False, "Ben", 3)
    assert twice["state"]["boards"] == {"Anna": {}, "Ben": {}, "Cleo": {}}
    assert twice["scores"]["Anna"] == 2 * once["scores"]["Anna"]
