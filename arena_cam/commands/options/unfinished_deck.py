"""A deck that is given: one learned at the table is first brought into one light, if its program was ended before."""

from __future__ import annotations

import sys
from pathlib import Path

from arena_cam.commands.options.language import error_told
from arena_cam.commands.options.messages import OwnDeck
from arena_cam.domain.errors import CannotDo
from arena_cam.formats.deck_folder import TAKEN
from arena_cam.formats.wording import told


def finish_learning(folder: Path | None, language: str) -> None:
    """Brings the pictures of the deck in `folder` into one light, if that is still to be done; to be called before the
    deck is read. Where they cannot be written it is said, and the deck stays as it was taken."""
    if folder is None or not (folder / TAKEN).is_dir():
        return
    from arena_cam.referee.setup.lesson import finish, unfinished  # only here: most decks were not learned at the table

    deck = unfinished(folder)
    if deck is None:
        return
    print(f"arena-cam: {folder}: {told(OwnDeck.ONE_LIGHT(), language)}...", file=sys.stderr, flush=True)
    try:
        finish(deck)
    except CannotDo as error:
        print(f"arena-cam: {error_told(error, language)}", file=sys.stderr)
