"""Rulings as sentences in English, French and Icelandic, from the message catalogues that lie beside the rules.

Catalogues are the translators' own .po files, read when a language is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from arena_cam import rules
from arena_cam.rules import Ruling

LANGUAGES = ("en", "fr", "is")
CATALOGUES = Path(rules.__file__).parent / "locale"


@cache
def sentences(language: str) -> Mapping[str, str]:
    """English sentence to its translation; empty for English. ValueError for a language that is not offered."""
    if language not in LANGUAGES:
        raise ValueError(f"{language} is not offered; choose one of {', '.join(LANGUAGES)}")
    if language == "en":
        return {}
    from babel.messages.pofile import read_po  # takes longer to import than a hundred games to score

    with (CATALOGUES / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    return {str(message.id): str(message.string) for message in catalogue if message.id and message.string}


def text(ruling: Ruling, language: str = "en") -> str:
    """The plain sentence for the players that says what was ruled and why."""
    sentence = ruling.sentence
    if language != "en":
        sentence = sentences(language).get(sentence, sentence)  # a test holds that none is missing
    return sentence % (ruling.words or ruling.facts)
