"""Who covers whom where no more than the corners of two cards meet, of which the white rims show the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Reading
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.vision.reading.table_reader import TableReader

THICK_MM = 0.35
# Middle (mm) and rotation (deg) of a second card that covers a corner of the first, or a piece of its side, or is
# covered by it there: 10 to 60 mm2.
MEETINGS = [
    (57.0, 81.0, 0.0),
    (-58.5, 79.0, 0.0),
    (66.0, 50.0, 45.0),
    (-67.0, 20.0, 40.0),
    (10.0, -92.5, 52.0),
    (52.0, -84.0, 171.0),
]


@pytest.fixture(scope="module")
def white_rims(still_table: StillTable, deck: Deck, empty_arena: Path) -> TableReader:
    """Reads cards by their faces alone."""
    cards = tuple(replace(card, markers=(), qr=None) for card in deck.cards)
    return TableReader(replace(still_table.scene.table, empty=empty_arena), replace(deck, cards=cards), hold_pose=False)


@pytest.mark.parametrize("second_is_upper", [True, False])
def test_where_two_corners_meet_the_order_is_seen_or_asked_for(
    still_table: StillTable, deck: Deck, white_rims: TableReader, second_is_upper: bool
) -> None:
    seen = 0
    first, second = deck.cards[11].id, deck.cards[38].id
    for x, y, turned in MEETINGS:
        lower, upper = (first, second) if second_is_upper else (second, first)
        places = {first: (0.0, 0.0, 0.0), second: (x, y, turned)}
        still_table.renderer.clear()
        for number, card in enumerate((lower, upper)):
            height_mm = THICK_MM * (number + 1)
            still_table.renderer.lay(still_table.faces.face(card), CardPose.flat(*places[card], height_mm))
        still_table.renderer.settle()
        reading = white_rims.read(Frame(still_table.renderer.picture(), 0.0, 0, "test", "still.jpg"))
        assert isinstance(reading, Reading)
        assert {lie.card for lie in reading.lies} == {first, second}
        assert (lower, upper) not in reading.covers
        seen += (upper, lower) in reading.covers
    assert seen >= len(MEETINGS) - 1
