"""Cards of which a hand or other cards leave little in view: told of, never ruled out by what hides them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Landing, Reading
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.simulation.things.hands import Reach, lay_hand
from arena_cam.vision.reading.table_reader import TableReader

THICK_MM = 0.35


def _laid(table: StillTable, cards: list[tuple[str, float, float, float]], reach: Reach | None = None) -> np.ndarray:
    """A picture of flat cards (id, x mm, y mm, degrees), each over those before it, and of a hand."""
    table.renderer.clear()
    for number, (card, x, y, degrees) in enumerate(cards):
        table.renderer.lay(table.faces.face(card), CardPose.flat(x, y, degrees, THICK_MM * (number + 1)))
    table.renderer.settle()
    changed = lay_hand(table.renderer, reach)[0] if reach is not None else None
    return table.renderer.picture(changed)


def _read(table: StillTable, deck: Deck, empty_arena: Path, image: np.ndarray) -> Reading:
    reader = TableReader(replace(table.scene.table, empty=empty_arena), deck, hold_pose=False)
    reading = reader.read(Frame(image, 0.0, 0, "test", "still.jpg"))
    assert isinstance(reading, Reading)
    return reading


@pytest.mark.parametrize(("x", "y", "turned"), [(4.0, 3.0, 8.0), (-6.0, 0.0, 0.0), (0.0, 0.0, 14.0)])
def test_a_card_that_shows_slivers_is_found_or_told_of(
    still_table: StillTable, deck: Deck, empty_arena: Path, x: float, y: float, turned: float
) -> None:
    """Between 5 and 10 % of the lower card looks out from beneath the upper one, in pieces a few millimetres wide."""
    lower, upper = deck.cards[3].id, deck.cards[17].id
    image = _laid(still_table, [(lower, 0.0, 0.0, 0.0), (upper, x, y, turned)])
    reading = _read(still_table, deck, empty_arena, image)
    lies = {lie.card: lie for lie in reading.lies}
    assert lies[upper].rests_on == (() if lower not in lies else (lower,))
    assert lower in lies or not reading.sure
    assert lower in lies or any("something unknown" in why for why in reading.why_unsure)


# card, degrees, finger tips (mm), whose hand
UNDER_A_HAND = [
    pytest.param("red-8", 114.0, (23.0, -22.0), 1, marks=pytest.mark.thorough),
    ("yellow-1", 228.0, (10.0, 19.0), 0),
    ("green-6", 155.0, (30.0, 12.0), 2),
    pytest.param("blue-2", 218.0, (27.0, 12.0), 3, marks=pytest.mark.thorough),
    pytest.param("green-8", 67.0, (22.0, 8.0), 0, marks=pytest.mark.thorough),
]


@pytest.mark.parametrize(("card", "degrees", "tip", "whose"), UNDER_A_HAND)
def test_a_hand_over_a_card_hides_it_but_does_not_tilt_it(
    still_table: StillTable,
    deck: Deck,
    empty_arena: Path,
    card: str,
    degrees: float,
    tip: tuple[float, float],
    whose: int,
) -> None:
    """About half of it is in view: with its markers it is named; how it lies is said rightly or not surely."""
    image = _laid(still_table, [(card, 0.0, 0.0, degrees)], Reach(tip, angle_deg=-90.0, kind=whose))
    by_face = replace(deck, cards=tuple(replace(c, markers=(), qr=None) for c in deck.cards))
    for of_deck in (deck, by_face):
        reading = _read(still_table, of_deck, empty_arena, image)
        assert not reading.sure
        assert [lie.card for lie in reading.lies] == [card]
        assert [lie.landing for lie in reading.lies] == [Landing.FLAT]


@pytest.mark.parametrize(("gap_mm", "asked"), [(0.05, True), (0.8, False), (-1.2, False)])
def test_whether_a_card_lies_on_another_or_just_beside_it_is_asked_where_nobody_can_see(
    still_table: StillTable, deck: Deck, empty_arena: Path, gap_mm: float, asked: bool
) -> None:
    lower, upper = deck.cards[3].id, deck.cards[17].id
    aside = deck.width_mm + gap_mm
    image = _laid(still_table, [(lower, -aside / 2, 0.0, 0.0), (upper, aside / 2, 0.0, 0.0)])
    lies = {lie.card: lie for lie in _read(still_table, deck, empty_arena, image).lies}
    doubts = [why for lie in lies.values() for why in lie.why_unsure]
    assert (doubts != []) is asked, doubts
    if asked:
        assert doubts[0].endswith("or just beside it")
    else:
        assert lies[upper].rests_on == ((lower,) if gap_mm < 0 else ())
