"""`arena-cam judge`: each picture on its own."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2

from arena_cam.camera.folder import KINDS, PHOTOGRAPH_SUFFIXES, pictures_in, read_picture
from arena_cam.camera.frame import Frame, Image
from arena_cam.camera.messages import PictureTrouble
from arena_cam.commands.messages import Said
from arena_cam.commands.options.cache_folder import picture_cache
from arena_cam.commands.options.language import add_lang_option
from arena_cam.commands.options.unfinished_deck import finish_learning
from arena_cam.commands.process.heap import keep_freed
from arena_cam.commands.tables.table_file import table_for
from arena_cam.domain.errors import BadPicture
from arena_cam.formats.judgement import error_to_json
from arena_cam.formats.wording import told
from arena_cam.referee.game.outfit import Answer, JudgeOptions, PictureJudge, find_outfit
from arena_cam.rules import USUAL_GAME

EXAMPLE = "arena-cam judge --table table.json --deck decks/printed --challenge red-8 still-00.jpg"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "frames",
        nargs="+",
        type=Path,
        metavar="FRAME",
        help="a picture, or a folder: all pictures in it, by their numbers; give as many as you like",
    )
    parser.add_argument(
        "--deck",
        type=Path,
        required=True,
        help="the folder of the game's set (deck.toml and pictures); or the word ordinary: any pack of 52 cards with "
        "corner indices",
    )
    parser.add_argument("--table", type=Path, help="table.json; without it cards are named and ordered only")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--challenge", metavar="ID", help="the challenge card, the same in all pictures")
    which.add_argument(
        "--challenge-file", type=Path, metavar="FILE", help="JSON: picture's file name -> challenge card"
    )
    parser.add_argument("--game", default=USUAL_GAME, help=f"the game that is photographed (default: {USUAL_GAME})")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    add_lang_option(parser)


def run(args: argparse.Namespace) -> int:
    cv2.setNumThreads(1)  # threads that wait for each other burn more than they save
    keep_freed()
    table = table_for("judge", args.table, args.lang) if args.table is not None else None
    finish_learning(args.deck, args.lang)
    options = JudgeOptions(args.deck, table, args.challenge, args.challenge_file, picture_cache(), args.lang)
    judge = find_outfit(args.game).open_judge(options)
    failed = False
    for number, file in enumerate(_files(args.frames)):
        answer = _answer(file, number, judge, args.lang)
        failed |= "error" in answer.line
        print(json.dumps(answer.line) if args.json else answer.words, flush=True)
    if failed:
        print(f"arena-cam judge: {told(Said.SOME_UNJUDGED(), args.lang)}", file=sys.stderr)
    return 2 if failed else 0


def _files(given: Iterable[Path]) -> Iterator[Path]:
    """The pictures that were given, in the order given, those of a folder in natural order. Photographs of kinds that
    are not read here are among them: each has its answer. A folder that has none, or cannot be listed, stays itself."""
    for each in given:
        yield from _pictures_of(each) or [each]


def _pictures_of(folder: Path) -> list[Path]:
    """The pictures in a folder; none of what is no folder, or may not be listed."""
    try:
        return pictures_in(folder, PHOTOGRAPH_SUFFIXES)
    except OSError:
        return []


def _picture(file: Path) -> Image:
    """The picture. Raises BadPicture, also for a folder without any."""
    try:
        return read_picture(file)
    except BadPicture:
        if os.access(file, os.R_OK) and file.is_dir():
            raise BadPicture(PictureTrouble.NONE_IN_FOLDER(names=KINDS), about=file) from None
        raise


def _answer(file: Path, number: int, judge: PictureJudge, language: str) -> Answer:
    try:
        image = _picture(file)
    except BadPicture as error:
        name = file.name or str(file)  # "." has none
        return Answer(error_to_json(name, str(error.said)), f"{name}: {told(error.said, language)}")
    return judge.judge(Frame(image, 0.0, number, "pictures", file.name))
