"""Rulings as sentences in English, French and Icelandic, from the message catalogues that lie beside the rules."""

from __future__ import annotations

import gettext
from collections.abc import Callable
from functools import cache
from pathlib import Path

from arena_cam import rules
from arena_cam.rules import Ruling

LANGUAGES = ("en", "fr", "is")
CATALOGUES = Path(rules.__file__).parent / "locale"


@cache
def sentences(language: str) -> Callable[[str], str]:
    """The function that translates an English sentence of the rules; ValueError for a language that is not offered."""
    if language not in LANGUAGES:
        raise ValueError(f"{language} is not offered; choose one of {', '.join(LANGUAGES)}")
    if language == "en":
        return str  # the sentences in the rules are English
    return gettext.translation("rules", CATALOGUES, [language]).gettext


def text(ruling: Ruling, language: str = "en") -> str:
    """The plain sentence for the players that says what was ruled and why."""
    sentence = ruling.sentence if language == "en" else sentences(language)(ruling.sentence)
    return sentence % {**ruling.words, **ruling.facts}
