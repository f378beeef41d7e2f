"""Where a board's print lies, looked for freely or held to an outline that was seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.straight.print_places import PrintPlaces
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings
from vision.boards.scenes import table_picture
from vision.boards.straight_views import SOME, full, photograph, px_from_mm

NO_TILES = np.zeros(19, bool)


@pytest.fixture(scope="module")
def places(prints: SetPrints) -> PrintPlaces:
    corners = prints.corners_mm[0]
    return PrintPlaces(prints, np.array([corners[0] - 8.0, corners[2] + 8.0]))


def off_by_slips() -> np.ndarray:
    """What tiles that have slipped say wrongly of their plane: 3 mm in a corner."""
    return np.array([[1.008, -0.006, 0.8], [0.008, 1.01, -0.9], [4e-5, -3e-5, 1.0]])


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


def test_lines_that_would_be_in_view_are_absent_only_where_they_are_not_seen(
    places: PrintPlaces, prints: SetPrints, tile_set: TileSet
) -> None:
    true, seen = px_from_mm(prints), photograph(tile_set, {}).levels[0]
    faint = np.asarray(seen * 0.1 + 90, np.uint8)  # in a shadow and under a veil
    assert not places.is_absent(Halvings(seen), true, NO_TILES, 0)
    assert not places.is_absent(Halvings(faint), true, NO_TILES, 0)
    assert places.is_absent(Halvings(np.full_like(seen, 90)), true, NO_TILES, 0)
    assert places.is_absent(Halvings(np.asarray(table_picture())), true, NO_TILES, 0)


def test_a_frame_alone_does_not_show_a_boards_lines(places: PrintPlaces, prints: SetPrints, tile_set: TileSet) -> None:
    seen = photograph(tile_set, {}).levels[0].copy()
    inner = transformed(px_from_mm(prints), prints.corners_mm[0] * 0.86)
    cv2.fillConvexPoly(seen, np.asarray(np.round(inner), np.int32), (60, 70, 80))
    assert places.is_absent(Halvings(seen), px_from_mm(prints), NO_TILES, 0)


def test_where_tiles_hide_nearly_all_lines_none_are_missed(
    places: PrintPlaces, prints: SetPrints, tile_set: TileSet
) -> None:
    plain = Halvings(np.full_like(photograph(tile_set, {}).levels[0], 90))
    assert not places.is_absent(plain, px_from_mm(prints), np.ones(19, bool), 0)


def test_a_title_is_met_beneath_a_full_boards_tiles(titled: TileSet) -> None:
    """A sun as large as the title and five times as bright would draw its corner aside."""
    prints = SetPrints(titled)
    corners = prints.corners_mm[0]
    places = PrintPlaces(prints, np.array([corners[0] - 8.0, corners[2] + 8.0]))
    true, tiles_px = px_from_mm(prints), px_from_mm(prints) @ off_by_slips()
    title = corners[:1] + np.array([22.0, 12.0])
    seen = photograph(titled, full(titled))
    moved, alike = places.of_evened(seen, tiles_px, np.ones(19, bool), 0)
    assert alike > 0.7
    assert np.linalg.norm(transformed(tiles_px @ moved, title) - transformed(true, title)) < 3.0  # a millimetre


def test_a_print_beneath_many_tiles_lies_as_their_plane_does(titled: TileSet) -> None:
    """No print shows in the fourth corner: it lies as far aside as slips let it, not as a free homography's noise."""
    prints = SetPrints(titled)
    corners = prints.corners_mm[0]
    places = PrintPlaces(prints, np.array([corners[0] - 8.0, corners[2] + 8.0]))
    true, tiles_px = px_from_mm(prints), px_from_mm(prints) @ off_by_slips()
    moved, alike = places.of_any(photograph(titled, full(titled)), tiles_px, np.ones(19, bool), None)
    assert alike > 0.7
    off = transformed(tiles_px @ moved, corners) - transformed(true, corners)
    assert np.linalg.norm(off, axis=1).max() < 3.0 * 3.0  # millimetres
