"""The option --lang, and what a command says in that language."""

from __future__ import annotations

import argparse

from arena_cam.domain.errors import ArenaCamError
from arena_cam.formats.wording import LANGUAGES, told


def add_lang_option(parser: argparse.ArgumentParser) -> None:
    """--lang, English unless said otherwise."""
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the sentences (default: en)")


def error_told(error: ArenaCamError, language: str) -> str:
    """An error for a terminal."""
    return str(error).replace(str(error.said), told(error.said, language))
