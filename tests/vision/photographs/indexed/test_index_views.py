"""Indices are looked for in views straightened over a plane, each part of it once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.photographs.indexed import index_views
from arena_cam.vision.photographs.indexed.index_views import IndexViews, lightest_px, moved
from arena_cam.vision.photographs.indexed.indexed_cards import cards_of
from arena_cam.vision.planes.outline_corners import Corners
from vision.photographs.indexed.test_indexed_cards import CARD_MM, index
from vision.small import camera_above


def test_part_of_the_floor_is_read_as_the_whole_is(monkeypatch: pytest.MonkeyPatch) -> None:
    views: list[tuple[Camera, tuple[float, float]]] = []
    at = CardPose.flat(60.0, 40.0, 10.0)

    def seen_on(_: object, camera: Camera, half_mm: tuple[float, float], __: float, **____: object) -> list[SeenIndex]:
        """The index of a card at one place of the picture, wherever the camera's floor has its origin."""
        views.append((camera, half_mm))
        here = camera.to_plane(first.project(np.array([[60.0, 40.0, 0.0]])))[0]
        return [index("TH", replace(at, centre_mm=here))]

    monkeypatch.setattr(index_views, "indices_on_plane", seen_on)
    kept = IndexViews(np.zeros((480, 640, 3), np.uint8))
    before, first = (camera_above(2.0, (640, 480), tilt_deg=tilt) for tilt in (20.0, 0.0))
    (known,) = kept.on(before)
    cards = cards_of([known], [], before, CARD_MM)
    (read,) = kept.exactly_on(first, cards, CARD_MM)
    assert np.abs(read.middle - index("TH", at).middle).max() < 1e-6
    assert max(views[1][1]) < 0.8 * max(views[0][1])
    assert kept.exactly_on(before, cards, CARD_MM)[0].card == "TH"
    assert len(views) == 2, "what was read there is not read again"


def test_an_index_read_with_certainty_on_one_plane_is_kept_on_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else two cards are said surely, and the third, whose ink is in pieces in the last view, is forgotten."""
    two, king = index("TH", CardPose.flat(-40.0, 0.0, 0.0)), index("KH", CardPose.flat(40.0, 0.0, 0.0))
    king = replace(king, probability=0.999)
    unlikely = replace(index("4D", CardPose.flat(0.0, 90.0, 0.0)), probability=0.98)
    first, steep = (camera_above(2.0, (640, 480), tilt_deg=tilt) for tilt in (0.0, 35.0))
    there = moved(king, first, steep)
    in_pieces = [moved(two, first, steep), replace(there, card="6H", probability=0.5)]
    shown = [[two, king, unlikely], in_pieces, in_pieces]
    monkeypatch.setattr(index_views, "indices_on_plane", lambda *_, **__: shown.pop(0))
    monkeypatch.setattr(index_views, "indices_within", lambda *_, **__: shown.pop(0))
    views = IndexViews(np.full((480, 640, 3), 200, np.uint8))
    views.on(first)
    read = views.exactly_on(steep, cards_of(in_pieces[:1], [], steep, CARD_MM), CARD_MM)
    assert [each.card for each in read] == ["KH", "TH"]
    assert np.abs(read[0].middle - there.middle).max() < 1e-6


def test_indices_are_looked_for_where_it_is_as_light_as_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dark cloth round the cards takes as long to read as they do. On a light one all of it is looked at."""
    regions: list[Array] = []

    def seen_within(_: object, __: Camera, region_mm: Array, ___: float, **____: object) -> list[SeenIndex]:
        regions.append(region_mm)
        return []

    monkeypatch.setattr(index_views, "indices_within", seen_within)
    camera, picture = camera_above(2.0, (640, 480)), np.full((480, 640, 3), (90, 30, 20), np.uint8)
    picture[100:180, 400:560] = 210
    picture[300:310, 50:60] = (255, 255, 20)  # bright, but too coloured
    box = lightest_px(picture)
    assert box is not None
    assert np.abs(box - [[400, 100], [560, 180]]).max() <= 20
    IndexViews(picture).on(camera)
    ((low, high),) = regions
    corners = camera.to_plane(np.array([[400.0, 100.0], [560.0, 180.0]]))[:, :2]
    assert (low < corners.min(axis=0) - 15).all()
    assert (high > corners.max(axis=0) + 15).all()
    assert (high - low).max() < 160
    assert lightest_px(np.full((480, 640, 3), 200, np.uint8)) is None


