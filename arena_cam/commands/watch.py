"""`arena-cam watch`: frames in time, a game record out, line by line as it happens."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2

from arena_cam.commands.options.cache_folder import drawing_folder, picture_cache
from arena_cam.commands.options.frame_rate import add_fps_option
from arena_cam.commands.options.language import add_lang_option, error_told
from arena_cam.commands.options.messages import Following, OptionRefusal
from arena_cam.commands.options.unfinished_deck import finish_learning
from arena_cam.commands.tables.table_file import table_for
from arena_cam.domain.errors import BadInput, BadPicture, CameraLost
from arena_cam.domain.messages import Message
from arena_cam.formats.game_record import write_line
from arena_cam.formats.wording import told
from arena_cam.referee.game.outfit import Watch, WatchOptions, WatchOutput, find_outfit
from arena_cam.rules import USUAL_GAME

EXAMPLE = "arena-cam watch --table table.json --deck decks/printed --json frames/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", help="a folder of numbered pictures, a video file, usb:0, picamera2 or sim"
    )
    parser.add_argument(
        "--table", type=Path, help="table.json of this camera and arena (not for sim, nor for games on any table)"
    )
    parser.add_argument(
        "--deck",
        type=Path,
        help="the folder of the game's set (sim draws its own); for tricks also the word ordinary: any pack",
    )
    parser.add_argument("--game", default=USUAL_GAME, help=f"the game that is played (default: {USUAL_GAME})")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--players", metavar="A,B", help="who plays, in seat order, where no colour is played")
    who.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME=COLOUR",
        help="who plays which colour, in seat order; give one for each (default: everybody of the deck's colours)",
    )
    add_lang_option(parser)
    add_fps_option(parser)
    parser.add_argument("--json", action="store_true", help="a game record, one event a line")


def run(args: argparse.Namespace) -> int:
    # One thread: frames come one after another, and threads that wait for each other burn more than they save.
    cv2.setNumThreads(1)
    with drawing_folder(args.source) as folder:
        watch = find_outfit(args.game).open_watch(_options(args, folder))
        try:
            clean = _watch(watch, args.lang, as_json=args.json)
        finally:
            watch.source.close()
    return 0 if clean else 2


def _options(args: argparse.Namespace, scratch: Path) -> WatchOptions:
    players = tuple(args.player) if args.players is None else tuple(args.players.split(","))
    if args.source == "sim" and args.table is not None:
        raise BadInput(OptionRefusal.SIM_TABLE())
    table = table_for("watch", args.table, args.lang) if args.table is not None else None
    finish_learning(args.deck, args.lang)
    return WatchOptions(args.source, scratch, args.fps, table, args.deck, players, picture_cache(), args.lang)


def _watch(watch: Watch, language: str, *, as_json: bool) -> bool:
    """Watches to the end of the source; whether every picture could be read and something was seen."""
    clean = True
    _print(watch, watch.begin(), language, as_json)
    while True:
        try:
            frame = watch.source.read()
            if frame is None:
                break
            _print(watch, watch.feed(frame), language, as_json)
        except BadPicture as error:
            clean = False
            _warn(error_told(error, language))
        except CameraLost as error:
            if not watch.source.live:
                raise
            _say(Following.WAITING(why=error_told(error, language)), language)
    last = watch.finish()
    if not clean:
        _say(Following.UNREADABLE(), language)
    _print(watch, last, language, as_json)
    return clean and not last.failed


def _print(watch: Watch, seen: WatchOutput, language: str, as_json: bool) -> None:
    for warning in seen.warnings:
        _say(warning, language)
    for line in seen.lines:
        print(write_line(line).rstrip("\n") if as_json else watch.in_words(line), flush=True)


def _say(message: Message, language: str) -> None:
    _warn(told(message, language))


def _warn(text: str) -> None:
    print(f"arena-cam watch: {text}", file=sys.stderr, flush=True)
