"""Duelling blocks laid beside the arena, the whole way: real pictures, real eye, hands that cover and lift."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.blocks import BLOCK_DICTIONARY, block_id
from arena_cam.domain.lies import Landing
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.rendering.scene import default_scene
from arena_cam.vision.picture.markers import find_markers
from arena_cam.vision.reading.table_reader import TableReader
from referee.room import Room
from shared_decks import deck_in


@pytest.fixture(scope="module")
def reader(deck_folder: Path) -> TableReader:
    return TableReader(default_scene().table, deck_in(deck_folder))


@pytest.fixture
def room(tmp_path: Path, reader: TableReader) -> Iterator[Room]:
    room = Room(tmp_path / "data", reader.deck, reader)
    room.start()
    yield room
    room.session.stop()


def come_to_a_duel(room: Room, challenge: str, answer: str) -> None:
    room.acts(act.LayChallenge(challenge, at_mm=(0.0, 0.0)), rest_s=0.8)
    room.acts(act.Throw(answer, Landing.FLAT, aim_mm=(10.0, 10.0)), rest_s=0.6)
    assert (room.game["awaiting"], room.game["duelling"]) == ("duel", answer)


def blocks_seen(image: np.ndarray) -> set[int]:
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    return {marker.id for marker in find_markers(grey, BLOCK_DICTIONARY) if marker.id >= 10}


def everything_told(room: Room) -> str:
    session, game = room.session, room.game["id"]
    told = [session.snapshot(), session.health(), session.games(), session.game(game), session.throws()]
    return json.dumps(told) + session.record(game)


def test_two_duels_by_blocks(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    come_to_a_duel(room, "red-8", "blue-3")
    assert room.game["awaits_blocks"]
    assert room.game["hint"]["code"] == "duel_blocks"
    before = everything_told(room)

    # Anna alone uncovers her block: nothing of it is told, shown, kept or logged.
    room.acts(act.LayBlock("red", "peace"), rest_s=1.5)
    assert room.frame is not None
    assert blocks_seen(room.frame.image_bgr) == {block_id("red", "peace")}, "it lies in full view of the camera"
    assert room.game["awaiting"] == "duel"
    assert everything_told(room).count("peace") == before.count("peace")
    assert room.game["choices_made"] == []
    picture = room.session.latest_jpeg()
    assert picture is not None
    shown = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert blocks_seen(shown) == set()
    assert shown[250:290, 440:520].std() > 8.0, "the arena itself is still shown"
    assert room.data.matches.choices(room.game["id"]) == {}
    assert not [r for r in caplog.records if "peace" in r.getMessage()]

    # While Bernhard's hand lies on his block nothing happens; when it is lifted both are revealed.
    room.table.perform(act.LayBlock("blue", "conflict", covered_s=2.0))
    room.passes(2.0)
    assert room.table.truth()["blocks"][-1]["colour"] == "blue"
    assert room.game["awaiting"] == "duel"
    room.passes(2.5)
    assert room.events[-1] == {"type": "duel", "choices": {"Anna": "peace", "Bernhard": "conflict"}}
    assert room.game["rulings"][-1]["code"] == "one_conflict"
    assert room.game["awaiting"] == "challenge"

    # The next duel: the blocks of the first still lie there, and count for nothing, covered for a moment or not.
    room.acts(act.Sweep(), rest_s=0.6)
    come_to_a_duel(room, "blue-7", "green-2")
    room.acts(act.CoverBlock("blue"), act.LayBlock("green", "peace"), rest_s=1.5)
    assert room.game["awaiting"] == "duel", "nobody has laid a blue block in this duel"
    room.acts(act.TakeBlock("blue"), act.LayBlock("blue", "conflict"), rest_s=1.5)
    assert room.events[-1] == {"type": "duel", "choices": {"Bernhard": "conflict", "Christine": "peace"}}


def test_a_block_and_a_phone_and_blocks_of_others(room: Room) -> None:
    come_to_a_duel(room, "red-8", "blue-3")
    room.acts(act.LayBlock("green", "conflict"), act.LayBlock("blue", "conflict"), rest_s=1.0)
    assert room.game["awaiting"] == "duel"
    room.session.act("duel_choice", {"player": "Anna", "choice": "conflict"}, "Anna")
    room.passes(0.5)
    assert room.events[-1] == {"type": "duel", "choices": {"Anna": "conflict", "Bernhard": "conflict"}}
    assert room.data.matches.choices(room.game["id"]) == {}


def test_blocks_that_lay_there_before_stay_no_choice_whatever_happens(room: Room) -> None:
    room.acts(act.LayBlock("red", "conflict"), act.LayBlock("blue", "peace"), rest_s=0.8)
    come_to_a_duel(room, "red-8", "blue-3")
    for trouble in (act.BumpCamera(), act.Lights(on=False), act.Lights(on=True), act.CoverFiducials(2.5)):
        room.table.perform(trouble, act.Wait(1.0))
        room.passes(2.0)
    room.acts(act.CoverBlock("red"), act.CoverBlock("blue"), rest_s=1.5)
    assert room.session.snapshot()["warnings"] == []
    assert room.game["awaiting"] == "duel"
    for colour, choice in (("red", "conflict"), ("blue", "peace")):
        room.acts(act.TakeBlock(colour), act.LayBlock(colour, choice), rest_s=1.2)
    assert room.events[-1] == {"type": "duel", "choices": {"Anna": "conflict", "Bernhard": "peace"}}
