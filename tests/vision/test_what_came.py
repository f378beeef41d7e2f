"""Cards that came since others were read: found by what looks otherwise than in the picture in which these were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Lie, Reading
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.vision.picture.averaging import LastRead
from arena_cam.vision.reading.table_reader import TableReader

THICK_MM = 0.35
# Cells as large as a watcher's.
CELL_PX = 32
Laid = tuple[str, float, float, float]

LAY = ("red-8", -85.0, 25.0, 20.0)
BENEATH, ABOVE = ("green-6", 30.0, -20.0, 75.0), ("blue-2", 45.0, 5.0, 110.0)
ASIDE = ("yellow-3", 25.0, 62.0, 95.0)


def _picture(table: StillTable, cards: Sequence[Laid]) -> NDArray[np.uint8]:
    """Flat cards (id, x mm, y mm, degrees), each over those before it."""
    table.renderer.clear()
    for number, (card, x, y, degrees) in enumerate(cards):
        table.renderer.lay(table.faces.face(card), CardPose.flat(x, y, degrees, THICK_MM * (number + 1)))
    table.renderer.settle()
    return table.renderer.picture(None)


def _changed(before: NDArray[np.uint8], now: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Cells of which a tenth or more differs plainly, and those round them."""
    height, width = now.shape[:2]
    differs = (cv2.absdiff(before, now).max(axis=2) > 40).astype(np.float32)
    cells = cv2.resize(differs, (width // CELL_PX, height // CELL_PX), interpolation=cv2.INTER_AREA) > 0.1
    return cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


@pytest.fixture(params=["with markers", "by their faces"])
def reader(request: pytest.FixtureRequest, still_table: StillTable, deck: Deck) -> TableReader:
    if request.param == "by their faces":
        deck = replace(deck, cards=tuple(replace(card, markers=(), qr=None) for card in deck.cards))
    return TableReader(still_table.scene.table, deck)


def _read(
    reader: TableReader, now: NDArray[np.uint8], known: Sequence[Lie] = (), before: NDArray[np.uint8] | None = None
) -> dict[str | None, Lie]:
    changed = _changed(before, now) if before is not None else None
    reading = reader.read(Frame(now, 0.0, 0, "test", "still"), known=known, changed=changed, before=before)
    assert isinstance(reading, Reading)
    assert reading.sure, reading.why_unsure
    return {lie.card: lie for lie in reading.lies}


@pytest.mark.parametrize(
    "came",
    [
        pytest.param((ABOVE,), marks=pytest.mark.thorough),
        pytest.param((BENEATH, ABOVE), marks=pytest.mark.thorough),
        (BENEATH, ABOVE, ASIDE),
    ],
)
def test_all_that_came_at_once_is_found(still_table: StillTable, reader: TableReader, came: tuple[Laid, ...]) -> None:
    """Of the lower card two fifths look out from beneath the upper one, which is found first."""
    before = _picture(still_table, [LAY])
    known = _read(reader, before)
    assert known.keys() == {LAY[0]}
    now = _picture(still_table, [LAY, *came])
    found = _read(reader, now, tuple(known.values()), before)
    assert found.keys() == {LAY[0], *(card for card, *_ in came)}
    for card, x, y, _ in came:
        assert found[card].centre_mm == pytest.approx((x, y), abs=1.0)
    assert found[ABOVE[0]].rests_on == ((BENEATH[0],) if BENEATH in came else ())


def test_a_card_that_was_pushed_by_the_one_that_came_is_found_where_it_lies_now(
    still_table: StillTable, reader: TableReader
) -> None:
    before = _picture(still_table, [LAY, BENEATH])
    known = _read(reader, before)
    pushed = ("red-8", -80.0, -25.0, 35.0)
    found = _read(reader, _picture(still_table, [pushed, BENEATH, ASIDE]), tuple(known.values()), before)
    assert found.keys() == {LAY[0], BENEATH[0], ASIDE[0]}
    assert found[LAY[0]].centre_mm == pytest.approx(pushed[1:3], abs=1.0)


def test_what_was_last_read_is_pieced_together() -> None:
    last = LastRead()
    grey, light = (np.full((40, 60, 3), level, np.uint8) for level in (90, 200))
    left = np.array([[True, False, False]])
    last.accept(grey, left)
    assert last.image is not None
    assert (last.image[:, :20] == 90).all()
    assert (last.image[:, 20:] == 0).all(), "what never rested is black, unlike whatever lies there"
    last.accept(light, ~left)
    assert (last.image[:, :20] == 90).all()
    assert (last.image[:, 20:] == 200).all()
    last.forget(left)
    assert (last.image[:, :20] == 0).all()
    assert (last.image[:, 20:] == 200).all()
    last.accept(grey, np.ones((1, 1), bool))
    assert (last.image == 90).all()
    last.accept(np.full((20, 30, 3), 7, np.uint8), np.array([[True, False]]))
    assert last.image.shape == (20, 30, 3), "another camera's picture is another table"
