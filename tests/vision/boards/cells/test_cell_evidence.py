"""A cell looked at closely: what lies in it, how plainly, and how it lies."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.vision.boards.cells.cell_evidence import LEAST_DETAIL, CellEvidence, _is_out, fine_print
from arena_cam.vision.boards.placing import PlacedBoard, Placer
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings
from vision.boards.scenes import Lying
from vision.boards.straight_views import PX_PER_MM, SOME, photograph, picture, px_from_mm


def evidence(placer: Placer, seen: Halvings) -> dict[str, CellEvidence]:
    placed = placer.place(seen, px_from_mm(placer.prints))
    assert placed is not None
    return dict(zip(placer.prints.cell_names, placed.cells, strict=True))


@pytest.fixture(scope="module")
def told(plain: PlacedBoard, prints: SetPrints) -> dict[str, CellEvidence]:
    return dict(zip(prints.cell_names, plain.cells, strict=True))


@pytest.fixture(scope="module")
def odd(placer: Placer, tile_set: TileSet) -> dict[str, CellEvidence]:
    """C3 slipped and turned, D4 the wrong way round, and something bright over half of A1."""
    lying = {"C3": Lying((1.4, -1.0), 4.0), "D4": Lying(turn_deg=180.0)}
    image = photograph(tile_set, SOME, 0, lying).level(0).copy()
    at = placer.prints.cells_mm[placer.prints.cell_names.index("A1")]
    x, y = px_from_mm(placer.prints)[:2, 2] + PX_PER_MM * at
    cv2.circle(image, (int(x), int(y)), 40, (120, 150, 210), -1)
    return evidence(placer, Halvings(image))


def test_tiles_and_empty_cells_are_told_plainly(told: dict[str, CellEvidence], prints: SetPrints) -> None:
    for cell, each in told.items():
        name = None if each.best.tile is None else prints.names[each.best.tile]
        assert name == SOME.get(cell)
        assert each.best.explained > 0.9
        assert each.margin > 0.3
        assert each.visible > 0.8
        assert each.best not in each.rivals


def test_how_a_tile_lies_is_measured(odd: dict[str, CellEvidence], told: dict[str, CellEvidence]) -> None:
    placed = odd["C3"].best.placed
    assert placed.shift_mm - told["C3"].best.placed.shift_mm == pytest.approx([1.4, -1.0], abs=0.8)
    assert np.degrees(placed.turn_rad) == pytest.approx(4.0, abs=1.5)
    assert abs(np.degrees(told["C3"].best.placed.turn_rad)) < 1.0


def test_a_tile_the_wrong_way_round_says_so(odd: dict[str, CellEvidence]) -> None:
    assert odd["D4"].best.turned_deg == 180
    assert odd["C3"].best.turned_deg == 0


def test_what_lies_over_a_cell_is_not_explained(odd: dict[str, CellEvidence], told: dict[str, CellEvidence]) -> None:
    assert odd["A1"].best.explained < 0.8 < told["A1"].best.explained
    assert odd["E3"].best.explained == pytest.approx(told["E3"].best.explained, abs=0.05)


def test_dim_warm_light_changes_no_name(placer: Placer, tile_set: TileSet) -> None:
    image = photograph(tile_set, SOME).level(0) * np.array([0.45, 0.6, 0.75])
    for cell, each in evidence(placer, Halvings(image.astype(np.uint8))).items():
        assert (None if each.best.tile is None else placer.prints.names[each.best.tile]) == SOME.get(cell)


def test_a_plain_thing_on_an_empty_cell_is_not_its_paper(
    placer: Placer, tile_set: TileSet, told: dict[str, CellEvidence]
) -> None:
    image = picture(tile_set, SOME)
    at = placer.prints.cells_mm[placer.prints.cell_names.index("D1")]
    x, y = px_from_mm(placer.prints)[:2, 2] + PX_PER_MM * at
    cv2.circle(image, (int(x), int(y)), round(24 * PX_PER_MM), (40, 70, 140), -1)
    assert told["D1"].best.not_paper < 4.0
    covered = evidence(placer, Halvings(image))["D1"].best
    assert covered.tile is not None or covered.not_paper > 10.0


def test_fine_print_is_seen_in_any_light_and_is_not_where_another_lies() -> None:
    chance = np.random.default_rng(4)
    one, other = (
        np.asarray(cv2.GaussianBlur(chance.uniform(0, 255, (70, 80, 3)), (0, 0), 1.5), np.float32) for _ in "ab"
    )
    mask = np.ones((70, 80), bool)
    shade = np.asarray(np.linspace(0.3, 1.1, 80)[None, :, None], np.float32)
    alike, drawn = fine_print(one, one * shade + 20.0, mask)
    assert alike > 0.9
    assert drawn == pytest.approx(np.sqrt(((one - cv2.blur(one, (11, 11))) ** 2).mean()), rel=0.01)
    assert abs(fine_print(one, other, mask)[0]) < LEAST_DETAIL
    assert abs(fine_print(one, np.full_like(one, 90.0), mask)[0]) < LEAST_DETAIL


def test_the_shadow_of_the_tile_beside_it_leaves_an_empty_cell_plain(placer: Placer, tile_set: TileSet) -> None:
    """A dark strip along the tile of A1, over the cell below it, in sharp light."""
    cells = {"A1": "9-4-7", "C3": "5-3-2", "E2": "1-8-6", "B3": "9-8-2"}
    image = photograph(tile_set, cells).level(0).copy()
    at = placer.prints.cells_mm[placer.prints.cell_names.index("A1")]
    x, y = px_from_mm(placer.prints)[:2, 2] + PX_PER_MM * at
    low, far = y + PX_PER_MM * 17.3, y + PX_PER_MM * 21.5
    strip = image[int(low) : int(far), int(x - 10 * PX_PER_MM) : int(x + 10 * PX_PER_MM)]
    strip[:] = (strip * 0.12).astype(np.uint8)
    told = evidence(placer, Halvings(image))["A2"]
    assert told.best.tile is None
    assert told.best.free is not None
    assert not told.best.free.all()
    assert told.best.strange < 0.3
    assert told.margin > 0.5


def test_a_cell_in_which_a_tile_is_drawn_plainly_is_not_empty_nor_one_of_which_nothing_is_drawn_that_tile(
    told: dict[str, CellEvidence],
) -> None:
    empty = next(each.best for each in told.values() if each.best.tile is None)
    tile = replace(told["A1"].best, detail=0.8)
    assert _is_out(tile, empty)
    assert not _is_out(replace(tile, detail=0.3), empty)
    assert not _is_out(replace(tile, detail=None), empty), "without fine print nothing is said"
    assert not _is_out(tile, replace(tile, detail=0.1)), "two tiles are told apart by their pixels"
    assert _is_out(replace(empty, strange=0.1), replace(tile, is_absent=True))
    assert not _is_out(replace(empty, strange=0.9), replace(tile, is_absent=True))
