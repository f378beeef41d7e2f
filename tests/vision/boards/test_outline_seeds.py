"""Which way up a board lies within its outline."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.cells.matching import Matcher
from arena_cam.vision.boards.outline_seeds import OutlineSeeds
from arena_cam.vision.boards.straight.print_alignment import print_lumas
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings
from vision.boards.scenes import table_picture
from vision.boards.straight_views import SOME, photograph, px_from_mm


@pytest.fixture(scope="module")
def seeds(prints: SetPrints) -> OutlineSeeds:
    return OutlineSeeds(prints, Matcher(prints), [luma for luma, _ in print_lumas(prints)])


@pytest.mark.parametrize("cells", [SOME, {}], ids=["by tiles", "by print"])
@pytest.mark.parametrize("first", range(4))
def test_the_board_is_turned_as_it_lies(
    seeds: OutlineSeeds, prints: SetPrints, tile_set: TileSet, cells: dict[str, str], first: int
) -> None:
    true = transformed(px_from_mm(prints), prints.corners_mm[0])
    found = seeds.seeds(photograph(tile_set, cells), np.roll(true, first, axis=0))
    assert transformed(found[0].px_from_mm, prints.corners_mm[0]) == pytest.approx(true, abs=1.0)


def test_nothing_is_said_of_an_outline_without_a_board(seeds: OutlineSeeds, prints: SetPrints) -> None:
    where = transformed(px_from_mm(prints), prints.corners_mm[0])
    assert seeds.seeds(Halvings(np.asarray(table_picture())), where) == []
