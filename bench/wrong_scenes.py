"""Pictures that do not show this table in the middle of a round: said within two seconds, nothing ruled by them.

python -m bench.wrong_scenes [KIND]...      every kind by default, some minutes
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import default_deck
from attacks.wrong_scenes import SAID_WITHIN_S, SCENES, WrongScenes


def main(kinds: list[str]) -> int:
    faults = []
    with tempfile.TemporaryDirectory(prefix="arena-cam-scenes-") as folder:
        scenes = WrongScenes(Path(folder), read_deck(default_deck(Path(folder) / "deck")))
        for kind in kinds or SCENES:
            shown = scenes.show(kind)
            faults += shown.faults
            print(
                f"{kind}: said after {_seconds(shown.said_s)} (bar {SAID_WITHIN_S:g}): {shown.words}; "
                f"{len(shown.happened)} events came of it (bar 0), well again after {_seconds(shown.well_s)}",
                flush=True,
            )
    print(f"{len(kinds or SCENES)} kinds of pictures that do not show this table, {len(faults)} faults")
    return 1 if faults else 0


def _seconds(measured: float | None) -> str:
    return "never" if measured is None else f"{measured:.2f} s"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"out of: {'; '.join(SCENES)}")
    given = parser.parse_args().kinds
    if unknown := set(given) - set(SCENES):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    sys.exit(main(given))
