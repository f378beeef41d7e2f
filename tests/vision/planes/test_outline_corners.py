"""Corners and sides of what may be cards, from blobs of light paper."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes import outline_corners
from arena_cam.vision.planes.outline_corners import Corners, find_corners
from vision.planes.photographed import ground, outline_px
from vision.small import painted_at

LEFT, RIGHT = CardPose.flat(-60.0, 10.0, 15.0), CardPose.flat(55.0, -15.0, -50.0)
ACROSS = CardPose.flat(-35.0, 20.0, 70.0)  # over LEFT


def papers(*poses: CardPose, picture: Image | None = None) -> Image:
    picture = ground() if picture is None else picture
    for pose in poses:
        picture = painted_at(picture, np.full((8, 8, 3), 225, np.uint8), outline_px(pose))
    return picture


def nearest_px(points: Array, to: Array) -> float:
    return float(np.linalg.norm(points - to, axis=-1).min()) if len(points) else np.inf


def all_corners(found: list[Corners]) -> Array:
    return np.concatenate([corners.at for corners in found])


def test_every_corner_of_papers_that_lie_apart_is_found_to_a_pixel() -> None:
    found = find_corners(papers(LEFT, RIGHT))
    assert [len(corners.whole) for corners in found if len(corners.at) == 8] != []
    corners = np.concatenate([outline_px(LEFT), outline_px(RIGHT)])
    for corner in corners:
        assert nearest_px(all_corners(found), corner) < 1.0
    for at in all_corners(found):  # none of them is anything else: edges have an inner and an outer side
        assert nearest_px(corners, at) < 4.0


def test_arms_run_along_the_card_s_sides() -> None:
    outline = outline_px(LEFT)
    for corners in find_corners(papers(LEFT)):
        for at, before, after in zip(corners.at, corners.before, corners.after, strict=True):
            number = int(np.linalg.norm(outline - at, axis=1).argmin())
            for arm in (before, after):
                sides = outline[[number - 1, (number + 1) % 4]] - outline[number]
                cosine = sides @ (arm - at) / np.linalg.norm(sides, axis=1) / np.linalg.norm(arm - at)
                assert cosine.max() > np.cos(np.radians(5.0))
            assert np.linalg.norm(before - after) > 50.0  # one arm along each of them


def test_whole_sides_are_as_long_as_the_card_s() -> None:
    outline = outline_px(LEFT)
    true = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1)
    for corners in find_corners(papers(LEFT)):
        assert len(corners.whole) >= 3
        for length in np.linalg.norm(corners.whole[:, 1] - corners.whole[:, 0], axis=1):
            assert np.abs(true - length).min() < 7.0


def test_of_overlapping_papers_corners_point_outwards_only() -> None:
    """One blob with corners that point inwards where the papers cross: those are nobody's."""
    at = all_corners(find_corners(papers(LEFT, ACROSS)))
    corners = np.concatenate([outline_px(LEFT), outline_px(ACROSS)])
    assert len(at) >= 5
    for corner in at:
        assert nearest_px(corners, corner) < 4.0


def test_corners_at_the_picture_s_rim_are_not_the_card_s() -> None:
    beyond = CardPose.flat(-110.0, 0.0, 0.0)  # half of it is out of the picture
    outline = outline_px(beyond)
    at = all_corners(find_corners(papers(beyond, RIGHT)))
    assert outline[:, 0].min() < 0.0
    for corner in outline[outline[:, 0] > 0]:
        assert nearest_px(at, corner) < 1.5
    assert at[:, 0].min() > 20.0


def test_an_even_ground_and_round_things_have_none() -> None:
    picture = ground()
    assert find_corners(picture) == []
    cv2.circle(picture, (240, 200), 80, (225, 225, 225), -1)
    assert find_corners(picture) == []


def test_a_checked_cloth_is_a_pattern_and_no_pile_of_cards() -> None:
    rows, columns = np.mgrid[:400, :480] // 40
    checks = np.where((rows + columns)[..., None] % 2 == 0, np.uint8(225), np.uint8(60)) * np.ones(3, np.uint8)
    found = find_corners(checks.astype(np.uint8))
    assert sum(len(corners.at) for corners in found) <= 60


def test_in_a_large_photograph_they_are_in_its_own_pixels() -> None:
    large = np.asarray(cv2.resize(papers(RIGHT), None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC), np.uint8)
    at = all_corners(find_corners(large))
    for corner in (outline_px(RIGHT) + 0.5) * 4 - 0.5:
        assert nearest_px(at, corner) < 6.0


def test_the_picture_with_most_corners_comes_first() -> None:
    counts = [len(found.at) + len(found.whole) for found in find_corners(papers(LEFT, RIGHT))]
    assert counts == sorted(counts, reverse=True)


def test_blobs_looked_at_together_are_those_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = papers(LEFT, RIGHT, ACROSS)
    together = find_corners(picture)
    monkeypatch.setattr(outline_corners, "_AT_ONCE", 1)
    singly = find_corners(picture)
    assert len(together) == len(singly) > 2
    for one, other in zip(together, singly, strict=True):
        for name in ("at", "before", "after", "whole", "sides"):
            assert np.array_equal(getattr(one, name), getattr(other, name))


def test_a_side_follows_most_of_its_pixels_where_a_few_stick_out() -> None:
    """A pip that touches a side takes a bite out of its outline. Least squares alone would be 0.3 px off."""
    mask = np.zeros((400, 600), np.uint8)
    cv2.rectangle(mask, (100, 100), (400, 300), 255, -1)
    cv2.rectangle(mask, (300, 298), (320, 302), 255, -1)
    (corners,) = [each for each in find_corners(np.dstack([mask] * 3)) if len(each.at) == 4][:1]
    low = corners.sides[np.abs(corners.sides[..., 1] - 300.0).max(axis=1) < 4.0]
    assert len(low) >= 1
    assert np.abs(low[0][:, 1] - 300.0).max() < 0.75


def test_corners_near_places_are_those_within_reach_and_sides_with_both_ends_there() -> None:
    at = np.array([[10.0, 10.0], [40.0, 10.0], [200.0, 10.0]])
    sides = np.array([[at[0], at[1]], [at[1], at[2]]])
    found = Corners(at, at + 1.0, at - 1.0, sides, sides[1:])
    near = found.near(np.array([[12.0, 12.0], [45.0, 15.0]]), 20.0)
    assert (near.at == at[:2]).all()
    assert (near.before - near.at == 1.0).all()
    assert (near.after - near.at == -1.0).all()
    assert (near.whole == sides[:1]).all()
    assert near.sides.shape == (0, 2, 2)
    assert len(near.near(np.array([[500.0, 500.0]]), 20.0).at) == 0
