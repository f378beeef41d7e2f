"""Throws in time, on the simulated table: each thing that happens is said once, and nothing that did not happen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Landing, Lie
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, EyeState
from arena_cam.printing.sheets import block_faces
from arena_cam.simulation.arena.actions import (
    BumpCamera,
    Disturb,
    LayBlock,
    LayChallenge,
    Lights,
    PutGlass,
    ReachIn,
    RemoveCard,
    RestArm,
    Spoil,
    Sun,
    Sweep,
    TakeBlock,
    Throw,
    Wait,
)
from arena_cam.simulation.arena.table import SimulatedTable
from vision.watched_table import FPS, WatchedTable, drawn_deck, in_words

# From rest to ruling: the bar of the project, in frames at 15 frames/s.
LATEST_FRAMES = 12


@pytest.fixture
def watched() -> WatchedTable:
    """A table whose empty arena has been seen."""
    table = WatchedTable()
    assert table.play(Wait(0.5)) == []
    assert table.watcher.state is EyeState.ARMED
    return table


@pytest.fixture
def opened(watched: WatchedTable) -> WatchedTable:
    """A table on which a challenge and two cards lie, one of them over the challenge."""
    watched.play(LayChallenge("red-1", at_mm=(0.0, 0.0)))
    watched.play(Throw("blue-1", Landing.FLAT, aim_mm=(25.0, 25.0)))
    watched.play(Throw("green-1", Landing.FLAT, aim_mm=(-95.0, -95.0)))
    assert watched.watcher.reading is not None
    assert {lie.key for lie in watched.watcher.reading.lies} == {"red-1", "blue-1", "green-1"}
    return watched


def test_each_card_is_said_once_after_it_rests_and_soon(watched: WatchedTable) -> None:
    for card, action in (
        ("red-1", LayChallenge("red-1")),
        ("blue-2", Throw("blue-2", Landing.FLAT)),
        ("green-3", Throw("green-3", Landing.DIAGONAL)),
        ("blue-3", Throw("blue-3", Landing.EDGE)),
    ):
        lying = watched.cards()
        watched.table.perform(action)
        before, rested_s, said_s = len(watched.said), None, None
        while said_s is None or not watched.table.idle:
            frame = watched.source.read()
            assert frame is not None
            if rested_s is None and watched.cards() > lying:
                rested_s = frame.time_s
            watched.said += [(frame.time_s, each) for each in watched.watcher.feed(frame)]
            arrived = [(t, each) for t, each in watched.said[before:] if isinstance(each, CardRested)]
            said_s = arrived[0][0] if arrived else None
        assert in_words([each for _, each in arrived]) == [f"rested {card}"]
        assert rested_s is not None
        assert rested_s <= said_s
        if not isinstance(action, LayChallenge):  # over that one a hand remains for a while
            assert (said_s - rested_s) * FPS <= LATEST_FRAMES
            assert abs(arrived[0][1].at_s - rested_s) * FPS <= 2


def test_a_quiet_table_is_read_once(watched: WatchedTable) -> None:
    watched.play(Wait(4.0))
    assert len(watched.reader.reads) == 1


def test_a_hand_that_reaches_in_is_no_event(opened: WatchedTable) -> None:
    assert opened.play(ReachIn(1.5), ReachIn(0.4, at_mm=(0.0, 0.0))) == []


def test_a_card_face_down_keeps_its_key(watched: WatchedTable) -> None:
    assert in_words(watched.play(Throw("red-2", Landing.FLAT, Face.DOWN, aim_mm=(-60.0, 40.0)))) == ["rested ?1"]
    assert in_words(watched.play(Throw("blue-2", Landing.FLAT, Face.DOWN, aim_mm=(70.0, -40.0)))) == ["rested ?2"]
    assert in_words(watched.play(RemoveCard("red-2"))) == ["gone ?1"]
    assert in_words(watched.play(Throw("red-3", Landing.FLAT, Face.DOWN, aim_mm=(-60.0, 40.0)))) == ["rested ?3"]


def test_two_cards_thrown_together_are_both_said(watched: WatchedTable) -> None:
    said = watched.play(
        Throw("red-2", Landing.FLAT, aim_mm=(-70.0, 60.0)),
        Throw("blue-2", Landing.FLAT, aim_mm=(70.0, -60.0), together=True),
    )
    assert sorted(in_words(said)) == ["rested blue-2", "rested red-2"]


def test_a_card_beside_which_another_still_creeps_is_said_when_that_rests() -> None:
    """The first to rest lies where the other's motion reaches, and is passed over when the rest is read."""
    watched = WatchedTable(SimulatedTable(drawn_deck(), seed=1, supersample=1))
    assert watched.play(Wait(0.5)) == []
    said = watched.play(
        Throw("red-2", Landing.FLAT, aim_mm=(-62.0, 30.0)),
        Throw("blue-2", Landing.EDGE, aim_mm=(-125.0, 10.0), together=True),
    )
    assert sorted(in_words(said)) == ["rested blue-2", "rested red-2"]


