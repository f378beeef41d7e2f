"""Blocks that lie open beside the tray are found; those held, covered, inside, or of another size are not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.domain.blocks import (
    BLOCK_DICTIONARY,
    BLOCK_MARKER_AT_MM,
    BLOCK_MARKER_MM,
    BLOCK_MM,
    Block,
    OpenBlock,
    block_id,
)
from arena_cam.domain.lies import TablePose
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.blocks.finder import BlockFinder
from arena_cam.vision.picture.markers import dictionary_named
from vision.small import camera_above, frame, painted, small_table

TABLE = small_table(3.0, (960, 720), inner_mm=(120.0, 100.0))
CAMERA = camera_above(3.0, TABLE.image_size)
POSE = TablePose((float(CAMERA.rvec[0]), float(CAMERA.rvec[1]), float(CAMERA.rvec[2])), (0.0, 0.0, 500.0), 0.1, (1, 2))
FLOOR = np.full((720, 960, 3), 110, np.uint8)
PX_PER_MM = 8
BESIDE = CardPose.flat(110.0, 20.0, 15.0)


def print_of(block: Block) -> np.ndarray:
    """The block's print: its marker on white."""
    width, height = (round(side * PX_PER_MM) for side in BLOCK_MM)
    picture = np.full((height, width, 3), 245, np.uint8)
    side = round(BLOCK_MARKER_MM * PX_PER_MM)
    marker = cv2.aruco.generateImageMarker(
        dictionary_named(BLOCK_DICTIONARY), block_id(block.colour, block.choice), side
    )
    left, top = (round(at * PX_PER_MM) - side // 2 for at in BLOCK_MARKER_AT_MM)
    picture[top : top + side, left : left + side] = marker[:, :, None]
    return picture


def with_block(pose: CardPose, block: Block = Block("red", "peace"), scale: float = 1.0) -> np.ndarray:  # noqa: B008
    return painted(FLOOR, print_of(block), CAMERA, pose.corners(BLOCK_MM[0] * scale, BLOCK_MM[1] * scale))


def found(picture: np.ndarray) -> tuple[OpenBlock, ...]:
    return BlockFinder(TABLE).find(frame(picture), POSE)


def test_an_empty_table_has_none() -> None:
    assert found(FLOOR) == ()


@pytest.mark.parametrize("block", [Block("red", "peace"), Block("violet", "conflict")])
@pytest.mark.parametrize("angle_deg", [0.0, 15.0, -170.0])
def test_a_block_is_found_where_it_lies(block: Block, angle_deg: float) -> None:
    pose = CardPose.flat(110.0, 20.0, angle_deg)
    (seen,) = found(with_block(pose, block))
    assert seen.block == block
    assert seen.angle_deg == pytest.approx(angle_deg, abs=1.0)
    x, y = BLOCK_MARKER_AT_MM[0] - BLOCK_MM[0] / 2, BLOCK_MM[1] / 2 - BLOCK_MARKER_AT_MM[1]
    middle = pose.points(np.array([x]), np.array([y]))[0]
    assert seen.centre_mm == pytest.approx(tuple(middle[:2]), abs=0.3)


def test_a_block_in_the_tray_is_none() -> None:
    assert found(with_block(CardPose.flat(20.0, 10.0, 0.0))) == ()


@pytest.mark.parametrize("scale", [0.7, 1.35])
def test_a_print_of_another_size_is_none(scale: float) -> None:
    assert found(with_block(BESIDE, scale=scale)) == ()


@pytest.mark.parametrize(("covered_mm", "open_"), [(2.0, True), (9.0, False)])
def test_a_finger_over_the_rim_holds_the_block(covered_mm: float, open_: bool) -> None:
    """A thumb of skin colour lies over a corner of the print; the marker itself shows."""
    picture = with_block(CardPose.flat(110.0, 20.0, 0.0))
    half_x, half_y = BLOCK_MM[0] / 2, BLOCK_MM[1] / 2
    at = np.array(
        [[110.0 + half_x + 3, 20.0 + half_y + 3, 0.0], [110.0 + half_x - covered_mm, 20.0 + half_y - covered_mm, 0]]
    )
    (right, top), (left, bottom) = np.rint(CAMERA.project(at)).astype(int)
    picture[top:bottom, left:right] = (120, 150, 210)
    assert bool(found(picture)) is open_


def test_a_fiducial_of_the_table_is_no_block() -> None:
    number = block_id("red", "peace")
    own = replace(TABLE, fiducials=replace(TABLE.fiducials, centres_mm={number: (110.0, 20.0)}))
    assert BlockFinder(own).find(frame(with_block(BESIDE)), POSE) == ()
