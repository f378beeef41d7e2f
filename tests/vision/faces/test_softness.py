"""What is seen of a card softly: views beside its place are made round about the points at which faces differ alone,
and show there what the whole view would."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.faces.softness import Faces, Numbers, SoftView, apart_and_common
from vision.small import Pictures, softly

SHAPE = (70, 52)


def faces_that_differ(*places: tuple[int, int]) -> Faces:
    """Two even faces, on the second of which something small is printed at each of the `places` (row, column)."""
    faces = np.full((2, *SHAPE, 3), 220.0, np.float32)
    for row, column in places:
        faces[1, max(0, row - 1) : row + 2, max(0, column - 1) : column + 2] = (30.0, 90.0, 160.0)
    return faces


def views(count: int) -> NDArray[np.uint8]:
    noise = np.random.default_rng(3).integers(0, 255, (count, *SHAPE, 3)).astype(np.uint8)
    return np.stack([cv2.GaussianBlur(view, (0, 0), 0.8) for view in noise])


def test_faces_that_nowhere_differ_leave_nothing_to_be_looked_at() -> None:
    seen = views(2)
    view = softly(faces_that_differ(), seen[0], np.ones(SHAPE), Pictures([(-0.8, seen[1])]))
    assert view.places.shape == (2, 3, 0)
    assert view.slopes.shape == (2, 0)


@pytest.mark.parametrize("soft", [(1.0, 0.0), (0.6, 1.4)])
@pytest.mark.parametrize(
    "places", [[(30, 20)], [(0, 0), (69, 51)], [(10, 10), (14, 40), (60, 10)], [(r, r % 50) for r in range(0, 70, 3)]]
)
def test_a_view_shows_at_some_points_what_the_whole_of_it_shows_there(
    places: list[tuple[int, int]], soft: tuple[float, float]
) -> None:
    """At the card's rim, too, and beside what is hidden."""
    seen, faces, weight = views(4), faces_that_differ(*places), np.ones(SHAPE)
    weight[12:16, 20:45] = 0.0
    view = softly(faces, seen[0], weight, Pictures([(-0.3 * n, seen[n]) for n in (1, 2, 3)]), *soft)
    spread, common = apart_and_common(view.faces, np.arange(len(view.faces)))
    assert np.array_equal(view.differing, np.flatnonzero((spread > 8.0) & (weight > 0)))
    assert np.array_equal(view.spread, spread)
    assert np.array_equal(view.common, common)
    assert len(view.differing)
    assert view.nats == pytest.approx([0.0, -0.3, -0.6, -0.9])
    for shown, sharply in zip(view.places, seen, strict=True):
        whole = softly(faces, sharply, weight, None, *soft).seen
        assert pytest.approx(whole.reshape(-1, 3)[view.differing], abs=1e-3) == shown.T


def test_points_are_found_among_those_at_which_faces_differ() -> None:
    view = softly(faces_that_differ((30, 20), (50, 30)), views(1)[0], np.ones(SHAPE))
    some = view.differing[[0, 3, 7]]
    assert np.array_equal(view.among(some), [0, 3, 7])


def test_how_steep_a_face_is_is_known_where_faces_differ() -> None:
    faces = faces_that_differ((30, 20))
    faces[0] += np.linspace(0.0, 34.0, SHAPE[0])[:, None, None].astype(np.float32)
    view = softly(faces, views(1)[0], np.ones(SHAPE))
    row = view.differing // SHAPE[1]
    inner = (row > 5) & (row < SHAPE[0] - 6)
    assert inner.sum() > 1000
    assert view.slopes[0][inner] == pytest.approx(34.0 / (SHAPE[0] - 1), rel=0.05)


