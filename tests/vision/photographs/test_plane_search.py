"""The plane of the cards is looked for by their indices, outlines and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.photographs import plane_search
from arena_cam.vision.photographs.indexed.index_views import IndexViews
from arena_cam.vision.photographs.indexed.indexed_cards import IndexedCard
from arena_cam.vision.photographs.on_plane import IndexPlace, OnPlane
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader
from arena_cam.vision.photographs.plane_search import PlaneSearch, camera_aside, lost_of
from arena_cam.vision.planes.outline_corners import Corners, find_corners
from vision.photographs.ordinary_pictures import (
    APART,
    CAMERA,
    LOST,
    LOW,
    OTHER,
    indexed,
    photograph,
    shown,
)


def test_a_plane_on_which_two_cards_are_whole_is_read_before_others_are_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mark on one of the cards kept it from being plain: four planes were asked, and this one was the best."""
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    mark = indexed("JH", 0.95, CardPose.flat(0.0, 90.0, 5.0), cornered=False, sides=0.0)
    first, second = (OnPlane(CAMERA, (63.0, 88.0), each, IndexPlace()) for each in ([*cards, mark], cards[:1]))
    left = [first, second]
    monkeypatch.setattr(PlaneSearch, "_cameras", lambda _: [(CAMERA, (63.0, 88.0), False)] * 2)
    monkeypatch.setattr(PlaneSearch, "around", lambda *_: left.pop(0))
    image = np.zeros((40, 40, 3), np.uint8)
    planes = PlaneSearch(image, IndexViews(image), image[..., 0].astype(np.float32), []).planes()
    assert not first.is_plain
    assert next(planes) is first
    assert left == [second]


def test_a_plane_with_no_more_of_cards_than_chance_has_is_not_read_before_planes_by_scale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Marks of a chequered cloth were read closely and fitted four times more before the cards' plane was asked."""
    marks, cards = (
        OnPlane(CAMERA, (63.0, 88.0), [indexed("AS", 0.95, LOW, cornered=False, sides=sides)], IndexPlace())
        for sides in (2.0, 4.0)
    )
    for first, again in ((marks, 0), (cards, 1)):
        left, refitted = [first, marks], list[OnPlane]()
        monkeypatch.setattr(PlaneSearch, "_cameras", lambda _: [(CAMERA, (63.0, 88.0), n > 0) for n in range(2)])
        monkeypatch.setattr(PlaneSearch, "around", lambda *_, left=left: left.pop(0))
        monkeypatch.setattr(PlaneSearch, "settled", lambda _, best, kept=refitted: kept.append(best) or best)
        image = np.zeros((40, 40, 3), np.uint8)
        planes = PlaneSearch(image, IndexViews(image), image[..., 0].astype(np.float32), []).planes()
        assert next(planes) is first
        assert len(left) == 1 - (first is marks)
        assert len(list(planes)) == again
        assert len(refitted) == again + 1


def test_an_index_that_is_certain_is_lost_though_its_card_was_taken_for_a_mark() -> None:
    """On a plane a little off a queen lay where no paper is; three other cards were left, and the picture was sure."""
    seven, other = (
        indexed("7S", 1.0, LOW, cornered=True, sides=4.0),
        indexed("QC", 1.0, APART, cornered=True, sides=3.0),
    )
    corner = seven.pose.points(np.array([-25.0, -25.0]), np.array([39.0, 25.0]))[:, :2]
    own = replace(seven.indices[0], top=corner[0], bottom=corner[1])
    for probability, count in ((0.95, 0), (0.999, 1)):
        read = [own, replace(other.indices[0], probability=probability)]
        lost = lost_of(read, [seven], {"7S", "QC"}, (63.0, 88.0))
        assert len(lost) == count
    assert len(lost_of([own, replace(other.indices[0], probability=0.95)], [seven], {"7S"}, (63.0, 88.0))) == 1


def test_an_index_in_a_corner_of_a_card_that_is_turned_otherwise_and_of_another_rank_is_lost() -> None:
    """An eight lay on a seven's corner, beneath a jack: it was taken for the seven's index, and the rest was sure."""
    seven = indexed("7S", 1.0, LOW, cornered=True, sides=4.0)
    corner = seven.pose.points(np.array([25.0]), np.array([37.0]))[0, :2]
    for card, turn, count in (("8D", 20.0, 1), ("8D", 3.0, 0), ("7C", 20.0, 0)):
        angle = np.radians(LOW.angle_deg + turn)
        up = np.array([-np.sin(angle), np.cos(angle)])
        mark = replace(seven.indices[0], card=card, probability=0.95, top=corner + 2.0 * up, bottom=corner - 6.0 * up)
        assert len(lost_of([mark], [seven], {"7S"}, (63.0, 88.0))) == count


