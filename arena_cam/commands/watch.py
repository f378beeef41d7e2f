"""`arena-cam watch`: frames in time, a game record out, line by line as it happens."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2

from arena_cam.camera.frame import FrameSource
from arena_cam.camera.open_source import open_source
from arena_cam.commands.options.cache_folder import picture_cache
from arena_cam.commands.options.frame_rate import add_fps_option
from arena_cam.commands.tables.table_file import table_for
from arena_cam.commands.watch_tricks import watch_tricks
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, BadPicture, CameraLost
from arena_cam.domain.messages import in_words
from arena_cam.domain.observations import EyeChanged, EyeState, Observation
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.game_record import write_line
from arena_cam.referee.game.outfit import Lines, find_outfit
from arena_cam.vision.reading.table_reader import TableReader
from arena_cam.vision.watching.scene_guard import guarded
from arena_cam.vision.watching.watcher import Watcher

EXAMPLE = "arena-cam watch --table table.json --deck decks/printed --json frames/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", help="a folder of numbered pictures, a video file, usb:0, picamera2 or sim"
    )
    parser.add_argument("--table", type=Path, help="table.json of this camera and arena (not for sim)")
    parser.add_argument("--deck", type=Path, help="the deck's folder (not for sim)")
    parser.add_argument(
        "--game",
        choices=("arena", "tricks"),
        default="arena",
        help="tricks: cards laid on any table; needs no table.json",
    )
    parser.add_argument("--players", metavar="A,B", help="tricks: the non-dealer's name and the dealer's (default 1,2)")
    add_fps_option(parser, "a folder's rate, frames a second")
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME=COLOUR",
        help="who plays which colour, in seat order; give one for each (default: everybody of the deck's colours)",
    )
    parser.add_argument("--json", action="store_true", help="a game record, one event a line")


def run(args: argparse.Namespace) -> int:
    # One thread: frames come one after another, and threads that wait for each other burn more than they save.
    cv2.setNumThreads(1)
    if args.game == "tricks":
        return watch_tricks(args)
    with TemporaryDirectory(prefix="arena-cam-") as folder:
        return _run(args, Path(folder))


def _run(args: argparse.Namespace, folder: Path) -> int:
    source, table, deck = _opened(args, folder)
    outfit = find_outfit(args.game)
    record = outfit.lines(deck, args.player)
    watcher = Watcher(guarded(TableReader(table, deck, cache=picture_cache()), table), fps=source.fps)
    try:
        clean = _watch(source, watcher, record, as_json=args.json)
    finally:
        source.close()
    if not clean:
        print("arena-cam watch: some pictures could not be read; see above", file=sys.stderr)
    if watcher.reading is None:
        print(
            "arena-cam watch: the arena was never seen at rest; change what is said above, or give more pictures",
            file=sys.stderr,
        )
    return 0 if clean and watcher.reading is not None else 2


def _opened(args: argparse.Namespace, folder: Path) -> tuple[FrameSource, Table, Deck]:
    """The source, and the table and the deck that it shows; a deck that must be drawn first is put into `folder`."""
    if args.source == "sim":
        if args.table is not None:
            raise BadInput("the simulated table has a table of its own; leave --table out")
        return find_outfit(args.game).demonstration(folder, args.deck, args.fps)
    if args.table is None or args.deck is None:
        raise BadInput("a table and a deck are needed; give --table table.json --deck FOLDER (only sim brings its own)")
    table, deck = table_for("watch", args.table), read_deck(args.deck)
    return open_source(args.source, args.fps, table.image_size), table, deck


def _watch(source: FrameSource, watcher: Watcher, record: Lines, *, as_json: bool) -> bool:
    """Watches to the end of `source`; whether every picture could be read."""
    clean = True
    now_s = 0.0
    while True:
        try:
            frame = source.read()
            if frame is None:
                break
            now_s = frame.time_s
            _tell(watcher.feed(frame), record, now_s, as_json)
        except BadPicture as error:
            clean = False
            print(f"arena-cam watch: {error}", file=sys.stderr, flush=True)
        except CameraLost as error:
            if not source.live:
                raise
            print(f"arena-cam watch: {error}; waiting for it to come back", file=sys.stderr, flush=True)
    _tell(watcher.finish(), record, now_s, as_json)
    _print(record, record.header(), as_json)
    return clean


def _tell(said: Sequence[Observation], record: Lines, now_s: float, as_json: bool) -> None:
    for each in said:
        if isinstance(each, EyeChanged) and each.state is EyeState.BLIND:
            print(f"arena-cam watch: at {each.at_s:.1f} s blind: {in_words(each.why)}", file=sys.stderr, flush=True)
    _print(record, record.take(said, now_s), as_json)


def _print(record: Lines, lines: Sequence[dict[str, Any]], as_json: bool) -> None:
    for line in lines:
        print(write_line(line).rstrip("\n") if as_json else record.in_words(line), flush=True)
