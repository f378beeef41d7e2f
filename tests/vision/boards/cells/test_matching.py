"""The first look at a cell: which tile lies about where."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.vision.boards.cells.matching import CellMatch, Matcher
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import StraightBoard
from vision.boards.scenes import Lying
from vision.boards.straight_views import SOME, photograph, px_from_mm


@pytest.fixture(scope="module")
def matcher(prints: SetPrints) -> Matcher:
    return Matcher(prints)


def look(tile_set: TileSet, prints: SetPrints, matcher: Matcher, cell: str, lying: Lying | None = None) -> CellMatch:
    """At a cell of a board on which those of SOME lie that matter."""
    cells = {there: SOME[there] for there in {cell, "C3"} & set(SOME)}
    seen = photograph(tile_set, cells, 0, {} if lying is None else {cell: lying})
    corners = np.array([prints.corners_mm[0, 0] - 10.0, prints.corners_mm[0, 2] + 10.0])
    board = seen.straight(px_from_mm(prints), corners, 1.0)
    return matcher.match(board, prints.cells_mm[prints.cell_names.index(cell)])


@pytest.mark.parametrize("cell", ["A1", "C3", "E3"])
def test_the_tile_that_lies_there_is_most_alike(
    tile_set: TileSet, prints: SetPrints, matcher: Matcher, cell: str
) -> None:
    match = look(tile_set, prints, matcher, cell)
    assert prints.names[match.best] == SOME[cell]
    assert match.alike.shape == (len(prints.names),)
    assert match.alike[match.best] > 0.85
    assert match.shift_mm == pytest.approx([0.0, 0.0], abs=0.8)
    assert match.turned_alike < match.alike[match.best]


@pytest.mark.parametrize("shift", [(3.0, 0.0), (-2.0, 4.0)])
def test_a_tile_that_slipped_is_found_where_it_lies(
    tile_set: TileSet, prints: SetPrints, matcher: Matcher, shift: tuple[float, float]
) -> None:
    match = look(tile_set, prints, matcher, "C3", Lying(shift))
    assert prints.names[match.best] == SOME["C3"]
    assert match.shift_mm == pytest.approx(shift, abs=0.8)


@pytest.mark.parametrize("turn", [60, 180, -120])
def test_a_tile_laid_the_wrong_way_round_is_told_with_its_turn(
    tile_set: TileSet, prints: SetPrints, matcher: Matcher, turn: int
) -> None:
    match = look(tile_set, prints, matcher, "C3", Lying(turn_deg=turn))
    assert match.turned_alike > match.alike.max()
    assert (prints.names[match.turned[0]], match.turned[1]) == (SOME["C3"], turn)


def test_a_turned_tile_is_found_where_no_tile_lies_upright(
    tile_set: TileSet, prints: SetPrints, matcher: Matcher
) -> None:
    """What upright tiles are likest by chance may lie millimetres from where it is."""
    pale = photograph(tile_set, SOME, 0, {"C3": Lying((2.0, -2.0), turn_deg=180)})
    corners = np.array([prints.corners_mm[0, 0] - 10.0, prints.corners_mm[0, 2] + 10.0])
    board = pale.straight(px_from_mm(prints), corners, 1.0)
    match = matcher.match(board, prints.cells_mm[prints.cell_names.index("C3")], 3)
    assert match.turned == (prints.names.index(SOME["C3"]), 180)
    assert match.turned_alike > 0.8


def test_an_empty_cell_is_like_no_tile(tile_set: TileSet, prints: SetPrints, matcher: Matcher) -> None:
    assert look(tile_set, prints, matcher, "B3").alike.max() < 0.6


def test_beyond_the_picture_its_border_goes_on(matcher: Matcher) -> None:
    """A cell that the picture cuts is compared as one of a picture whose border pixels were repeated."""
    pixels = np.random.default_rng(5).uniform(0, 255, (60, 50, 3)).astype(np.float32)
    wider = np.pad(pixels, ((40, 40), (40, 40), (0, 0)), mode="edge")
    cut, whole = (
        matcher.match(
            StraightBoard(each, np.ones(each.shape[:2], bool), np.full(2, origin), 1.0), np.array([6.0, 50.0])
        )
        for each, origin in ((pixels, 0.0), (wider, -40.0))
    )
    assert cut.alike == pytest.approx(whole.alike, abs=1e-5)
    assert cut.turned == whole.turned
