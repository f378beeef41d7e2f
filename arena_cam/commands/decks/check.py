"""`arena-cam deck check`: which cards of a deck look too alike, or too empty, to the camera."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from arena_cam.domain.errors import BadInput
from arena_cam.formats.deck_toml import read_deck
from arena_cam.vision.deck_learning.likeness import PART_IN_VIEW, USUAL_PX_PER_MM, Likeness, likeness

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


def run(args: argparse.Namespace) -> int:
    """Prints the pairs; 0 also if there are some: a deck may be played with them."""
    if not 0.5 <= args.px_per_mm <= 8.0:
        raise BadInput(f"--px-per-mm is {args.px_per_mm:g}; cameras over a table see 0.5 to 8 pixels a millimetre")
    found = likeness(read_deck(args.deck), args.px_per_mm)
    if args.json:
        entries = [
            {"cards": [p.one, p.other], "whole_nats": round(p.whole_nats, 1), "part_nats": round(p.part_nats, 1)}
            for p in found.pairs
        ]
        print(json.dumps({"px_per_mm": args.px_per_mm, "alike": entries, "faint": found.faint}))
    else:
        print(for_people(found, args.px_per_mm))
    return 0


def for_people(found: Likeness, px_per_mm: float) -> str:
    """The pairs and the faint cards in words, and what to do."""
    if not found.pairs and not found.faint:
        return f"at {px_per_mm:g} px/mm all cards are told apart, also where {PART_IN_VIEW:.0%} of a card is in view"
    lines = []
    always = [pair for pair in found.pairs if pair.always_asked]
    partly = [pair for pair in found.pairs if not pair.always_asked]
    if always:
        lines.append("too alike even in full view; the referee will ask each time:")
        lines += [f"  {pair.one} and {pair.other}" for pair in always]
        lines.append("  -> is one of them there twice, or under the other's name? else mark one, as below")
    if partly:
        lines.append(f"told apart when they lie open, but not where only {PART_IN_VIEW:.0%} of the card is in view:")
        lines += [f"  {pair.one} and {pair.other}" for pair in partly]
        lines.append("  -> the referee will ask when they are covered so far; that is all")
    if found.faint:
        lines.append(f"little is drawn on these; where only {PART_IN_VIEW:.0%} of one is in view it may not be found:")
        lines += [f"  {name}" for name in found.faint]
        lines.append("  -> the referee will ask what lies there if the table was set up with the empty arena's picture")
    lines.append(
        "to tell cards better: bring the camera closer, or put a bold mark on one card, in two opposite corners, and "
        "learn it again"
    )
    return "\n".join(lines)
