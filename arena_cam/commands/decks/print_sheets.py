"""`arena-cam deck print`: a PDF of the deck with all that belongs to a table, at true scale."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from arena_cam.domain.errors import BadInput
from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing import sheets
from arena_cam.printing.deck import write_deck
from arena_cam.printing.pdf import PAPERS_MM, Sheets

EXAMPLE = "arena-cam deck print --out deck.pdf --folder decks/printed"

PARTS = ("cards", "blocks", "fiducials", "board")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam deck print`."""
    parser.add_argument("--out", metavar="FILE.pdf", type=Path, required=True, help="where to write the PDF")
    parser.add_argument("--folder", metavar="DIR", type=Path, help="write the deck's folder there, too")
    parser.add_argument("--deck", metavar="DIR", type=Path, help="print this deck (default: the project's own)")
    parser.add_argument("--paper", choices=sorted(PAPERS_MM), default="a4", help="paper size (default: a4)")
    parser.add_argument("--only", choices=PARTS, action="append", help="print only this part; may be given again")


def run(args: argparse.Namespace) -> int:
    """Writes what was asked for; 0 if it was written."""
    if args.deck is not None and args.folder is not None:
        raise BadInput("--folder writes the project's own deck; leave it out where --deck names another")
    parts = args.only or PARTS
    pages = Sheets(args.paper)
    if "cards" in parts or args.folder is not None:
        _cards(args, pages, printed="cards" in parts)
    if "blocks" in parts:
        pages.pieces(sheets.blocks())
    if "fiducials" in parts:
        pages.pieces(sheets.fiducials())
    if "board" in parts:
        pages.board(sheets.board())
    pages.save(args.out)
    print(f"written to {args.out}: print it at 100 %, and check the ruler at the foot of the page")
    if args.folder is not None:
        print(f"the deck's folder is {args.folder}: give it with --deck")
    return 0


def _cards(args: argparse.Namespace, pages: Sheets, *, printed: bool) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.deck or write_deck(args.folder or Path(scratch))
        if printed:
            pages.cards(read_deck(folder))
