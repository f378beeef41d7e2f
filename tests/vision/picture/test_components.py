"""What is said of the pieces of a mask."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.picture.components import components, part_round


def test_each_piece_has_its_box_its_area_and_its_middle() -> None:
    mask = np.zeros((20, 30), np.uint8)
    mask[3:5, 10:16] = 1
    mask[12:20, 29] = 1
    found = components(mask)
    assert found.boxes[1:].tolist() == [[10, 3, 6, 2, 12], [29, 12, 1, 8, 8]]
    assert found.areas[1:].tolist() == [12, 8]
    assert found.middles[1:].tolist() == [[12.5, 3.5], [29.0, 15.5]]
    assert found.labels[4, 15] == 1
    assert found.labels[0, 0] == 0


@pytest.mark.parametrize(("connectivity", "count"), [(8, 1), (4, 2)])
def test_pieces_that_touch_by_a_corner_are_one_if_that_is_asked(connectivity: int, count: int) -> None:
    mask = np.eye(2, dtype=np.uint8)
    assert len(components(mask, connectivity).areas) == 1 + count


def test_a_mask_of_nothing_has_no_piece() -> None:
    assert len(components(np.zeros((4, 5), np.uint8)).areas) == 1


def test_the_part_of_a_mask_that_is_set_has_a_margin_within_the_mask() -> None:
    mask = np.zeros((40, 60), np.uint8)
    assert part_round(mask, 3) is None
    mask[2:10, 20:31] = 1
    rows, columns = part_round(mask, 3) or (slice(0), slice(0))
    assert (rows, columns) == (slice(0, 13), slice(17, 34))
    assert part_round(mask[:12], 3) == (slice(0, 13), slice(17, 34))  # as a slice it ends with the mask