def test_of_cards_said_together_the_lower_comes_first(watched: WatchedTable) -> None:
    said = watched.play(
        Throw("red-2", Landing.FLAT, aim_mm=(0.0, 0.0)),
        Throw("blue-2", Landing.FLAT, aim_mm=(12.0, 30.0), together=True),
    )
    assert len(said) == 2
    first, second = said
    assert isinstance(first, CardRested)
    assert isinstance(second, CardRested)
    assert second.lie.key not in first.lie.rests_on


def test_a_card_that_is_pushed_has_moved(opened: WatchedTable) -> None:
    said = opened.play(Disturb("green-1", Landing.EDGE))
    moved = [each for each in said if isinstance(each, CardMoved)]
    assert [each.lie.key for each in moved] == ["green-1"]
    assert moved[0].before.landing is Landing.FLAT
    assert moved[0].lie.landing is Landing.EDGE
    assert not [each for each in said if isinstance(each, CardRested | CardGone)]


def test_a_card_taken_away_is_gone(opened: WatchedTable) -> None:
    assert in_words(opened.play(RemoveCard("green-1"))) == ["gone green-1"]


def test_a_card_covered_by_another_is_still_believed(watched: WatchedTable) -> None:
    watched.play(LayChallenge("red-1", at_mm=(0.0, 0.0)))
    covering = [
        Throw("blue-1", Landing.FLAT, aim_mm=(-14.0, 22.0)),
        Throw("blue-2", Landing.FLAT, aim_mm=(14.0, -22.0)),
        Throw("blue-3", Landing.FLAT, aim_mm=(0.0, 0.0)),
    ]
    said = [word for action in covering for word in in_words(watched.play(action))]
    hidden = [card for card in watched.table.truth()["cards"] if card["visible_fraction"] < 0.3]
    assert hidden, "the throws were meant to cover the challenge card"
    assert not [word for word in said if word.startswith("gone")]
    assert watched.watcher.reading is not None
    assert {lie.key for lie in watched.watcher.reading.lies} == {"red-1", "blue-1", "blue-2", "blue-3"}
    for card in watched.table.truth()["cards"]:
        lie = watched.watcher.reading.lie(card["id"])
        assert set(lie.rests_on) == set(card["rests_on"])


def test_the_arena_swept_clean_and_the_next_round(opened: WatchedTable) -> None:
    assert sorted(in_words(opened.play(Sweep()))) == ["gone blue-1", "gone green-1", "gone red-1"]
    assert in_words(opened.play(LayChallenge("green-2"))) == ["rested green-2"]


def test_a_card_swept_from_where_something_else_lay_before() -> None:
    """A block that lay beside the arena for long belongs to the table; where it lay a card falls, and is swept away."""
    at_mm = where_it_falls("red-2")
    blocks = WatchedTable(table_with_blocks())
    blocks.play(LayBlock("blue", "peace", at_mm=at_mm, angle_deg=0.0), rest_s=4.5)
    blocks.play(LayChallenge("red-1", at_mm=(0.0, 0.0)))
    assert in_words(blocks.play(TakeBlock("blue"), Throw("red-2", Landing.BESIDE))) == ["rested red-2"]
    assert in_words(blocks.play(Sweep(), rest_s=0.5)) == ["gone red-1"]
    assert [lie.key for lie in blocks.watcher.covered] == ["red-2"]
    assert blocks.watcher.why == (Doubt.PLACE_COVERED(card="red-2"),)
    # Hands go on moving elsewhere.
    said = blocks.play(*[ReachIn(0.5, at_mm=(-100.0, -100.0))] * 4)
    assert in_words(said) == ["gone red-2"]
    assert blocks.watcher.covered == ()


