"""Messages in the page's language: the English of the sentence is looked up, and its parameters are filled in.

A parameter is shown by what it is called (domain/messages.py): a card by its name, a landing, a colour or what a game
awaits in the page's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from arena_cam.domain.doubts import chances, settled_by
from arena_cam.domain.messages import (
    Message,
    Sentence,
    Value,
    Word,
    as_recorded,
    message_from_json,
    messages_from_json,
)
from arena_cam.formats.wording import cited
from arena_cam.rules import find_game
from arena_cam.rules.messages import AnyRuling
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import COLOURS, LANDINGS, awaited_said, capital, card_name, names, suits_said

WORDS: Mapping[str, Mapping[str, str]] = {
    "landing": LANDINGS,
    "colour": COLOURS,
}


def say(message: Message, _: Translate) -> str:
    """One message."""
    values = {name: _shown(name.partition("_")[0], value, _) for name, value in message.params}
    english = message.sentence.english
    return _(english, **values) if message.sentence.places else _(english)


def ruling_sentence(ruling: Mapping[str, Any], game: str, _: Translate) -> str:
    """A ruling in a game of that name, as one sentence beginning with a capital.

    English is shown where an older version kept nothing else, or of a game with a table of which nothing is known.
    """
    said = ruling.get("said")
    sentence = _ruling_sentence(game, said["code"]) if said else None
    if said is None or sentence is None:
        return capital(str(ruling["text"]))
    params = {name: tuple(value) if isinstance(value, list) else value for name, value in said["params"].items()}
    return capital(say(sentence(**params), _))


def _ruling_sentence(game: str, code: str) -> Sentence | None:
    try:
        own = find_game(game).rulings
    except KeyError:
        own = None
    tables = (AnyRuling,) if own is None else (own, AnyRuling)
    return next((sentence for table in tables for sentence in table if sentence.value == code), None)


def rule_said(rule: str, _: Translate) -> str:
    """The rule behind a ruling, its rulebook by name: "English rules, The duel". A section's title stays as the book
    has it; what is said in words of ours is translated."""
    return cited(rule, _)


def say_all(messages: Iterable[Message], _: Translate) -> str:
    """Several messages as one line."""
    return _("; ").join(say(message, _) for message in messages)


def _shown(kind: str, value: Value, _: Translate) -> object:
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
    return names((str(_shown(kind, value, _)) for value in values), _)


def doubts_said(data: Mapping[str, Any], _: Translate) -> list[str]:
    """The doubts of a card or a reading as JSON has them, with what it may be and what would settle it; those of an
    older version in English."""
    return [_doubt_said(doubt, _) for doubt in messages_from_json(data)]


def _doubt_said(doubt: Message, _: Translate) -> str:
    """A doubt, the possibilities with their chances, and a remedy: "it may be red 4 instead (red 2 60 %, red 4 38 %):
    lift what covers it, or say which card it is"."""
    kind = "landing" if doubt.param("landing") is not None else "card"
    likely = ", ".join(f"{_shown(kind, name, _)} {100 * chance:.0f} %" for name, chance in chances(doubt))
    settle = settled_by(doubt)
    said = f"{say(doubt, _)} ({likely})" if likely else say(doubt, _)
    return said if settle is None else _("%(doubt)s: %(remedy)s", doubt=said, remedy=say(settle, _))


def eye_said(eye: Mapping[str, Any], _: Translate) -> str:
    """Why the eye is blind or what it waits for; "" if there is nothing to say."""
    doubts = eye.get("doubts")
    messages = [message_from_json(doubt) for doubt in doubts] if doubts else as_recorded(filter(None, [eye["why"]]))
    return say_all(messages, _)
