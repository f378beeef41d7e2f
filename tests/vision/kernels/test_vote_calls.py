"""What is compiled for matches of keypoints finds those that its twin in numpy does."""

from __future__ import annotations

import ctypes

import cv2
import numpy as np
import pytest

from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.kernels.vote_calls import highest, most_alike
from arena_cam.vision.printed.keypoints import Matches, PrintKeypoints, highest_of_rows, of_photograph
from arena_cam.vision.tokens.cards.print_votes import places_on_table, seen_prints
from arena_cam.vision.tokens.view.table_view import SeenPrint, TableView, fit_table, offs_px, placed, places_of
from vision.small import blotches

PLACES = [[-80.0, 20.0, 0.4], [60.0, -30.0, -3.1], [70.0, 90.0, 1.6]]


def view() -> TableView:
    return TableView(1000.0, np.array([500.0, 400.0]), 0.0, np.eye(3), np.array([0.0, 0.0, 500.0]))


def matches(strangers: int) -> Matches:
    """Three cards' keypoints, a little off, each with a second print that it is like, and others."""
    rng = np.random.default_rng(3)
    mm, px, angle, seen, face = [], [], [], [], []
    for k, place in enumerate(PLACES):
        points = rng.uniform([-28, -42], [28, 42], (30, 2))
        for other in (k, k + 1):
            mm.append(points + rng.normal(0.0, 0.4, points.shape))
            px.append(view().to_px(placed(points, np.array(place))))
            angle.append(place[2] + rng.normal(0.0, 0.15, 30))
            seen.append(30 * k + np.arange(30))
            face.append(np.full(30, other))
    mm.append(rng.uniform([-28, -42], [28, 42], (strangers, 2)))
    px.append(rng.uniform([0, 0], [1000, 800], (strangers, 2)))
    angle.append(rng.uniform(-3.1, 3.1, strangers))
    seen.append(90 + np.arange(strangers))
    face.append(rng.integers(0, 9, strangers))
    turn = np.concatenate(angle)
    size = 2.0 * rng.uniform(0.8, 1.25, len(turn))
    affine = np.stack([np.cos(turn), -np.sin(turn), np.sin(turn), np.cos(turn)], axis=1).reshape(-1, 2, 2)
    alike = rng.uniform(0.8, 1.0, len(turn)).astype(np.float32)
    return Matches.of(
        *(np.concatenate(mm), np.concatenate(px), affine * size[:, None, None]),
        *(np.concatenate(seen), alike, np.concatenate(face)),
    )


@pytest.mark.parametrize("strangers", [0, 60, 900])
def test_places_on_the_table_are_the_same(library: ctypes.CDLL, strangers: int) -> None:
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(places_on_table(matches(strangers), view()))
    assert len(found[0]) == len(found[1]) >= 3
    for compiled, twin in zip(*found, strict=True):
        assert compiled.at == pytest.approx(twin.at, abs=1e-9)
        assert (compiled.votes, compiled.faces) == (twin.votes, twin.faces)
        assert np.array_equal(compiled.seen.px, twin.seen.px)
    assert sum(place.votes > 20 for place in found[0]) == 3


@pytest.mark.parametrize("strangers", [0, 60, 900])
def test_groups_in_a_photograph_are_the_same(library: ctypes.CDLL, strangers: int) -> None:
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(seen_prints(matches(strangers)))
    assert [len(group.mm) for group in found[0]] == [len(group.mm) for group in found[1]]
    assert all(np.array_equal(a.px, b.px) for a, b in zip(*found, strict=True))
    assert len(found[0]) >= 3


@pytest.mark.parametrize("alike", [0.05, 0.9])
def test_the_highest_of_rows_are_the_same(library: ctypes.CDLL, alike: float) -> None:
    """Of few high ones and of many, as with a pattern that all prints have; where some are equal, the first."""
    rng = np.random.default_rng(2)
    values = np.round(rng.uniform(0.0, 1.0, (40, 700)), 2).astype(np.float32)
    values[:, rng.uniform(size=700) > alike] = 0.0
    values[7] = 0.0
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(highest_of_rows(values, 0.62, 6))
    rows, columns, highest = (np.stack(each) for each in zip(*found, strict=True))
    assert np.array_equal(rows[0], rows[1])
    assert np.array_equal(columns[0], columns[1])
    assert np.array_equal(highest[0], highest[1])
    assert len(rows[0]) > 100
    assert 7 not in rows[0]


