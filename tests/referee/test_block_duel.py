"""Which blocks count, and when: a sight that says what the test laid on the table, on a real session and store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.blocks import Block, OpenBlock
from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import TablePose
from arena_cam.domain.observations import EyeState
from arena_cam.referee.session.session import Eye, Session
from arena_cam.store.data_folder import DataFolder
from arena_cam.vision.blocks.block_watcher import BlockWatcher
from referee.builders import DECK, TABLE, Evening, Hand, NoFrames, ScriptedWatcher


class Table:
    """Finds the blocks that the test has laid."""

    def __init__(self) -> None:
        self.blocks: dict[Block, OpenBlock] = {}
        self.looks = 0

    def find(self, _frame: Frame, _pose: TablePose) -> tuple[OpenBlock, ...]:
        self.looks += 1
        return tuple(sorted(self.blocks.values(), key=lambda each: (each.block.colour, each.block.choice)))


class Duel(Evening):
    """An evening on whose table blocks can be laid; `to_duel` brings Anna and Bernhard into one."""

    def __init__(self, folder: Path, table: Table | None = None, hand: Hand | None = None) -> None:
        self.hand, self.table, self.sequence = hand or Hand(), table or Table(), 0
        self.watcher = ScriptedWatcher(self.hand)
        eye = Eye(TABLE, DECK, lambda _: self.watcher, make_second_sight=lambda: BlockWatcher(self.table))
        self.session = Session(DataFolder(folder, keep_free_bytes=0), eye, NoFrames(), version="test")

    def to_duel(self, challenge: str = "red-8", answer: str = "blue-3") -> None:
        self.rests(challenge)
        self.rests(answer, on=[challenge])
        self.rest()
        assert self.game["awaiting"] == "duel"

    def rest(self, frames: int = 12) -> None:
        for _ in range(frames):
            self.frame()

    def moves_about(self) -> None:
        self.watcher.state = EyeState.SETTLING
        self.rest(3)
        self.watcher.state = EyeState.ARMED

    def lays(self, colour: str, choice: str, x: float = 250.0, y: float = 0.0, angle: float = 0.0) -> None:
        self.watcher.state = EyeState.SETTLING
        self.rest(2)
        block = Block(colour, choice)
        self.table.blocks[block] = OpenBlock(block, (x, y), angle)
        self.rest(2)
        self.watcher.state = EyeState.ARMED
        self.rest()

    def takes(self, colour: str, choice: str) -> None:
        self.moves_about()
        del self.table.blocks[Block(colour, choice)]
        self.rest()

    @property
    def last(self) -> Any:
        match = self.session.match
        assert match is not None
        return match.ledger.record.events[-1].data

    @property
    def question(self) -> Any:
        return self.session.snapshot()["question"]

    @property
    def asks_nothing(self) -> bool:
        return self.question is None


@pytest.fixture
def duel(tmp_path: Path) -> Iterator[Duel]:
    evening = Duel(tmp_path / "data")
    evening.start()
    yield evening
    evening.session.stop()


def test_the_event_is_the_one_of_the_game_record(duel: Duel) -> None:
    duel.to_duel()
    duel.lays("red", "peace")
    duel.lays("blue", "conflict")
    assert duel.last == {"type": "duel", "choices": {"Anna": "peace", "Bernhard": "conflict"}}


def test_nobody_looks_for_blocks_but_in_a_duel(duel: Duel) -> None:
    duel.rests("red-8")
    duel.rest(30)
    assert duel.table.looks == 0
    duel.rests("blue-3", on=["red-8"])
    duel.rest(15)
    looks = duel.table.looks
    assert looks > 0
    duel.rest(45)
    assert duel.table.looks - looks <= 4, "a table at rest is looked at about once a second"
    duel.act("duel", choices={"Anna": "peace", "Bernhard": "peace"})
    looks = duel.table.looks
    duel.rest(30)
    assert duel.table.looks == looks


def test_a_mind_may_be_changed_until_both_are_open(duel: Duel) -> None:
    duel.to_duel()
    duel.lays("red", "peace")
    duel.takes("red", "peace")
    duel.lays("red", "conflict")
    duel.lays("blue", "peace")
    assert duel.last["choices"] == {"Anna": "conflict", "Bernhard": "peace"}


def test_what_moves_or_shows_for_a_moment_only_is_not_read(duel: Duel) -> None:
    duel.to_duel()
    duel.lays("red", "peace")
    duel.watcher.state = EyeState.SETTLING
    block = Block("blue", "peace")
    duel.table.blocks[block] = OpenBlock(block, (-250.0, 0.0), 0.0)
    duel.rest(30)
    assert duel.game["awaiting"] == "duel", "something moves all the time"
    duel.watcher.state = EyeState.ARMED
    for step in range(20):
        duel.table.blocks[block] = OpenBlock(block, (-250.0, 2.0 * step), 0.0)
        duel.frame()
    assert duel.game["awaiting"] == "duel", "the block is pushed along"
    duel.rest()
    assert duel.game["awaiting"] == "challenge"


@pytest.mark.parametrize(
    ("moved", "away", "counts"),
    [
        ((0.0, 0.0, 0.0), True, False),  # an arm lay across it
        ((6.0, 3.0, 4.0), False, False),  # a sleeve brushed it
        ((6.0, 3.0, 4.0), True, True),  # taken into the hand and laid down nearly there
        ((0.0, 0.0, 40.0), False, True),
        ((30.0, 0.0, 0.0), False, True),
    ],
)
def test_a_block_from_before_counts_only_when_laid_anew(
    duel: Duel, moved: tuple[float, float, float], away: bool, counts: bool
) -> None:
    red = Block("red", "peace")
    duel.table.blocks[red] = OpenBlock(red, (250.0, 0.0), 10.0)
    duel.to_duel()
    duel.lays("blue", "peace", x=-250.0)
    assert duel.game["awaiting"] == "duel"
    if away:
        duel.takes("red", "peace")
    duel.lays("red", "peace", 250.0 + moved[0], moved[1], 10.0 + moved[2])
    assert (duel.game["awaiting"] == "challenge") is counts


def test_a_block_of_the_duel_before_that_was_hidden_when_this_one_began(duel: Duel) -> None:
    duel.to_duel()
    duel.lays("red", "peace")
    duel.lays("blue", "conflict", x=-250.0)
    left = dict(duel.table.blocks)
    duel.table.blocks.clear()  # an arm lies over both
    duel.frame(*duel.hand.sweeps())
    duel.to_duel("blue-7", "red-2")
    duel.moves_about()
    duel.table.blocks = left
    duel.rest(30)
    assert duel.game["awaiting"] == "duel", "they lie where they lay"


def test_two_blocks_of_one_player_are_asked_about_once_both_have_uncovered(duel: Duel) -> None:
    duel.to_duel()
    duel.lays("red", "peace")
    duel.lays("red", "conflict", y=60.0)
    assert duel.asks_nothing, "Bernhard has uncovered nothing yet"
    duel.lays("blue", "peace", x=-250.0)
    assert (duel.question["code"], duel.question["params"]["player"]) == ("two_blocks", "Anna")
    assert [c["id"] for c in duel.question["choices"]] == ["lay_anew", "peace", "conflict"]
    duel.act("answer_question", id=duel.question["id"], choice="conflict")
    assert duel.last["choices"] == {"Anna": "conflict", "Bernhard": "peace"}
    assert duel.asks_nothing


def test_taking_one_of_two_blocks_away_settles_the_question(duel: Duel) -> None:
    duel.to_duel()
    duel.lays("red", "peace")
    duel.lays("red", "conflict", y=60.0)
    duel.lays("blue", "peace", x=-250.0)
    duel.takes("red", "conflict")
    assert duel.last["choices"] == {"Anna": "peace", "Bernhard": "peace"}


def test_a_block_that_says_otherwise_than_the_phone_is_asked_about(duel: Duel) -> None:
    duel.to_duel()
    duel.act("duel_choice", "Anna", player="Anna", choice="peace")
    duel.lays("red", "conflict")
    duel.lays("blue", "peace", x=-250.0)
    assert duel.question["code"] == "two_blocks"
    duel.act("answer_question", id=duel.question["id"], choice="lay_anew")
    duel.rest(30)
    assert duel.last["choices"] == {"Anna": "peace", "Bernhard": "peace"}, "what she said by phone stands"


def test_conflict_without_a_life_block_is_asked_about(tmp_path: Path) -> None:
    duel = Duel(tmp_path / "data")
    duel.start(options={"life_blocks": 0})
    duel.to_duel()
    duel.lays("red", "conflict")
    assert duel.asks_nothing
    duel.lays("blue", "peace", x=-250.0)
    assert duel.question["code"] == "no_life_block"
    assert [c["id"] for c in duel.question["choices"]] == ["lay_anew", "peace"]
    with pytest.raises(Refused, match="no answer"):
        duel.act("answer_question", id=duel.question["id"], choice="conflict")
    duel.act("answer_question", id=duel.question["id"], choice="lay_anew")
    duel.rest(30)
    assert (duel.game["awaiting"], duel.question) == ("duel", None)
    duel.takes("red", "conflict")
    duel.lays("red", "peace", y=20.0)
    assert duel.last["choices"] == {"Anna": "peace", "Bernhard": "peace"}
    duel.session.stop()


def test_an_answer_waits_for_the_other_block(duel: Duel) -> None:
    duel.to_duel()
    duel.lays("red", "peace")
    duel.lays("red", "conflict", y=60.0)
    duel.lays("blue", "peace", x=-250.0)
    asked = duel.question["id"]
    duel.watcher.state = EyeState.SETTLING
    duel.frame()
    with pytest.raises(Refused) as refusal:
        duel.act("answer_question", id=asked, choice="peace")
    assert refusal.value.code == "not_now"
    assert duel.game["awaiting"] == "duel"


def test_the_power_fails_between_two_blocks(tmp_path: Path) -> None:
    first = Duel(tmp_path / "data")
    first.start()
    first.to_duel()
    first.lays("red", "peace")
    first.session.stop()
    kept = b"".join(file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file())
    assert b"peace" not in kept.replace(b"both_peace", b"")
    second = Duel(tmp_path / "data", first.table, first.hand)
    second.rest()
    second.lays("blue", "peace", x=-250.0)
    assert second.game["awaiting"] == "duel", "nobody saw when the red block was laid"
    second.takes("red", "peace")
    second.lays("red", "peace", y=30.0)
    assert second.last["choices"] == {"Anna": "peace", "Bernhard": "peace"}
    second.session.stop()


def test_a_pause_counts_nothing_and_a_duel_taken_back_begins_anew(duel: Duel) -> None:
    duel.to_duel()
    duel.act("pause")
    assert not duel.game["awaits_blocks"]
    duel.lays("red", "peace")
    duel.lays("blue", "peace", x=-250.0)
    assert duel.game["awaiting"] == "duel"
    duel.act("resume")
    duel.rest()
    assert duel.last["type"] == "duel"
    duel.rest()
    duel.act("undo")
    duel.rest(30)
    assert duel.game["awaiting"] == "duel", "the same blocks do not choose again by themselves"


def test_a_correction_that_ends_the_duel_takes_its_question_along(duel: Duel) -> None:
    duel.to_duel()
    duel.lays("red", "peace")
    duel.lays("red", "conflict", y=60.0)
    duel.lays("blue", "peace", x=-250.0)
    assert duel.question is not None
    duel.act("undo")
    assert (duel.game["awaiting"], duel.question) == ("throws", None)


def test_a_snapshot_says_that_the_eye_waits_and_nothing_of_what_it_saw(duel: Duel) -> None:
    duel.to_duel()
    duel.rest(30)
    before: Any = duel.session.snapshot()
    assert before["game"]["awaits_blocks"]
    duel.lays("red", "conflict")
    after: Any = duel.session.snapshot()
    changing = {"version": 0, "at": 0.0, "camera": {}, "eye": {}}
    assert json.dumps(before | changing) == json.dumps(after | changing)


def test_rotation_is_compared_round_the_circle() -> None:
    from arena_cam.vision.blocks.block_watcher import lies_elsewhere

    block = OpenBlock(Block("red", "peace"), (0.0, 0.0), 179.0)
    assert not lies_elsewhere(block, replace(block, angle_deg=-179.0), 1.0, 3.0)
    assert lies_elsewhere(block, replace(block, angle_deg=-170.0), 1.0, 3.0)
