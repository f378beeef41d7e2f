"""Whatever happens on a table, with a real eye over it: it is noticed and told, and no throw is made up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import Landing
from arena_cam.domain.observations import EyeState
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.rendering.scene import default_scene
from arena_cam.vision.reading.table_reader import TableReader
from referee.room import Room
from shared_decks import deck_in

FREE_PLACE = (-75.0, 70.0)


@pytest.fixture(scope="module")
def deck(deck_folder: Path) -> Deck:
    return deck_in(deck_folder)


@pytest.fixture(scope="module")
def reader(deck: Deck) -> TableReader:
    return TableReader(default_scene().table, deck)


@pytest.fixture
def room(tmp_path: Path, deck: Deck, reader: TableReader) -> Iterator[Room]:
    """A round is open: red-8 lies in the middle; nothing closes by itself."""
    room = Room(tmp_path / "data", deck, reader)
    room.start()
    room.session.act("set_quiet_time", {"seconds": 120}, "referee")
    room.acts(act.LayChallenge("red-8", at_mm=(0.0, 0.0)), rest_s=0.6)
    assert room.events == [{"type": "challenge", "card": "red-8"}]
    yield room
    room.session.stop()


def thrown(room: Room, card: str, landing: str) -> dict[str, Any]:
    """The event of a card as it really lies."""
    lies = {each["id"]: each for each in room.table.truth()["cards"]}
    assert lies[card]["landing"] == landing
    return {"type": "throw", "card": card, "landing": landing, "face": "up", "rests_on": lies[card]["rests_on"]}


def nothing_happened(room: Room, before: list[dict[str, Any]]) -> bool:
    return room.events == before and room.session.snapshot()["question"] is None


def the_next_throw_is_seen(room: Room) -> bool:
    """Whether a card thrown now is written down as it lies, and everything is well again."""
    before = room.events
    room.acts(act.Throw("blue-2", Landing.FLAT, aim_mm=FREE_PLACE), rest_s=1.0)
    assert room.session.snapshot()["warnings"] == []
    assert room.session.snapshot()["eye"]["state"] in (EyeState.ARMED, EyeState.DECIDED)
    return room.events == [*before, thrown(room, "blue-2", "flat")]


def test_camera_unplugged_and_back(room: Room) -> None:
    before = room.events
    room.acts(act.Unplug(2.0), act.Wait(2.2), rest_s=0.5)
    assert "camera_lost" in room.said
    assert nothing_happened(room, before)
    assert the_next_throw_is_seen(room)


def test_a_throw_while_the_camera_is_unplugged_is_seen_when_it_is_back(room: Room) -> None:
    before = room.events
    room.acts(act.Unplug(2.5), act.Throw("blue-2", Landing.FLAT, aim_mm=FREE_PLACE), act.Wait(2.0), rest_s=1.5)
    assert "camera_lost" in room.said
    assert room.events == [*before, thrown(room, "blue-2", "flat")]


def test_camera_bumped(room: Room) -> None:
    room.acts(act.Throw("green-4", Landing.DIAGONAL), rest_s=0.8)
    before = room.events
    assert before[1:] == [thrown(room, "green-4", "diagonal")]
    room.acts(act.BumpCamera(), rest_s=1.5)
    assert nothing_happened(room, before)
    assert the_next_throw_is_seen(room)


def test_light_switched_off_and_on(room: Room) -> None:
    before = room.events
    room.acts(act.Lights(on=False), act.Wait(1.5), rest_s=0.2)
    assert room.said == {"blind"}
    room.acts(act.Lights(on=True), rest_s=1.0)
    assert nothing_happened(room, before)
    assert the_next_throw_is_seen(room)


def test_sun_moving_over_the_table(room: Room) -> None:
    before = room.events
    room.acts(act.Sun(1.5, 5.0), act.Wait(6.0), rest_s=0.5)
    assert room.said == set()
    assert nothing_happened(room, before)
    assert the_next_throw_is_seen(room)


def test_a_glass_put_down_beside_the_arena(room: Room) -> None:
    before = room.events
    room.acts(act.PutGlass(), rest_s=1.5)
    assert nothing_happened(room, before)
    assert the_next_throw_is_seen(room)


@pytest.mark.parametrize("count", [pytest.param(2, marks=pytest.mark.thorough), 4])
def test_sleeves_over_the_fiducials(room: Room, count: int) -> None:
    before = room.events
    room.table.perform(act.CoverFiducials(3.0, count))
    room.passes(4.5)
    assert nothing_happened(room, before)
    assert the_next_throw_is_seen(room)


def test_a_throw_while_sleeves_lie_over_all_fiducials(room: Room) -> None:
    before = room.events
    room.table.perform(act.CoverFiducials(4.0), act.Wait(0.8), act.Throw("blue-2", Landing.FLAT, aim_mm=FREE_PLACE))
    room.passes(6.5)
    assert room.events == [*before, thrown(room, "blue-2", "flat")]


def test_two_cards_thrown_at_once(room: Room) -> None:
    before = room.events
    room.acts(
        act.Throw("blue-2", Landing.FLAT, aim_mm=FREE_PLACE),
        act.Throw("green-9", Landing.FLAT, aim_mm=(80.0, -75.0), together=True),
        rest_s=1.2,
    )
    new = room.events[len(before) :]
    expected = [thrown(room, "blue-2", "flat"), thrown(room, "green-9", "flat")]
    assert sorted(new, key=lambda event: event["card"]) == expected


def test_a_card_thrown_and_taken_back_is_asked_about(room: Room) -> None:
    before = room.events
    room.acts(act.Throw("blue-2", Landing.FLAT, aim_mm=FREE_PLACE), rest_s=1.0)
    assert room.events == [*before, thrown(room, "blue-2", "flat")]
    room.acts(act.RemoveCard("blue-2"), rest_s=1.2)
    question: Any = room.session.snapshot()["question"]
    assert (question["code"], question["card"]) == ("taken_back", "blue-2")
    room.session.act("answer_question", {"id": question["id"], "choice": "never"}, "referee")
    assert [card["name"] for card in room.session.snapshot()["cards"] if card["in_round"]] == ["red-8"]
    assert the_next_throw_is_seen(room), "the card is in a hand again"


def test_the_arena_swept_clean_between_rounds(room: Room) -> None:
    room.session.act("close_challenge", {}, "referee")
    assert room.game["awaiting"] == "challenge"
    before = room.events
    room.acts(act.Sweep(), rest_s=1.0)
    assert nothing_happened(room, before)
    room.acts(act.LayChallenge("blue-7"), rest_s=0.8)
    assert room.events == [*before, {"type": "challenge", "card": "blue-7"}]


def test_a_card_swept_from_under_an_arm_is_given_up_when_its_place_is_seen(room: Room) -> None:
    room.session.act("close_challenge", {}, "referee")
    before = room.events
    room.table.perform(act.RestArm(7.0, (0.0, 20.0)), act.Wait(1.0), act.Sweep())
    room.passes(6.0)
    assert room.session.snapshot()["eye"]["why"] == "something covers the place of red-8"
    room.passes(2.0)
    assert room.session.snapshot()["cards"] == []
    room.acts(act.LayChallenge("blue-7"), rest_s=0.8)
    assert room.events == [*before, {"type": "challenge", "card": "blue-7"}]


def test_the_referee_gives_up_a_card_that_stays_covered(room: Room) -> None:
    assert "covered_cards_gone" not in room.session.legal_actions()
    with pytest.raises(Refused):
        room.session.act("covered_cards_gone", {}, "referee")
    room.session.act("close_challenge", {}, "referee")
    room.table.perform(act.RestArm(9.0, (0.0, 20.0)), act.Wait(1.0), act.Sweep())
    room.passes(6.0)
    assert room.session.act("covered_cards_gone", {}, "referee") == {"cards": ["red-8"]}
    room.passes(0.2)
    assert room.session.snapshot()["cards"] == []
    assert "covered_cards_gone" not in room.session.legal_actions()


def test_a_card_given_up_that_lies_there_after_all_is_no_throw(room: Room) -> None:
    room.acts(act.Throw("blue-2", Landing.FLAT, aim_mm=FREE_PLACE), rest_s=1.0)
    before = room.events
    room.table.perform(act.RestArm(6.5, (FREE_PLACE[0], FREE_PLACE[1] + 20.0)))
    room.passes(5.0)
    room.session.act("covered_cards_gone", {}, "referee")
    room.passes(0.2)
    question: Any = room.session.snapshot()["question"]
    assert (question["code"], question["card"]) == ("taken_back", "blue-2")
    room.passes(3.0)
    assert nothing_happened(room, before), "the question has answered itself"
    assert {card["name"] for card in room.session.snapshot()["cards"]} == {"red-8", "blue-2"}


@pytest.mark.parametrize(
    "after_s", [0.3, pytest.param(0.6, marks=pytest.mark.thorough), pytest.param(1.2, marks=pytest.mark.thorough)]
)
def test_the_power_cut_at_any_moment_of_a_throw(room: Room, after_s: float) -> None:
    before = room.events
    room.table.perform(act.Throw("blue-2", Landing.FLAT, aim_mm=FREE_PLACE))
    room.passes(after_s)
    room.restart()
    room.acts(rest_s=2.0)
    assert room.events == [*before, thrown(room, "blue-2", "flat")]
    assert room.session.snapshot()["question"] is None


def test_the_tray_shifted_is_told_and_judged_by_again_when_it_is_back(room: Room) -> None:
    room.acts(act.Throw("green-4", Landing.DIAGONAL), rest_s=0.8)
    before = room.events
    room.acts(act.ShiftTray(14.0, -5.0), rest_s=1.5)
    (warning,) = room.session.snapshot()["warnings"]
    assert warning["code"] == "blind"
    assert warning["params"]["why"].startswith("the tray was pushed 15 mm to the right; push it back")
    room.acts(act.Throw("blue-2", Landing.FLAT, aim_mm=FREE_PLACE), rest_s=1.5)
    assert nothing_happened(room, before), "nothing is judged by a tray that lies elsewhere"
    room.acts(act.ShiftTray(-14.0, 5.0), rest_s=2.5)
    assert room.session.snapshot()["warnings"] == []
    assert room.events == [*before, thrown(room, "blue-2", "flat")]
