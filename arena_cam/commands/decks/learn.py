"""`arena-cam deck learn`: a deck folder of the game you own, from photographs or at the table."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

from arena_cam.commands.decks import at_the_table, from_photographs
from arena_cam.commands.decks.check import for_people
from arena_cam.commands.decks.messages import DeckCommandRefusal, Learning
from arena_cam.commands.options.frame_rate import add_fps_option
from arena_cam.commands.options.language import add_lang_option
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.formats.card_names import ARENA_NAMES, name_list
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.wording import told
from arena_cam.referee.game.outfit import LearnOptions, find_outfit
from arena_cam.vision.deck_learning.likeness import USUAL_PX_PER_MM, likeness
from arena_cam.vision.deck_learning.straightening import save_overview

EXAMPLE = "arena-cam deck learn --photos photos/ --card-size 63x88 --out decks/mine"

Ask = Callable[[str], str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam deck learn`."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help="the camera over the table: usb:0, picamera2, a folder, a video, sim",
    )
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="the deck's folder; goes on where it was"
    )
    parser.add_argument("--table", metavar="FILE", type=Path, help="table.json of the camera and arena (not for sim)")
    parser.add_argument(
        "--photos", metavar="DIR", type=Path, help="photographs or scans instead, one card each, or named after several"
    )
    parser.add_argument(
        "--game", metavar="GAME", help="the set of this game instead of a deck: hexes or dilemmas; with --photos"
    )
    parser.add_argument("--tile-width", metavar="MM", type=float, default=40.0, help="of a tile, corner to corner")
    parser.add_argument("--board-size", metavar="WxH", help="width x height of a board in mm, like 204x214")
    parser.add_argument("--token-width", metavar="MM", type=float, default=24.0, help="of a round token, across")
    parser.add_argument("--owner-width", metavar="MM", type=float, default=18.0, help="of an owner's disc, across")
    parser.add_argument("--scans", action="store_true", help="they are scans cut to the card's edges")
    parser.add_argument("--card-size", metavar="WxH", help="width x height in mm, like 63x88 (at the table: measured)")
    parser.add_argument("--corner-radius", metavar="MM", type=float, help="of the cards' corners (default: measured)")
    parser.add_argument("--name", metavar="NAME", help="the deck's name (default: the folder's)")
    parser.add_argument(
        "--names",
        metavar="LIST",
        help="the cards' names: red-1,red-2,..., or pack for 2S to AC (default: the arena game's fifty)",
    )
    parser.add_argument("--in-order", action="store_true", help="ask nothing: cards are laid in the order of --names")
    parser.add_argument("--no-back", action="store_true", help="the cards' back is not wanted")
    parser.add_argument("--like", metavar="DIR", type=Path, help="a deck that looks alike, to guess names from")
    parser.add_argument("--again", metavar="LIST", help="learn these cards anew: red-1,back")
    add_lang_option(parser)
    add_fps_option(parser)


def run(args: argparse.Namespace) -> int:
    """Learns; 0 when all cards are there, 1 when some could not be learned."""
    if args.photos is not None and args.out.resolve() == args.photos.resolve():
        raise BadInput(DeckCommandRefusal.AMONG_PHOTOS())
    if args.game is not None:
        return _of_game(args)
    if (args.source is None) == (args.photos is None):
        raise BadInput(DeckCommandRefusal.SOURCE_OR_PHOTOS())
    if args.corner_radius is not None and not 0.0 <= args.corner_radius <= 20.0:
        raise BadInput(DeckCommandRefusal.CORNER_RADIUS(radius=f"{args.corner_radius:g}"))
    names = name_list(args.names) if args.names is not None else ARENA_NAMES
    folder = DeckFolder(args.out, card_size(args.card_size), args.name, names)
    again = set(name_list(args.again)) if args.again is not None else set()
    try:
        if args.photos is not None:
            done = from_photographs.learn(args, folder, names if args.names is not None else None, again, asked)
        else:
            done = at_the_table.learn(args, folder, names, again, asked)
    except CannotDo:
        _look_back(folder, args.lang)
        raise
    _look_back(folder, args.lang)
    return done


def _of_game(args: argparse.Namespace) -> int:
    """The set of a game that is played without cards of the arena's kind."""
    if args.photos is None or args.source is not None:
        raise BadInput(DeckCommandRefusal.SET_FROM_PHOTOS())
    options = LearnOptions(
        args.photos,
        args.out,
        args.tile_width,
        args.board_size,
        args.name,
        card_size(args.card_size),
        args.token_width,
        args.owner_width,
    )
    print(told(find_outfit(args.game).learn(options), args.lang))
    return 0


def card_size(text: str | None) -> tuple[float, float] | None:
    """The size that "63x88" says. Raises BadInput for anything else."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", text)
    if match is None or not all(10.0 <= float(side) <= 300.0 for side in match.groups()):
        raise BadInput(DeckCommandRefusal.CARD_SIZE(text=repr(text)))
    return float(match[1]), float(match[2])


def asked(question: str) -> str:
    """The answer typed. Raises BadInput where nobody can be asked."""
    if not sys.stdin.isatty():
        raise BadInput(DeckCommandRefusal.NO_TERMINAL(text=question.strip()))
    return input(question)


def _look_back(folder: DeckFolder, language: str) -> None:
    """What the deck looks like, and which of its cards look too alike."""
    if not folder.cards:
        return
    deck = read_deck(folder.folder)
    overview = save_overview(deck, folder.folder / "overview.jpg")
    print(told(Learning.OVERVIEW(file=str(overview)), language))
    if len(deck.cards) > 1:
        print(told(Learning.LOOKING(), language), flush=True)
        print(for_people(likeness(deck), USUAL_PX_PER_MM, language))
