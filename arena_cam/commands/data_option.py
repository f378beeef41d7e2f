"""Where games are kept: the option that every command about them shares."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

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
