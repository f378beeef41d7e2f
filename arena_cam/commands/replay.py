"""`arena-cam replay`: a saved throw, from its folder or an exported zip, judged again through the same code.

An exported photograph of boards or of a table with tokens is read again.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2

from arena_cam.camera.decoding import decode_picture
from arena_cam.commands.messages import CommandRefusal, Said
from arena_cam.commands.options.cache_folder import picture_cache
from arena_cam.commands.options.language import add_lang_option
from arena_cam.commands.process.messages import Doing
from arena_cam.commands.process.terminal import Working
from arena_cam.commands.tables.table_file import table_for
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.domain.lies import Reading
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.judgement import reading_from_json
from arena_cam.formats.wording import told
from arena_cam.referee.game.eye import Eye, Watching
from arena_cam.referee.game.outfit import find_outfit
from arena_cam.referee.game.part import find_part
from arena_cam.referee.keeping.replay import Judge, judge_again
from arena_cam.referee.keeping.saved_photographs import SavedPhotograph, read_again, read_photograph
from arena_cam.referee.keeping.seen_with import DECK, TABLE, seen_with, set_seen_with, unpack_setup
from arena_cam.referee.pictures.evidence import SavedThrow, read_throw
from arena_cam.store.messages import DiskTrouble
from arena_cam.web.words.doubts import difference_said, lie_said, value_in_words
from arena_cam.web.words.language import translator
from arena_cam.web.words.said import ruling_sentence

PICTURES = (".jpg", ".png")
LAYERS = ("boundary", "outlines", "names", "tilt")
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
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="write the judged picture there, with what is seen in it now"
    )
    add_lang_option(parser)
    parser.add_argument("--json", action="store_true", help="everything as one JSON object")


def run(args: argparse.Namespace) -> int:
    if args.picture is not None and args.picture.suffix.lower() not in PICTURES:
        raise BadInput(CommandRefusal.PICTURE_KIND(names=", ".join(PICTURES)), about=args.picture)
    photograph = read_photograph(args.throw)
    if photograph is not None:
        return _photograph(photograph, args)
    saved = read_throw(args.throw)
    with Working(told(Doing.JUDGING(), args.lang)), tempfile.TemporaryDirectory(prefix="arena-cam-") as folder:
        table, deck = _seen_with(saved.setup, Path(folder), args)
        eye = _eye(saved.rules, table, deck)
        answer = judge_again(saved, _make_watcher(eye, table, deck), _judge(saved, deck))
    if args.picture is not None:
        _draw(eye, saved, reading_from_json(answer["reading"]), args.picture)
    print(json.dumps(answer) if args.json else "\n".join(_in_words(saved, answer, args.lang)))
    if args.picture is not None and not args.json:
        print(told(Said.DRAWN_OVER(file=str(args.picture)), args.lang))
    return 0


def _photograph(saved: SavedPhotograph, args: argparse.Namespace) -> int:
    """A photograph of boards or of a table with tokens, read again with the set that it was saved with."""
    if args.table is not None:
        raise BadInput(CommandRefusal.PHOTO_WITHOUT_TABLE())
    if args.picture is not None:
        raise BadInput(CommandRefusal.PHOTO_NOT_DRAWN())
    with Working(told(Doing.READING(), args.lang)), tempfile.TemporaryDirectory(prefix="arena-cam-") as name:
        folder = Path(name)
        unpack_setup(saved.setup, folder)
        if args.deck is None and DECK not in saved.setup:
            raise BadInput(CommandRefusal.PHOTO_WITHOUT_SET())
        deck = args.deck if args.deck is not None else set_seen_with(folder)
        answer = read_again(saved, find_outfit(saved.game).photo_reader(deck))
    print(json.dumps(answer) if args.json else "\n".join(_differences(answer, args.lang)))
    return 0


def _seen_with(setup: Mapping[str, bytes], folder: Path, args: argparse.Namespace) -> tuple[Table | None, Deck | None]:
    """The table and deck that the throw was saved with, unpacked into `folder`, or those given instead."""
    unpack_setup(setup, folder)
    table, deck = seen_with({name: b"" for name in setup if name not in _replaced(args)}, folder)
    if args.table is not None:
        table = table_for("replay", args.table, args.lang)
    return table, read_deck(args.deck) if args.deck is not None else deck


def _replaced(args: argparse.Namespace) -> set[str]:
    """The files of a set-up in whose place others were given."""
    return ({TABLE} if args.table is not None else set()) | ({DECK} if args.deck is not None else set())


def _eye(game: str, table: Table | None, deck: Deck | None) -> Eye:
    outfit = find_outfit(game)
    eye = outfit.saved_eye(table, deck, picture_cache())
    if eye is not None:
        return eye
    if table is None:
        raise BadInput(CommandRefusal.THROW_WITHOUT_TABLE())
    if outfit.saved_eye(None, deck, None) is not None:
        raise BadInput(CommandRefusal.NO_TABLE_NEEDED(game=game))
    raise BadInput(CommandRefusal.THROW_WITHOUT_DECK())


def _make_watcher(eye: Eye, table: Table | None, deck: Deck | None) -> Callable[[float], Watching]:
    """A watcher of these frames alone, which takes no picture for one of another table."""
    return (eye.watcher_of(table, deck) if eye.watcher_of is not None else None) or eye.make_watcher


def _judge(saved: SavedThrow, deck: Deck | None) -> Judge:
    part, challenge = find_part(saved.rules), (saved.ruling or {}).get("challenge")
    return lambda reading: part.judge(reading, deck, challenge) if deck is not None else None


def _draw(eye: Eye, saved: SavedThrow, reading: Reading, file: Path) -> None:
    """Writes the judged picture with the present reading drawn over it."""
    image = decode_picture(saved.judged, str(saved.manifest["judged"]))
    if eye.draw is not None:
        image = eye.draw(image, reading, reading.pose, LAYERS)
    try:
        file.write_bytes(cv2.imencode(file.suffix.lower(), image)[1].tobytes())
    except OSError as error:
        raise CannotDo(DiskTrouble.NOT_WRITABLE(name=str(file), text=error.strerror)) from None


def _in_words(saved: SavedThrow, answer: Mapping[str, Any], language: str) -> list[str]:
    _ = translator(language)
    lines = [told(Said.THEN(text=lie_said(saved.manifest["lie"], language)), language)]
    verdict = (saved.ruling or {}).get("verdict")
    if verdict:
        lines.append(told(Said.RULED(text=ruling_sentence(verdict, saved.rules, _)), language))
    now = answer["lie"]
    seen = lie_said(now, language) if now is not None else told(Said.NOT_THERE(), language)
    return [*lines, told(Said.NOW(text=seen), language), *_differences(answer, language)]


def _differences(answer: Mapping[str, Any], language: str) -> list[str]:
    if answer["same"]:
        return [told(Said.NOTHING_DIFFERS(), language)]
    _ = translator(language)
    return [
        told(
            Said.DIFFERS(
                text=difference_said(each, _),
                before=value_in_words(each["before"], language),
                after=value_in_words(each["after"], language),
            ),
            language,
        )
        for each in answer["differences"]
    ]
