"""Doubts, rulings and the eye's troubles in the page's language (formats/wording.py says how messages are said)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena_cam.domain.doubts import chances, settled_by
from arena_cam.domain.messages import (
    Message,
    Sentence,
    as_recorded,
    message_from_json,
    messages_from_json,
)
from arena_cam.formats.wording import capital, cited, say, say_all, shown
from arena_cam.rules import find_game
from arena_cam.rules.messages import AnyRuling
from arena_cam.web.words.language import Translate


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


def doubts_said(data: Mapping[str, Any], _: Translate) -> list[str]:
    """The doubts of a card or a reading as JSON has them, with what it may be and what would settle it; those of an
    older version in English."""
    return [_doubt_said(doubt, _) for doubt in messages_from_json(data)]


def _doubt_said(doubt: Message, _: Translate) -> str:
    """A doubt, the possibilities with their chances, and a remedy: "it may be red 4 instead (red 2 60 %, red 4 38 %):
    lift what covers it, or say which card it is"."""
    kind = "landing" if doubt.param("landing") is not None else "card"
    likely = ", ".join(f"{shown(kind, name, _)} {100 * chance:.0f} %" for name, chance in chances(doubt))
    settle = settled_by(doubt)
    said = f"{say(doubt, _)} ({likely})" if likely else say(doubt, _)
    return said if settle is None else _("%(doubt)s: %(remedy)s", doubt=said, remedy=say(settle, _))


def eye_said(eye: Mapping[str, Any], _: Translate) -> str:
    """Why the eye is blind or what it waits for; "" if there is nothing to say."""
    doubts = eye.get("doubts")
    messages = [message_from_json(doubt) for doubt in doubts] if doubts else as_recorded(filter(None, [eye["why"]]))
    return say_all(messages, _)
