"""`arena-cam check`: looks at the table before a game, and says what to change."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from arena_cam.camera.frame import Frame, FrameSource
from arena_cam.camera.messages import SourceTrouble
from arena_cam.camera.open_source import open_source
from arena_cam.commands.messages import CommandRefusal, Said
from arena_cam.commands.options.cache_folder import drawing_folder
from arena_cam.commands.options.language import add_lang_option
from arena_cam.commands.options.messages import OptionRefusal
from arena_cam.commands.options.unfinished_deck import finish_learning
from arena_cam.commands.process.messages import Doing
from arena_cam.commands.process.terminal import Working, coloured
from arena_cam.commands.tables.messages import WithoutEmpty
from arena_cam.commands.tables.table_file import lacks_empty
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, BadPicture, CannotDo
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import read_table
from arena_cam.formats.wording import told
from arena_cam.referee.game.outfit import find_outfit
from arena_cam.rules import USUAL_GAME
from arena_cam.vision.setup.check import Finding, Grade, check_table
from arena_cam.vision.setup.messages import Looked

EXAMPLE = "arena-cam check usb:0 --table table.json --deck decks/printed"

SETTLING_FRAMES = 15  # of a live camera: exposure and white balance find their place in a second
FRAMES = 30  # two seconds: slow flicker shows, too

COLOURS = {Grade.GOOD: "good", Grade.POOR: "warn", Grade.BAD: "bad"}
GRADES = {Grade.GOOD: Said.GOOD, Grade.POOR: Said.POOR, Grade.BAD: Said.BAD}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam check`."""
    parser.add_argument("source", metavar="SOURCE", help="usb:0, picamera2, a folder of pictures, a video file or sim")
    parser.add_argument("--table", metavar="FILE", type=Path, help="table.json (not for sim)")
    parser.add_argument(
        "--deck", metavar="DIR", type=Path, help="the deck's folder: says whether its cards will be read"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_lang_option(parser)


def run(args: argparse.Namespace) -> int:
    """Prints what was found; 0 if a game can begin, 1 if something is so bad that it cannot."""
    with drawing_folder(args.source) as scratch:
        source, table, deck = _open(args, scratch)
        with Working(told(Doing.LOOKING(), args.lang)):
            try:
                frames = _frames(source)
            finally:
                source.close()
            findings = [*check_table(frames, table, deck), *_empty(table)]
    print(_as_json(findings) if args.json else _for_people(findings, args.lang))
    if any(finding.grade is Grade.BAD for finding in findings):
        raise CannotDo(CommandRefusal.BAD_TABLE())
    if not args.json:
        print(_may_begin(findings, args.lang))
    return 0


def _may_begin(findings: list[Finding], language: str) -> str:
    """The last line: a game may begin, and at what cost."""
    if all(finding.grade is Grade.GOOD for finding in findings):
        return coloured(told(Said.MAY_BEGIN(), language), "good")
    return coloured(told(Said.MAY_BEGIN_POOR(), language), "warn")


def _open(args: argparse.Namespace, scratch: Path) -> tuple[FrameSource, Table, Deck | None]:
    if args.source == "sim":
        if args.table is not None:
            raise BadInput(OptionRefusal.SIM_TABLE())
        return find_outfit(USUAL_GAME).empty_table(scratch, args.deck, FRAMES)
    if args.table is None:
        raise BadInput(CommandRefusal.TABLE_NEEDED())
    table = read_table(args.table)
    finish_learning(args.deck, args.lang)
    deck = read_deck(args.deck) if args.deck is not None else None
    return open_source(args.source, size_px=table.image_size), table, deck


def _empty(table: Table) -> list[Finding]:
    if not lacks_empty(table):
        return []
    return [
        Finding(
            Looked.EMPTY,
            Grade.POOR,
            (WithoutEmpty.NOT_THERE(file=str(table.empty)),),
            WithoutEmpty.REMEDY(),
        )
    ]


def _frames(source: FrameSource) -> list[Frame]:
    frames: list[Frame] = []
    wanted = FRAMES + (SETTLING_FRAMES if source.live else 0)
    for _ in range(2 * wanted):
        try:
            frame = source.read()
        except BadPicture:
            continue  # one torn frame in a second of good ones says nothing
        if frame is None or len(frames) == wanted:
            break
        frames.append(frame)
    if not frames:
        raise CannotDo(SourceTrouble.GIVES_NONE(), about=source.name)
    return frames[-FRAMES:]


def _as_json(findings: list[Finding]) -> str:
    return json.dumps({"findings": [finding.to_json() for finding in findings]})


def _for_people(findings: list[Finding], language: str) -> str:
    lines = []
    titles = [told(finding.what(), language) for finding in findings]
    grades = [told(GRADES[finding.grade](), language) for finding in findings]
    title_width, grade_width = max(map(len, titles)), max(map(len, grades))
    for finding, title, grade in zip(findings, titles, grades, strict=True):
        sign = coloured(f"{grade:{grade_width}}", COLOURS[finding.grade])
        measured = "; ".join(told(each, language) for each in finding.seen)
        lines.append(f"{sign}  {title:{title_width}}  {measured}")
        if finding.change is not None:
            lines.append(f"{'':{grade_width + title_width + 4}}-> {told(finding.change, language)}")
    return "\n".join(lines)
