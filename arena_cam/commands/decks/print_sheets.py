"""`arena-cam deck print`: a PDF of the deck with all that belongs to a table, at true scale."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from arena_cam.domain.errors import BadInput
from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing import sheets
from arena_cam.printing.deck import write_deck
from arena_cam.printing.game_print import find_game_print, printable_games
from arena_cam.printing.pdf import PAPERS_MM, Sheets

EXAMPLE = "arena-cam deck print --out deck.pdf --folder decks/printed"

PARTS = ("cards", "blocks", "fiducials", "board")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam deck print`."""
    parser.add_argument("--out", metavar="FILE.pdf", type=Path, required=True, help="where to write the PDF")
    parser.add_argument("--folder", metavar="DIR", type=Path, help="write the deck's folder there, too")
    parser.add_argument("--deck", metavar="DIR", type=Path, help="print this deck (default: the project's own)")
    parser.add_argument("--paper", choices=sorted(PAPERS_MM), default="a4", help="paper size (default: a4)")
    parser.add_argument("--only", metavar="PART", action="append", help=f"print only this part: {_parts_in_words()}")
    parser.add_argument("--game", choices=printable_games(), help="print the set of this game (default: the arena's)")
    parser.add_argument("--language", metavar="LANG", default="en", help="of a set with words: en (default), fr, is")


def run(args: argparse.Namespace) -> int:
    """Writes what was asked for; 0 if it was written."""
    if args.deck is not None and args.folder is not None:
        raise BadInput("--folder writes the project's own deck; leave it out where --deck names another")
    pages = Sheets(args.paper)
    if args.game is not None:
        _game(args, pages)
    else:
        _arena(args, pages, _asked(args, PARTS))
    pages.save(args.out)
    print(f"written to {args.out}: print it at 100 %, and check the ruler at the foot of the page")
    if args.folder is not None:
        print(f"the deck's folder is {args.folder}: give it with --deck")
    return 0


def _parts_in_words() -> str:
    known = {"the arena's": PARTS} | {game: find_game_print(game).parts for game in printable_games()}
    return "; ".join(f"{whose} {', '.join(parts)}" for whose, parts in known.items()) + "; may be given again"


def _asked(args: argparse.Namespace, parts: tuple[str, ...]) -> tuple[str, ...]:
    unknown = [part for part in args.only or () if part not in parts]
    if unknown:
        raise BadInput(f"there is no part {unknown[0]!r} to print; give --only one of {', '.join(parts)}")
    return tuple(args.only or parts)


def _game(args: argparse.Namespace, pages: Sheets) -> None:
    if args.deck is not None:
        raise BadInput("--deck is for decks of cards; leave it out where --game names a set of ours")
    known = find_game_print(args.game)
    if args.language not in known.languages:
        raise BadInput(f"there is no set in {args.language!r}; give --language one of {', '.join(known.languages)}")
    parts = _asked(args, known.parts)
    print("drawing, which takes some seconds", file=sys.stderr)
    if args.folder is not None:
        known.write_folder(args.folder, args.language)
    known.add_pages(pages, args.language, parts)


def _arena(args: argparse.Namespace, pages: Sheets, parts: tuple[str, ...]) -> None:
    if "cards" in parts or args.folder is not None:
        _cards(args, pages, printed="cards" in parts)
    if "blocks" in parts:
        pages.pieces(sheets.blocks())
    if "fiducials" in parts:
        pages.pieces(sheets.fiducials())
    if "board" in parts:
        pages.board(sheets.board())


def _cards(args: argparse.Namespace, pages: Sheets, *, printed: bool) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.deck or write_deck(args.folder or Path(scratch))
        if printed:
            pages.cards(read_deck(folder))
