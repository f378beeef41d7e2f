"""CPU of `arena-cam watch` over whole videos, start-up included, by what they last at 30 frames/s; and its memory.

Each video is watched twice: the first time that a deck is ever used its pictures are read, then what was kept of them.

Run: python -m bench.watch_cpu [TABLE.JSON DECK FRAMES]...; without any, a simulated round. Bars: 0.5, and 400 MB.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import Faces, default_deck
from bench.simulated_video import a_round, write_video

BAR = 0.5
BAR_MB = 400.0
BAR_FPS = 30.0
SIMULATED_FRAMES = 150


def watch(table: Path, deck: Path, frames: Path, cache: Path) -> tuple[float, float]:
    """CPU seconds and peak resident MB of one run that keeps what it makes of the deck in the folder `cache`."""
    command = [sys.executable, "-m", "arena_cam", "watch", "--table", str(table), "--deck", str(deck), "--json"]
    environment = os.environ | {"ARENA_CAM_CACHE": str(cache)}
    process = subprocess.Popen([*command, str(frames)], stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"watch ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Prints one line a video."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("videos", nargs="*", type=Path, help="TABLE.JSON DECK FRAMES, as many triples as wanted")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        videos = list(zip(args.videos[::3], args.videos[1::3], args.videos[2::3], strict=True))
        if not videos:
            deck = read_deck(default_deck(Path(made) / "first", Faces.CODES))
            frames, table, folder = write_video(Path(made), SIMULATED_FRAMES, *a_round(deck))
            videos = [(table, folder, frames)]
        for number, (table, folder, frames) in enumerate(videos):
            cache = Path(made) / f"cache-{number}"
            first, megabytes_first = watch(table, folder, frames, cache)
            seconds, megabytes = watch(table, folder, frames, cache)
            lasts = len(list(frames.iterdir())) / BAR_FPS
            print(
                f"watch {frames.parent.name}: {seconds:.2f} s CPU for {lasts:.2f} s at {BAR_FPS:g} frames/s, "
                f"ratio {seconds / lasts:.2f} (bar {BAR:g}), {first / lasts:.2f} the first time with this deck; "
                f"peak {max(megabytes, megabytes_first):.0f} MB (bar {BAR_MB:g})"
            )


if __name__ == "__main__":
    main()
