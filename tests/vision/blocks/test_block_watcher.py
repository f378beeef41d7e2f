"""Blocks are believed once several pictures of a table at rest show the same."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.blocks import Block, OpenBlock
from arena_cam.domain.lies import TablePose
from arena_cam.vision.blocks.block_watcher import BlockWatcher, lies_elsewhere, same_blocks
from vision.small import frame

POSE = TablePose((0.0, 0.0, 0.0), (0.0, 0.0, 500.0), 0.1, (1, 2))
PEACE, CONFLICT = Block("red", "peace"), Block("red", "conflict")
EMPTY = np.zeros((2, 2, 3), np.uint8)


def block(which: Block = PEACE, x_mm: float = 0.0, angle_deg: float = 0.0) -> OpenBlock:
    return OpenBlock(which, (x_mm, 160.0), angle_deg)


class Script:
    """Finds what it was told to, and counts how often it was asked."""

    def __init__(self, *blocks: OpenBlock) -> None:
        self.blocks = blocks
        self.asked = 0

    def find(self, _frame: Frame, _pose: TablePose, /) -> tuple[OpenBlock, ...]:
        self.asked += 1
        return self.blocks


def look(watcher: BlockWatcher, *times_s: float) -> list[tuple[OpenBlock, ...] | None]:
    return [watcher.look(frame(EMPTY, time_s), POSE) for time_s in times_s]


def test_an_empty_table_is_believed_as_late_as_a_block_is() -> None:
    for blocks in ((), (block(),)):
        assert look(BlockWatcher(Script(*blocks)), 0.0, 0.1, 0.2, 0.3) == [None, None, None, blocks]


def test_three_pictures_in_too_short_a_time_are_not_enough() -> None:
    assert look(BlockWatcher(Script(block())), 0.0, 0.05, 0.1, 0.15, 0.2) == [None] * 5


@pytest.mark.parametrize("other", [block(CONFLICT), block(x_mm=5.0), block(angle_deg=10.0)])
def test_another_sight_starts_anew(other: OpenBlock) -> None:
    script = Script(block())
    watcher = BlockWatcher(script)
    look(watcher, 0.0, 0.2)
    script.blocks = (other,)
    assert look(watcher, 0.4, 0.6, 0.8) == [None, None, (other,)]


def test_interrupted_everything_is_looked_at_again() -> None:
    watcher = BlockWatcher(Script(block()))
    assert look(watcher, 0.0, 0.2, 0.4)[-1] is not None
    watcher.interrupted()
    assert look(watcher, 0.6, 0.8, 1.0) == [None, None, (block(),)]


def test_a_table_at_rest_is_looked_at_once_a_second() -> None:
    script = Script(block())
    watcher = BlockWatcher(script)
    look(watcher, 0.0, 0.2, 0.4)
    look(watcher, 0.6, 0.9, 1.3)
    assert script.asked == 3
    look(watcher, 1.5)
    assert script.asked == 4


def test_a_glance_believes_nothing() -> None:
    watcher = BlockWatcher(Script(block()))
    assert watcher.glance(frame(EMPTY), POSE) == (block(),)
    assert look(watcher, 0.0, 0.2) == [None, None]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ((), (), True),
        ((block(),), (), False),
        ((block(),), (block(x_mm=1.0, angle_deg=2.0),), True),
        ((block(),), (block(x_mm=2.0),), False),
        ((block(),), (block(CONFLICT),), False),
        ((block(angle_deg=179.0),), (block(angle_deg=-179.5),), True),
    ],
)
def test_same_blocks(first: tuple[OpenBlock, ...], second: tuple[OpenBlock, ...], same: bool) -> None:
    assert same_blocks(first, second) is same


def test_a_turn_past_half_a_circle_is_a_small_one() -> None:
    assert not lies_elsewhere(block(angle_deg=178.0), block(angle_deg=-178.0), 1.0, 5.0)
    assert lies_elsewhere(block(angle_deg=90.0), block(angle_deg=-90.0), 1.0, 5.0)