def test_once_two_are_read_well_others_are_looked_for_round_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards of a trick lie together; one alone, or two that are hardly read, may be marks of the cloth."""
    regions: list[Array | None] = []
    likely = 0.85

    def seen_on(_: object, *__: object, **___: object) -> list[SeenIndex]:
        regions.append(None)
        both = index("TH", CardPose.flat(-40.0, 10.0, 0.0)), index("5C", CardPose.flat(20.0, 0.0, 30.0))
        return [replace(each, probability=likely) for each in both]

    def seen_within(_: object, __: Camera, region_mm: Array, ___: float, **____: object) -> list[SeenIndex]:
        regions.append(region_mm)
        return []

    monkeypatch.setattr(index_views, "indices_on_plane", seen_on)
    monkeypatch.setattr(index_views, "indices_within", seen_within)
    first, steep = (camera_above(1.2, (640, 480), tilt_deg=tilt) for tilt in (0.0, 35.0))
    hardly = IndexViews(np.full((480, 640, 3), 200, np.uint8))
    hardly.on(first)
    hardly.on(steep)
    assert regions == [None, None]
    likely = 0.99
    well = IndexViews(np.full((480, 640, 3), 200, np.uint8))
    well.on(first)
    well.on(steep)
    assert regions[2] is None
    assert regions[3] is not None
    low, high = regions[3]
    assert (low < [-100.0, -60.0]).all()
    assert (high > [80.0, 80.0]).all()
    assert high[0] < 200.0
    read = [replace(each, probability=0.99) for each in seen_on(None)]
    IndexViews(np.full((480, 640, 3), 200, np.uint8), before=(first, read)).on(steep)
    assert regions[-1] == pytest.approx(regions[3]), "as round those read before, on another plane"


def test_indices_are_read_anew_only_on_a_plane_that_shows_them_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Camera] = []

    def seen_on(_: object, camera: Camera, *__: object, **___: object) -> list[SeenIndex]:
        read.append(camera)
        return [index("TH", CardPose.flat(20.0, -10.0, 30.0))]

    monkeypatch.setattr(index_views, "indices_on_plane", seen_on)
    views = IndexViews(np.zeros((480, 640, 3), np.uint8))
    first, near, steep = (camera_above(2.0, (640, 480), tilt_deg=tilt) for tilt in (0.0, 4.0, 35.0))
    (there,), (here,) = views.on(first), views.on(near)
    assert len(read) == 1
    places = np.array([[*there.top, 0.0], [*there.bottom, 0.0]])
    assert np.abs(near.project(np.array([[*here.top, 0.0], [*here.bottom, 0.0]])) - first.project(places)).max() < 1e-6
    views.on(steep)
    assert len(read) == 2


def test_where_two_were_read_well_or_one_is_certain_cards_are_there_in_the_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = [index("TH", CardPose.flat(20.0, -10.0, 30.0)), index("5C", CardPose.flat(-30.0, 0.0, 0.0))]
    camera = camera_above(2.0, (640, 480), tilt_deg=20.0)
    for probabilities, told in (((0.95, 0.95), 2), ((0.95, 0.85), 0), ((0.999, 0.85), 1), ((0.95,), 0), ((), 0)):
        read = [replace(each, probability=p) for each, p in zip(both, probabilities, strict=False)]
        monkeypatch.setattr(index_views, "indices_on_plane", lambda *_, found=read, **__: found)
        views = IndexViews(np.zeros((480, 640, 3), np.uint8))
        assert len(views.told_px()) == 0
        views.on(camera)
        ends = views.told_px()
        assert ends.shape == (told, 2, 2)
        tops = camera.project(np.array([[*each.top, 0.0] for each in both[:told]]).reshape(-1, 3))
        assert ends[:, 0] == pytest.approx(tops)


def test_a_view_read_on_the_very_plane_is_not_read_once_more_for_exactness(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no plane nearly like it was read before, all of a plane was read, and then its cards again."""
    asked: list[Camera] = []

    def seen_on(_: object, camera: Camera, *__: object, **___: object) -> list[SeenIndex]:
        asked.append(camera)
        return [index("TH", CardPose.flat(20.0, -10.0, 30.0))]

    monkeypatch.setattr(index_views, "indices_on_plane", seen_on)
    camera = camera_above(2.0, (640, 480))
    views = IndexViews(np.zeros((480, 640, 3), np.uint8))
    (read,) = views.exactly_on(camera, [], CARD_MM)
    assert (read.card, len(asked)) == ("TH", 1)


def test_a_plane_is_read_round_its_corners_first_and_whole_where_too_little_is_read_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Corners are where cards are; cloths have some, too, and then all of it is looked at."""
    camera = camera_above(2.0, (1000, 800))
    at = camera.project(np.array([[40.0, 30.0, 0.0]]))
    arms = [camera.project(np.array([[40.0, 30.0, 0.0]]) + way) for way in ([20.0, 0.0, 0.0], [0.0, 20.0, 0.0])]
    corners = [Corners(at, arms[0], arms[1], np.empty((0, 2, 2)), np.empty((0, 2, 2)))]
    read = [index("TH", CardPose.flat(40.0, 30.0, 0.0)), index("TH", CardPose.flat(40.0, 30.0, 0.0), -1.0)]
    asked: list[str] = []

    def part(*_: object, **__: object) -> list[SeenIndex]:
        asked.append("part")
        return read

    def whole(*_: object, **__: object) -> list[SeenIndex]:
        asked.append("whole")
        return read

    monkeypatch.setattr(index_views, "indices_within", part)
    monkeypatch.setattr(index_views, "indices_on_plane", whole)
    picture = np.full((800, 1000, 3), 200, np.uint8)
    assert len(IndexViews(picture, corners).on(camera)) == 2
    assert asked == ["part"]
    read = read[:1]
    IndexViews(picture, corners).on(camera)
    assert asked == ["part", "part", "whole"]
    IndexViews(picture).on(camera)
    assert asked[3:] == ["whole"]
