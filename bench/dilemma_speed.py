"""CPU time of reading photographs of dilemmas, in calls of a full-frame ArucoDetector.detectMarkers on the same
picture: median, 90 % and worst; and what loading a set costs once.

Run: python -m bench.dilemma_speed [PICTURE... --deck SET]. Without pictures on some that are drawn for it: our own set
and sets drawn by chance, with one to five dilemmas each (`bench.dilemma_pictures`). A picture of its own is read first
and not counted: it makes what lasts. Bar: 60 calls at the median.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

# A second thread of BLAS waits more than it computes, on matrices as small as these. It is heeded at the first import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import numpy as np

from arena_cam.camera.folder import read_picture
from arena_cam.commands.process.heap import keep_freed
from arena_cam.domain.dilemma_sets import DilemmaSet
from arena_cam.formats.dilemmas.dilemma_set_toml import read_dilemma_set
from arena_cam.vision.kernels.library import compiled
from arena_cam.vision.tokens.token_table import TokenTableReader
from bench.dilemma_pictures import the_set, write_table
from bench.judging import seconds

SETS = (None, "random-9804", "random-9805", "random-9808")  # styles; the first is our own
FIRST_SEED = 9804
SCANS = 3  # of which the best counts, for a scan is short beside what else a machine does


def load(dilemma_set: DilemmaSet) -> tuple[TokenTableReader, float]:
    """A reader of the set, and the CPU seconds that making it took."""
    begin = time.process_time()
    reader = TokenTableReader(dilemma_set)
    return reader, time.process_time() - begin


def calls(reader: TokenTableReader, pictures: list[Path]) -> list[float]:
    """What each picture but the first costs, in scans for markers."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    reader.read(read_picture(pictures[0]), "warm")
    found = []
    for path in pictures[1:]:
        picture = read_picture(path)
        scan = min(seconds(lambda p=picture: detector.detectMarkers(p)) for _ in range(SCANS))  # type: ignore[misc]
        found.append(seconds(lambda p=picture: reader.read(p, "photograph")) / scan)  # type: ignore[misc]
        print(f"  {path.parent.name}/{path.name}: {found[-1]:.0f}", file=sys.stderr, flush=True)
    return found


def told(name: str, found: list[float], loading: list[float]) -> str:
    """Median, 90 % and worst of what was measured."""
    three = statistics.median(found), float(np.percentile(found, 90)), max(found)
    return (
        f"dilemmas, {name}: {len(found)} pictures, {' / '.join(f'{each:.0f}' for each in three)} detectMarkers (bar 60 "
        f"at the median); loading a set once: {statistics.median(loading):.2f} s"
    )


def main() -> None:
    """Prints one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", nargs="*", type=Path, help="the first is read once more than the others")
    parser.add_argument("--deck", type=Path, help="folder of the set that they show")
    parser.add_argument("--made", type=int, default=4, help="pictures to draw of each set")
    args = parser.parse_args()
    if args.pictures and args.deck is None:
        parser.error("--deck says which set the pictures show")
    cv2.setNumThreads(1)
    keep_freed()  # as `judge` does
    print("compiled kernels" if compiled() is not None else "no compiled kernels: numpy computes", flush=True)
    if args.pictures:
        reader, loading = load(read_dilemma_set(args.deck))
        print(told(args.deck.name, calls(reader, [args.pictures[0], *args.pictures]), [loading]))
        return
    found, loads = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for number, style in enumerate(SETS):
            drawn = the_set(Path(scratch), None, style)
            seed = FIRST_SEED + number
            write_table(Path(scratch), drawn, seed, args.made + 1)
            reader, loading = load(drawn[0])
            found += calls(reader, sorted((Path(scratch) / f"table-{drawn[1]}-{seed}").glob("*.jpg")))
            loads.append(loading)
    print(told("drawn", found, loads), flush=True)


if __name__ == "__main__":
    main()
