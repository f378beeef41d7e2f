"""Kills a playing referee many times over (SIGKILL) and counts what was lost: must be nothing.

python -m bench.kills [KILLS]      1,000 by default, half an hour; every fifth is followed by two kills of a start
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from referee.killing import faults, kill_once, kill_starting


def main(kills: int) -> int:
    began, told_lines, found = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory(prefix="arena-cam-kills-") as folder:
        for seed in range(kills):
            data = Path(folder) / f"data-{seed // 50}"  # a fresh folder now and then: a start is killed, too
            told = kill_once(data, seed, longest_s=0.8)
            if seed % 5 == 4:
                kill_starting(data, seed)
            told_lines += len(told)
            for fault in faults(data, told):
                found += 1
                print(f"kill {seed}: {fault}", flush=True)
    print(f"{kills} kills, {told_lines} states told, {found} faults, {time.monotonic() - began:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
