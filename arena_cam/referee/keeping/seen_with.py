"""The table and the deck that a throw was seen with: read from its own files, never from the present table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.set_file import read_set_file
from arena_cam.formats.table_json import read_table
from arena_cam.referee.messages import ThrowFileRefusal

TABLE, DECK = "table.json", "deck/deck.toml"


def unpack_setup(setup: Mapping[str, bytes], folder: Path) -> None:
    """Writes the files of evidence.setup_files below `folder`. Raises BadInput for a name that leads out of it."""
    for name, content in setup.items():
        file = folder / name
        if not file.resolve().is_relative_to(folder.resolve()):
            raise BadInput(ThrowFileRefusal.NAME_LEADS_ELSEWHERE(name=repr(name)))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def table_seen_with(folder: Path) -> Table:
    """The table in an unpacked set-up. Raises BadInput if there is none or it is not good."""
    table = read_table(folder / TABLE)
    _inside(folder, table.empty)
    return table


def deck_seen_with(folder: Path) -> Deck:
    """The deck in an unpacked set-up. Raises BadInput if there is none or it is not good."""
    deck = read_deck(folder / "deck")
    for picture in (*(card.image for card in deck.cards), deck.back):
        _inside(folder, picture)
    return deck


def seen_with(setup: Mapping[str, bytes], folder: Path) -> tuple[Table | None, Deck | None]:
    """The table and the deck in a set-up that is unpacked in `folder`, each None where it has none. Raises BadInput if
    one is not good.
    """
    return (
        table_seen_with(folder) if TABLE in setup else None,
        deck_seen_with(folder) if DECK in setup else None,
    )


def set_seen_with(folder: Path) -> Path:
    """The folder of the set in an unpacked set-up. Raises BadInput if its deck.toml names pictures elsewhere."""
    _, data = read_set_file(folder / "deck")
    pieces = [piece for pieces in data.values() if isinstance(pieces, list) for piece in pieces]
    for entry in (data, *pieces):
        for key in ("image", "back") if isinstance(entry, dict) else ():
            _inside(folder, folder / "deck" / str(entry.get(key, "")))
    board = data.get("board")
    if isinstance(board, dict):
        _inside(folder, folder / "deck" / str(board.get("image", "")))
    return folder / "deck"


def _inside(folder: Path, file: Path | None) -> None:
    """A set-up names only files of its own: one that came from elsewhere must not have others opened."""
    if file is not None and not file.resolve().is_relative_to(folder.resolve()):
        raise BadInput(ThrowFileRefusal.NAMES_ELSEWHERE(name=repr(file.name[:60])))
