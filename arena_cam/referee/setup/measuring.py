"""The set-up's third step: the arena is measured, first its size by a card laid into it, then where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import TablePose
from arena_cam.domain.table import Arena, Matrix3, Table
from arena_cam.formats.table_json import table_to_json
from arena_cam.geometry.arrays import Array
from arena_cam.printing.sheets import FIDUCIAL_MM
from arena_cam.referee.setup import files as setup_files
from arena_cam.referee.setup.arguments import (
    CARD,
    CARD_THICKNESS,
    FIDUCIAL,
    FLOOR,
    INNER,
    WALL_HEIGHT,
    WALL_THICKNESS,
)
from arena_cam.referee.setup.files import Lens
from arena_cam.referee.setup.interface import ArenaStep
from arena_cam.referee.setup.looking import DICTIONARY, ArenaLook
from arena_cam.referee.setup.messages import SetupRefusal
from arena_cam.referee.setup.values import length, lengths, measured_arena
from arena_cam.vision.setup.empty_floor import things_on_the_floor
from arena_cam.vision.setup.survey import Survey, survey_arena
from arena_cam.vision.setup.tray_size import LaidCard, PrintedFiducials, measure_tray

Json = dict[str, Any]

PLAYING_CARD_MM = 0.3  # thick


@dataclass(frozen=True, eq=False)
class Measured:
    """The arena as measured in `image`; `things` are outlines (N, 2) in mm of what lies in it."""

    survey: Survey
    table: Table
    image: Image
    things: list[Array]


@dataclass(frozen=True)
class _Typed:
    """What is known of the tray, in mm: the wall's height and thickness, the floor above the table, a marker's side."""

    wall_mm: tuple[float, float]
    floor_mm: float
    fiducial_mm: float

    @staticmethod
    def of(args: Mapping[str, Any]) -> _Typed:
        """Raises Refused `bad_argument` for what cannot be."""
        height, thickness = lengths(args, "wall_mm", WALL_HEIGHT, WALL_THICKNESS)
        floor = length(args.get("floor_mm", 0.0), "floor_mm", FLOOR)
        return _Typed((height, thickness), floor, length(args.get("fiducial_mm", FIDUCIAL_MM), "fiducial_mm", FIDUCIAL))


class ArenaMeasuring:
    """What was typed and measured of the arena, and the names of the tables in the folder `calibration`."""

    def __init__(self, calibration: Path) -> None:
        self._calibration = calibration
        self._typed: Json = {}
        self._measured: Measured | None = None
        self._written: str | None = None
        self._names = setup_files.table_names(calibration)

    @property
    def fiducial_mm(self) -> float:
        """The side of a marker's black square, as typed last."""
        return float(self._typed.get("fiducial_mm", FIDUCIAL_MM))

    def know(self, table: Table) -> None:
        """Puts the numbers of a table that was measured before into the form, unless somebody has typed others."""
        arena = table.arena
        known = {
            "inner_mm": [*arena.inner_mm],
            "wall_mm": [arena.wall_height_mm, arena.wall_thickness_mm],
            "floor_mm": 0.0 - arena.table_z_mm,
            "fiducial_mm": table.fiducials.size_mm,
        }
        self._typed = known | self._typed

    def begin(self) -> None:
        """Drops what was measured and written before; what was typed stays in the form."""
        self._measured, self._written = None, None

    def forget(self) -> None:
        """Drops what was measured, since the lens is another."""
        self._measured = None

    def snapshot(self) -> ArenaStep:
        found = self._measured
        return {
            "typed": dict(self._typed),
            "measured": measured_arena(found.survey, found.table, len(found.things)) if found is not None else None,
            "written": self._written,
            "names": self._names,
        }

    def measure_tray(self, image: Image, lens: Lens, args: Mapping[str, Any]) -> Json:
        """The tray's inner size and the markers' size, by a card of known size that lies in it. Raises CannotDo."""
        short, long = lengths(args, "card_mm", CARD, CARD)
        thickness = length(args.get("card_thickness_mm", PLAYING_CARD_MM), "card_thickness_mm", CARD_THICKNESS)
        typed = _Typed.of(args)
        K, dist = lens_matrices(lens)
        card = LaidCard((short, long), thickness)
        fiducials = PrintedFiducials(DICTIONARY, typed.fiducial_mm, 0.0 - typed.floor_mm)
        found = measure_tray(image, K, dist, card, typed.wall_mm, fiducials)
        sizes = {
            "inner_mm": [round(side, 1) for side in found.inner_mm],
            "fiducial_mm": round(found.fiducial_mm, 2),
        }
        self._typed |= {"card_mm": [short, long], "wall_mm": [*typed.wall_mm], "floor_mm": typed.floor_mm} | sizes
        return sizes

    def measure(self, image: Image, lens: Lens, args: Mapping[str, Any]) -> None:
        """Measures where the empty arena stands. Raises CannotDo; then nothing is measured."""
        width, depth = lengths(args, "inner_mm", INNER, INNER)
        typed = _Typed.of(args)
        self._typed |= {
            "inner_mm": [width, depth],
            "wall_mm": [*typed.wall_mm],
            "floor_mm": typed.floor_mm,
            "fiducial_mm": typed.fiducial_mm,
        }
        self._measured = None
        arena = Arena((width, depth), *typed.wall_mm, table_z_mm=0.0 - typed.floor_mm)
        K, dist = lens_matrices(lens)
        survey = survey_arena(image, K, dist, arena, DICTIONARY, typed.fiducial_mm, 0.0 - typed.floor_mm)
        matrix: Matrix3 = tuple(tuple(float(v) for v in row) for row in K)  # type: ignore[assignment]  # 3 x 3
        size = (image.shape[1], image.shape[0])
        table = Table(size, matrix, tuple(float(v) for v in dist), arena, survey.fiducials)
        things = things_on_the_floor(image, survey.camera, arena)
        self._measured, self._written = Measured(survey, table, image, things), None

    def show_in(self, look: ArenaLook) -> None:
        """Has `look` draw what was measured."""
        if self._measured is None:
            look.show(None, None)
            return
        survey, table = self._measured.survey, self._measured.table
        rvec, tvec = (tuple(float(v) for v in vector) for vector in (survey.camera.rvec, survey.camera.tvec))
        pose = TablePose(rvec, tvec, survey.reprojection_px, tuple(survey.fiducials.centres_mm))  # type: ignore[arg-type]
        things_px = [
            survey.camera.project(np.column_stack([each, np.zeros(len(each))])) for each in self._measured.things
        ]
        look.show(table, pose, things_px)

    def write(self, lens: Lens | None, args: Mapping[str, Any]) -> tuple[str, Path]:
        """Writes the table that was measured; its name and its file. Raises Refused (not_now, not_empty, exists)."""
        if self._measured is None or lens is None:
            raise Refused("not_now", SetupRefusal.ARENA_NOT_MEASURED())
        name = setup_files.checked_name(args.get("name"))
        if self._measured.things and args.get("not_empty") not in (True, "true"):
            raise Refused("not_empty", SetupRefusal.NOT_EMPTY())
        _, png = cv2.imencode(".png", self._measured.image)
        content = {**lens.camera, **table_to_json(self._measured.table)}
        replace = args.get("replace") in (True, "true")
        file = setup_files.write_table(self._calibration, name, content, png.tobytes(), replace=replace)
        self._written, self._names = name, setup_files.table_names(self._calibration)
        return name, file


def lens_matrices(lens: Lens) -> tuple[Array, Array]:
    """K (3, 3) and the distortion coefficients of a lens."""
    return np.array(lens.camera["K"], np.float64), np.array(lens.camera["dist"], np.float64)
