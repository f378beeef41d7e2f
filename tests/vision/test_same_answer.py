"""A picture has one answer: it follows from the picture, whatever was read before it and whoever asks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Reading
from arena_cam.domain.table import Table
from arena_cam.formats.judgement import reading_in_full
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.vision.reading.table_reader import TableReader
from arena_cam.vision.watching.tray_guard import TrayGuard
from arena_cam.vision.watching.watcher import Watcher


@pytest.fixture(scope="module")
def table(still_table: StillTable, empty_arena: Path) -> Table:
    return replace(still_table.scene.table, empty=empty_arena)


@pytest.fixture(scope="module")
def pictures(still_table: StillTable) -> list[Image]:
    """Three tables, and one of them from a camera that was nudged by two pixels."""
    images = [still_table.still(number)[0] for number in range(3)]
    return [*images, np.roll(images[1], (2, -1), axis=(0, 1))]


def _answers(reader: TableReader, images: Sequence[Image]) -> list[str]:
    """What is read in each, in the words of a saved reading."""
    found = [reader.read(Frame(image, 0.0, 0, "test", "still.jpg")) for image in images]
    assert all(isinstance(reading, Reading) for reading in found)
    return [json.dumps(reading_in_full(reading)) for reading in found if isinstance(reading, Reading)]


@pytest.mark.parametrize("with_empty", [True, False])
def test_the_order_of_pictures_changes_no_answer(
    table: Table, deck: Deck, pictures: list[Image], with_empty: bool
) -> None:
    table = table if with_empty else replace(table, empty=None)
    one, other = TableReader(table, deck), TableReader(table, deck)
    first = _answers(one, pictures)
    assert _answers(one, pictures) == first, "read again by the same reader"
    assert _answers(other, pictures[::-1])[::-1] == first, "read by another in another order"


def test_who_watches_reads_a_picture_as_who_judges_it_does(table: Table, deck: Deck, pictures: list[Image]) -> None:
    """As `judge` and `watch`, `referee` and `replay` make their readers; nothing is known beforehand."""
    judge = TableReader(table, deck, hold_pose=False)
    _answers(judge, pictures[1:])
    (judged,) = _answers(judge, pictures[:1])
    watcher = Watcher(TrayGuard(TableReader(table, deck), table))
    for number in range(12):
        watcher.feed(Frame(pictures[0], number / 15, number, "test", "still.jpg"))
        if watcher.reading is not None:
            break
    assert watcher.reading is not None
    watched = json.loads(json.dumps(reading_in_full(watcher.reading)))
    assert _seen(watched) == _seen(json.loads(judged))


def _seen(reading: dict[str, list[dict[str, object]]]) -> object:
    """All that was seen: which number a card face down has is the watcher's to give."""
    assert reading["cards"]
    return [{k: v for k, v in lie.items() if k not in ("key", "rests_on")} for lie in reading["cards"]]
