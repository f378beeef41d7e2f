"""Damaged records, pictures, archives, table, camera, board and deck files: no traceback, nothing over ten seconds.

python -m bench.mutated_files [FILES] [FIRST] [KIND]      50,000 by default; FIRST: the first seed; KIND: only these
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")  # as the commands do, before OpenCV is imported
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "100000000")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from attacks.mutated_files import all_kinds, try_out
from bench.how_many import how_many

AT_A_TIME = 1000


def main(files: int, first: int, only: str) -> int:
    began, slowest_s, done = time.monotonic(), 0.0, 0
    tried: Counter[str] = Counter()
    read: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="arena-cam-files-") as folder:
        kinds = [kind for kind in all_kinds(Path(folder)) if only in ("", kind.name)]
        while done < files:
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                outcome = try_out(kinds, min(AT_A_TIME, files - done), first + done // AT_A_TIME, Path(scratch))
            done += outcome.tried.total()
            tried, read, faults = tried + outcome.tried, read + outcome.read, faults + outcome.faults
            slowest_s = max(slowest_s, outcome.slowest_s)
    for fault, times in faults.most_common():
        print(f"{times} times {fault}", flush=True)
    told = ", ".join(f"{name} {count} ({read[name]} read all the same)" for name, count in sorted(tried.items()))
    print(f"{done} damaged files: {told}; {faults.total()} faults, slowest {slowest_s:.1f} s (bar 10)", end=", ")
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if faults or slowest_s > 10 else 0


if __name__ == "__main__":
    parser = how_many("FILES", 50_000, 1)
    parser.add_argument("kind", metavar="KIND", nargs="?", default="", help="only files of this kind (default: all)")
    asked = parser.parse_args()
    sys.exit(main(asked.count, asked.first, asked.kind))
