"""A tray measured from one picture: where it stands among its fiducials, and how large it is by a card laid in it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.errors import CannotDo
from arena_cam.vision.setup.check import Grade
from arena_cam.vision.setup.messages import Advice
from arena_cam.vision.setup.survey import survey_arena
from arena_cam.vision.setup.tray_size import LaidCard, PrintedFiducials, TraySize, measure_tray
from arena_cam.vision.setup.unmeasured_table import first_look, usual_camera
from referee.setup_scenes import SIZE, empty_table, scene, table_with_card
from shared_decks import deck_in

TABLE = scene().table
K, DIST = np.array(TABLE.K), np.array(TABLE.dist)
WALL = (TABLE.arena.wall_height_mm, TABLE.arena.wall_thickness_mm)
MISPRINTED = 0.97  # "fit to page"


@lru_cache
def with_card(folder: Path) -> np.ndarray:
    return table_with_card(deck_in(folder))


def measured(image: np.ndarray, fiducial_mm: float, card_mm: tuple[float, float] = (63.0, 88.0)) -> TraySize:
    return measure_tray(image, K, DIST, LaidCard(card_mm, 0.3), WALL, PrintedFiducials("DICT_5X5_50", fiducial_mm, 0.0))


def test_a_green_tray_on_dark_wood_is_found_where_it_stands() -> None:
    found = survey_arena(empty_table(), K, DIST, TABLE.arena, "DICT_5X5_50", 28.0, 0.1)
    off = [np.subtract(found.fiducials.centres_mm[n], place) for n, place in TABLE.fiducials.centres_mm.items()]
    assert np.abs(np.mean(off, axis=0)).max() < 0.5
    assert np.abs(off).max() < 1.5
    assert np.linalg.norm(found.camera.centre_mm - scene().camera.centre_mm) < 10.0


def test_a_card_tells_the_trays_size_and_that_the_sheet_was_printed_too_small(deck_folder: Path) -> None:
    found = measured(with_card(deck_folder), 28.0 / MISPRINTED)
    assert found.inner_mm == pytest.approx(TABLE.arena.inner_mm, rel=0.015)
    assert found.fiducial_mm == pytest.approx(28.0, rel=0.01)
    middle = scene().camera.project(np.array([[14.0, -9.0, 0.15]]))[0]
    assert np.linalg.norm(found.card_px.mean(axis=0) - middle) < 3.0


@pytest.mark.parametrize("card_mm", [(63.0, 88.0), (30.0, 40.0)], ids=["no card", "another card"])
def test_without_the_card_it_says_so(card_mm: tuple[float, float], deck_folder: Path) -> None:
    image = empty_table() if card_mm == (63.0, 88.0) else with_card(deck_folder)
    with pytest.raises(CannotDo, match="no card of"):
        measured(image, 28.0, card_mm)


def frames(image: np.ndarray) -> list[Frame]:
    return [Frame(image, n / 15, n, "test", f"{n}") for n in range(3)]


def test_a_table_that_was_never_measured_can_be_looked_at() -> None:
    found = first_look(frames(empty_table()), usual_camera(SIZE), np.zeros(5), TABLE.arena, "DICT_5X5_50", 28.0, None)
    by_name = {finding.what.value: finding for finding in found}
    assert by_name["fiducials"].grade is Grade.GOOD
    assert by_name["camera's place"].seen[0].param("mm") == pytest.approx(560, rel=0.1)
    assert all((finding.change is None) == (finding.grade is Grade.GOOD) for finding in found)


def test_with_too_few_fiducials_it_says_which_are_seen() -> None:
    covered = cv2.rectangle(empty_table().copy(), (0, 0), (480, 540), (90, 90, 90), -1)
    found = first_look(frames(covered), K, DIST, TABLE.arena, "DICT_5X5_50", 28.0, None)
    told = next(finding for finding in found if finding.what == "fiducials")
    assert (told.grade, told.change, told.seen[0].param("listed")) == (Grade.BAD, Advice.LAY_FIDUCIALS(), "1, 2")
