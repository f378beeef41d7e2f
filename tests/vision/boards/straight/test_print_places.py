"""Where a board's print lies, looked for freely or held to an outline that was seen."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.straight.print_places import PrintPlaces
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings
from vision.boards.scenes import table_picture
from vision.boards.straight_views import SOME, photograph, px_from_mm

NO_TILES = np.zeros(19, bool)


@pytest.fixture(scope="module")
def places(prints: SetPrints) -> PrintPlaces:
    corners = prints.corners_mm[0]
    return PrintPlaces(prints, np.array([corners[0] - 8.0, corners[2] + 8.0]))


def filled(prints: SetPrints) -> np.ndarray:
    return np.array([name in SOME for name in prints.cell_names])


def aside(x_mm: float, y_mm: float) -> np.ndarray:
    out = np.eye(3)
    out[:2, 2] = (x_mm, y_mm)
    return out


@pytest.mark.parametrize("outlined", [False, True])
def test_a_place_that_is_wrong_by_two_millimetres_is_mended(
    places: PrintPlaces, prints: SetPrints, tile_set: TileSet, outlined: bool
) -> None:
    true = px_from_mm(prints)
    outline = aside(-0.5, 0.3) if outlined else None
    moved, alike = places.of_any(photograph(tile_set, SOME), true @ aside(1.2, -1.6), filled(prints), outline)
    where = transformed(true @ aside(1.2, -1.6) @ moved, prints.corners_mm[0])
    assert where == pytest.approx(transformed(true, prints.corners_mm[0]), abs=2.0)
    assert alike > 0.6


def test_where_no_print_is_seen_the_outline_stays(places: PrintPlaces, prints: SetPrints) -> None:
    table = Halvings(np.asarray(table_picture()))
    moved, alike = places.of_any(table, px_from_mm(prints), NO_TILES, aside(1.0, 0.0))
    assert alike < 0.25
    assert moved == pytest.approx(aside(1.0, 0.0))


def test_a_print_is_there_or_not(places: PrintPlaces, prints: SetPrints, tile_set: TileSet) -> None:
    assert places.is_there(photograph(tile_set, {}), px_from_mm(prints))
    assert not places.is_there(Halvings(np.asarray(table_picture())), px_from_mm(prints))
