"""`arena-cam backup`: everything recorded into one file, also while a game is on."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena_cam.commands.messages import Said
from arena_cam.commands.options.data_folder import add_data_option
from arena_cam.commands.options.language import add_lang_option
from arena_cam.commands.process.messages import Doing
from arena_cam.commands.process.terminal import Working
from arena_cam.formats.wording import told
from arena_cam.store.backup import backup

EXAMPLE = "arena-cam backup evening.zip"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, metavar="FILE", help="the file to write; one that is there is replaced")
    add_data_option(parser)
    add_lang_option(parser)


def run(args: argparse.Namespace) -> int:
    with Working(told(Doing.BACKING_UP(), args.lang)):
        report = backup(args.data, args.out)
    size_mb = f"{report.bytes / 1e6:.1f}"
    said = Said.BACKED_UP(file=str(args.out), games=report.games, throws=report.throws, size_mb=size_mb)
    print(told(said, args.lang))
    return 0
