"""`arena-cam judge --game hexes`: which tile lies in which cell of every board in a photograph."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from arena_cam.camera.folder import read_picture
from arena_cam.domain.errors import BadInput, BadPicture
from arena_cam.formats.boards.boards_line import boards_in_words, boards_to_json
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.formats.judgement import error_to_json
from arena_cam.vision.boards.board_reader import BoardReader


def judge(args: argparse.Namespace) -> int:
    """Prints a line a photograph; 0 if all could be read as pictures, 2 if not."""
    if args.challenge is not None or args.challenge_file is not None:
        raise BadInput("--challenge is for cards that are thrown; leave it out where --game is hexes")
    reader = BoardReader(read_tile_set(args.deck))
    failed = False
    for file in args.frames:
        failed |= not _judged(reader, file, as_json=args.json)
    if failed:
        print("arena-cam judge: some pictures could not be judged; their lines say why", file=sys.stderr)
    return 2 if failed else 0


def _judged(reader: BoardReader, file: Path, *, as_json: bool) -> bool:
    try:
        image = read_picture(file)
    except BadPicture as error:
        print(json.dumps(error_to_json(file.name, str(error))) if as_json else f"{file.name}: {error}", flush=True)
        return False
    reading = reader.read(image, file.name)
    print(json.dumps(boards_to_json(reading)) if as_json else boards_in_words(reading), flush=True)
    return True
