"""Checks a table that was not measured yet: what three fiducials and a roughly known camera allow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CannotDo
from arena_cam.domain.table import Arena, Matrix3, Table
from arena_cam.geometry.arrays import Array
from arena_cam.vision.setup.check import Finding, check_table, check_without_fiducials
from arena_cam.vision.setup.survey import survey_fiducials

# Focal length over the picture's width where nothing is known of the camera: the common ones see 60 to 75 degrees.
USUAL_FOCAL = 0.75


def usual_camera(image_size: tuple[int, int]) -> Array:
    """A camera matrix (3, 3) that is right within some ten per cent for most cameras of `image_size` (w, h)."""
    width, height = image_size
    focal = USUAL_FOCAL * width
    return np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])


def first_look(
    frames: Sequence[Frame],
    K: Array,
    dist: Array,
    arena: Arena,
    dictionary: str,
    fiducial_mm: float,
    deck: Deck | None,
) -> list[Finding]:
    """The findings from `frames` of a table that is being built; `arena` is the planned tray, as far as it is known."""
    try:
        table = provisional_table(frames[-1].image_bgr, K, dist, arena, dictionary, fiducial_mm)
    except CannotDo:
        return check_without_fiducials(frames, dictionary)
    return check_table(frames, table, deck)


def provisional_table(
    image_bgr: Image, K: Array, dist: Array, arena: Arena, dictionary: str, fiducial_mm: float
) -> Table:
    """The table as if the arena stood amid the fiducials. Raises CannotDo where fewer than three are seen."""
    laid = survey_fiducials(image_bgr, K, dist, dictionary, fiducial_mm, arena.table_z_mm)
    size = (image_bgr.shape[1], image_bgr.shape[0])
    matrix: Matrix3 = tuple(tuple(float(v) for v in row) for row in K)  # type: ignore[assignment]  # 3 x 3
    return Table(size, matrix, tuple(float(v) for v in dist), arena, laid.fiducials)
