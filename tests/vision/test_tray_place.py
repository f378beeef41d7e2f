"""A tray pushed among its fiducials is noticed to a fraction of a millimetre, and nothing else is taken for one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.doubts import Doubt, Way
from arena_cam.domain.lies import Landing, Reading, TablePose, Unreadable
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.rendering.scene import default_scene
from arena_cam.vision.table.pose import TablePoseFinder
from arena_cam.vision.table.tray_place import TrayPlace
from arena_cam.vision.watching.tray_guard import TrayGuard
from shared_decks import deck_in

SMALL_PX = (768, 432)


@pytest.fixture(scope="module")
def deck(deck_folder: Path) -> Deck:
    return deck_in(deck_folder)


@pytest.fixture
def table(deck: Deck) -> SimulatedTable:
    return SimulatedTable(deck, default_scene(SMALL_PX), seed=5, supersample=1)


def after(table: SimulatedTable, *actions: act.Action) -> np.ndarray:
    """The picture when all of it has come to rest."""
    table.perform(*actions)
    for _ in range(600):
        table.advance(table.time_s + 0.1)
        if table.idle:
            break
    return table.picture()


def pose_in(table: SimulatedTable, picture: np.ndarray) -> TablePose:
    seen = TablePoseFinder(table.table()).find(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    assert seen is not None
    return seen.pose


@pytest.mark.parametrize(
    "pushed",
    [
        (14.0, -5.0, 0.0),
        pytest.param((-3.0, 0.0, 0.0), marks=pytest.mark.thorough),
        pytest.param((0.0, 6.0, 1.5), marks=pytest.mark.thorough),
        (2.0, 2.0, -3.0),
    ],
)
def test_how_far_it_was_pushed_and_turned(table: SimulatedTable, pushed: tuple[float, float, float]) -> None:
    place = TrayPlace(table.table())
    picture = after(table, act.LayChallenge("red-8"), act.Throw("green-4", Landing.DIAGONAL))
    place.look(picture, pose_in(table, picture))
    picture = after(table, act.ShiftTray(*pushed))
    shift = place.look(picture, pose_in(table, picture))
    assert shift is not None
    assert (shift.x_mm, shift.y_mm) == pytest.approx(pushed[:2], abs=0.6)
    assert shift.turn_deg == pytest.approx(pushed[2], abs=0.25)


def test_nothing_else_moves_it(table: SimulatedTable) -> None:
    place = TrayPlace(table.table())
    picture = table.picture()
    place.look(picture, pose_in(table, picture))
    cards = [
        act.Throw("green-4", Landing.EDGE),
        act.Throw("blue-3", Landing.EDGE),
        act.Throw("red-2", Landing.DIAGONAL),
    ]
    for happens in (cards, [act.Sun(1.6, 2.0), act.Wait(2.5)], [act.PutGlass()], [act.BumpCamera()]):
        picture = after(table, *happens)
        shift = place.look(picture, pose_in(table, picture))
        assert shift is not None
        assert shift.far_mm < 0.4
        assert abs(shift.turn_deg) < 0.2
    table.perform(act.ReachIn(2.0, at_mm=(0.0, 100.0)))
    table.advance(table.time_s + 1.2)
    picture = table.picture()
    shift = place.look(picture, pose_in(table, picture))
    assert shift is None or shift.far_mm < 0.4


class Counting:
    """A reader that finds an empty arena, and counts how often it was asked."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table, self.reads = table, 0

    def read(self, frame: Frame, *, known: object = (), **_: object) -> Reading | Unreadable:
        assert known == ()
        self.reads += 1
        return Reading(frame.name, frame.time_s, (), pose=pose_in(self.table, frame.image_bgr))


def test_it_is_looked_for_where_the_picture_of_the_empty_arena_shows_it(table: SimulatedTable, tmp_path: Path) -> None:
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), table.picture())
    reader = Counting(table)
    picture = after(table, act.ShiftTray(5.0, 0.0, 2.0))
    guard = TrayGuard(reader, replace(table.table(), empty=empty))
    for name in ("first", "again"):
        answer = guard.read(Frame(picture, 1.0, 0, "test", name))
        assert isinstance(answer, Unreadable)
        assert answer.doubts == (Doubt.TRAY_PUSHED(distance_mm=5, way=Way.RIGHT), Doubt.TRAY_TURNED(turn_deg=2))
    assert reader.reads == 1, "while it is not back nobody looks what lies in it"
    picture = after(table, act.ShiftTray(-5.0, 0.0, -2.0))
    assert isinstance(guard.read(Frame(picture, 2.0, 0, "test", "back")), Reading)
