"""`--fps`: how many frames a second a source is asked for, or a folder of pictures is taken to hold."""

from __future__ import annotations

import argparse

DEFAULT_FPS = 15.0
# Slower, and nothing could be seen to come to rest; faster, and no camera delivers it.
LOWEST_FPS, HIGHEST_FPS = 0.1, 1000.0


def add_fps_option(parser: argparse.ArgumentParser, of_what: str = "a folder's rate, frames a second") -> None:
    """Adds `--fps FPS`; `args.fps` is then a number that makes sense. `of_what` says in the help whose rate it is."""
    parser.add_argument(
        "--fps", type=frames_a_second, default=DEFAULT_FPS, help=f"{of_what} (default {DEFAULT_FPS:g})", metavar="FPS"
    )


def frames_a_second(words: str) -> float:
    """The rate in `words`. Raises ArgumentTypeError where it is none."""
    try:
        rate = float(words)
    except ValueError:
        rate = 0.0
    if not LOWEST_FPS <= rate <= HIGHEST_FPS:
        raise argparse.ArgumentTypeError(
            f"{words!r} is no rate; give frames a second, from {LOWEST_FPS:g} to {HIGHEST_FPS:g}"
        )
    return rate
