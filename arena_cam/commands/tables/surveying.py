"""The arena's part of `arena-cam calibrate`: from one picture of the empty arena to the rest of table.json."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.folder import PICTURE_SUFFIXES, read_picture
from arena_cam.camera.frame import Image
from arena_cam.camera.messages import SourceTrouble
from arena_cam.camera.open_source import open_source
from arena_cam.commands.tables.messages import Calibrating, SurveyOption
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.domain.table import Arena, Table
from arena_cam.formats.messages import FileTrouble
from arena_cam.formats.table_json import table_to_json
from arena_cam.formats.wording import told
from arena_cam.vision.setup.survey import Survey, survey_arena

SETTLING_FRAMES = 30  # two seconds: exposure and white balance have found their place
LABEL = 18  # characters of the column of names
MOST_TURNED_DEG = 1.5  # half a millimetre at the corner of a fiducial of 28 mm


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that concern the arena."""
    arena = parser.add_argument_group(
        "the arena", "measured from one picture of it, empty, with the fiducials round it"
    )
    arena.add_argument(
        "--scene",
        metavar="SOURCE",
        help="that picture: a file, a recording that begins with it, or a live camera: usb:0, picamera2",
    )
    arena.add_argument("--arena", metavar="WxD", default="280x280", help="inner width x depth, mm (default: 280x280)")
    arena.add_argument("--wall", metavar="HxT", default="15x6", help="wall's height x thickness, mm (default: 15x6)")
    arena.add_argument(
        "--fiducials", metavar="DICT:MM", default="DICT_5X5_50:28", help="dictionary:size (default: DICT_5X5_50:28)"
    )
    arena.add_argument("--table-z", metavar="MM", type=float, default=0.0, help="table's height against the floor (0)")
    arena.add_argument(
        "--fiducial-z", metavar="MM", type=float, help="fiducials' height likewise (default: the table's)"
    )


def survey(args: argparse.Namespace, intrinsics: dict[str, Any], out: Path) -> tuple[dict[str, Any], Survey]:
    """The whole content of table.json, given its camera's part; saves the picture of the empty arena beside `out`."""
    arena = Arena(_pair(args.arena, "--arena"), *_pair(args.wall, "--wall"), table_z_mm=args.table_z)
    dictionary, size_mm = _fiducials(args.fiducials)
    image = scene_picture(args.scene, (int(intrinsics["image_size"][0]), int(intrinsics["image_size"][1])))
    size = (image.shape[1], image.shape[0])
    if list(size) != list(intrinsics["image_size"]):
        raise BadInput(
            SurveyOption.OTHER_RESOLUTION(
                file=str(args.scene),
                width_px=size[0],
                height_px=size[1],
                calibrated_width_px=intrinsics["image_size"][0],
                calibrated_height_px=intrinsics["image_size"][1],
            )
        )
    K, dist = np.array(intrinsics["K"], np.float64), np.array(intrinsics["dist"], np.float64)
    z_mm = args.table_z if args.fiducial_z is None else args.fiducial_z
    found = survey_arena(image, K, dist, arena, dictionary, size_mm, z_mm)
    empty = out.with_name(f"{out.stem}-empty.png")
    table = Table(size, _matrix(intrinsics["K"]), tuple(intrinsics["dist"]), arena, found.fiducials, empty)
    save_picture(empty, image)
    return {**intrinsics, **table_to_json(table)}, found


def for_people(found: Survey, language: str = "en") -> str:
    """What was measured, and what to put straight."""
    off = told(Calibrating.FIDUCIALS_OFF(px=f"{found.reprojection_px:.2f}"), language)
    lines = [f"{told(Calibrating.FIDUCIALS(), language):{LABEL}}  {off}"]
    for number, (x, y) in found.fiducials.centres_mm.items():
        at = Calibrating.FIDUCIAL_AT(number=number, x_mm=f"{x:7.1f}", y_mm=f"{y:7.1f}")
        lines.append(f"  {told(at, language)}")
    for number, turned_deg in found.turned_deg.items():
        if abs(turned_deg) > MOST_TURNED_DEG:
            lines.append(told(Calibrating.FIDUCIAL_TURNED(number=number, deg=f"{turned_deg:.1f}"), language))
    return "\n".join(lines)


def scene_picture(source: str, size_px: tuple[int, int]) -> Image:
    """One picture: a file's, the first one of a recording, or a live camera's once it has settled, which is asked for
    `size_px` (width, height).
    """
    if Path(source).is_file() and Path(source).suffix.lower() in PICTURE_SUFFIXES:
        return read_picture(Path(source))
    camera = open_source(source, size_px=size_px)
    image: Image | None = None
    try:
        for _ in range(SETTLING_FRAMES if camera.live else 1):
            frame = camera.read()
            if frame is None:
                break
            image = frame.image_bgr
    finally:
        camera.close()
    if image is None:
        raise CannotDo(SourceTrouble.GIVES_NONE(), about=source)
    return image


def save_picture(file: Path, image: Image) -> None:
    """Writes a PNG. Raises CannotDo if it cannot be written."""
    ok, data = cv2.imencode(".png", image)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.tobytes() if ok else b"")
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN_OUT(text=error.strerror), about=file) from None


def _pair(text: str, option: str) -> tuple[float, float]:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", text)
    if match is None:
        raise BadInput(SurveyOption.TWO_LENGTHS(option=option, text=repr(text)))
    return float(match[1]), float(match[2])


def _fiducials(text: str) -> tuple[str, float]:
    match = re.fullmatch(r"(DICT_\w+):(\d+(?:\.\d+)?)", text)
    if match is None or float(match[2]) <= 0:
        raise BadInput(SurveyOption.FIDUCIALS(text=repr(text)))
    return match[1], float(match[2])


def _matrix(rows: list[list[float]]) -> Any:
    return tuple(tuple(float(value) for value in row) for row in rows)
