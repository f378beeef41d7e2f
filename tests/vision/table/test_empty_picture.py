"""The picture of the empty arena is used where there is one of the table's own size."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.vision.table.empty_picture import empty_picture
from vision.small import small_table


def test_a_table_that_names_none_has_none() -> None:
    assert empty_picture(small_table()) is None


@pytest.mark.parametrize("content", [None, b"", b"torn"], ids=["missing", "empty file", "torn"])
def test_a_picture_that_cannot_be_read_is_none(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "empty.png"
    if content is not None:
        file.write_bytes(content)
    assert empty_picture(small_table(empty=file)) is None


@pytest.mark.parametrize(("size", "there"), [((640, 480), True), ((480, 640), False), ((320, 240), False)])
def test_only_a_picture_of_the_tables_own_size_serves(tmp_path: Path, size: tuple[int, int], there: bool) -> None:
    file = tmp_path / "empty.png"
    cv2.imwrite(str(file), np.full((size[1], size[0], 3), 90, np.uint8))
    picture = empty_picture(small_table(empty=file))
    assert (picture is not None) is there
    if picture is not None:
        assert (picture == 90).all()
