"""Pictures taken while one duelling block lies open alone, live and saved ones: none may show it.

python -m bench.secret_pictures [PICTURES] [FIRST]      5,000 by default; FIRST: the first duel's number
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import Faces, default_deck
from arena_cam.vision.reading.table_reader import TableReader
from attacks.secrets import TROUBLES, pictures_of_a_secret
from bench.how_many import how_many
from referee.room import Room

AT_A_TIME = 500  # in a duel of their own


def main(pictures: int, first: int) -> int:
    began, looked, shown, number = time.monotonic(), 0, 0, first
    with tempfile.TemporaryDirectory(prefix="arena-cam-secrets-") as folder:
        deck = read_deck(default_deck(Path(folder) / "deck", Faces.CODES))
        reader: TableReader | None = None
        while looked < pictures:
            room = Room(Path(folder) / f"data-{number}", deck, reader)
            reader = room.reader
            room.start()
            more, found = pictures_of_a_secret(room, min(AT_A_TIME, pictures - looked), number)
            room.session.stop()
            looked, shown, number = looked + more, shown + found, number + len(TROUBLES) + 1
    print(f"{looked} pictures while a block lay open alone, {shown} show one (bar 0), {time.monotonic() - began:.0f} s")
    return 1 if shown else 0


if __name__ == "__main__":
    asked = how_many("PICTURES", 5000).parse_args()
    sys.exit(main(asked.count, asked.first))
