"""Keypoints of print are found again in photographs, turned, shrunk and from aside."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.printed import keypoints as keypoints_module
from arena_cam.vision.printed.keypoints import (
    Keypoints,
    Matches,
    PrintKeypoints,
    blocks,
    busy,
    highest_of_rows,
    keypoints,
    of_photograph,
    rooms,
)
from vision.small import blotches

SIZE_MM = np.array([[60.0, 80.0]])


def detailed(seed: int) -> np.ndarray:
    return blotches(seed, 300, 400, cell=12)


@pytest.fixture(scope="module")
def known() -> PrintKeypoints:
    return PrintKeypoints([detailed(0)], SIZE_MM, np.zeros((1, 2)), 2.5, 200)


def photograph(
    face: np.ndarray, degrees: float, px_per_mm: float, shrunk: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """The print on a grey table, and the affinity (2, 3) from mm, about its middle, to pixels."""
    a = np.radians(degrees)
    linear = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ np.diag([px_per_mm, px_per_mm / shrunk])
    middle = np.array([250.0, 200.0])
    face_mm = face.shape[1] / SIZE_MM[0, 0]
    from_face = np.column_stack([linear / face_mm, middle - linear @ (np.array(face.shape[1::-1]) / 2 - 0.5) / face_mm])
    picture = np.full((400, 500, 3), 128, np.uint8)
    warped = cv2.warpAffine(
        face, from_face, (500, 400), dst=picture, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    return np.asarray(warped, np.uint8), np.column_stack([linear, middle])


@pytest.mark.parametrize(
    ("degrees", "px_per_mm", "shrunk"), [(0, 2.5, 1.0), (70, 2.0, 1.0), (200, 3.0, 1.0), (30, 2.5, 1.35)]
)
def test_the_print_is_found_again_where_it_lies(
    known: PrintKeypoints, degrees: float, px_per_mm: float, shrunk: float
) -> None:
    picture, affinity = photograph(detailed(0), degrees, px_per_mm, shrunk)
    matches = known.matches(of_photograph(picture, 800))
    at = matches.mm @ affinity[:, :2].T + affinity[:, 2]
    right = np.linalg.norm(at - matches.px, axis=1) < 2.0 * px_per_mm
    assert right.sum() > 20
    assert np.median(matches.scale[right]) == pytest.approx(px_per_mm / np.sqrt(shrunk), rel=0.15)
    off = (np.degrees(matches.turn[right]) - degrees + 180.0) % 360.0 - 180.0
    assert abs(float(np.median(off))) < 8.0


def test_of_another_print_nothing_lies_where_it_should(known: PrintKeypoints) -> None:
    """Single keypoints of blotches look alike; where they lie on the print does not agree."""
    right = []
    for seed in (0, 5):
        picture, affinity = photograph(detailed(seed), 20, 2.5)
        matches = known.matches(of_photograph(picture, 800))
        at = matches.mm @ affinity[:, :2].T + affinity[:, 2]
        right.append(int((np.linalg.norm(at - matches.px, axis=1) < 5.0).sum()))
    assert right[1] < 0.15 * right[0]


def test_an_even_picture_has_no_keypoints_and_no_matches(known: PrintKeypoints) -> None:
    even = np.full((300, 400, 3), 120, np.uint8)
    found = of_photograph(even, 800)
    assert found.xy.shape == (0, 2)
    assert found.descriptor.shape == (0, 128)
    assert known.matches(found).mm.shape == (0, 2)
    blank = PrintKeypoints([np.full((400, 300, 3), 200, np.uint8)], SIZE_MM, np.zeros((1, 2)), 2.5, 50)
    assert blank.matches(of_photograph(photograph(detailed(0), 0, 2.5)[0], 800)).mm.shape == (0, 2)


def test_a_large_photograph_s_keypoints_are_in_its_own_pixels() -> None:
    picture = photograph(detailed(0), 0, 2.5)[0]
    large = np.asarray(cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    small, found = of_photograph(picture, 500), of_photograph(large, 500)
    near = np.linalg.norm((found.xy + 0.5)[:, None] / 3 - 0.5 - small.xy[None], axis=2).min(axis=1)
    assert np.median(near) < 1.0


def test_no_more_are_kept_than_are_asked_for() -> None:
    grey = np.asarray(cv2.cvtColor(detailed(0), cv2.COLOR_BGR2GRAY), np.uint8)
    found = keypoints(grey, 20)
    assert 10 <= len(found.xy) <= 21
    assert np.linalg.norm(found.descriptor, axis=1) == pytest.approx(np.ones(len(found.xy)), abs=1e-3)


def test_matches_can_be_chosen_from() -> None:
    affine = np.array([[[2.0, 0.0], [0.0, 2.0]], [[0.0, -3.0], [3.0, 0.0]]])
    two = Matches.of(np.zeros((2, 2)), np.ones((2, 2)), affine, np.array([4, 7]), np.array([0.9, 0.95], np.float32))
    assert two.scale == pytest.approx([2.0, 3.0])
    assert two.turn == pytest.approx([0.0, np.pi / 2])
    one = two.only(np.array([False, True]))
    assert (one.seen.tolist(), one.scale.tolist()) == ([7], [pytest.approx(3.0)])


def test_keypoints_are_looked_for_where_there_is_room_beside_what_is_known() -> None:
    mask = np.full((200, 400), 255, np.uint8)
    mask[10:190, 150:330] = 0
    ((x, y, width, height),) = rooms(mask, 100.0)
    assert (x, y) == (0, 0)
    assert 150 <= x + width <= 170, "right of it there is no room, nor above"
    assert height == 200
    assert rooms(mask, 180.0) == []
    assert len(rooms(mask, 60.0)) == 2


def test_no_keypoint_lies_on_what_is_known() -> None:
    picture, _ = photograph(detailed(0), 0, 2.5)
    half = picture.shape[1] / 2
    left = np.array([[0, 0], [half, 0], [half, picture.shape[0]], [0, picture.shape[0]]], np.float32)
    every, beside = of_photograph(picture, 800), of_photograph(picture, 800, but=[left], room_px=40.0)
    there = every.xy[:, 0] > half + 12
    assert len(beside.xy) > 0.5 * np.count_nonzero(there)
    assert beside.xy[:, 0].min() > half - 2


def test_a_pale_print_has_its_share_of_keypoints_beside_a_strong_pattern() -> None:
    scene = np.full((400, 800, 3), 120, np.uint8)
    random = np.random.default_rng(3)
    scene[:, :600] = random.integers(0, 255, (50, 75, 1), np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    scene[:, 600:] += random.integers(0, 40, (50, 25, 1), np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    alone, shared = (of_photograph(scene, 800, 200, shared=each).xy[:, 0] > 610 for each in (False, True))
    assert np.count_nonzero(alone) < 10
    assert np.count_nonzero(shared) >= 40


def test_the_highest_of_each_row_come_first_and_no_more_than_asked_for() -> None:
    values = np.array([[0.9, 0.1, 0.85, 0.95], [0.2, 0.99, 0.1, 0.1], [0.1, 0.1, 0.1, 0.1]], np.float32)
    rows, columns, found = highest_of_rows(values, 0.8, 2)
    assert rows.tolist() == [0, 1, 0]
    assert columns.tolist() == [3, 1, 0]
    assert np.allclose(found, [0.95, 0.99, 0.9])


def test_a_plain_table_is_not_busy_and_what_lies_on_it_is() -> None:
    table = np.full((200, 300), 120, np.uint8)
    table[80:120, 140:180] = 160
    found = busy(table)
    assert found.shape == (50, 75)
    assert found[20:30, 35:45].all()
    assert not found[:5].any()
    assert not found[:, :15].any()


def test_blocks_cover_a_box_and_reach_into_each_other() -> None:
    covered = np.zeros((400, 500), int)
    for x, y, width, height in blocks((20, 30, 310, 160)):
        covered[y : y + height, x : x + width] += 1
    assert covered[30:190, 20:330].min() == 1
    assert covered[30:190, 20:330].max() == 2
    assert covered.sum() == covered[30:190, 20:330].sum()
    assert blocks((5, 6, 100, 90)) == [(5, 6, 100, 90)]


def test_the_highest_of_rows_are_the_same_where_hundreds_are_high(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(4).random((9, 1200)).astype(np.float32)
    values[2] = 0.1  # a row without any
    values[5, :1190] = 0.2  # and one with few
    found = []
    for crowded in (keypoints_module.CROWDED, 1e9):
        monkeypatch.setattr(keypoints_module, "CROWDED", crowded)
        found.append(highest_of_rows(values.copy(), 0.5, 6))
    assert np.count_nonzero(values > 0.5) > keypoints_module.MOST_ALIKE * len(values) * 10
    for one_by_one, sorted_ in zip(*found, strict=True):
        assert np.array_equal(one_by_one, sorted_)


def test_where_sizes_are_known_print_of_another_size_is_not_compared(known: PrintKeypoints) -> None:
    picture, _ = photograph(detailed(0), 30.0, 2.0)
    seen = of_photograph(picture, 800)
    sizes = np.sqrt(np.abs(np.linalg.det(seen.frame))) / 2.0
    every, some = known.matches(seen), known.matches_of_size(seen, sizes)
    right = np.abs(np.log(every.scale / 2.0)) < np.log(1.3)
    pairs = {(s, *mm) for s, mm in zip(some.seen.tolist(), some.mm.round(6).tolist(), strict=True)}
    told = [
        (s, *mm) in pairs for s, mm in zip(every.seen[right].tolist(), every.mm[right].round(6).tolist(), strict=True)
    ]
    assert np.mean(told) == 1.0
    assert len(known.matches_of_size(seen, 9.0 * sizes).seen) < 0.2 * len(some.seen)
    none = Keypoints(seen.xy[:0], seen.frame[:0], seen.descriptor[:0])
    assert len(known.matches_of_size(none, sizes[:0]).seen) == 0


def test_matches_of_two_sets_of_keypoints_are_joined_and_none_is_another_ones() -> None:
    def matches(count: int) -> Matches:
        mm, affine = np.arange(2.0 * count).reshape(-1, 2), np.tile(np.eye(2), (count, 1, 1))
        return Matches.of(mm, mm, affine, np.arange(count), np.ones(count, np.float32))

    both = matches(3).joined(matches(2))
    assert both.seen.tolist() == [0, 1, 2, 3, 4]
    assert both.mm[3:].tolist() == matches(2).mm.tolist()
    assert matches(0).joined(matches(2)).seen.tolist() == [0, 1]
