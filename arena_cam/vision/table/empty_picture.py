"""The picture of the empty arena from set-up, if there is one that fits this table."""

from __future__ import annotations

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Image
from arena_cam.domain.errors import BadPicture
from arena_cam.domain.table import Table


def empty_picture(table: Table) -> Image | None:
    """The empty arena, (height, width, 3), uint8; None where `table` names no readable picture of its own size."""
    if table.empty is None:
        return None
    try:
        picture = read_picture(table.empty)
    except BadPicture:
        return None
    return picture if (picture.shape[1], picture.shape[0]) == table.image_size else None
