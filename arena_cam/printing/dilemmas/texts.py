"""The dilemmas that our own set bears, in the three languages of the pages."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

LANGUAGES = ("en", "fr", "is")
KINDS = ("positive", "negative", "neutral")
# A kind's letter begins the ids of its cards: p-01, n-01, u-01.
LETTERS = {"positive": "p", "negative": "n", "neutral": "u"}


@dataclass(frozen=True, slots=True)
class CardText:
    """One card: its id in the set, its kind, its number within the kind (from 1), and what it says."""

    id: str
    kind: str
    number: int
    text: str


@cache
def card_texts(language: str) -> tuple[CardText, ...]:
    """All cards in `language`, one of LANGUAGES, kind by kind. A card has the same id in every language."""
    said = tomllib.loads(resources.files(__package__).joinpath("texts.toml").read_text(encoding="utf-8"))
    return tuple(
        CardText(f"{LETTERS[kind]}-{number:02}", kind, number, text)
        for kind in KINDS
        for number, text in enumerate(said[kind][language], start=1)
    )
