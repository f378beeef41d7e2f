"""What no card explains is told: by the empty arena's picture, close beside cards, and without any such picture."""

from __future__ import annotations

import numpy as np

from arena_cam.domain.lies import Face, Landing, Lie, Unknown
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.floor.closer_look import CloserLook
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.unknown_things import UnknownThings
from vision.scenes import CAMERA, FLOOR, WIDE, scene_of

LYING = CardPose.flat(-20.0, 5.0, 20.0, 0.3)
APART = CardPose.flat(62.0, -20.0, 20.0, 0.3)
# Turned a little beneath the first card: wedges of four corners look out, three millimetres wide and a little more.
BENEATH = CardPose.flat(-20.0, 5.0, 27.0, 0.3)


def lie_at(faces: DeckFaces, pose: CardPose) -> Lie:
    corners = CAMERA.project(pose.corners(faces.deck.width_mm, faces.deck.height_mm))
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return Lie("one", "one", Face.UP, Landing.FLAT, 1.0, 0.0, 0.5, (0.0, 0.0), 20.0, (a, b, c, d))


def unknown(
    faces: DeckFaces, *cards: tuple[str, CardPose], found: tuple[CardPose, ...], with_empty: bool = True
) -> tuple[Unknown, ...]:
    """What is unknown where these `cards` lie and those at `found` are known."""
    scene = scene_of(faces, *cards, with_empty=with_empty)
    closer = CloserLook(FLOOR, CAMERA, WIDE) if with_empty else None
    lies = [lie_at(faces, pose) for pose in found]
    return UnknownThings(KeptMaps(None), closer).beside(lies, scene, np.asarray(scene.bgr))


def test_cards_that_are_found_leave_nothing(faces: DeckFaces) -> None:
    first, second = faces.names[:2]
    cards = (first, LYING), (second, APART)
    assert unknown(faces, *cards, found=(LYING, APART)) == ()
    assert unknown(faces, *cards, found=(LYING, APART), with_empty=False) == ()


def test_a_card_apart_from_those_found_may_be_a_card(faces: DeckFaces) -> None:
    first, second = faces.names[:2]
    for with_empty in (True, False):
        things = unknown(faces, (first, LYING), (second, APART), found=(LYING,), with_empty=with_empty)
        assert [thing.may_be_card for thing in things] == [True]
        assert things[0].centre_mm is not None
        assert np.hypot(things[0].centre_mm[0] - 62.0, things[0].centre_mm[1] + 20.0) < 6.0


def test_what_looks_out_close_beside_a_card_may_touch_it(faces: DeckFaces) -> None:
    first, second = faces.names[:2]
    cards = (second, BENEATH), (first, LYING)
    change = scene_of(faces, *cards, with_empty=True).change
    assert change is not None
    assert change.strangers([np.array(lie_at(faces, LYING).corners_px)]) == []
    things = unknown(faces, *cards, found=(LYING,))
    assert [thing.near for thing in things] == [("one",)]
