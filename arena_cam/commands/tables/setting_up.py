"""The set-up of a table as `arena-cam referee` offers it: where things lie, and what was set up last."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import arena_cam
from arena_cam.commands.tables.table_file import table_for
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.setup.desk import Chosen, Projector, SetupDesk
from arena_cam.referee.setup.files import SetupPlaces
from arena_cam.referee.setup.lesson import finish, unfinished
from arena_cam.store.data_folder import DataFolder

log = logging.getLogger(__name__)

SHIPPED = Path(arena_cam.__file__).parent.parent / "calibration"
CALIBRATION, DECKS = "calibration", "decks"  # folders in the data folder
LAST = "set_up"  # the setting that keeps what was set up last


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the set-up pages write tables and look for decks."""
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="DIR",
        help="the folder in which /setup keeps a folder for every table (default: calibration in the data folder)",
    )
    parser.add_argument(
        "--decks", type=Path, metavar="DIR", help="the folder with deck folders (default: decks in the data folder)"
    )


def chosen_or_last(args: argparse.Namespace, data: DataFolder) -> Chosen:
    """The table and the deck that were given; else those that were set up last, as far as they are still there.

    Raises BadInput for what was given and cannot be used.
    """
    table = table_for("referee", args.table, args.lang) if args.table is not None else None
    deck = read_deck(args.deck) if args.deck is not None else None
    chosen = Chosen(table, args.table, deck, args.deck)
    last = data.matches.settings().get(LAST)
    if not isinstance(last, dict):
        return chosen
    table_file, deck_folder = Path(str(last.get("table"))), Path(str(last.get("deck")))
    try:
        if table is None:
            chosen = replace(chosen, table=table_for("referee", table_file, args.lang), table_file=table_file)
    except BadInput as error:
        log.warning("the table that was set up last cannot be used: %s", error)
    try:
        if deck is None:
            _finish(deck_folder)
            chosen = replace(chosen, deck=read_deck(deck_folder), deck_folder=deck_folder)
    except BadInput as error:
        log.warning("the deck that was chosen last cannot be used: %s", error)
    return chosen


def _finish(deck_folder: Path) -> None:
    """Brings the deck into one light, if the program was ended while it was learned; where it cannot be written it
    stays as it was taken."""
    deck = unfinished(deck_folder)
    if deck is not None:
        try:
            finish(deck)
        except CannotDo as error:
            log.warning("%s", error)


def remember(data: DataFolder, table_file: Path, deck_folder: Path) -> None:
    """Keeps what was set up for the next start."""
    last = {"table": str(table_file.resolve()), "deck": str(deck_folder.resolve())}
    data.matches.set_settings({LAST: last})


def make_desk(
    args: argparse.Namespace,
    data: DataFolder,
    make_eye: Callable[[Table, Deck], Eye],
    chosen: Chosen,
    film: Projector | None = None,
) -> SetupDesk:
    """The desk where the table is set up, with what is in use now."""

    def own_deck() -> Path:
        # Imported only here: few draw the project's own deck.
        from arena_cam.printing.deck import OWN_DECK, default_deck

        return default_deck(args.data / OWN_DECK)

    # In the data folder, not where the program happened to be started: from elsewhere nothing would be found again.
    calibration, decks = args.calibration or args.data / CALIBRATION, args.decks or args.data / DECKS
    places = SetupPlaces(calibration, SHIPPED, decks, own_deck, chosen.deck_folder)
    return SetupDesk(make_eye, places, partial(remember, data), chosen, args.source, film)
