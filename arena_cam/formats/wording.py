"""Sentences in English, French and Icelandic, from the message catalogues in `arena_cam/locale`.

There is one catalogue for each language, read by commands and pages alike. It is the translators' own .po file and is
read when the language is first asked for: there is no compiled copy that could be stale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import arena_cam
from arena_cam.domain.messages import Message
from arena_cam.formats.messages import Citation
from arena_cam.rules import Ruling
from arena_cam.rules.messages import HouseRule, Rulebook

LANGUAGES = ("en", "fr", "is")
CATALOGUES = Path(arena_cam.__file__).parent / "locale"


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
    return _filled(ruling.sentence.english, ruling.words or ruling.facts, language)


def told(message: Message, language: str) -> str:
    """A message for a terminal: its parameters as they are written in a record."""
    return _filled(message.sentence.english, dict(message.params), language)


def cited(rule: str, word: Callable[[str], str]) -> str:
    """The rule behind a ruling, its rulebook by name: "English rules, The duel". A section's title stays as the book
    has it; what is said in words of ours is translated by `word`.
    """
    return word("; ").join(_cited(part, word) for part in rule.split("; "))


def _cited(part: str, word: Callable[[str], str]) -> str:
    code, comma, section = part.partition(", ")
    book = Rulebook.named(code)
    if book is None or not comma:
        option = HouseRule.named(part.removeprefix("house rule "))
        return word(part) if option is None else word(Citation.HOUSE_RULE.english) % {"asked": word(option.english)}
    title, colon, note = section.partition(": ")
    of_book = word(Citation.OF_BOOK.english) % {"book": word(book.english), "section": title}
    return word(Citation.WITH_NOTE.english) % {"rule": of_book, "note": word(note)} if colon else of_book


def quantity(count: int, one: str) -> str:
    """A number and what there are so many of, in English, as terminals write it: 1 card, 2 cards."""
    return f"{count} {one}" if count == 1 else f"{count} {one}s"


def _filled(english: str, words: Mapping[str, Any], language: str) -> str:
    if language == "en" and _AS_THEY_ARE.issuperset(map(type, words.values())):
        return english % words  # so with nearly every ruling of a record that is scored
    sentence = sentences(language).get(english, english) if language != "en" else english
    words = {name: _own_english(value, language) if name == "corners" else value for name, value in words.items()}
    shown = {name: _shown(value, language) for name, value in words.items() if isinstance(value, tuple | Message)}
    return sentence % ({**words, **shown} if shown else words)


_AS_THEY_ARE = frozenset((str, int, type(None)))  # types that are shown in a sentence as they are


def _shown(value: Message | tuple[Any, ...], language: str) -> str:
    if isinstance(value, Message):
        return told(value, language)
    if any(isinstance(each, Message) for each in value):
        return "; ".join(told(each, language) if isinstance(each, Message) else str(each) for each in value)
    return _joined(value, language)


def _own_english(words: tuple[str, ...], language: str) -> tuple[str, ...]:
    return tuple(sentences(language).get(word, word) for word in words)


def _joined(values: tuple[Any, ...], language: str) -> str:
    *first, last = map(str, values)
    return sentences(language).get(" and ", " and ").join((", ".join(first), last)) if first else last
