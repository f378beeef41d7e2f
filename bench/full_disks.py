"""Disks that fill at random moments of a game: nothing told may be lost, and play goes on with room again.

python -m bench.full_disks [DISKS]      200 by default, some minutes; it mounts a small disk and so wants root
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from attacks.full_disks import fill_once, small_disk
from bench.how_many import how_many


def main(disks: int) -> int:
    began, faults = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="arena-cam-disks-") as folder, small_disk(Path(folder) / "disk") as mounted:
        if not mounted:
            print("full disks: not tried; this machine lets nobody but root mount a small disk")
            return 0
        for seed in range(disks):
            for fault in fill_once(Path(folder) / "disk", seed):
                faults += 1
                print(f"disk {seed}: {fault}", flush=True)
    print(f"{disks} disks that filled, {faults} faults, {time.monotonic() - began:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(how_many("DISKS", 200, None).parse_args().count))
