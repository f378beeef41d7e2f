"""Where boards may lie: keypoints that agree on a homography, among many that do not."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.seeds import Lattice, board_seeds, plausible
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.printed.keypoints import Matches

SLANTED = np.array([[2.4, -0.9, 500.0], [0.8, 2.2, 400.0], [0.0006, 0.0004, 1.0]])
RANDOM_PX = (1000.0, 800.0)


def jacobian(homography: np.ndarray, mm: np.ndarray) -> np.ndarray:
    """Pixels per millimetre (N, 2, 2) at places (N, 2)."""
    steps = [transformed(homography, mm + step) - transformed(homography, mm) for step in ([0.1, 0], [0, 0.1])]
    return np.stack(steps, axis=2) / 0.1


def matches_of(homography: np.ndarray, mm: np.ndarray, on_board: np.ndarray, strangers: int, seed: int = 0) -> Matches:
    """Keypoints at `mm` (N, 2) of a print, seen where they lie `on_board` (N, 2), good to half a pixel and some
    degrees; and as many strangers as are wanted, anywhere and any way."""
    random = np.random.default_rng(seed)
    count = len(mm) + strangers
    px = np.concatenate([transformed(homography, on_board), random.uniform(0, RANDOM_PX, (strangers, 2))])
    affine = np.concatenate([jacobian(homography, on_board), random.normal(0, 2.5, (strangers, 2, 2))])
    turn = np.radians(random.normal(0, 4.0, count))
    wobble = np.stack([np.cos(turn), -np.sin(turn), np.sin(turn), np.cos(turn)], axis=1).reshape(-1, 2, 2)
    affine = affine @ wobble * np.exp(random.normal(0, 0.05, count))[:, None, None]
    places = np.concatenate([mm, random.uniform(-80, 80, (strangers, 2))])
    alike = random.uniform(0.83, 1.0, count).astype(np.float32)
    return Matches.of(places, px + random.normal(0, 0.5, px.shape), affine, np.arange(count), alike)


@pytest.mark.parametrize("strangers", [0, 60, 200])
def test_a_board_s_place_is_found_among_strangers(strangers: int) -> None:
    mm = np.random.default_rng(1).uniform(-90, 90, (60, 2))
    best = board_seeds(matches_of(SLANTED, mm, mm, strangers))[0]
    corners = np.array([[-90.0, -90.0], [90.0, -90.0], [90.0, 90.0], [-90.0, 90.0]])
    assert np.abs(transformed(best.px_from_mm, corners) - transformed(SLANTED, corners)).max() < 6.0
    assert best.votes > 40


def test_two_boards_are_two_places() -> None:
    mm = np.random.default_rng(1).uniform(-90, 90, (60, 2))
    other = np.array([[0.0, -1.8, 1500.0], [1.8, 0.0, 300.0], [0.0, 0.0, 1.0]])
    one, two = matches_of(SLANTED, mm, mm, 0), matches_of(other, mm, mm, 0, seed=3)
    mm_of, px_of, affine, alike = (
        np.concatenate([getattr(one, name), getattr(two, name)]) for name in ("mm", "px", "affine", "alike")
    )
    both = Matches.of(mm_of, px_of, affine, np.arange(120), alike)
    middles = [transformed(seed.px_from_mm, np.zeros((1, 2)))[0] for seed in board_seeds(both)]
    assert min(np.linalg.norm(middle - [500, 400]) for middle in middles) < 5.0
    assert min(np.linalg.norm(middle - [1500, 300]) for middle in middles) < 5.0


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_handful_of_keypoints_is_no_board(count: int) -> None:
    mm = np.random.default_rng(1).uniform(-90, 90, (count, 2))
    assert board_seeds(matches_of(SLANTED, mm, mm, 0)) == []


def test_strangers_alone_agree_on_nothing_much() -> None:
    none = np.zeros((0, 2))
    assert all(seed.votes < 12 for seed in board_seeds(matches_of(SLANTED, none, none, 200)))


@pytest.mark.parametrize(
    ("homography", "good"),
    [
        (SLANTED, True),
        (SLANTED @ np.diag([-1.0, 1.0, 1.0]), False),  # mirrored
        (SLANTED @ np.diag([0.05, 0.05, 1.0]), False),  # a board as large as a thumbnail
        (SLANTED @ np.diag([1.0, 0.2, 1.0]), False),  # from the table's edge
        (np.array([[2.0, 0, 500], [0, 2.0, 400], [0.02, 0, 1.0]]), False),  # partly behind the camera
    ],
)
def test_only_what_a_camera_can_see_is_plausible(homography: np.ndarray, good: bool) -> None:
    assert plausible(homography, np.array([[-90.0, -90.0], [90.0, 90.0]])) is good


def tiles_on(prints: SetPrints, cells: list[int], strangers: int = 0) -> Matches:
    """A dozen keypoints of the tile in each of these cells."""
    mm = np.random.default_rng(2).uniform(-14, 14, (12, 2))
    on_board = np.concatenate([mm + prints.cells_mm[cell] for cell in cells])
    return matches_of(SLANTED, np.tile(mm, (len(cells), 1)), on_board, strangers)


def test_tiles_on_every_cell_tell_the_board_whatever_their_names(prints: SetPrints) -> None:
    lattice = Lattice(prints.cells_mm, prints.cell_names)
    (likeliest, *_), *_ = lattice.seeds(tiles_on(prints, list(range(19)), strangers=60))
    seen = transformed(likeliest.px_from_mm, prints.cells_mm)
    assert np.abs(seen - transformed(SLANTED, prints.cells_mm)).max() < 8.0
    assert likeliest.filled == (True,) * 19


def test_a_cloth_that_reaches_behind_the_horizon_hides_no_tiles(prints: SetPrints) -> None:
    """A board is plausible for what lies on it: a pattern all over the picture agrees with places of its lattice that
    are ten boards away, where a plane that slants is behind the camera."""
    tiles = tiles_on(prints, list(range(19)))
    mm, affine = (np.concatenate([each, each[:1]]) for each in (tiles.mm, tiles.affine))
    px = np.concatenate([tiles.px, tiles.px[:1] + affine[0] @ (-2500.0, -1000.0)])
    both = Matches.of(mm, px, affine, np.arange(len(mm)), np.append(tiles.alike, tiles.alike[:1]))
    (likeliest, *_), *_ = Lattice(prints.cells_mm, prints.cell_names).seeds(both)
    assert likeliest.filled == (True,) * 19


def test_of_a_few_tiles_every_place_of_the_board_is_possible(prints: SetPrints) -> None:
    """Three tiles in a row lie in many rows of the board: the right one is among those that are told."""
    lattice = Lattice(prints.cells_mm, prints.cell_names)
    (group, *_) = lattice.seeds(tiles_on(prints, [8, 9, 10]))
    assert len(group) > 1
    true = transformed(SLANTED, np.zeros((1, 2)))
    assert min(np.linalg.norm(transformed(seed.px_from_mm, np.zeros((1, 2))) - true) for seed in group) < 8.0
    assert all(sum(seed.filled) == 3 for seed in group[:1])


def test_without_tiles_there_is_no_lattice(prints: SetPrints) -> None:
    lattice = Lattice(prints.cells_mm, prints.cell_names)
    nothing = np.zeros((0, 2))
    assert lattice.seeds(matches_of(SLANTED, nothing, nothing, 0)) == []


def test_a_few_tiles_count_for_more_than_a_pattern_that_is_hardly_like_them(prints: SetPrints) -> None:
    """A chequered cloth agrees with a lattice, too: with more keypoints, none of them much like a tile's."""
    tiles, cloth = tiles_on(prints, list(range(4))), tiles_on(prints, list(range(19)))
    count = len(tiles.mm) + len(cloth.mm)
    alike = np.where(np.arange(count) < len(tiles.mm), 0.95, 0.85).astype(np.float32)
    mm, px, affine = (np.concatenate([getattr(m, name) for m in (tiles, cloth)]) for name in ("mm", "px", "affine"))
    px[len(tiles.mm) :, 0] += 3000.0
    both = Matches.of(mm, px, affine, np.arange(count), alike)
    (first, *_), *_ = Lattice(prints.cells_mm, prints.cell_names).seeds(both)
    assert transformed(first.px_from_mm, np.zeros((1, 2)))[0, 0] < 2000.0
