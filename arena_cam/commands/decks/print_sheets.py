"""`arena-cam deck print`: a PDF of the deck with all that belongs to a table, at true scale."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from arena_cam.commands.decks.messages import DeckCommandRefusal, Printing
from arena_cam.commands.options.language import add_lang_option
from arena_cam.commands.process.messages import Doing
from arena_cam.commands.process.terminal import Working
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.wording import told
from arena_cam.printing.deck import Faces, write_deck
from arena_cam.printing.game_print import find_game_print, printable_games
from arena_cam.printing.pdf import PAPERS_MM, Sheets
from arena_cam.rules import USUAL_GAME

EXAMPLE = "arena-cam deck print --out deck.pdf --folder decks/printed"

CARDS = "cards"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam deck print`."""
    where = "where to write the PDF (default: deck.pdf, or GAME.pdf with --game)"
    parser.add_argument("--out", metavar="FILE.pdf", type=Path, help=where)
    parser.add_argument("--folder", metavar="DIR", type=Path, help="write the deck's folder there, too")
    parser.add_argument("--deck", metavar="DIR", type=Path, help="print this deck (default: the project's own)")
    parser.add_argument("--paper", choices=sorted(PAPERS_MM), default="a4", help="paper size (default: a4)")
    parser.add_argument("--only", metavar="PART", action="append", help=f"print only this part: {_parts_in_words()}")
    parser.add_argument(
        "--faces",
        choices=[each.value for each in Faces],
        default=Faces.LANDS.value,
        help="of the project's own deck: lands (default; two small markers), plain (no marker at all), or codes (the "
        "older faces, with four markers and a QR code)",
    )
    parser.add_argument(
        "--game",
        choices=printable_games(),
        default=USUAL_GAME,
        help=f"print the set of this game (default: {USUAL_GAME})",
    )
    add_lang_option(parser)
    parser.add_argument("--language", metavar="LANG", default="en", help="of a set with words: en (default), fr, is")


def run(args: argparse.Namespace) -> int:
    """Writes what was asked for; 0 if it was written."""
    if args.deck is not None and args.folder is not None:
        raise BadInput(DeckCommandRefusal.OWN_DECK_ONLY())
    known = find_game_print(args.game)
    if args.language not in known.languages:
        raise BadInput(DeckCommandRefusal.NO_LANGUAGE(text=repr(args.language), names=", ".join(known.languages)))
    out: Path = args.out or Path("deck.pdf" if args.game == USUAL_GAME else f"{args.game}.pdf")
    if not out.parent.is_dir():
        raise CannotDo(DeckCommandRefusal.FOLDER_MISSING(), about=out.parent)
    pages, parts = Sheets(args.paper), _asked(args, known.parts)
    with Working(told(Doing.DRAWING(), args.lang)):
        _draw(args, pages, parts)
    pages.save(out)
    print(told(Printing.WRITTEN(file=str(out)), args.lang))
    if args.folder is not None:
        print(told(Printing.DECK_FOLDER(folder=str(args.folder)), args.lang))
    return 0


def _draw(args: argparse.Namespace, pages: Sheets, parts: tuple[str, ...]) -> None:
    known = find_game_print(args.game)
    if args.game == USUAL_GAME:
        _own_cards(args, pages, printed=CARDS in parts)
        parts = tuple(part for part in parts if part != CARDS)
    elif args.deck is not None:
        raise BadInput(DeckCommandRefusal.DECK_OR_GAME())
    elif args.folder is not None:
        known.write_folder(args.folder, args.language)
    known.add_pages(pages, args.language, parts)


def _parts_in_words() -> str:
    known = {game: find_game_print(game).parts for game in printable_games()}
    return "; ".join(f"{game}: {', '.join(parts)}" for game, parts in known.items()) + "; may be given again"


def _asked(args: argparse.Namespace, parts: tuple[str, ...]) -> tuple[str, ...]:
    unknown = [part for part in args.only or () if part not in parts]
    if unknown:
        raise BadInput(DeckCommandRefusal.NO_PART(text=repr(unknown[0]), names=", ".join(parts)))
    return tuple(args.only or parts)


def _own_cards(args: argparse.Namespace, pages: Sheets, *, printed: bool) -> None:
    """The cards of the deck that was given, else of the project's own, whose folder is written where one is named."""
    if not printed and args.folder is None:
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.deck or write_deck(args.folder or Path(scratch), Faces(args.faces))
        if printed:
            pages.cards(read_deck(folder))