@pytest.mark.parametrize("soft", [(1.0, 0.0), (0.6, 1.4)])
def test_a_view_is_looked_at_once_and_shows_the_next_faces_the_same(soft: tuple[float, float]) -> None:
    seen, weight = views(3), np.ones(SHAPE)
    weight[12:16, 20:45] = 0.0
    shown = [(-0.3 * n, seen[n]) for n in (1, 2)]
    beside = Counted(shown)
    view = SoftView(seen[0], weight, beside, *soft)
    first, more = faces_that_differ((30, 20)), faces_that_differ((30, 20), (50, 30))
    for faces in (first, more, first, more[::-1]):
        again, alone = view.against(view.softly(faces)), softly(faces, seen[0], weight, Pictures(shown), *soft)
        assert np.array_equal(again.differing, alone.differing)
        assert pytest.approx(alone.places, abs=1e-3) == again.places
    assert beside.cuts == 2  # round about (30, 20), and round about (50, 30)


def test_some_of_the_views_are_the_same_by_themselves() -> None:
    seen, faces = views(4), faces_that_differ((30, 20))
    beside = Pictures([(-0.3 * n, seen[n]) for n in (1, 2, 3)])
    view = SoftView(seen[0], np.ones(SHAPE), beside)
    all_, some = (each.against(each.softly(faces)) for each in (view, view.only(np.array([0, 2]))))
    assert some.nats.tolist() == all_.nats[[0, 1, 3]].tolist()
    assert np.array_equal(some.places, all_.places[[0, 1, 3]])
    assert view.only(np.array([0, 2])) is view.only(np.array([0, 2]))
    assert view.only(np.arange(3)) is view


class Counted(Pictures):
    """Pictures that count how often they are looked at."""

    cuts = 0

    def cut(self, rows: Numbers, columns: Numbers, asked: NDArray[np.uint8]) -> NDArray[np.uint8]:
        self.cuts += 1
        return np.asarray(super().cut(rows, columns, asked), np.uint8)


@pytest.mark.parametrize("soft", [(1.0, 0.0), (0.6, 1.4)])
@pytest.mark.parametrize("part", [(slice(20, 50), slice(0, 12)), (slice(60, 70), slice(40, 52))])
def test_of_a_card_in_view_in_part_the_faces_are_seen_there_alone(
    soft: tuple[float, float], part: tuple[slice, slice]
) -> None:
    """As if all of the face were looked at, points beside the part included; elsewhere nothing is."""
    faces, weight = views(2).astype(np.float32), np.zeros(SHAPE)
    weight[part] = 1.0
    view = SoftView(views(1)[0], weight, None, *soft)
    found = view.softly(faces)
    for seen, face in zip(found, faces, strict=True):
        whole = SoftView(face, weight, None, *soft).against(faces).seen
        assert seen[part] == pytest.approx(whole[part], abs=1e-3)
    beside = tuple(slice(max(each.start - 1, 0), each.stop + 1) for each in part)
    found[:, beside[0], beside[1]] = 0.0
    assert not found.any()


@pytest.mark.parametrize("hidden", [np.s_[:6], np.s_[30:], np.s_[20:30, 10:20], np.s_[:0]])
def test_faces_known_in_full_view_are_made_anew_round_about_what_is_hidden_alone(hidden: tuple[slice, ...]) -> None:
    faces = np.random.default_rng(1).uniform(0.0, 255.0, (2, 60, 40, 3)).astype(np.float32)
    shown = np.zeros((60, 40), bool)
    shown[2:-2, 2:-2] = True
    weight = shown.astype(np.float64)
    weight[hidden] = 0.0
    nothing = np.zeros((60, 40, 3), np.uint8)
    view, wholly = SoftView(nothing, weight), SoftView(nothing, shown.astype(np.float64)).softly(faces)
    found, wanted = view.as_open(wholly.copy(), iter(faces), shown), view.softly(faces)
    in_view = weight > 0
    np.testing.assert_allclose(found[:, in_view], wanted[:, in_view], atol=1e-3)
    if weight.sum() == shown.sum():
        assert np.array_equal(found, wholly)
