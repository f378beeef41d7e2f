"""Forms for events that may come, as data for a page's script: every name and every choice in the page's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_cam.rules.messages import AnyHouseRule
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import LANDINGS, N_, Words, capital, card_name, event_in_words

Json = dict[str, Any]

FACES = {"up": N_("face up"), "down": N_("face down")}


def forms_said(may_come: Sequence[Json], _: Translate, words: Words) -> list[Json]:
    """`may_come` (kinds of events, referee/game/legal.py) as forms: type, said, fields.

    A field has a `path` into the event and a label, and either `options` of which one is chosen or `many`.
    """
    kinds: dict[str, Json] = {}
    for kind in may_come:  # of two forms of one kind the first is the usual one
        if not kind["made"]:
            kinds.setdefault(kind["type"], kind)
    return [
        {
            "type": name,
            "said": capital(event_in_words({"type": name}, _, words)),
            "fields": _fields(kind["keys"], _, words),
        }
        for name, kind in kinds.items()
    ]


def _fields(keys: Json, _: Translate, words: Words) -> list[Json]:
    fields: list[Json] = []
    for key, values in keys.items():
        label = key_said(key, _, words)
        if "for_each" in values:
            fields += [
                {"path": [key, who], "label": who, "options": _options(offered, _, words)}
                for who, offered in values["for_each"].items()
            ]
        elif "some_of" in values:
            fields.append({"path": [key], "label": label, "many": _options(values["some_of"], _, words)})
        else:
            fields.append({"path": [key], "label": label, "options": _options(values["one_of"], _, words)})
    return fields


def _options(values: Sequence[Any], _: Translate, words: Words) -> list[Json]:
    return [{"value": value, "said": capital(value_said(value, _, words))} for value in values]


def key_said(key: str, _: Translate, words: Words) -> str:
    """What an event says under `key`, as the label of a form; the key itself where the game has no word for it."""
    return _(words.keys.get(key, key))


def value_said(value: Any, _: Translate, words: Words) -> str:
    """One value of an event: a landing, a choice, a card, a name; anything else as the record writes it."""
    if isinstance(value, bool):
        return _(AnyHouseRule.YES.english if value else AnyHouseRule.NO.english)
    if not isinstance(value, str):
        return str(value)
    for table in (LANDINGS, FACES, words.choices):
        if value in table:
            return _(table[value])
    return card_name(value, _)