def table_with_blocks() -> SimulatedTable:
    return SimulatedTable(drawn_deck(), seed=3, supersample=1, blocks=block_faces())


def where_it_falls(card: str) -> tuple[float, float]:
    """Where a card falls beside the arena, on a table on which just as much happened before."""
    twin = table_with_blocks()
    twin.perform(LayBlock("blue", "peace", at_mm=(200.0, 0.0), angle_deg=0.0))
    twin.perform(LayChallenge("red-1", at_mm=(0.0, 0.0)), TakeBlock("blue"), Throw(card, Landing.BESIDE))
    twin.advance(30.0)
    x, y, _ = next(each["centre_mm"] for each in twin.truth()["cards"] if each["id"] == card)
    return float(x), float(y)


def arm_over(watched: WatchedTable, card: str, seconds: float) -> RestArm:
    x, y, _ = next(each["centre_mm"] for each in watched.table.truth()["cards"] if each["id"] == card)
    return RestArm(seconds, (float(x), float(y) + 40.0))


def test_a_card_taken_from_under_an_arm(opened: WatchedTable) -> None:
    opened.table.perform(arm_over(opened, "green-1", 7.0))
    assert opened.play(Wait(0.8), RemoveCard("green-1"), rest_s=3.5) == []
    assert Doubt.PLACE_COVERED(card="green-1") in opened.watcher.why
    assert in_words(opened.play(Wait(3.0))) == ["gone green-1"]
    assert opened.watcher.why == ()


def test_a_card_under_an_arm_stays_or_comes_anew_if_it_was_given_up(opened: WatchedTable) -> None:
    opened.table.perform(arm_over(opened, "green-1", 7.0))
    assert opened.play(Wait(4.5), rest_s=0.2) == []
    assert [lie.key for lie in opened.watcher.covered] == ["green-1"]
    assert opened.play(Wait(2.0)) == []
    assert (opened.watcher.state, opened.watcher.covered) == (EyeState.ARMED, ())
    opened.table.perform(arm_over(opened, "green-1", 7.0))
    opened.play(Wait(4.5), rest_s=0.2)
    opened.watcher.give_up_covered()
    assert in_words(opened.play(rest_s=0.2)) == ["gone green-1"]
    assert in_words(opened.play(Wait(3.0))) == ["rested green-1"]


def test_light_off_and_on_again(opened: WatchedTable) -> None:
    for on, state in ((False, EyeState.BLIND), (True, EyeState.ARMED)):
        assert opened.play(Lights(on=on), Wait(2.0)) == []
        assert opened.watcher.state is state
        assert opened.watcher.why[:1] == (() if on else (Doubt.PICTURE_BLACK(),))


def test_sun_coming_round(opened: WatchedTable) -> None:
    assert opened.play(Sun(1.5, seconds=6.0), Wait(7.0)) == []


def test_a_bumped_camera(opened: WatchedTable) -> None:
    assert opened.play(BumpCamera(), Wait(1.0)) == []
    assert in_words(opened.play(Throw("blue-2", Landing.FLAT, aim_mm=(80.0, -80.0)))) == ["rested blue-2"]
    assert in_words(opened.play(RemoveCard("blue-2"))) == ["gone blue-2"]


def test_a_glass_put_beside_the_arena(opened: WatchedTable) -> None:
    assert opened.play(PutGlass(), Wait(1.0)) == []
    assert in_words(opened.play(Throw("blue-2", Landing.FLAT, aim_mm=(80.0, -80.0)))) == ["rested blue-2"]


def test_pictures_that_show_nothing(opened: WatchedTable) -> None:
    for how in ("black", "white", "frozen"):
        assert opened.play(Spoil(how, 4.0), Wait(2.0)) == []
        assert opened.watcher.state is EyeState.BLIND
        assert opened.watcher.why[0].code == f"picture_{how}"
        assert opened.play(Wait(1.0)) == []
        assert opened.watcher.state is not EyeState.BLIND
    assert in_words(opened.play(Throw("blue-2", Landing.FLAT, aim_mm=(80.0, -80.0)))) == ["rested blue-2"]


