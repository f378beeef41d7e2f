"""What the picture says about a card's place, beside what was read there."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.watching.card_cells import Places
from arena_cam.vision.watching.pile_changes import Place
from arena_cam.vision.watching.place_evidence import PlaceEvidence
from arena_cam.vision.watching.scene_memory import SceneMemory
from arena_cam.vision.watching.stillness import CellMask, CellPicture, NoiseModel, cell_picture
from vision.small import lie

ROWS, COLUMNS = 15, 20
PLACES = Places((ROWS, COLUMNS), 16.0)
RNG = np.random.default_rng(4)
TABLE = RNG.integers(60, 120, (ROWS * 8, COLUMNS * 8)).astype(np.float64)
CARD = lie("red-1", 64, 64, size_px=(64, 96))  # columns 4..7, rows 4..9 of the cells
CELLS = (slice(4, 10), slice(4, 8))
EVERYWHERE, NOWHERE = np.ones((ROWS, COLUMNS), bool), np.zeros((ROWS, COLUMNS), bool)


def picture(*things: tuple[tuple[slice, slice], float]) -> CellPicture:
    """The table with things over some cells, each with a print of its own, round that grey level."""
    scene = TABLE.copy()
    for (rows, columns), grey in things:
        part = (slice(8 * rows.start, 8 * rows.stop), slice(8 * columns.start, 8 * columns.stop))
        print_ = np.random.default_rng(round(grey)).normal(0.0, 20.0, scene[part].shape)
        scene[part] = np.clip(grey + print_, 0, 255)
    return cell_picture(np.clip(scene + RNG.normal(0, 1.0, scene.shape), 0, 255).astype(np.uint8))


WITH_CARD, EMPTY = (CELLS, 220.0), ()
HAND = ((slice(3, 12), slice(0, 9)), 180.0)


def evidence(
    now: CellPicture,
    *,
    at_rest: CellMask = EVERYWHERE,
    long_still: CellMask = NOWHERE,
    uncovered: dict[str, CellPicture | None] | None = None,
    settled: CellPicture | None = None,
) -> PlaceEvidence:
    """The card lay there when the picture was last read, on a table known without it."""
    noise = NoiseModel()
    for _ in range(3):
        noise.learn(picture(), picture(), EVERYWHERE)
    memory = SceneMemory(noise)
    memory.learn_backdrop(picture(), EVERYWHERE)
    memory.accept(settled or picture(WITH_CARD), EVERYWHERE)
    return PlaceEvidence(PLACES, memory, now, at_rest, long_still, uncovered or {})


@pytest.mark.parametrize(
    ("things", "place"),
    [
        ((WITH_CARD,), Place.UNCHANGED),
        ((), Place.EMPTY),
        ((WITH_CARD, HAND), Place.OTHER),
    ],
    ids=["as before", "taken away", "under a hand"],
)
def test_a_place_looks_as_it_does(things: tuple[tuple[tuple[slice, slice], float], ...], place: Place) -> None:
    assert evidence(picture(*things)).place(CARD, []) is place


def test_a_place_in_motion_says_nothing_yet() -> None:
    moving = EVERYWHERE.copy()
    moving[CELLS] = False
    assert evidence(picture(), at_rest=moving).place(CARD, []) is Place.IN_MOTION


def test_what_lies_over_a_place_for_long_is_furniture() -> None:
    book = picture(WITH_CARD, HAND)
    assert evidence(book, long_still=EVERYWHERE).place(CARD, []) is Place.EMPTY
    fingers_move = EVERYWHERE.copy()
    fingers_move[3:12, 0:2] = False
    assert evidence(book, long_still=fingers_move).place(CARD, []) is Place.OTHER


def test_a_card_covered_before_is_compared_with_how_it_looked_then() -> None:
    then, under_hand, again = picture(WITH_CARD), picture(WITH_CARD, HAND), picture(WITH_CARD)
    assert evidence(again, settled=under_hand).place(CARD, []) is Place.OTHER
    assert evidence(again, settled=under_hand, uncovered={"red-1": then}).place(CARD, []) is Place.UNCHANGED


def test_a_place_all_under_another_card_says_nothing() -> None:
    above = lie("blue-2", 48, 48, size_px=(100, 130))
    found = evidence(picture())
    assert found.place(CARD, [above]) is Place.OTHER
    assert found.fresh_share(CARD, [above]) == 0.0


@pytest.mark.parametrize(
    ("things", "share"), [((WITH_CARD,), 0.0), ((), 1.0), ((((slice(4, 7), slice(4, 8)), 220.0),), 0.5)]
)
def test_fresh_is_what_changed_of_what_shows(
    things: tuple[tuple[tuple[slice, slice], float], ...], share: float
) -> None:
    assert evidence(picture(*things)).fresh_share(CARD, []) == pytest.approx(share, abs=0.1)


def test_a_card_rests_if_nothing_moved_on_it() -> None:
    corner = EVERYWHERE.copy()
    corner[4, 4] = False
    beside = EVERYWHERE.copy()
    beside[4, 12] = False
    assert not evidence(picture(), at_rest=corner).at_rest(CARD)
    assert evidence(picture(), at_rest=beside).at_rest(CARD)
