"""`arena-cam calibrate`: a camera's intrinsics from views of a board, and the table from one picture of the arena."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.folder import pictures_in, read_picture
from arena_cam.camera.frame import Image
from arena_cam.camera.open_source import open_source
from arena_cam.commands.messages import CommandRefusal
from arena_cam.commands.options.language import add_lang_option, error_told
from arena_cam.commands.process.messages import Doing
from arena_cam.commands.process.terminal import Working
from arena_cam.commands.tables import surveying
from arena_cam.commands.tables.messages import Calibrating
from arena_cam.domain.errors import BadInput, BadPicture, CannotDo
from arena_cam.domain.messages import Message
from arena_cam.formats.board_json import Board, Charuco, read_board
from arena_cam.formats.messages import FileTrouble
from arena_cam.formats.table_json import read_camera
from arena_cam.formats.wording import told
from arena_cam.vision.setup.board_corners import BoardView, find_board
from arena_cam.vision.setup.board_views import ViewCollector
from arena_cam.vision.setup.intrinsics import Intrinsics, estimate_intrinsics, intrinsics_to_json

EXAMPLE = "arena-cam calibrate views/ --out table.json"

# The board that `arena-cam deck print` prints, used where no board.json says otherwise.
PRINTED_BOARD = Charuco(squares=(7, 5), square_mm=30.0, marker_mm=22.0, dictionary="DICT_5X5_100")

LIVE_FRAMES = 15 * 300  # five minutes at 15 frames a second: nobody holds a board longer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam calibrate`."""
    parser.add_argument(
        "views",
        metavar="VIEWS",
        nargs="?",
        help="folder with pictures of a calibration board, or a live camera: usb:0, picamera2",
    )
    parser.add_argument("--intrinsics", metavar="FILE", help="take the camera from this file instead of VIEWS")
    parser.add_argument("--board", metavar="FILE", help="board.json (default: the one in VIEWS)")
    parser.add_argument("--out", metavar="FILE", required=True, help="where to write table.json")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    add_lang_option(parser)
    surveying.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Calibrates and writes the file; 0 if done. Raises CannotDo for views that do not determine the camera."""
    if (args.views is None) == (args.intrinsics is None):
        raise BadInput(CommandRefusal.VIEWS_OR_INTRINSICS())
    if args.intrinsics is not None and args.scene is None:
        raise BadInput(CommandRefusal.INTRINSICS_ALONE())
    out = Path(args.out)
    lines = []
    if args.intrinsics is not None:
        answer = read_camera(args.intrinsics)
    else:
        intrinsics = from_views(args.views, args.board, args.lang)
        answer = intrinsics_to_json(intrinsics)
        lines.append(for_people(intrinsics, args.lang))
    if args.scene is not None:
        answer, survey = surveying.survey(args, answer, out)
        lines.append(surveying.for_people(survey, args.lang))
    write_json(out, answer)
    print(json.dumps(answer) if args.json else "\n".join([*lines, told(Calibrating.WRITTEN(file=str(out)), args.lang)]))
    return 0


def from_views(views: str, board_file: str | None, language: str) -> Intrinsics:
    """The intrinsics from a folder of pictures or from a live camera."""
    take = from_folder if Path(views).is_dir() else from_camera
    return take(views, board_file, language)


def from_folder(views: str, board_file: str | None, language: str) -> Intrinsics:
    """The intrinsics from all pictures in a folder; those that cannot serve are named on stderr."""
    folder = Path(views)
    board = _board_of(folder, board_file, language)
    pictures = pictures_in(folder)
    if not pictures:
        raise BadInput(CommandRefusal.NO_VIEWS(), about=folder)
    found: list[tuple[tuple[int, int], BoardView]] = []
    with Working(told(Doing.SEEKING_BOARD(), language)) as working:
        for number, file in enumerate(pictures):
            working.at(number, len(pictures))
            try:
                grey = _grey(read_picture(file))
            except BadPicture as error:
                working.say(error_told(error, language))
                continue
            view = find_board(grey, board, file.name)
            if view is None:
                working.say(told(Calibrating.NOT_SHOWN(file=file.name), language))
            else:
                found.append(((grey.shape[1], grey.shape[0]), view))
    return _estimate(folder, found, language)


def _board_of(folder: Path, board_file: str | None, language: str) -> Board:
    """The board that the pictures show: as a file says, else the one that `arena-cam deck print` prints."""
    if board_file is None and folder.is_dir() and not (folder / "board.json").exists():
        _say(Calibrating.NO_BOARD_JSON(folder=str(folder), square_mm=f"{PRINTED_BOARD.square_mm:g}"), language)
        return PRINTED_BOARD
    return read_board(board_file or folder / "board.json")


def _estimate(folder: Path, found: list[tuple[tuple[int, int], BoardView]], language: str) -> Intrinsics:
    if not found:
        raise CannotDo(Calibrating.NOWHERE_SHOWN(folder=str(folder)))
    image_size = Counter(size for size, _ in found).most_common(1)[0][0]
    for size, view in found:
        if size != image_size:
            usual = {"usual_width": image_size[0], "usual_height": image_size[1]}
            _say(Calibrating.OTHER_SIZE(file=view.name, width=size[0], height=size[1], **usual), language)
    with Working(told(Doing.COMPUTING(), language)):
        intrinsics = estimate_intrinsics([view for size, view in found if size == image_size], image_size)
    for name in intrinsics.left_out:
        _say(Calibrating.DISAGREES(file=name), language)
    return intrinsics


def from_camera(source: str, board_file: str | None, language: str) -> Intrinsics:
    """The intrinsics from a live camera: collects views, saying what is missing, and ends when they suffice."""
    board: Board = read_board(board_file) if board_file else PRINTED_BOARD
    camera = open_source(source)
    collector: ViewCollector | None = None
    missing: list[Message] = []
    try:
        for _ in range(LIVE_FRAMES):
            frame = camera.read()
            if frame is None:
                break
            image = frame.image_bgr
            if collector is None:
                collector = ViewCollector(board, (image.shape[1], image.shape[0]))
                missing = collector.missing
                _say(Calibrating.HOLD_STILL(), language)
            if not collector.offer(image, frame.name):
                continue
            intrinsics, missing = collector.result()
            if intrinsics is not None:
                return intrinsics
            _say(Calibrating.VIEWS(count=len(collector.views), why=tuple(missing)), language)
    finally:
        camera.close()
    raise CannotDo(Calibrating.ENDED(source=source, why=tuple(missing) or "views"))


def for_people(intrinsics: Intrinsics, language: str = "en") -> str:
    """The result in some lines of text."""
    matrix, sd = intrinsics.K, intrinsics.sd
    dist = zip(("k1", "k2", "p1", "p2", "k3"), intrinsics.dist, strict=True)
    error = Calibrating.REPROJECTION_PX(px=f"{intrinsics.rms_px:.3f}", count=len(intrinsics.views))
    found = {
        Calibrating.REPROJECTION: told(error, language),
        Calibrating.FOCAL_LENGTH: f"{matrix[0, 0]:.2f} ± {sd['fx']:.2f}, {matrix[1, 1]:.2f} ± {sd['fy']:.2f} px",
        Calibrating.PRINCIPAL_POINT: f"{matrix[0, 2]:.2f} ± {sd['cx']:.2f}, {matrix[1, 2]:.2f} ± {sd['cy']:.2f} px",
        Calibrating.DISTORTION: ", ".join(f"{name} {value:.4f} ± {sd[name]:.4f}" for name, value in dist),
    }
    return "\n".join(f"{told(name(), language):{surveying.LABEL}}  {text}" for name, text in found.items())


def write_json(file: Path, content: dict[str, Any]) -> None:
    """Writes `content` so that `file` is never half there. Raises CannotDo if it cannot be written."""
    beside = file.with_name(file.name + ".part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        beside.replace(file)
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN_OUT(text=error.strerror), about=file) from None


def _grey(image_bgr: Image) -> Image:
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def _say(message: Message, language: str) -> None:
    print(told(message, language), file=sys.stderr, flush=True)
