"""What is told to people, as values: a code with parameters from where it arises to where it is shown.

A *sentence* is a code with its English message, a member of one of the tables that derive from `Sentence`. A *message*
is a sentence with its parameters. No part of the program reads a message's text: logic asks for its code and its
parameters, `str()` gives the English for logs, terminals and `why_unsure`, and pages translate the English of the
sentence (the gettext way) and fill in the parameters in their language.

How a parameter is shown follows from the first word of its name:

- `card`, `card_below`...: a card's id, or its key where it has none; None for a card that lies face down;
- `side`, `way`...: named like a table of words in small letters, a member of that table;
- `landing`, `colour`, `event`, `awaited`, `corners`: a word, or several, that is its own English;
- `why`: a message, several of them, or English text;
- anything else: text as it is, or a number rounded to what can be measured, its unit at the end of its name.

Parameters that no place of the sentence shows are for programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self, Union

Value = Union[str, int, float, None, "Message", tuple["Value", ...]]

PLACES = re.compile(r"%\((\w+)\)s")
A_CARD_FACE_DOWN = "a card that lies face down"


class Word(StrEnum):
    """Base of the tables of words that are filled into sentences. A member is its code; `english` is how it reads."""

    english: str

    def __new__(cls, code: str, english: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.english = english
        return member

    @classmethod
    def of(cls, code: str) -> Self:
        """The member with that code. Raises KeyError where there is none."""
        for member in cls:
            if member.value == code:
                return member
        raise KeyError(code)


class Sentence(Word):
    """Base of the tables of sentences. A member is its code, as programs know it; `english` has named places %(name)s.

    Calling a member with its parameters gives the message. Raises TypeError where a place would stay empty.
    """

    @property
    def places(self) -> tuple[str, ...]:
        """The names of what is filled in, in the order of the English."""
        return tuple(PLACES.findall(self.english))

    def __call__(self, **params: Value) -> Message:
        missing = [place for place in self.places if place not in params]
        if missing:
            raise TypeError(f"{self.value}: nothing is given for {', '.join(missing)}")
        return Message(self, tuple(params.items()))


class Reason(Sentence):
    """Base of the tables of doubts and refusals. No two of them share a code, so that each is found by its code."""


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence with its parameters, as (name, value); `str()` of it is plain English."""

    sentence: Sentence
    params: tuple[tuple[str, Value], ...] = ()

    @property
    def code(self) -> str:
        return self.sentence.value

    def param(self, name: str) -> Value:
        """The value of a parameter, None where there is none of that name."""
        return dict(self.params).get(name)

    def __str__(self) -> str:
        return self.sentence.english % {name: _in_english(name, value) for name, value in self.params}


def _in_english(name: str, value: Value) -> str:
    if isinstance(value, tuple):
        said = [_in_english(name, each) for each in value]
        if any(isinstance(each, Message) for each in value):
            return "; ".join(said)
        return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
    if value is None and name.startswith("card"):
        return A_CARD_FACE_DOWN
    return value.english if isinstance(value, Word) else str(value)


def in_words(messages: Iterable[Message]) -> str:
    """Several messages as one line of English."""
    return "; ".join(str(message) for message in messages)


def message_to_json(message: Message) -> dict[str, Any]:
    """{"code": ..., "params": {...}}; a message among the parameters likewise, several values as a list."""
    return {"code": message.code, "params": {name: _value_to_json(value) for name, value in message.params}}


def messages_to_json(messages: Iterable[Message]) -> dict[str, Any]:
    """Doubts as English for people and as codes with parameters for programs, in the same order."""
    said = list(messages)
    return {"why_unsure": [str(message) for message in said], "doubts": [message_to_json(message) for message in said]}


def _value_to_json(value: Value) -> Any:
    if isinstance(value, Message):
        return message_to_json(value)
    if isinstance(value, tuple):
        return [_value_to_json(each) for each in value]
    return value.value if isinstance(value, StrEnum) else value


def message_from_json(data: Mapping[str, Any]) -> Message:
    """The doubt or refusal that `message_to_json` wrote.

    Raises KeyError for a code that is in no table or a parameter that is missing; TypeError, ValueError or
    AttributeError for anything else that is no message.
    """
    reason = next((each for table in Reason.__subclasses__() for each in table if each.value == data["code"]), None)
    if reason is None:
        raise KeyError(data["code"])
    return reason(**{str(name): _value_from_json(name, value) for name, value in data["params"].items()})


def _value_from_json(name: str, value: Any) -> Value:
    if isinstance(value, dict):
        return message_from_json(value)
    if isinstance(value, list):
        return tuple(_value_from_json(name, each) for each in value)
    # A table without words of its own is the base of those of the games; its parameter is the code as it is.
    words = next((table for table in Word.__subclasses__() if table.__name__.lower() == name and len(table)), None)
    if words is not None:
        return words.of(value)
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"{value!r} is no parameter of a message")


def messages_from_json(data: Mapping[str, Any]) -> tuple[Message, ...]:
    """What `messages_to_json` wrote; where only the English was kept, that as it is.

    So is a message of a later version. Raises KeyError, TypeError or ValueError for anything else.
    """
    kept = data.get("doubts")
    recorded = as_recorded(data["why_unsure"])
    if kept is None:
        return recorded
    return tuple(_known(each, text) for each, text in zip(kept, recorded, strict=True))


def _known(data: Mapping[str, Any], recorded: Message) -> Message:
    try:
        return message_from_json(data)
    except KeyError:
        return recorded


class AsRecorded(Reason):
    """What an earlier version kept in English alone, or a later one under a code that is not known here."""

    AS_RECORDED = "as_recorded", "%(text)s"


def as_recorded(texts: Iterable[str]) -> tuple[Message, ...]:
    """Messages of which only the English was kept."""
    return tuple(AsRecorded.AS_RECORDED(text=str(text)) for text in texts)
