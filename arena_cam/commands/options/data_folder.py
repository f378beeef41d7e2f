"""Where games are kept, and how much room they may take: options of the commands about them."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from arena_cam.store.room import DEFAULT_BUDGET_BYTES, DEFAULT_KEEP_FREE_BYTES

ENVIRONMENT = "ARENA_CAM_DATA"


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Adds `--data DIR`; `args.data` is then a Path."""
    parser.add_argument(
        "--data",
        type=Path,
        default=default_data_folder(),
        metavar="DIR",
        help=f"the folder with games and pictures (default: ${ENVIRONMENT}, else ~/.local/share/arena-cam)",
    )


def default_data_folder() -> Path:
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "arena-cam"


UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def add_room_options(parser: argparse.ArgumentParser) -> None:
    """Adds `--evidence SIZE` and `--keep-free SIZE`; both are then numbers of bytes."""
    parser.add_argument(
        "--evidence",
        type=size_bytes,
        default=DEFAULT_BUDGET_BYTES,
        metavar="SIZE",
        help="room for pictures of throws, in bytes or as 800M or 4G; the oldest that nobody pinned go first "
        f"(default {in_words(DEFAULT_BUDGET_BYTES)})",
    )
    parser.add_argument(
        "--keep-free",
        type=size_bytes,
        default=DEFAULT_KEEP_FREE_BYTES,
        metavar="SIZE",
        help=f"what must stay free on that disk (default {in_words(DEFAULT_KEEP_FREE_BYTES)})",
    )


def size_bytes(words: str) -> int:
    """Bytes from "4G", "800M" or "1000000000"; units are powers of 1024."""
    found = re.fullmatch(r"(\d{1,15}(?:\.\d{1,3})?)([KMGT]?)(?:i?B)?", words.strip(), re.IGNORECASE)
    if found is None:
        raise argparse.ArgumentTypeError(f"{words!r} is no size; give bytes, or for example 800M or 4G")
    return int(float(found[1]) * UNITS[found[2].upper()])


def in_words(size: int) -> str:
    """The largest unit in which `size` bytes are a whole number."""
    unit = max((unit for unit in UNITS if size % UNITS[unit] == 0), key=lambda unit: UNITS[unit])
    return f"{size // UNITS[unit]}{unit}"
