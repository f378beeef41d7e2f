"""`arena-cam deck check`: which cards of a deck look too alike, or too empty, to the camera."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from arena_cam.commands.decks.messages import Alike, DeckCommandRefusal
from arena_cam.commands.options.language import add_lang_option
from arena_cam.commands.options.unfinished_deck import finish_learning
from arena_cam.commands.process.messages import Doing
from arena_cam.commands.process.terminal import Working
from arena_cam.domain.errors import BadInput
from arena_cam.domain.messages import Message
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.wording import told
from arena_cam.vision.deck_learning.likeness import PART_IN_VIEW, USUAL_PX_PER_MM, Likeness, LookAlike, likeness

EXAMPLE = "arena-cam deck check decks/mine"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam deck check`."""
    parser.add_argument("deck", metavar="DIR", type=Path, help="the deck's folder")
    parser.add_argument(
        "--px-per-mm",
        metavar="N",
        type=float,
        default=USUAL_PX_PER_MM,
        help=f"how finely your camera sees the table; arena-cam check says it (default: {USUAL_PX_PER_MM:g})",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_lang_option(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the pairs; 0 also if there are some: a deck may be played with them."""
    if not 0.5 <= args.px_per_mm <= 8.0:
        raise BadInput(DeckCommandRefusal.PX_PER_MM(rate=f"{args.px_per_mm:g}"))
    finish_learning(args.deck, args.lang)
    with Working(told(Doing.COMPARING(), args.lang)):
        found = likeness(read_deck(args.deck), args.px_per_mm)
    if args.json:
        entries = [
            {"cards": [p.one, p.other], "whole_nats": round(p.whole_nats, 1), "part_nats": round(p.part_nats, 1)}
            for p in found.pairs
        ]
        print(json.dumps({"px_per_mm": args.px_per_mm, "alike": entries, "faint": found.faint}))
    else:
        print(for_people(found, args.px_per_mm, args.lang))
    return 0


def for_people(found: Likeness, px_per_mm: float, language: str = "en") -> str:
    """The pairs and the faint cards in words, and what to do."""
    percent = f"{PART_IN_VIEW * 100:.0f}"
    if not found.pairs and not found.faint:
        return told(Alike.ALL_APART(px_mm=f"{px_per_mm:g}", percent=percent), language)
    lines: list[str] = []

    def part(head: Message, entries: list[str], advice: Message) -> None:
        if entries:
            lines.extend([told(head, language), *(f"  {each}" for each in entries), f"  -> {told(advice, language)}"])

    always = [pair for pair in found.pairs if pair.always_asked]
    partly = [pair for pair in found.pairs if not pair.always_asked]
    part(Alike.ALWAYS(), _named(always, language), Alike.TWICE())
    part(Alike.PARTLY(percent=percent), _named(partly, language), Alike.ASKED())
    part(Alike.FAINT(percent=percent), list(found.faint), Alike.FAINT_ASKED())
    return "\n".join([*lines, told(Alike.BETTER(), language)])


def _named(pairs: Iterable[LookAlike], language: str) -> list[str]:
    return [told(Alike.PAIR(name=pair.one, other=pair.other), language) for pair in pairs]
