"""`arena-cam deck`: prints a deck, learns the one you own, looks for cards that are too alike."""

from __future__ import annotations

import argparse
import importlib

EXAMPLE = "arena-cam deck learn usb:0 --table table.json --out decks/mine"

# name -> one line of help; its module in decks/ has add_arguments(parser), run(args) and EXAMPLE.
ACTIONS = {
    "print": "write a PDF with cards, blocks, fiducials and calibration board",
    "learn": "make a deck folder of the game you own, at the table or from photographs",
    "check": "say which cards of a deck look too alike",
}


_MODULES = {"print": "print_sheets", "learn": "learn", "check": "check"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam deck`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in ACTIONS.items():
        module = importlib.import_module(f"arena_cam.commands.decks.{_MODULES[name]}")
        action = actions.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", epilog=f"example: {module.EXAMPLE}"
        )
        module.add_arguments(action)
        action.set_defaults(run_action=module.run)


def run(args: argparse.Namespace) -> int:
    """Does what was asked for; 0 if it was done."""
    return int(args.run_action(args))
