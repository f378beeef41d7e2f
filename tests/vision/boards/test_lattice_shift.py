"""Which place of a lattice is the board's middle, where few tiles leave several open."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.vision.boards.cells.matching import Matcher
from arena_cam.vision.boards.lattice_shift import LatticeShift
from arena_cam.vision.boards.seeds import Seed
from arena_cam.vision.boards.straight.print_alignment import print_lumas
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings
from vision.boards.scenes import PX_MM, flat_board


@pytest.fixture(scope="module")
def prints(tile_set: TileSet) -> SetPrints:
    return SetPrints(tile_set)


def seed(prints: SetPrints, middle: str) -> Seed:
    """A board photographed from straight above whose middle cell is taken to be `middle`."""
    at = prints.cells_mm[prints.cell_names.index(middle)] - prints.corners_mm[0][0]
    return Seed(np.array([[PX_MM, 0, at[0] * PX_MM], [0, PX_MM, at[1] * PX_MM], [0, 0, 1.0]]), 5)


@pytest.mark.parametrize("cells", [{"C3": "9-4-7", "B2": "1-3-2"}, {"C3": "5-8-6", "C4": "9-8-2", "D3": "1-4-6"}])
def test_the_print_tells_where_the_middle_is(prints: SetPrints, tile_set: TileSet, cells: dict[str, str]) -> None:
    picture = Halvings(flat_board(tile_set, 0, cells))
    shift = LatticeShift(prints, Matcher(prints), [luma for luma, _ in print_lumas(prints)])
    ranked = shift.ranked(picture, [seed(prints, middle) for middle in ("C2", "D3", "C3", "B3")])
    assert ranked[0].px_from_mm == pytest.approx(seed(prints, "C3").px_from_mm, abs=0.5)
    assert ranked[0].votes == len(cells)


def test_tiles_beyond_the_board_rule_a_place_out(prints: SetPrints, tile_set: TileSet) -> None:
    picture = Halvings(flat_board(tile_set, 0, {"A1": "9-4-7", "E3": "1-3-2"}))
    shift = LatticeShift(prints, Matcher(prints), [luma for luma, _ in print_lumas(prints)])
    ranked = shift.ranked(picture, [seed(prints, "D2"), seed(prints, "C3")])
    assert len(ranked) == 1
    assert [prints.cell_names[k] for k in np.flatnonzero(ranked[0].filled)] == ["A1", "E3"]
