"""CPU of `arena-cam watch` over whole videos, start-up included, by what they last at 30 frames/s; and its memory.

Each video is watched twice: the first time that a deck is ever used its pictures are read, then what was kept of them.
An installation has its modules compiled to bytecode, once: so has the second run here, whatever the shell says of that.

Run: python -m bench.watch_cpu [TABLE.JSON DECK FRAMES]...; without any, a simulated round with printed markers and
one without. Bars: 0.25 with markers, 0.30 without, and 400 MB.
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

BARS = {Faces.CODES: 0.25, Faces.PLAIN: 0.30}
BAR_MB = 400.0
BAR_FPS = 30.0
SIMULATED_FRAMES = 150


def watch(table: Path, deck: Path, frames: Path, cache: Path) -> tuple[float, float]:
    """CPU seconds and peak resident MB of one run that keeps what it makes of the deck in the folder `cache`."""
    command = [sys.executable, "-m", "arena_cam", "watch", "--table", str(table), "--deck", str(deck), "--json"]
    environment = os.environ | {"ARENA_CAM_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(cache.parent / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
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
        bars = [max(BARS.values())] * len(videos)
        for faces in BARS if not videos else ():
            made_here = Path(made) / faces
            made_here.mkdir()
            deck = read_deck(default_deck(made_here / "deck", faces))
            frames, table, folder = write_video(made_here, SIMULATED_FRAMES, *a_round(deck), faces=faces)
            videos.append((table, folder, frames))
            bars.append(BARS[faces])
        for number, ((table, folder, frames), bar) in enumerate(zip(videos, bars, strict=True)):
            cache = Path(made) / f"cache-{number}"
            first, megabytes_first = watch(table, folder, frames, cache)
            seconds, megabytes = watch(table, folder, frames, cache)
            lasts = len(list(frames.iterdir())) / BAR_FPS
            print(
                f"watch {frames.parent.name}: {seconds:.2f} s CPU for {lasts:.2f} s at {BAR_FPS:g} frames/s, "
                f"ratio {seconds / lasts:.2f} (bar {bar:g}), {first / lasts:.2f} the first time with this deck; "
                f"peak {max(megabytes, megabytes_first):.0f} MB (bar {BAR_MB:g})",
                flush=True,
            )


if __name__ == "__main__":
    main()
