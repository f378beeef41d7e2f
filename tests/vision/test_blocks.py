"""Duelling blocks in rendered pictures: found where they lie, not while anything is on them, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.blocks import BLOCK_CHOICES, BLOCK_MM, Block, OpenBlock, block_id, block_of
from arena_cam.domain.colours import COLOURS
from arena_cam.domain.lies import TablePose
from arena_cam.printing.sheets import block_faces
from arena_cam.simulation.arena.actions import LayBlock
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.vision.blocks.finder import BlockFinder
from shared_decks import deck_in

RED, BLUE = Block("red", "peace"), Block("blue", "conflict")
SKINS = ((150, 180, 224), (44, 62, 98))
CLOTHS = ((46, 40, 96), (30, 30, 32))


@pytest.fixture(scope="module")
def table(deck_folder: Path) -> SimulatedTable:
    """A red and a blue block lie beside the arena, another blue one in it."""
    table = SimulatedTable(deck_in(deck_folder), supersample=1, blocks=block_faces())
    table.perform(
        LayBlock("red", "peace"),
        LayBlock("blue", "conflict", angle_deg=30.0, together=True),
        LayBlock("blue", "peace", at_mm=(60.0, 40.0), together=True),
    )
    table.advance(4.0)
    return table


@pytest.fixture(scope="module")
def picture(table: SimulatedTable) -> np.ndarray:
    return table.picture()


def found(table: SimulatedTable, picture: np.ndarray) -> dict[Block, OpenBlock]:
    camera = table.camera
    pose = TablePose(tuple(camera.rvec), tuple(camera.tvec), 0.2, (0, 1, 2, 3))
    seen = BlockFinder(table.table()).find(Frame(picture, 0.0, 0, "test", "test"), pose)
    assert len({each.block for each in seen}) == len(seen)
    return {each.block: each for each in seen}


def test_every_block_has_a_marker_of_its_own() -> None:
    numbers = [block_id(colour, choice) for colour in COLOURS for choice in BLOCK_CHOICES]
    assert sorted(numbers) == list(range(10, 20))
    assert [block_of(number) for number in (9, 20)] == [None, None]
    assert block_of(block_id("green", "conflict")) == Block("green", "conflict")


def test_blocks_beside_the_arena_are_found_where_they_lie(table: SimulatedTable, picture: np.ndarray) -> None:
    seen = found(table, picture)
    assert set(seen) == {RED, BLUE}, "the one in the arena does not lie beside it"
    for laid in table.blocks[:2]:
        where = seen[laid.block]
        # taken to lie on the table itself: 4 mm of card shift it outwards by its share of the camera's height
        assert np.allclose(where.centre_mm, laid.marker_mm, atol=3.0)
        assert abs((where.angle_deg - laid.pose.angle_deg + 180.0) % 360.0 - 180.0) < 1.0


@pytest.mark.parametrize("colour", [*SKINS, *CLOTHS])
@pytest.mark.parametrize("at", [(0.5, 0.0), (0.5, 1.0), (0.0, 0.5), (1.0, 0.4), (0.0, 0.0), (1.0, 1.0)])
def test_a_finger_on_its_border_keeps_it_covered(
    table: SimulatedTable, picture: np.ndarray, colour: tuple[int, int, int], at: tuple[float, float]
) -> None:
    """A fingertip of 14 mm, its middle on the border: the marker shows, and yet somebody holds the block."""
    laid = table.blocks[0]
    assert laid.block == RED
    tip = np.array([at[0] - 0.5, 0.5 - at[1]]) * BLOCK_MM
    point = laid.pose.points(tip[:1], tip[1:])
    touched = picture.copy()
    scale = table.camera.px_per_mm(point[0])
    centre = table.camera.project(point)[0]
    cv2.circle(touched, tuple(int(v) for v in np.round(centre)), round(7.0 * scale), colour, -1, cv2.LINE_AA)
    assert RED not in found(table, touched)
    assert BLUE in found(table, touched)


@pytest.mark.parametrize("light", [0.45, 1.25])
def test_in_little_and_in_much_light(table: SimulatedTable, picture: np.ndarray, light: float) -> None:
    lit = np.clip(picture * light, 0, 255).astype(np.uint8)
    assert set(found(table, lit)) == {RED, BLUE}


def test_half_in_a_soft_shadow(table: SimulatedTable, picture: np.ndarray) -> None:
    x = table.camera.project(table.blocks[0].pose.centre_mm[None])[0, 0]
    shade = np.ones(picture.shape[:2], np.float32)
    shade[:, : int(x)] = 0.62
    shaded = picture * cv2.GaussianBlur(shade, (0, 0), 6.0)[:, :, None]
    assert RED in found(table, shaded.astype(np.uint8))


def test_a_fiducial_of_the_table_is_no_block(table: SimulatedTable, picture: np.ndarray) -> None:
    own = table.table()
    fiducials = replace(own.fiducials, centres_mm={**own.fiducials.centres_mm, block_id("red", "peace"): (250.0, 0.0)})
    camera = table.camera
    pose = TablePose(tuple(camera.rvec), tuple(camera.tvec), 0.2, (0, 1, 2, 3))
    finder = BlockFinder(replace(own, fiducials=fiducials))
    assert {each.block for each in finder.find(Frame(picture, 0.0, 0, "test", "test"), pose)} == {BLUE}


def test_a_marker_of_another_size_is_no_block(table: SimulatedTable, picture: np.ndarray) -> None:
    """The same marker as the picture of a poster or a phone may show it."""
    bits = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50), 14, 50)
    with_poster = picture.copy()
    with_poster[10:90, 400:480] = 235
    with_poster[25:75, 415:465] = bits[:, :, None]
    assert set(found(table, with_poster)) == {RED, BLUE}
