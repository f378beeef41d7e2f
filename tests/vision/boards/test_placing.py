"""A board placed where keypoints spoke for it: moved to where its tiles are, told from the set's other boards."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.between_tiles import BetweenTiles
from arena_cam.vision.boards.placing import PlacedBoard, Placer, _plane, perspective, slowly_changing
from arena_cam.vision.boards.straight.print_places import PrintPlaces
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings
from vision.boards.scenes import table_picture
from vision.boards.straight_views import SOME, full, photograph, px_from_mm


def moved(homography: np.ndarray, x_mm: float, y_mm: float, turn_deg: float = 0.0) -> np.ndarray:
    """The place of a board that is thought to lie elsewhere."""
    a = np.radians(turn_deg)
    shift = np.array([[np.cos(a), -np.sin(a), x_mm], [np.sin(a), np.cos(a), y_mm], [0.0, 0.0, 1.0]])
    return np.asarray(homography @ shift)


def test_a_board_some_millimetres_off_is_brought_to_its_place(placer: Placer, tile_set: TileSet) -> None:
    true = px_from_mm(placer.prints, 1)
    placed = placer.place(photograph(tile_set, SOME, 1), moved(true, 2.5, -2.0, 0.5))
    assert placed is not None
    assert placed.which == 1
    where = [placer.prints.cell_names.index(cell) for cell in SOME]
    tiles = placer.prints.cells_mm[where]
    off = transformed(placed.px_from_mm, tiles + placed.rest_mm[where]) - transformed(true, tiles)
    assert np.abs(off).max() < 3.0  # a millimetre
    assert placed.print_alike > 0.5
    assert not placed.hidden.any()


def test_a_full_board_whose_frames_inner_border_was_seen_is_brought_to_its_size(
    placer: Placer, tile_set: TileSet
) -> None:
    """Its tiles lie up to 4 mm from where that border says; nearly all of them say so."""
    true, cells = px_from_mm(placer.prints), full(tile_set)
    placed = placer.place(photograph(tile_set, cells), true @ np.diag([0.95, 0.95, 1.0]))
    assert placed is not None
    tiles = [None if each.best.tile is None else placer.prints.names[each.best.tile] for each in placed.cells]
    assert dict(zip(placer.prints.cell_names, tiles, strict=True)) == cells
    off = transformed(placed.px_from_mm, placer.prints.cells_mm) - transformed(true, placer.prints.cells_mm)
    assert np.abs(off + placed.rest_mm).max() < 3.0  # a millimetre


@pytest.mark.parametrize(("met", "told"), [(True, True), (False, False)], ids=["own print", "that aside, too"])
def test_a_full_board_is_told_where_its_own_title_is_met(
    titled: TileSet, monkeypatch: pytest.MonkeyPatch, met: bool, told: bool
) -> None:
    """The print of all boards together was met by its sun alone: the title is 4 mm aside."""
    aside = np.array([[1.03, 0.0, 4.0], [0.0, 1.03, -5.0], [0.0, 0.0, 1.0]])
    monkeypatch.setattr(PrintPlaces, "of_any", lambda *_: (aside, 0.8))
    monkeypatch.setattr(BetweenTiles, "told", lambda *_: None)
    if not met:
        monkeypatch.setattr(PrintPlaces, "of_evened", lambda *_: (aside, 0.8))
    placer = Placer(SetPrints(titled))
    true = px_from_mm(placer.prints)
    placed = placer.place(photograph(titled, full(titled)), true)
    assert placed is not None
    assert placed.colour.is_told(placed.print_alike) == told
    if told:
        assert placed.which == 0
        corners = placer.prints.corners_mm[0]
        assert transformed(placed.px_from_mm, corners) == pytest.approx(transformed(true, corners), abs=3.0)


def test_tiles_on_one_side_do_not_say_how_large_a_board_is() -> None:
    at = np.array([[x, y] for x in (40.0, 60.0, 80.0) for y in (-40.0, 0.0, 40.0)])
    assert _plane(at, 0.06 * at) is None
    every = np.array([[x, y] for x in (-80.0, -40.0, 0.0, 40.0, 80.0) for y in (-40.0, 0.0, 40.0)])
    fitted = _plane(every, 0.06 * every)
    assert fitted is not None
    assert np.allclose(fitted[:2, :2], 1.06 * np.eye(2), atol=1e-3)


def test_a_few_tiles_tell_a_shift_that_changes_slowly_whatever_one_of_them_says() -> None:
    cells = np.array([[x, y] for x in (-80.0, 0.0, 80.0) for y in (-60.0, 0.0, 60.0)])
    true = np.array([2.0, -1.0]) + cells * [0.02, 0.0]
    good = np.zeros(len(cells), bool)
    good[[0, 2, 5, 6]] = True
    assert np.abs(slowly_changing(cells, good, true[good]) - true).max() < 0.6
    said = true[good].copy()
    said[1] += [6.0, 5.0]
    assert np.abs(slowly_changing(cells, good, said) - true).max() < 1.6
    one = np.zeros(len(cells), bool)
    one[0] = True
    assert np.allclose(slowly_changing(cells, one, true[one]), true[0], atol=0.05), "one tile tells a shift"


def test_what_lies_in_each_cell_is_told_from_the_empty_board(plain: PlacedBoard, prints: SetPrints) -> None:
    names = [None if cell.best.tile is None else prints.names[cell.best.tile] for cell in plain.cells]
    assert {cell: tile for cell, tile in zip(prints.cell_names, names, strict=True) if tile} == SOME
    assert len(plain.tiles_alike) == len(SOME)
    assert min(plain.tiles_alike) > 0.7


def test_cells_beyond_the_photograph_are_hidden(placer: Placer, tile_set: TileSet) -> None:
    whole = photograph(tile_set, SOME).level(0)
    placed = placer.place(Halvings(np.ascontiguousarray(whole[:, :620])), px_from_mm(placer.prints))
    assert placed is not None
    right = placer.prints.cells_mm[:, 0] > 30.0
    assert placed.hidden[right].min() > 0.9
    assert placed.hidden[placer.prints.cells_mm[:, 0] < -30.0].max() < 0.1


def test_a_bare_table_is_unlike_every_print(placer: Placer) -> None:
    placed = placer.place(Halvings(table_picture()), px_from_mm(placer.prints))
    assert placed is None or placed.print_alike < 0.3


def test_many_tiles_tell_at_which_slant_a_board_is_seen() -> None:
    at = np.random.default_rng(2).uniform(-80, 80, (15, 2))
    slanted = np.array([[1.01, -0.004, 0.6], [0.006, 0.99, -0.9], [0.00012, -0.00008, 1.0]])
    shifts = transformed(slanted, at) - at
    slips = np.random.default_rng(3).normal(0, 0.2, shifts.shape)
    slips[4] = (9.0, -6.0)
    fitted = perspective(at, shifts + slips)
    ends = np.array([[-80.0, -80.0], [80.0, -80.0], [80.0, 80.0], [-80.0, 80.0]])
    assert np.abs(ends - transformed(slanted, ends)).max() > 1.8
    assert np.abs(transformed(fitted, ends) - transformed(slanted, ends)).max() < 0.9
