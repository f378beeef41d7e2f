"""A face cut into tiles: which of them a picture shows, under light, shade and what covers them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.face_tiles import FaceTiles, cut_face, shown_tiles
from vision.small import HEIGHT_MM, WIDTH_MM, small_deck

ROWS, COLUMNS = 11, 7  # of 8 mm on a card of 63 x 88 mm


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck")))


@pytest.fixture(scope="module")
def tiles(faces: DeckFaces) -> FaceTiles:
    return cut_face(faces, 0, 1.0)


def printed(tiles: FaceTiles) -> np.ndarray:
    """The face's own grey values at the tiles' points."""
    return np.array(tiles.light[0])


def test_the_whole_card_is_cut(tiles: FaceTiles) -> None:
    assert tiles.shape == (ROWS, COLUMNS)
    assert tiles.full.sum() == tiles.tile.size
    assert (tiles.full > 0).all()
    first = tiles.places[:, tiles.tile == 0]
    assert (first[0] < -WIDTH_MM / 2 + 9).all()
    assert (first[1] > HEIGHT_MM / 2 - 8.5).all()


def test_nothing_in_view_shows_nothing(tiles: FaceTiles) -> None:
    nats, shown, enough = shown_tiles(tiles, printed(tiles), np.zeros(tiles.tile.size, bool))
    assert not shown.any()
    assert not enough.any()
    assert not nats.any()


@pytest.mark.parametrize(("gain", "offset"), [(1.0, 0.0), (0.5, 30.0), (1.3, -20.0)])
def test_the_face_is_shown_in_any_even_light(tiles: FaceTiles, gain: float, offset: float) -> None:
    nats, shown, enough = shown_tiles(tiles, gain * printed(tiles) + offset, None)
    assert shown.all()
    assert enough.all()
    assert nats.sum() > 100


def test_light_that_falls_off_over_the_card_is_light(tiles: FaceTiles) -> None:
    falling = 1.0 + 0.3 * tiles.places[0] / WIDTH_MM
    assert shown_tiles(tiles, falling * printed(tiles), None)[1].mean() > 0.95


def test_a_haze_that_is_curved_over_the_card_is_light(tiles: FaceTiles) -> None:
    """A dull print under a lamp's reflection: the haze varies by more than the print does."""
    x, y = tiles.places[0] / WIDTH_MM, tiles.places[1] / HEIGHT_MM
    haze = 120.0 - 60.0 * (x + 0.1) ** 2 - 40.0 * y**2
    nats, shown, _ = shown_tiles(tiles, 0.15 * printed(tiles) + haze, None)
    assert shown.mean() > 0.95
    assert nats.sum() > 50


def test_no_haze_makes_another_face_of_it_or_of_a_sliver(faces: DeckFaces, tiles: FaceTiles) -> None:
    x = tiles.places[0] / WIDTH_MM
    other = 0.5 * printed(cut_face(faces, 1, 1.0)) + 80.0 - 60.0 * x**2
    assert shown_tiles(tiles, other, None)[0].sum() < 0
    sliver = tiles.tile // COLUMNS < 3  # of so little any surface is a haze
    straight = shown_tiles(tiles, 0.3 * printed(tiles) + 100.0, sliver)
    bent = shown_tiles(tiles, 0.3 * printed(tiles) + 100.0 - 300.0 * x**2, sliver)
    assert bent[0].sum() < 0.5 * straight[0].sum()


def test_another_face_is_not_shown(faces: DeckFaces, tiles: FaceTiles) -> None:
    nats, shown, _ = shown_tiles(tiles, printed(cut_face(faces, 1, 1.0)), None)
    assert shown.mean() < 0.3
    assert nats.sum() < 0


@pytest.mark.parametrize("covered_rows", [1, 3, 5])
def test_a_face_under_a_hand_keeps_the_tiles_that_show(tiles: FaceTiles, covered_rows: int) -> None:
    """Up to nearly half of the card: an even hand lies over its lower rows."""
    row = tiles.tile // COLUMNS
    seen = np.where(row < ROWS - covered_rows, printed(tiles), 140.0)
    _, shown, enough = shown_tiles(tiles, seen, None)
    assert enough.all()
    assert shown[: ROWS - covered_rows].mean() > 0.9
    assert shown[ROWS - covered_rows :].mean() < 0.25


def test_the_edge_of_a_shadow_costs_some_nats_and_no_tiles(tiles: FaceTiles) -> None:
    shade = np.where(tiles.tile % COLUMNS < 2, 0.5, 1.0)
    bright, dark = (shown_tiles(tiles, factor * printed(tiles), None) for factor in (np.ones_like(shade), shade))
    assert dark[1].mean() > 0.85
    assert dark[0].sum() < bright[0].sum()


def test_a_tile_of_which_too_little_is_in_view_has_no_say(tiles: FaceTiles) -> None:
    rng = np.random.default_rng(0)
    good = (tiles.tile != 10) | (rng.random(tiles.tile.size) < 0.1)
    nats, _, enough = shown_tiles(tiles, printed(tiles), good)
    assert not enough.ravel()[10]
    assert nats.ravel()[10] == 0.0
    assert enough.sum() == ROWS * COLUMNS - 1


def test_tiles_without_print_never_speak_for_a_face(tmp_path: Path) -> None:
    blank = DeckFaces(small_deck(tmp_path, [np.full((352, 252, 3), 230, np.uint8)]))
    tiles = cut_face(blank, 0, 1.0)
    assert tiles.even.all()
    nats, shown, _ = shown_tiles(tiles, np.full(tiles.tile.size, 200.0), None)
    assert shown.all()
    assert abs(nats.max()) < 1e-9


@pytest.mark.parametrize(
    ("covered", "edge", "shown_"), [(True, 0.5, True), (False, 0.5, False), (True, 1.5, False), (True, 0.1, False)]
)
def test_bare_paper_beside_what_covers_it_may_lie_in_its_shade(
    tmp_path: Path, covered: bool, edge: float, shown_: bool
) -> None:
    """Away from it, or brighter than the paper, or as dark as no shade is, a strip is something else."""
    blank = DeckFaces(small_deck(tmp_path, [np.full((352, 252, 3), 230, np.uint8)]))
    tiles = cut_face(blank, 0, 1.0)
    into_mm = tiles.places[0] + 0.3  # the strip begins inside the middle column of tiles, and ends with it
    seen = np.where((into_mm > 0.0) & (into_mm < 4.8), edge * 160.0, 160.0)
    nats, shown, enough = shown_tiles(tiles, seen, into_mm > 0.0 if covered else None)
    middle = enough[:, COLUMNS // 2]
    assert middle.all()
    assert shown[:, COLUMNS // 2].all() == shown_
    assert nats.max() <= 0.0