def test_a_table_that_cannot_be_read_is_tried_again(opened: WatchedTable) -> None:
    opened.reader.unreadable_until_s = opened.table.time_s + 5.0
    assert opened.play(Throw("blue-2", Landing.FLAT, aim_mm=(80.0, -80.0))) == []
    assert opened.watcher.state is EyeState.BLIND
    assert opened.watcher.why == (Doubt.FEW_FIDUCIALS(), Doubt.UNCOVER_FIDUCIALS())
    assert in_words(opened.play(Wait(5.0))) == ["rested blue-2"]


def test_doubt_asks_for_more_frames_before_it_is_said(watched: WatchedTable) -> None:
    watched.reader.unsure_until = len(watched.reader.reads) + 1
    said = watched.play(Throw("blue-2", Landing.FLAT))
    assert in_words(said) == ["rested blue-2"]
    assert isinstance(said[0], CardRested)
    assert said[0].lie.sure


def test_doubt_that_stays_is_said_as_doubt(watched: WatchedTable) -> None:
    watched.reader.unsure_until = 1000
    said = watched.play(Throw("blue-2", Landing.FLAT))
    assert in_words(said) == ["rested blue-2"]
    assert isinstance(said[0], CardRested)
    assert not said[0].lie.sure


def test_what_rests_when_the_source_ends_is_said(watched: WatchedTable) -> None:
    watched.table.perform(Throw("blue-2", Landing.FLAT))
    frames = 0
    while frames < 4:
        frame = watched.source.read()
        assert frame is not None
        assert in_words([each for each in watched.watcher.feed(frame) if isinstance(each, CardRested)]) == []
        frames += watched.cards() == 1
    assert in_words([each for each in watched.watcher.finish() if isinstance(each, CardRested)]) == ["rested blue-2"]


def test_the_reader_is_told_where_the_picture_changed(watched: WatchedTable) -> None:
    assert watched.reader.changed[0] is None, "at first anything may lie anywhere"
    watched.play(LayChallenge("red-1", at_mm=(0.0, 0.0)))
    watched.play(Throw("green-1", Landing.FLAT, aim_mm=(-95.0, -95.0)))
    assert watched.watcher.reading is not None
    lies = {lie.key: lie for lie in watched.watcher.reading.lies}
    changed = watched.reader.changed[-1]
    assert changed is not None
    width, height = watched.table.table().image_size
    pixels = cv2.resize(changed.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
    assert _share_of(lies["green-1"], pixels) > 0.95
    assert _share_of(lies["red-1"], pixels) < 0.1
    assert pixels.mean() < 0.2


def test_the_reader_is_shown_how_the_table_looked_when_last_read(opened: WatchedTable) -> None:
    empty, with_challenge = opened.reader.before[0], opened.table.picture()
    assert empty is None, "nothing was read before"
    assert opened.watcher.reading is not None
    opened.play(Throw("blue-2", Landing.FLAT, aim_mm=(-95.0, -95.0)))
    before = opened.reader.before[-1]
    assert before is not None
    assert np.abs(before.astype(int) - with_challenge).mean() < 2.0, "all lay at rest when the last card was read"
    opened.play(ReachIn(1.5), rest_s=2.0)
    assert opened.play(Throw("red-3", Landing.FLAT, aim_mm=(95.0, 95.0)))
    (lie,) = (lie for lie in opened.watcher.reading.lies if lie.key == "blue-2")
    last = opened.reader.before[-1]
    assert last is not None
    outline = np.zeros(last.shape[:2], np.uint8)
    cv2.fillConvexPoly(outline, np.round(np.array(lie.corners_px)).astype(np.int32), (1,))
    difference = np.abs(last.astype(int) - opened.table.picture())[outline > 0].mean()
    assert difference < 2.0, "a card that was read since is in it"


def _share_of(lie: Lie, pixels: np.ndarray) -> float:
    outline = np.zeros_like(pixels)
    cv2.fillConvexPoly(outline, np.round(np.array(lie.corners_px)).astype(np.int32), (1,))
    return float(pixels[outline > 0].mean())
