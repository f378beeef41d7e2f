"""Events of a record in words: whole lines, and each of their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena_cam.formats.wording import LANDINGS, capital, card_name, names
from arena_cam.rules.entries import corrected_line
from arena_cam.rules.messages import AnyHouseRule
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import N_, Words

FACES = {"up": N_("face up"), "down": N_("face down")}
TOLD = ("card", "landing", "face", "rests_on")  # said in words of their own


def event_in_words(event: Mapping[str, Any], _: Translate, words: Words) -> str:
    """A line of a record: "throw red 8, flat, on blue 3"."""
    corrected = corrected_line(event) if "type" in event else None
    if corrected is not None:
        return _correction_in_words(corrected, event, _, words)
    kind = str(event.get("type", ""))
    if kind == "note" and any(event.get(key) for key in ("landing", "choices", *words.keys) if key != "player"):
        kind = "struck"  # a correction made it a note; it still says what was written there
    parts = [_(words.events[kind]) if kind in words.events else kind]
    if event.get("card") or kind == "throw":
        parts[0] += " " + card_name(event.get("card"), _)
    parts += _how(event, _, words)
    if kind == "struck" and len(parts) > 1 and not event.get("card"):
        parts[:2] = [f"{parts[0]} {parts[1]}"]
    return ", ".join(parts)


def _correction_in_words(line: int, event: Mapping[str, Any], _: Translate, words: Words) -> str:
    """A correction, with what it made of the line where that can be said: "correction of line 5: red 8, leaning"."""
    made = event.get("set")
    made = made if isinstance(made, Mapping) else {}
    if made.get("type") == "note":
        how = [_("It never happened")]
        how[0] = how[0][:1].lower() + how[0][1:]
    else:
        how = [*([card_name(made["card"], _)] if made.get("card") else []), *_how(made, _, words)]
    if not how:
        plain = words.events["amend"]
        return _(plain, line=line)
    return _("correction of line %(line)s: %(how)s", line=line, how=", ".join(how))


def _how(event: Mapping[str, Any], _: Translate, words: Words) -> list[str]:
    """How a card of an event lies, what was chosen, and whatever else the event says, each in words."""
    parts = []
    how = LANDINGS.get(event.get("landing", ""))
    if how is not None:
        parts.append(_(how))
    if event.get("face") == "down":
        parts.append(_("face down"))
    if event.get("rests_on"):
        parts.append(_("on %(cards)s", cards=names((card_name(card, _) for card in event["rests_on"]), _)))
    parts += [
        f"{who}: {_(words.choices.get(choice, choice)).lower()}" for who, choice in (event.get("choices") or {}).items()
    ]
    return parts + [_said(key, event[key], _, words) for key in words.keys if key not in TOLD and event.get(key)]


def _said(key: str, value: Any, _: Translate, words: Words) -> str:
    """What an event says under a key: "whose dilemma: Anna"; the label alone of what is merely so."""
    label = key_said(key, _, words)
    label = label if label.isupper() else label[:1].lower() + label[1:]
    return label if value is True else _("%(label)s: %(value)s", label=label, value=value_said(value, _, words))


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


def value_named(value: Any, _: Translate, words: Words) -> str:
    """`value_said` where it stands alone: our words begin with a capital, a person's name stays as it is written."""
    said = value_said(value, _, words)
    is_name = said == value and not any(value in table for table in (LANDINGS, FACES, words.choices))
    return said if is_name else capital(said)
