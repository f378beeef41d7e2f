"""A full board that is told by what shows between its tiles."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.geometry.homography import transformed
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.printing.hexes.style import Style
from arena_cam.vision.boards.between_tiles import coloured, outlines_of
from arena_cam.vision.boards.placing import PlacedBoard, Placer
from arena_cam.vision.boards.straight.print_places import PrintPlaces
from arena_cam.vision.boards.straight.prints import SetPrints
from vision.boards.straight_views import SOME, full, photograph, px_from_mm

LINES = Style(
    cell_tint=False, cell_names=False, frame_mm=0.0, cell_line_mm=0.9, title="", colours=("red", "blue", "black")
)


@pytest.fixture(scope="module")
def bare_lines(tmp_path_factory: pytest.TempPathFactory) -> TileSet:
    """A set whose boards differ in the ink of their lines alone."""
    return read_tile_set(write_set(tmp_path_factory.mktemp("lines"), LINES))


@pytest.mark.parametrize(("which", "told"), [(0, True), (1, True), (2, False)], ids=["red", "blue", "black"])
def test_lines_between_tiles_tell_whose_board_it_is_but_shadows_look_black(
    bare_lines: TileSet, which: int, told: bool
) -> None:
    placer = Placer(SetPrints(bare_lines))
    placed = placer.place(photograph(bare_lines, full(bare_lines), which), px_from_mm(placer.prints, which))
    assert placed is not None
    assert placed.colour.is_told(placed.print_alike) == told
    assert placed.which == which or not told


def test_a_full_board_whose_print_was_sought_aside_is_told_from_where_its_tiles_are(
    bare_lines: TileSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a sun in one corner is all of the print that is met."""
    aside = np.array([[1.03, 0.0, 4.0], [0.0, 1.03, -5.0], [0.0, 0.0, 1.0]])
    monkeypatch.setattr(PrintPlaces, "of_any", lambda *_: (aside, 0.8))
    placer = Placer(SetPrints(bare_lines))
    true = px_from_mm(placer.prints)
    placed = placer.place(photograph(bare_lines, full(bare_lines)), true)
    assert placed is not None
    assert placed.which == 0
    assert placed.colour.is_told(placed.print_alike)
    corners = placer.prints.corners_mm[0]
    assert transformed(placed.px_from_mm, corners) == pytest.approx(transformed(true, corners), abs=3.0)


def test_the_outline_of_each_tile_lies_where_the_tile_does(prints: SetPrints, plain: PlacedBoard) -> None:
    hexagons = outlines_of(prints, plain.cells)
    assert hexagons.shape == (len(SOME), 6, 2)
    middles = hexagons.mean(axis=1)
    lain = [name in SOME for name in prints.cell_names]
    assert np.linalg.norm(middles - prints.cells_mm[lain] - plain.rest_mm[lain], axis=1).max() < 1.0
    assert np.linalg.norm(hexagons - middles[:, None], axis=2) == pytest.approx(prints.set.width_mm / 2, rel=0.01)


@pytest.mark.parametrize(
    ("ink", "is_coloured"), [((160, 84, 20), True), ((52, 46, 44), False), ((230, 240, 244), False)]
)
def test_ink_that_shadows_look_like_has_no_colour(ink: tuple[int, int, int], is_coloured: bool) -> None:
    paper = np.full((50, 3), (228, 238, 242), np.float32)
    printed = paper.copy()
    printed[:10] = ink
    assert coloured(printed, paper) == is_coloured
