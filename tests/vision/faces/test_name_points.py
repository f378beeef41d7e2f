"""The points by which names are told apart: every face at the same places, a part of them for the first round."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.name_points import NAMES_PX_PER_MM, NamePoints
from arena_cam.vision.faces.softness import SoftView
from vision.small import blotches, small_deck


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck"), back=True))


@pytest.fixture(scope="module")
def points(faces: DeckFaces) -> NamePoints:
    return NamePoints(faces)


def test_every_point_of_the_card_is_there_once(faces: DeckFaces, points: NamePoints) -> None:
    grid = faces.grid(NAMES_PX_PER_MM)
    assert points.places.shape == (3, grid.mask.sum())
    assert (points.places[2] == 1).all()
    assert len(np.unique(points.places, axis=1).T) == grid.mask.sum()


def test_both_rounds_hold_the_faces_colours_at_their_points(faces: DeckFaces, points: NamePoints) -> None:
    grid = faces.grid(NAMES_PX_PER_MM)
    for at, values in ((points.rough_at, points.rough), (points.close_at, points.close)):
        x, y = points.places[:2, at]
        assert values.shape == (4, 3, len(x))
        for number in (0, len(x) // 2, len(x) - 1):
            here = np.isclose(grid.x_mm, x[number], atol=1e-4) & np.isclose(grid.y_mm, y[number], atol=1e-4) & grid.mask
            assert np.allclose(values[2, :, number], grid.bgr_of(2)[here][0])


def test_half_a_turn_takes_the_points_to_one_another_but_not_those_of_one_half(faces: DeckFaces) -> None:
    points = NamePoints(faces)
    assert points.turns_onto_itself
    points = NamePoints(faces)
    points.places = points.places[:, : points.places.shape[1] // 2]
    assert not points.turns_onto_itself


@pytest.mark.parametrize(("step", "part"), [("rough_step", "rough"), ("close_step", "close")])
def test_a_round_asks_one_point_of_so_many(points: NamePoints, step: str, part: str) -> None:
    asked = getattr(points, part).shape[2]
    assert asked == -(-points.places.shape[1] // getattr(points, step))


def test_light_varies_over_half_a_card(points: NamePoints) -> None:
    assert np.allclose(points.light, np.stack([points.places[2], *points.places[:2] / 45.0], axis=1))


def test_an_even_picture_is_nowhere_steep_and_an_edge_is_where_it_lies(points: NamePoints) -> None:
    x, y = points.places[:2]
    inner = (np.abs(x) < 25) & (np.abs(y) < 35)
    even = np.full((len(x), 3), 100.0)
    assert np.allclose(points.steepness(even)[inner], 0.0)
    edge = np.where((x < 0)[:, None], 50.0, 150.0) * np.ones(3)
    steep = points.steepness(edge)
    near = np.abs(x) < 1.0 / NAMES_PX_PER_MM
    assert steep[inner & near].min() > 20.0
    assert steep[inner & (np.abs(x) > 3.0)].max() == pytest.approx(0.0)


def test_the_faces_drawn_alike_in_whatever_ink_come_first(tmp_path: Path) -> None:
    drawings = [blotches(seed, cell=16) for seed in (1, 2)]
    faces = [drawings[0], 255 - drawings[1] // 2, drawings[1], drawings[0] // 2 + np.array([90, 10, 40], np.uint8)]
    points = NamePoints(DeckFaces(small_deck(tmp_path, faces)))
    assert [list(points.drawn_alike[face][:2]) for face in (0, 3)] == [[0, 3], [3, 0]]
    assert points.drawn_alike[2][-1] == 1  # its negative


def test_a_face_of_one_tone_is_drawn_like_itself(tmp_path: Path) -> None:
    points = NamePoints(DeckFaces(small_deck(tmp_path, [np.full((352, 252, 3), 90, np.uint8), blotches(1, cell=16)])))
    assert [row[0] for row in points.drawn_alike] == [0, 1]


@pytest.mark.parametrize("turned", [False, True])
def test_a_face_all_in_view_is_as_soft_as_on_any_card_that_nothing_covers(
    faces: DeckFaces, points: NamePoints, turned: bool
) -> None:
    grid, way = faces.grid(NAMES_PX_PER_MM), slice(None, None, -1 if turned else 1)
    sharp = np.stack([grid.bgr_of(face)[way, way] for face in range(4)])
    view = SoftView(sharp[0], grid.inner.astype(np.float64))
    for face, soft in enumerate(view.softly(sharp)):
        assert np.allclose(points.soft_of(face)[way, way], soft, atol=1e-3)
        assert points.soft_of(face) is points.soft_of(face)


def test_a_few_points_of_a_face_are_those_of_the_face_either_way_up(faces: DeckFaces, points: NamePoints) -> None:
    drawn = faces.grid(NAMES_PX_PER_MM).bgr_of(2)
    assert np.array_equal(points.few_of(2, 0), drawn[::2, ::2])
    assert np.array_equal(points.few_of(2, 1), drawn[::-1, ::-1][::2, ::2])


def test_a_face_without_a_top_is_the_same_turned_though_its_figure_is_drawn_a_little_off_the_middle(
    tmp_path: Path,
) -> None:
    def face(*discs: tuple[float, float]) -> Image:
        picture = np.full((352, 252, 3), 238, np.uint8)
        for x, y in discs:
            cv2.circle(picture, (round(8 * x), round(8 * y)), 8 * 30, (40, 40, 40), cv2.FILLED, cv2.LINE_AA, 3)
        return picture

    drawn = [face((125.5, 175.5)), face((125.75, 175.75)), face((128.5, 175.5)), face((60.0, 60.0), (191.0, 291.0))]
    points = NamePoints(DeckFaces(small_deck(tmp_path, drawn)))
    assert [points.is_same_turned(number) for number in range(4)] == [True, True, False, True]


def test_prints_are_the_same_where_the_print_is(tmp_path: Path) -> None:
    first, other = (np.full((352, 252, 3), 238, np.uint8) for _ in range(2))
    first[40:80, 40:80] = other[40:80, 40:80] = 40
    other[200:240, 100:140] = 40
    points = NamePoints(DeckFaces(small_deck(tmp_path, [first, other])))
    upright, turned = points.prints
    assert (upright[0] == upright[1])[: len(upright[0]) // 2].all()
    assert not (upright[0] == upright[1]).all()
    assert (turned[0] == turned[1])[-(len(turned[0]) // 3) :].all()
    assert not (upright[0] == turned[0]).all()
