"""A board as shapes for a template: on paper, and over its photograph."""

from __future__ import annotations

import math
from typing import Any

import pytest

from arena_cam.web.games.hexes.board_view import PITCH, PLACES, draw_board, draw_photo

ITEM = {"kind": "line", "number": 5, "points": 20, "from": "C1", "to": "C5"}


def board(**more: Any) -> dict[str, Any]:
    return {
        "cells": {},
        "full": False,
        "doubts": {},
        "mended": [],
        "items": [],
        "cells_px": {},
        "size_px": [0, 0],
        **more,
    }


def in_photo(scale: float = 10.0, x: float = 500.0, y: float = 400.0) -> dict[str, tuple[float, float]]:
    return {name: (x + scale * px / PITCH, y + scale * py / PITCH) for name, (px, py) in PLACES.items()}


def test_the_nineteen_cells_lie_about_c3_with_six_neighbours_as_far() -> None:
    assert len(PLACES) == 19
    assert PLACES["C3"] == (0.0, 0.0)
    away = sorted(math.hypot(x, y) for x, y in PLACES.values())
    assert away[1:7] == pytest.approx([away[1]] * 6, rel=0.01)
    assert away[7] > 1.5 * away[1]
    assert all(PLACES[f"A{n}"][0] < PLACES[f"B{n}"][0] < PLACES[f"C{n}"][0] for n in (1, 2, 3))


def test_tiles_doubts_and_what_was_mended_are_in_their_cells() -> None:
    doubt = {"code": "unclear", "params": {}}
    shapes = draw_board(board(cells={"A1": "9-4-7", "C3": "5-8-6"}, doubts={"C3": doubt}, mended=["A1"]))
    cells = {cell.name: cell for cell in shapes.cells}
    assert len(cells) == 19
    assert (cells["A1"].tile, cells["A1"].mended, cells["A1"].doubt) == ("9-4-7", True, None)
    assert (cells["C3"].tile, cells["C3"].mended, cells["C3"].doubt) == ("5-8-6", False, doubt)
    assert cells["B2"].tile is None


def test_only_the_tile_laid_last_is_new_and_none_once_the_board_is_full() -> None:
    cells = {"A1": "9-4-7", "C3": "5-8-6"}
    assert [cell.name for cell in draw_board(board(cells=cells)).cells if cell.is_new] == ["C3"]
    assert not [cell for cell in draw_board(board(cells=cells, full=True)).cells if cell.is_new]
    assert not [cell for cell in draw_board(board()).cells if cell.is_new]


def test_a_line_reaches_beyond_its_cells_and_its_points_stand_before_it() -> None:
    (line,) = draw_board(board(items=[ITEM, {"kind": "longest", "points": 9}])).lines
    assert (line.kind, line.points) == ("5", 20)
    assert line.x1 == line.x2 == 0.0
    assert line.y1 < PLACES["C1"][1]
    assert line.y2 > PLACES["C5"][1]
    assert line.at[1] < line.y1


def test_a_sun_is_a_line_by_its_kind() -> None:
    sun = {"kind": "sun", "points": 7, "from": "A1", "to": "A3"}
    assert draw_board(board(items=[sun])).lines[0].kind == "sun"


@pytest.mark.parametrize(
    "unknown", [{"cells_px": {}, "size_px": [800, 600]}, {"cells_px": in_photo(), "size_px": [0, 600]}]
)
def test_over_a_photograph_whose_cells_are_not_known_nothing_is_drawn(unknown: dict[str, Any]) -> None:
    assert draw_photo(board(**unknown)) is None


def test_over_a_photograph_shapes_lie_where_its_cells_are() -> None:
    shapes = draw_photo(board(cells_px=in_photo(60.0), size_px=[1000, 800], items=[ITEM]))
    assert shapes is not None
    cells = {cell.name: (cell.x, cell.y) for cell in shapes.cells}
    assert cells["C3"] == (500.0, 400.0)
    assert shapes.unit == pytest.approx(math.dist(cells["C3"], cells["C4"]), rel=0.01)
    assert shapes.lines[0].y1 < cells["C1"][1] < cells["C5"][1] < shapes.lines[0].y2


def test_only_the_part_with_the_board_is_shown_and_never_more_than_the_photograph() -> None:
    inner = draw_photo(board(cells_px=in_photo(60.0), size_px=[1000, 800]))
    cut = draw_photo(board(cells_px=in_photo(60.0, 20.0, 30.0), size_px=[90, 70]))
    assert inner is not None
    assert cut is not None
    left, top, width, height = map(float, inner.view_box.split())
    assert left < min(x for x, _ in in_photo(60.0).values())
    assert width < 1000
    assert height < 800
    assert top > 0
    assert list(map(float, cut.view_box.split()))[:2] == [0.0, 0.0]
    assert float(cut.view_box.split()[2]) <= 90
