"""`arena-cam replay`: a saved throw, from its folder or an exported zip, judged again through the same code.

An exported photograph of boards or of a table with tokens is read again.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena_cam.commands.messages import CommandRefusal
from arena_cam.commands.options.cache_folder import picture_cache
from arena_cam.commands.options.language import add_lang_option
from arena_cam.commands.process.messages import Doing
from arena_cam.commands.process.terminal import Working
from arena_cam.commands.tables.table_file import table_for
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.wording import told
from arena_cam.referee.game.outfit import find_outfit
from arena_cam.referee.game.part import find_part
from arena_cam.referee.keeping.replay import judge_again
from arena_cam.referee.keeping.saved_photographs import SavedPhotograph, read_again, read_photograph
from arena_cam.referee.keeping.seen_with import (
    DECK,
    TABLE,
    deck_seen_with,
    set_seen_with,
    table_seen_with,
    unpack_setup,
)
from arena_cam.referee.pictures.evidence import read_throw
from arena_cam.vision.reading.table_reader import TableReader
from arena_cam.vision.watching.watcher import Watcher

EXAMPLE = "arena-cam replay throw.zip"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "throw",
        type=Path,
        metavar="THROW",
        help="a throw's folder, or the zip that was exported of it, of a photograph, too",
    )
    parser.add_argument("--table", type=Path, help="another table.json than the throw was saved with")
    parser.add_argument("--deck", type=Path, help="another deck folder than the throw was saved with")
    add_lang_option(parser)
    parser.add_argument("--json", action="store_true", help="everything as one JSON object")


def run(args: argparse.Namespace) -> int:
    photograph = read_photograph(args.throw)
    if photograph is not None:
        return _photograph(photograph, args)
    saved = read_throw(args.throw)
    with Working(told(Doing.JUDGING(), args.lang)), tempfile.TemporaryDirectory(prefix="arena-cam-") as folder:
        table, deck = _seen_with(saved.setup, Path(folder), args.table, args.deck, args.lang)
        challenge = (saved.ruling or {}).get("challenge")
        reader = TableReader(table, deck, cache=picture_cache())
        part = find_part(saved.rules)
        answer = judge_again(
            saved, lambda fps: Watcher(reader, fps=fps), lambda reading: part.judge(reading, deck, challenge)
        )
    print(json.dumps(answer) if args.json else _in_words(saved.manifest, saved.ruling, answer))
    return 0


def _photograph(saved: SavedPhotograph, args: argparse.Namespace) -> int:
    """A photograph of boards or of a table with tokens, read again with the set that it was saved with."""
    if args.table is not None:
        raise BadInput(CommandRefusal.PHOTO_WITHOUT_TABLE())
    with Working("reading the photograph again"), tempfile.TemporaryDirectory(prefix="arena-cam-") as name:
        folder = Path(name)
        unpack_setup(saved.setup, folder)
        if args.deck is None and DECK not in saved.setup:
            raise BadInput(CommandRefusal.PHOTO_WITHOUT_SET())
        deck = args.deck if args.deck is not None else set_seen_with(folder)
        answer = read_again(saved, find_outfit(saved.game).photo_reader(deck))
    print(json.dumps(answer) if args.json else "\n".join(_differences(answer)))
    return 0


def _seen_with(
    setup: Mapping[str, bytes], folder: Path, table: Path | None, deck: Path | None, language: str
) -> tuple[Table, Deck]:
    """The table and deck that the throw was saved with, unpacked into `folder`, or those given instead."""
    unpack_setup(setup, folder)
    if table is None and TABLE not in setup:
        raise BadInput(CommandRefusal.THROW_WITHOUT_TABLE())
    if deck is None and DECK not in setup:
        raise BadInput(CommandRefusal.THROW_WITHOUT_DECK())
    return (
        table_for("replay", table, language) if table is not None else table_seen_with(folder),
        read_deck(deck) if deck is not None else deck_seen_with(folder),
    )


def _in_words(manifest: Mapping[str, Any], ruling: Mapping[str, Any] | None, answer: Mapping[str, Any]) -> str:
    lie = manifest["lie"]
    lines = [f"saved:  {_lie_in_words(lie)}"]
    if ruling is not None and ruling.get("verdict"):
        lines.append(f"ruled:  {ruling['verdict']['text']}")
    again = answer["lie"]
    lines.append(f"again:  {_lie_in_words(again) if again is not None else 'the card is not found'}")
    return "\n".join([*lines, *_differences(answer)])


def _differences(answer: Mapping[str, Any]) -> list[str]:
    if answer["same"]:
        return ["nothing differs"]
    return [f"differs: {d['what']}: {d['before']} then, {d['after']} now" for d in answer["differences"]]


def _lie_in_words(lie: Mapping[str, Any]) -> str:
    tilt = f", tilt {lie['tilt_deg']} deg" if lie["tilt_deg"] is not None else ""
    name = lie["id"] or "a card face down"
    return f"{name} lies {lie['landing']} ({lie['confidence']:.3f}{tilt}){'' if lie['sure'] else ', not sure'}"
