"""Forms for events that may come, as data for a page's script: every name and every choice in the page's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_cam.formats.wording import capital
from arena_cam.web.words.events import event_in_words, key_said, value_named
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import Words

Json = dict[str, Any]


def forms_said(may_come: Sequence[Json], _: Translate, words: Words) -> list[Json]:
    """`may_come` (kinds of events, referee/game/legal.py) as forms: type, said, fields.

    A field has a `path` into the event and a label, and either `options` of which one is chosen or `many`. Forms that
    differ in what is offered alone (each voter's) are one; of others of one kind the first is the usual one.
    """
    kinds: dict[str, Json] = {}
    for kind in may_come:
        if not kind["made"]:
            kinds[kind["type"]] = _both(kinds[kind["type"]], kind) if kind["type"] in kinds else kind
    return [
        {
            "type": name,
            "said": capital(event_in_words({"type": name}, _, words)),
            "fields": _fields(kind["keys"], _, words),
        }
        for name, kind in kinds.items()
    ]


def _both(first: Json, other: Json) -> Json:
    """The first form with what the other one offers beside it, where both have the same fields of one choice each."""
    offered = [{key: values.get("one_of") for key, values in form["keys"].items()} for form in (first, other)]
    if offered[0].keys() != offered[1].keys() or None in (*offered[0].values(), *offered[1].values()):
        return first
    keys = {key: {"one_of": list(dict.fromkeys([*offered[0][key], *offered[1][key]]))} for key in offered[0]}
    return {**first, "keys": keys}


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
    return [{"value": value, "said": value_named(value, _, words)} for value in values]