def test_cards_far_from_the_middle_are_looked_at_from_above_them() -> None:
    """The heap aside: what lies beside it, farther out, would be out of what is looked at."""
    near = indexed("AS", 1.0, CardPose.flat(90.0, 40.0, 10.0), cornered=True, sides=4.0)
    far = indexed("KD", 1.0, CardPose.flat(190.0, 60.0, 5.0), cornered=True, sides=4.0)
    assert camera_aside(OnPlane(CAMERA, (63.0, 88.0), [near], IndexPlace())) is None
    aside = camera_aside(OnPlane(CAMERA, (63.0, 88.0), [near, far], IndexPlace()))
    assert aside is not None
    for point in (near.pose.centre_mm, far.pose.centre_mm):
        moved = point - np.array([140.0, 50.0, 0.0])
        assert aside.project(moved[None] * [1, 1, 0]) == pytest.approx(
            CAMERA.project(point[None] * [1, 1, 0]), abs=1e-6
        )


class _HalfCovered(OrdinaryReader):
    """Sees a hand hide a side of the first card, and loses an index where told to."""

    lost: tuple[SeenIndex, ...] = ()

    def on_plane(self, *args: Any, **kwargs: Any) -> OnPlane:
        return replace(super().on_plane(*args, **kwargs), bare=frozenset([0]), lost=self.lost)


def test_a_plane_that_cards_told_before_is_asked_first_and_no_other_if_it_is_theirs(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand over a card that came kept all planes of a chequered cloth being asked, 3 s a time, though none moves."""
    reader, asked = _HalfCovered(), list[Camera]()
    around = PlaneSearch.around

    def counted(search: PlaneSearch, camera: Camera, size: tuple[float, float]) -> OnPlane:
        asked.append(camera)
        return around(search, camera, size)

    monkeypatch.setattr(PlaneSearch, "around", counted)
    picture = shown(photograph(pack, ("7S", LOW), ("KD", APART)))
    (found,) = reader.planes(picture, nearly=CAMERA)
    assert (found.is_certain, found.is_plain, asked) == (True, False, [CAMERA])
    reader.lost = (LOST,)
    planes = reader.planes(picture, nearly=CAMERA)
    assert not next(planes).is_certain
    assert next(planes) is not None


def test_of_a_pack_whose_size_is_known_no_other_size_is_asked(pack: DeckFaces) -> None:
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    narrow = (57.5, 88.0)
    planes = list(OrdinaryReader([narrow]).planes(shown(picture)))
    assert {plane.size_mm for plane in planes} == {narrow}


class _Unsettled(PlaneSearch):
    """Only the plane fitted again explains what is seen."""

    def around(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        return OnPlane(camera, size, [indexed("AS", 1.0, LOW, cornered=True, sides=2.0)], IndexPlace())

    def settled(self, best: OnPlane) -> OnPlane:
        return replace(best, cards=[indexed(name, 1.0, LOW, cornered=True, sides=4.0) for name in ("AS", "KD")])


def test_the_best_plane_is_read_before_it_is_fitted_again_and_before_any_is_guessed(pack: DeckFaces) -> None:
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    grey = picture[:, :, 1].astype(np.float32)
    search = _Unsettled(picture, IndexViews(picture), grey, find_corners(picture))
    first, again, *_ = search.planes()
    assert [card.sides for card in first.cards] == [2.0]
    assert [card.sides for card in again.cards] == [4.0, 4.0]


def test_no_plane_is_guessed_where_one_that_was_read_is_that_of_the_cards(pack: DeckFaces) -> None:
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    search = _Unsettled(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), find_corners(picture))
    assert len(list(search.planes(lambda: True))) == 2
    assert len(list(search.planes(lambda: False))) > 2


class _Worthier(PlaneSearch):
    """The first plane seems worth most, and one after it is plain."""

    def around(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        is_first = not self.views.has(CAMERA)
        self.views.on(CAMERA)
        places = {"AS": LOW, "KD": APART, "7S": CardPose.flat(100.0, 100.0, 0.0)}
        names = ("AS", "KD", "7S") if is_first else ("AS", "KD")
        cards = [indexed(name, 1.0, places[name], cornered=True, sides=4.0) for name in names]
        return OnPlane(camera, size, cards, IndexPlace(), bare=frozenset({2} if is_first else ()))


def test_a_plain_plane_is_read_whatever_another_seems_worth(pack: DeckFaces) -> None:
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    search = _Worthier(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), find_corners(picture))
    assert any(found.is_plain for found in search.planes())


class _Rough(PlaneSearch):
    """Each plane is off, and no side is seen on it."""

    def on(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        return OnPlane(camera, size, [indexed("AS", 1.0, LOW, cornered=False, sides=1.0)], IndexPlace())


def test_a_plane_that_is_told_otherwise_is_read_before_any_other(pack: DeckFaces) -> None:
    """Where nobody tells, the best of all is sought."""
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    grey, corners, views = picture[:, :, 1].astype(np.float32), find_corners(picture), IndexViews(picture)
    asked = list[OnPlane]()

    def told(found: OnPlane) -> OnPlane | None:
        asked.append(found)
        return replace(found.over(CAMERA), placed={"AS": LOW}) if len(asked) == 1 else None

    first = next(_Rough(picture, views, grey, corners, told).planes())
    assert (len(asked), first.camera, set(first.placed)) == (1, CAMERA, {"AS"})
    others = list(_Rough(picture, views, grey, corners).planes())
    assert not any(found.placed for found in others)


def test_a_plane_whose_scale_a_card_s_ends_say_is_another_is_fitted_at_that_scale(pack: DeckFaces) -> None:
    """A whole side may be a card's width or its height: fitted at the wrong one, a plane was tilted otherwise, too."""
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    search = PlaneSearch(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), find_corners(picture))
    far = replace(CAMERA, tvec=1.4 * CAMERA.tvec)
    found = search.on(far, (63.0, 88.0))
    assert found.camera.tvec[2] == pytest.approx(CAMERA.tvec[2], rel=0.05)
    assert found.is_plain


