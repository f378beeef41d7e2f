"""Which way up a board lies within its outline."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.cells.matching import Matcher
from arena_cam.vision.boards.outline_seeds import OutlineSeeds, frame_mm
from arena_cam.vision.boards.seeds import Seed
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


def test_the_inner_border_of_a_frame_may_be_what_was_seen(seeds: OutlineSeeds, prints: SetPrints) -> None:
    """The set's frame is 5 mm wide."""
    true = px_from_mm(prints)
    seen = transformed(true, prints.corners_mm[0] + 5.0 * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]))
    wrong = np.asarray(cv2.getPerspectiveTransform(prints.corners_mm[0].astype(np.float32), seen.astype(np.float32)))
    mended = seeds.as_inner_border(Seed(wrong.astype(np.float64), 0))
    assert mended is not None
    off = transformed(mended.px_from_mm, prints.corners_mm[0]) - transformed(true, prints.corners_mm[0])
    assert np.abs(off).max() < 3.0  # a millimetre


def test_a_board_without_a_frame_has_no_inner_border() -> None:
    image = np.full((200, 180, 3), 220, np.float32)
    assert frame_mm(image, 1.0) is None
    image[40:60, 30:90] = 30
    assert frame_mm(image, 1.0) is None, "a mark is no frame"
    image[:7], image[-7:], image[:, :7], image[:, -7:] = 60, 60, 60, 60
    assert frame_mm(image, 1.0) == pytest.approx(7.0)
