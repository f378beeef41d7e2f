"""Judges one picture of a table: which cards lie how, how surely, and who covers whom.

Run: python examples/judge_a_picture.py [TABLE.json DECK-FOLDER PICTURE]; without them a table is simulated.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import read_table
from arena_cam.printing.deck import default_deck
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.vision import Unreadable, open_eye


def main() -> None:
    with TemporaryDirectory() as scratch:
        table, deck, frame = given(*sys.argv[1:]) if len(sys.argv) == 4 else simulated(Path(scratch))
        reading = open_eye(table, deck).judge(frame)
    if isinstance(reading, Unreadable):
        sys.exit(f"{reading.frame}: {'; '.join(map(str, reading.why))}")
    for lie in reading.lies:  # bottom to top
        name = lie.card or "a card face down"
        on = f", on {' and '.join(lie.rests_on)}" if lie.rests_on else ""
        print(f"{name}: {lie.landing} ({lie.confidence:.0%}), tilted {lie.tilt_deg:.1f} deg{on}")
    print("sure" if reading.sure else "not sure: see the doubts of the reading and of each lie")


def given(table: str, deck: str, picture: str) -> tuple[Table, Deck, Frame]:
    """What the command line names."""
    image = read_picture(Path(picture))
    return read_table(Path(table)), read_deck(Path(deck)), Frame(image, 0.0, 0, "picture", picture)


def simulated(scratch: Path) -> tuple[Table, Deck, Frame]:
    """A rendered table with some cards thrown on it, and the project's own deck."""
    deck = read_deck(default_deck(scratch / "deck"))
    still = StillTable(4, deck)
    image, _truth = still.still(3)
    return still.scene.table, deck, Frame(image, 0.0, 0, "simulation", "still-0")


if __name__ == "__main__":
    main()
