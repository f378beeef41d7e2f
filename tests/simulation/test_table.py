"""The simulated table in time: what is asked for happens, the truth follows, and trouble comes and goes."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CameraLost, CannotDo
from arena_cam.domain.lies import Face, Landing
from arena_cam.printing.sheets import block_faces
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.arena.evening import Evening
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.rendering.scene import default_scene
from arena_cam.simulation.source import SimulatedSource

STEP_S = 1 / 15
SMALL_PX = (768, 432)  # large enough for the fiducials, small enough for many tables


@pytest.fixture
def table(deck: Deck) -> SimulatedTable:
    return SimulatedTable(deck, default_scene(SMALL_PX), seed=5, supersample=1)


def act_out(table: SimulatedTable, *actions: act.Action) -> None:
    """Performs actions and lets time pass until all is still, without looking."""
    table.perform(*actions)
    for _ in range(900):
        table.advance(table.time_s + STEP_S)
        if table.idle:
            return
    raise AssertionError("the table did not come to rest within a minute")


def landings(table: SimulatedTable) -> dict[str, str]:
    return {card["id"]: card["landing"] for card in table.truth()["cards"]}


def fiducials_seen(picture: np.ndarray) -> int:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    ids = detector.detectMarkers(picture)[1]
    return 0 if ids is None else len(ids)


def test_cards_come_to_lie_as_asked_in_order(table: SimulatedTable) -> None:
    act_out(
        table,
        act.LayChallenge("red-8"),
        act.Throw("blue-3", Landing.DIAGONAL),
        act.Throw("green-5", Landing.BESIDE),
        act.Throw("violet-2", Landing.FLAT, Face.DOWN),
    )
    assert landings(table) == {"red-8": "flat", "blue-3": "diagonal", "green-5": "beside", "violet-2": "flat"}
    truth = table.truth("red-8")
    assert truth["order"] == ["red-8", "blue-3", "green-5", "violet-2"]
    assert truth["cards"][3]["face"] == "down"
    assert truth["moving"] is False


def test_a_card_on_the_challenge_duels(table: SimulatedTable) -> None:
    act_out(table, act.LayChallenge("red-8", (0.0, 0.0)), act.Throw("blue-3", Landing.FLAT, aim_mm=(5.0, 5.0)))
    truth = table.truth("red-8")
    assert truth["duelling"] == "blue-3"
    assert truth["cards"][1]["rests_on"] == ["red-8"]


def test_two_cards_fly_at_once(table: SimulatedTable) -> None:
    table.perform(act.Throw("blue-3"), act.Throw("green-5", together=True))
    table.advance(0.15)
    first = table.truth()
    assert first["moving"]
    assert first["cards"] == []
    table.advance(1.2)
    assert set(landings(table)) == {"blue-3", "green-5"}


def test_cards_are_disturbed_taken_and_swept(table: SimulatedTable) -> None:
    act_out(table, act.LayChallenge("red-8", (0.0, 0.0)), act.Throw("blue-3", Landing.FLAT, aim_mm=(5.0, 5.0)))
    act_out(table, act.Disturb("red-8", Landing.EDGE))
    assert landings(table) == {"blue-3": "flat", "red-8": "edge"}
    blue = next(card for card in table.truth()["cards"] if card["id"] == "blue-3")
    assert blue["rests_on"] == []
    assert blue["centre_mm"][2] == pytest.approx(0.3, abs=0.01)  # it has sunk to the floor
    act_out(table, act.RemoveCard("blue-3"))
    assert set(landings(table)) == {"red-8"}
    act_out(table, act.Sweep())
    assert landings(table) == {}


def test_the_picture_follows_and_what_rests_stays_still(table: SimulatedTable) -> None:
    empty = table.picture().astype(int)
    act_out(table, act.LayChallenge("red-8", (0.0, 0.0)))
    laid = table.picture().astype(int)
    table.advance(table.time_s + 1.0)
    later = table.picture().astype(int)
    x, y = (round(v) for v in table.camera.project(np.array([[0.0, 0.0, 0.3]]))[0])
    there = (slice(y - 15, y + 15), slice(x - 15, x + 15))
    assert np.abs(laid[there] - empty[there]).mean() > 30
    assert np.abs(later - laid).mean() < 3
    act_out(table, act.Sweep())
    assert np.abs(table.picture().astype(int)[there] - empty[there]).mean() < 3


def test_a_hand_hides_and_goes(table: SimulatedTable) -> None:
    quiet = table.picture().astype(int)
    table.perform(act.ReachIn(1.0, (0.0, 0.0)))
    table.advance(1.1)
    assert table.truth()["hand_in_view"]
    assert np.count_nonzero(np.abs(table.picture().astype(int) - quiet).max(axis=2) > 25) > 5000
    table.advance(4.0)
    assert not table.truth()["hand_in_view"]
    assert np.abs(table.picture().astype(int) - quiet).mean() < 2


def test_unknown_cards_are_refused(table: SimulatedTable) -> None:
    with pytest.raises(CannotDo, match="no card of the deck"):
        table.perform(act.Throw("orange-3"))
    table.perform(act.RemoveCard("red-1"))
    with pytest.raises(CannotDo, match="does not lie"):
        table.advance(1.0)


def test_the_camera_is_lost_and_comes_back(table: SimulatedTable) -> None:
    source = SimulatedSource(table, live=False)
    table.perform(act.Wait(0.3), act.Unplug(0.5))
    told: list[bool] = []
    for _ in range(20):
        try:
            frame = source.read()
            assert frame is not None
            told.append(True)
        except CameraLost:
            told.append(False)
    assert told[:4] == [True] * 4
    assert told[-4:] == [True] * 4
    assert 6 <= told.count(False) <= 9


def test_lights_go_off_and_on(table: SimulatedTable) -> None:
    bright = table.picture().mean()
    act_out(table, act.Lights(on=False), act.Wait(0.5))
    assert table.picture().mean() < 0.25 * bright
    act_out(table, act.Lights(on=True), act.Wait(0.5))
    assert table.picture().mean() == pytest.approx(bright, abs=1.0)


def test_the_sun_comes_slowly_from_one_side(table: SimulatedTable) -> None:
    before = table.picture()
    act_out(table, act.Sun(1.5, 4.0), act.Wait(5.0))
    after = table.picture()
    assert after[:, -200:].mean() > before[:, -200:].mean() + 8
    assert after[:, :50].mean() == pytest.approx(before[:, :50].mean(), abs=3)


def test_a_bump_moves_the_picture_and_the_truth_with_it(table: SimulatedTable) -> None:
    act_out(table, act.LayChallenge("red-8"))
    before = np.array(table.truth()["cards"][0]["corners_px"])
    act_out(table, act.BumpCamera())
    after = np.array(table.truth()["cards"][0]["corners_px"])
    assert np.linalg.norm(after - before, axis=1).min() > 2
    table.picture()
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    corners, ids, _ = detector.detectMarkers(table.picture())
    for corner, number in zip(corners, np.ravel(ids), strict=True):
        x, y = table.table().fiducials.centres_mm[int(number)]
        said = table.camera.project(np.array([[x, y, 0.1]]))[0]
        assert np.allclose(np.reshape(corner, (4, 2)).mean(axis=0), said, atol=1.5)


def test_a_shifted_tray_leaves_the_fiducials_where_they_were(table: SimulatedTable) -> None:
    act_out(table, act.LayChallenge("red-8"))
    before = np.array(table.truth()["cards"][0]["corners_px"])
    act_out(table, act.ShiftTray(12.0, 0.0))
    moved = np.array(table.truth()["cards"][0]["corners_px"]) - before
    scale = table.camera.px_per_mm(np.zeros(3))
    assert moved[:, 0] == pytest.approx(np.full(4, 12.0 * scale), rel=0.1)


def test_sleeves_cover_fiducials_for_a_while(table: SimulatedTable) -> None:
    assert fiducials_seen(table.picture()) == 4
    table.perform(act.CoverFiducials(3.0))
    table.advance(1.5)
    assert fiducials_seen(table.picture()) <= 1
    table.advance(4.0)
    assert fiducials_seen(table.picture()) == 4


def test_an_arm_rests_while_other_things_happen(table: SimulatedTable) -> None:
    act_out(table, act.LayChallenge("red-8", at_mm=(0.0, 0.0)))
    bare = table.picture()
    table.perform(act.RestArm(6.0), act.RemoveCard("red-8"))
    table.advance(table.time_s + 4.0)
    assert table.idle
    assert table.truth()["hand_in_view"]
    assert table.truth()["cards"] == []
    assert np.mean(np.abs(table.picture().astype(float) - bare) > 40) > 0.03
    table.advance(table.time_s + 3.0)
    assert not table.truth()["hand_in_view"]


@pytest.mark.parametrize(("how", "level"), [("black", 0), ("white", 255)])
def test_spoilt_pictures(table: SimulatedTable, how: str, level: int) -> None:
    table.picture()
    act_out(table, act.Spoil(how, 0.5))
    assert np.all(table.picture() == level)
    table.advance(2.0)
    assert 20 < table.picture().mean() < 235


def test_a_frozen_camera_repeats_itself_to_the_bit(table: SimulatedTable) -> None:
    last = table.picture().copy()
    act_out(table, act.Spoil("frozen", 1.0))
    table.advance(0.5)
    assert np.array_equal(table.picture(), last)
    table.advance(2.0)
    assert not np.array_equal(table.picture(), last)


def test_a_glass_beside_the_arena_is_no_card(table: SimulatedTable) -> None:
    before = table.picture().astype(int)
    act_out(table, act.PutGlass((245.0, 0.0)))
    after = table.picture().astype(int)
    assert np.count_nonzero(np.abs(after - before).max(axis=2) > 20) > 600
    assert landings(table) == {}


def test_an_evening_plays_by_itself_the_same_from_the_same_seed(deck: Deck, table: SimulatedTable) -> None:
    other = SimulatedTable(deck, default_scene(SMALL_PX), seed=5, supersample=1)
    logs = []
    for one in (table, other):
        evening = Evening(players=3, seed=2)
        log: list[list[str]] = []
        for frame in range(900):
            evening.direct(one)
            one.advance(frame * STEP_S)
            order = [placed.card for placed in one.pile.cards]
            if not log or log[-1] != order:
                log.append(order)
        logs.append(log)
    assert logs[0] == logs[1]
    challenges = [order[0] for order in logs[0] if len(order) == 1]
    assert len(challenges) >= 4
    assert [card.split("-")[0] for card in challenges[:4]] == ["red", "blue", "green", "red"]


def test_a_whole_evening_ends_with_the_cards(deck: Deck) -> None:
    table = SimulatedTable(deck, default_scene(SMALL_PX), seed=3, supersample=1)
    evening = Evening(players=3, seed=3, quiet_s=0.5, games=1)
    seen: set[str] = set()
    for frame in range(20000):
        evening.direct(table)
        table.advance(frame * STEP_S)
        seen |= {placed.card for placed in table.pile.cards}
        if evening.over and table.idle:
            break
    assert evening.over
    assert len(seen) >= 20


def test_a_live_table_runs_by_the_clock_and_only_slow_readers_miss_frames(table: SimulatedTable) -> None:
    source = SimulatedSource(table, live=True, fps=20.0, speed=2.0)
    first = source.read()
    time.sleep(0.3)
    second = source.read()
    time.sleep(1.9)
    third = source.read()
    assert first is not None
    assert second is not None
    assert third is not None
    assert second.sequence == first.sequence + 1
    assert third.sequence - first.sequence >= 70
    assert third.time_s == pytest.approx(third.sequence / 20.0)
    source.close()
    assert source.read() is None


def test_blocks_are_laid_under_a_hand_and_taken_away(deck: Deck) -> None:
    table = SimulatedTable(deck, default_scene(SMALL_PX), seed=5, supersample=1, blocks=block_faces())
    table.perform(act.LayBlock("red", "peace", at_mm=(-270.0, -60.0), covered_s=1.0))
    table.advance(1.0)
    assert [(block["colour"], block["choice"]) for block in table.truth()["blocks"]] == [("red", "peace")]
    covered = table.picture()
    act_out(table)
    marker = table.camera.project(np.array([[*table.truth()["blocks"][0]["marker_mm"], 0.0]]))[0]
    x, y = (int(v) for v in marker)
    around = (slice(y - 10, y + 10), slice(x - 10, x + 10))
    assert table.picture()[around].std() > 2 * covered[around].std(), "black and white once the hand is lifted"
    act_out(table, act.CoverBlock("red", 0.5))
    assert len(table.blocks) == 1
    act_out(table, act.TakeBlock("red"))
    assert not table.blocks


def test_a_block_without_a_print_cannot_be_laid(table: SimulatedTable) -> None:
    with pytest.raises(CannotDo, match="red block"):
        table.perform(act.LayBlock("red", "peace"))
