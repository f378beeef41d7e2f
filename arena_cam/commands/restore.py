"""`arena-cam restore`: brings a backup back."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena_cam.commands.messages import Said
from arena_cam.commands.options.data_folder import add_data_option
from arena_cam.commands.options.language import add_lang_option
from arena_cam.commands.process.messages import Doing
from arena_cam.commands.process.terminal import Working
from arena_cam.formats.wording import told
from arena_cam.store.backup import restore

EXAMPLE = "arena-cam restore evening.zip"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a file that arena-cam backup wrote")
    parser.add_argument("--replace", action="store_true", help="move what is recorded there now aside, then restore")
    add_data_option(parser)
    add_lang_option(parser)


def run(args: argparse.Namespace) -> int:
    with Working(told(Doing.RESTORING(), args.lang)):
        report = restore(args.file, args.data, args.replace)
    said = Said.RESTORED(folder=str(args.data), games=report.games, throws=report.throws, file=str(args.file))
    print(told(said, args.lang))
    return 0