@pytest.mark.parametrize("count", [700, 5])
def test_the_most_alike_are_the_highest_of_all_cosines(library: ctypes.CDLL, count: int) -> None:
    """Few cosines are computed, for a brief product says which cannot be high; of equal ones the first counts. Of so
    few that no part of a row is left, too."""
    rng = np.random.default_rng(4)
    full = rng.uniform(0.0, 1.0, (count + 40, 64)).astype(np.float32) ** 2
    full[60 % count] = full[3 % count]  # as like as the other to whatever is seen
    full /= np.linalg.norm(full, axis=1, keepdims=True)
    brief = np.column_stack([full[:, :15], np.linalg.norm(full[:, 15:], axis=1)])
    with computing_with(library):
        found = most_alike((full[count:], brief[count:]), (full[:count], brief[:count]), 0.7, 1e-5, 6)
    assert found is not None
    with computing_with(None):
        rows, columns, values = highest_of_rows(full[count:] @ full[:count].T, 0.7, 6)
    assert np.array_equal(found[0], rows)
    assert np.array_equal(found[1], columns)
    assert found[2] == pytest.approx(values, abs=1e-6)
    assert len(rows) > 5


def test_keypoints_of_a_print_are_matched_the_same(library: ctypes.CDLL) -> None:
    """In brief no two are less alike than in full, whatever the print."""
    face = blotches(0, 300, 400, cell=12)
    known = PrintKeypoints([face], np.array([[60.0, 80.0]]), np.zeros((1, 2)), 2.5, 200)
    seen = of_photograph(blotches(5, 300, 400, cell=9), 800).strongest(600)
    sizes = np.linspace(1.0, 8.0, len(seen.xy))
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append((known.matches(seen), known.matches_of_size(seen, sizes)))
    for one, other in zip(*found, strict=True):
        assert len(one.seen) > 50
        assert np.array_equal(one.seen, other.seen)
        assert np.array_equal(one.mm, other.mm)
        assert one.alike == pytest.approx(other.alike, abs=1e-6)


def test_a_view_is_fitted_the_same(library: ctypes.CDLL) -> None:
    """To three cards of which some keypoints err, and to one."""
    rng, true = np.random.default_rng(5), view()
    prints = []
    for place in PLACES:
        mm = rng.uniform([-28, -42], [28, 42], (25, 2))
        prints.append(SeenPrint(mm, true.to_px(placed(mm, np.array(place))) + rng.normal(0.0, 0.5, (25, 2))))
    prints[1].px[3] += 40.0
    for some in (prints, prints[:1]):
        found = []
        for with_what in (library, None):
            with computing_with(with_what):
                view_found = fit_table(some, (1000, 800))
                assert view_found is not None
                found.append(view_found)
        at = [each.to_mm(np.array([[100.0, 200.0], [500.0, 400.0]])) for each in found]
        assert at[0] == pytest.approx(at[1], abs=1e-4)
        assert found[0].focal == pytest.approx(found[1].focal, rel=1e-6)


@pytest.mark.parametrize("count", [2, 7, 40, 300])
def test_places_of_flat_prints_are_the_same_to_the_digit(library: ctypes.CDLL, count: int) -> None:
    """A fit begins there: a last digit may decide which of two views it ends in."""
    rng, tilted = (
        np.random.default_rng(count),
        TableView(
            1000.0,
            np.array([500.0, 400.0]),
            -0.02,
            np.asarray(cv2.Rodrigues(np.array([0.6, 0.1, 0.2]))[0]),
            np.array([3.0, -9.0, 500.0]),
        ),
    )
    prints = []
    for place in PLACES:
        mm = rng.uniform([-28, -42], [28, 42], (count, 2))
        prints.append(SeenPrint(mm, tilted.to_px(placed(mm, np.array(place))) + rng.normal(0.0, 0.5, (count, 2))))
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(places_of(tilted, prints))
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert found[0] == pytest.approx(np.array(PLACES), abs=1.0)
    assert len(places_of(tilted, [])) == 0


def test_how_far_prints_lie_off_a_view_is_the_same(library: ctypes.CDLL) -> None:
    rng, true = np.random.default_rng(6), view()
    prints = []
    for k, place in enumerate(PLACES):
        mm = rng.uniform([-28, -42], [28, 42], (9 + k, 2))
        prints.append(
            SeenPrint(mm, true.to_px(placed(mm, np.array(place))) + (0.0, 3.0 * k) * rng.normal(size=(9 + k, 2)))
        )
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(offs_px(true, prints))
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert found[0][0] == pytest.approx(0.0, abs=1e-6)
    assert found[0][2] > 1.0


def test_without_a_library_numpy_does() -> None:
    with computing_with(None):
        assert highest(np.zeros((1, 2), np.float32), 0.0, 1) is None
        one = np.zeros((1, 8), np.float32)
        assert most_alike((one, one), (one, one), 0.0, 0.0, 1) is None