def test_one_doubtful_mark_fits_no_plane(pack: DeckFaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its outline fits lines of a cloth on any plane, and fitting it took half of a slow picture's time."""
    picture, asked = photograph(pack, ("7S", LOW), ("KD", APART)), list[Camera]()
    search = PlaneSearch(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), [])
    cards = [indexed("AS", 0.6, LOW, cornered=True, sides=3.0)]

    def on(_: PlaneSearch, camera: Camera, size: tuple[float, float]) -> OnPlane:
        asked.append(camera)
        return OnPlane(OTHER, size, cards, IndexPlace())

    monkeypatch.setattr(PlaneSearch, "on", on)
    found = search.around(CAMERA, (63.0, 88.0))
    assert search.settled(found) is found
    assert asked == [CAMERA]
    cards.append(indexed("KD", 0.6, APART, cornered=True, sides=3.0))
    search.around(CAMERA, (63.0, 88.0))
    assert asked == [CAMERA, CAMERA, OTHER]


def test_once_cards_are_read_their_corners_alone_tell_planes(pack: DeckFaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of marble 31 corners told four planes before the nine of four cards did. Two tell more than the first alone."""
    asked, shown_px = list[list[int]](), CAMERA.project(np.array([[-80.0, 0.0, 0.0], [80.0, 0.0, 0.0]]))
    at = np.concatenate([shown_px, shown_px + 60.0, shown_px + 900.0])
    corners = [Corners(at, at, at, np.empty((0, 2, 2)), np.empty((0, 2, 2)))]

    def in_turn(found: Sequence[Corners], *_: Any) -> list[Any]:
        asked.append([len(each.at) for each in found])
        return []

    monkeypatch.setattr(plane_search, "planes_in_turn", in_turn)
    told = iter([np.stack([shown_px, shown_px + 14.0], axis=1)[:count] for count in (0, 1, 1, 2, 2)])
    monkeypatch.setattr(IndexViews, "told_px", lambda _: next(told))
    picture = photograph(pack, ("7S", LOW))
    search = _Rough(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), corners)
    list(search.planes())
    assert asked == [[6], [2], [4]]


def end_of_ace(y_mm: float, up_mm: float) -> IndexedCard:
    """An ace by its index at that height, which stands upright where `up_mm` is positive."""
    ace = indexed("AS", 1.0, CardPose.flat(0.0, y_mm, 0.0), cornered=True, sides=2.0)
    ends = (np.array([0.0, y_mm + way * up_mm]) for way in (1.0, -1.0))
    return replace(ace, indices=(replace(ace.indices[0], top=next(ends), bottom=next(ends)),))


class _TooSmall(PlaneSearch):
    """A plane on which the two ends of a card are those of two, until it is made as large as they say."""

    def on(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        ends = [end_of_ace(20.0, 4.0), end_of_ace(-10.0, -4.0)]
        is_first = not self.views.has(CAMERA)
        self.views.on(CAMERA)
        return OnPlane(OTHER if is_first else camera, size, ends if is_first else ends[:1], IndexPlace())


def test_a_plane_is_made_as_large_as_a_card_s_two_ends_say_before_it_is_fitted(pack: DeckFaces) -> None:
    """Fitting each of the likeliest planes at a wrong scale first took a third of a slow picture's time."""
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    search = _TooSmall(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), find_corners(picture))
    found = search.around(CAMERA, (63.0, 88.0))
    assert len(found.cards) == 1
    assert found.camera.tvec == pytest.approx(OTHER.tvec * found.camera.tvec[2] / OTHER.tvec[2])
    assert found.camera.tvec[2] > 1.5 * OTHER.tvec[2]
