"""Sentences in English, French and Icelandic, from the message catalogues in `arena_cam/locale`.

There is one catalogue for each language, read by commands and pages alike. It is the translators' own .po file and is
read when the language is first asked for: there is no compiled copy that could be stale.

Errors about what people typed, or wrote into a file, call things as those are written there (`told`). What is said of a
game calls them as people do (`say`): a card by its name, a landing, a colour or what a game awaits in words, by what a
parameter is called (domain/messages.py). Pages and commands say the same; each brings its own way to translate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import arena_cam
from arena_cam.domain.messages import Message, Value, Word
from arena_cam.formats.messages import Between, CardName, Citation, ColourName, LandingName, Photographed
from arena_cam.rules import Ruling
from arena_cam.rules.messages import Awaited, HouseRule, Rulebook

LANGUAGES = ("en", "fr", "is")
CATALOGUES = Path(arena_cam.__file__).parent / "locale"
Translate = Callable[..., str]  # from an English message and its named values to the sentence in a language

COLOURS = {word.value: word.english for word in ColourName}
LANDINGS = {word.value: word.english for word in LandingName}
WORDS: Mapping[str, Mapping[str, str]] = {"landing": LANDINGS, "colour": COLOURS}
# Of an ordinary pack, where a card is called by rank and suit as in "TH".
_RANKS, SUITS = "23456789TJQKA", {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


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


def _filled(english: str, words: Mapping[str, Any], language: str) -> str:
    if language == "en" and _AS_THEY_ARE.issuperset(map(type, words.values())):
        return english % words  # so with nearly every ruling of a record that is scored
    sentence = sentences(language).get(english, english) if language != "en" else english
    words = {name: _own_english(value, language) if name == "corners" else value for name, value in words.items()}
    shown = {name: _shown(value, language) for name, value in words.items() if isinstance(value, tuple | Message)}
    return sentence % ({**words, **shown} if shown else words)


_FILE_NAME = re.compile(r"[\w-]+(?:[./][\w-]+)*\.[a-z]{2,5}\b(?=[ :]|$)")
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
    return names(map(str, values), on_terminal(language))


def on_terminal(language: str) -> Translate:
    """The sentences of a command in `language`. What has no translation is said in English."""
    said = sentences(language)

    def translate(english: str, **values: object) -> str:
        sentence = said.get(english, english)
        return sentence % values if values else sentence.replace("%%", "%")

    return translate


def say(message: Message, _: Translate) -> str:
    """One message."""
    values = {name: shown(name.partition("_")[0], value, _) for name, value in message.params}
    english = message.sentence.english
    return _(english, **values) if message.sentence.places else _(english)


def photograph_said(name: str, found: Message, sure: bool, _: Translate) -> str:
    """What was found in a photograph of that name, and whether that is not sure: the head of what is told of it."""
    return f"{name}: {say(found if sure else Photographed.UNSURE(text=found), _)}"


def say_all(messages: Iterable[Message], _: Translate) -> str:
    """Several messages as one line."""
    return _("; ").join(say(message, _) for message in messages)


def ruling_said(ruling: Ruling, _: Translate) -> str:
    """A ruling as one sentence beginning with a capital."""
    return capital(say(ruling.message, _))


def shown(kind: str, value: Value, _: Translate) -> object:
    """A parameter as people read it; `kind` is the first word of its name."""
    if isinstance(value, Message):
        return say(value, _)
    if isinstance(value, Word):
        return _(value.english)
    if isinstance(value, tuple):
        return _listed(kind, value, _)
    if kind in ("card", "cards") and (value is None or isinstance(value, str)):
        return card_name(value, _)
    if kind in ("suit", "suits"):
        return suits_said(str(value))
    if kind == "awaited":
        return awaited_said(str(value), _)
    if kind in ("event", "corners"):  # its own English
        return _(str(value))
    if isinstance(value, str) and kind in WORDS:
        return _(WORDS[kind].get(value, value))
    return value


def _listed(kind: str, values: tuple[Value, ...], _: Translate) -> str:
    if any(isinstance(value, Message) for value in values):
        return say_all((value for value in values if isinstance(value, Message)), _)
    return names((str(shown(kind, value, _)) for value in values), _)


def colour_and_value(card: str | None) -> tuple[str, str]:
    """("red", "8") of "red-8"; ("", "10♥") of an ordinary pack's "TH"; ("", the id) for a card of
    another kind of deck, ("", "?") for one nobody knows."""
    if not card or card.startswith("?"):
        return "", "?"
    if len(card) == 2 and card[0] in _RANKS and card[1] in SUITS:
        return "", card[0].replace("T", "10") + SUITS[card[1]]
    colour, _, value = card.partition("-")
    return (colour, value) if colour in COLOURS and value else ("", card)


def suits_said(letters: str) -> str:
    """Letters of suits as their symbols: "♥, ♠" of "H, S"."""
    return "".join(SUITS.get(letter, letter) for letter in letters)


def card_name(card: str | None, _: Translate) -> str:
    """A card as people call it: "red 8", "8 rouge", "10♥"."""
    colour, value = colour_and_value(card)
    if value == "?":
        return _(CardName.FACE_DOWN.english)
    return _(CardName.OF_COLOUR.english, colour=_(COLOURS[colour]), value=value) if colour else value


def awaited_said(code: str, _: Translate) -> str:
    """The words for what a game awaits; a code without words is shown unchanged."""
    awaited = Awaited.named(code)
    return _(awaited.english) if awaited is not None else code


def names(people: Iterable[str], _: Translate) -> str:
    """ "Anna, Bernhard and Christine"."""
    *first, last = list(people) or [""]
    return _(Between.LAST_TWO.english).join((", ".join(first), last)) if first else last


def capital(text: str) -> str:
    """A sentence beginning with a capital; a file's name at its beginning stays as it is."""
    return text if _FILE_NAME.match(text) else text[:1].upper() + text[1:]
