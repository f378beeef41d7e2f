"""Reads single values of an event's JSON object and refuses what is not what it should be.

A key whose value is null counts as absent everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from arena_cam.domain.errors import Refused
from arena_cam.domain.messages import Message
from arena_cam.rules.messages import EventName, RuleRefusal, ValueRefusal

Data = Mapping[str, Any]  # a JSON object as it stands in a record

_SHOWN = 40  # characters of a value that a message repeats: enough to find it, few enough to read


def refuse(code: str, message: Message) -> NoReturn:
    """Raises Refused; one place, so that the engines read as sentences."""
    raise Refused(code, message)


def shown(value: object) -> str:
    """`value` for a message: one short line of plain characters, whatever it is and however large."""
    if isinstance(value, str):
        return ascii(value if len(value) <= _SHOWN else value[:_SHOWN] + "...")
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value) if -1e15 < value < 1e15 else "a very large number"
    return "a list" if isinstance(value, list | tuple) else "an object"


def listed(words: Sequence[object], limit: int = 12) -> str:
    """`words` for a message, cut after `limit` of them."""
    text = ", ".join(
        str(word) if isinstance(word, str) and word.isprintable() else shown(word) for word in words[:limit]
    )
    return text + (", ..." if len(words) > limit else "")


def word(data: Data, key: str, offered: Sequence[str]) -> str:
    """The value of `key`, one of the words in `offered`."""
    value = data.get(key)
    if type(value) is str and value in offered:
        return value
    return refuse_word(key, value, offered)


def refuse_word(key: str, value: object, offered: Sequence[str]) -> NoReturn:
    """Refuses the `value` of `key`, which is none of the words in `offered`."""
    refuse("unknown_word", ValueRefusal.WORD(name=key, names=listed(offered), text=shown(value)))


def optional_text(data: Data, key: str) -> str | None:
    """The string under `key`, None if there is none."""
    value = data.get(key)
    if value is None or type(value) is str:
        return value
    return refuse("not_a_string", ValueRefusal.STRING(name=key, text=shown(value)))


def player(data: Data, key: str, players: Sequence[str], default: str | None = None) -> str:
    """The name of a player under `key`."""
    value = data.get(key)
    if value is None and default is not None:
        return default
    if type(value) is str and value in players:
        return value
    return refuse("unknown_player", ValueRefusal.PLAYER(name=key, text=shown(value)))


def optional_object(data: Data, key: str) -> dict[str, Any] | None:
    """The object under `key` without the keys whose value is null; None if there is none."""
    value = data.get(key)
    if value is None:
        return None
    if isinstance(value, dict):
        return {name: entry for name, entry in value.items() if entry is not None}
    return refuse("not_an_object", ValueRefusal.OBJECT(name=key, text=shown(value)))


def optional_list(data: Data, key: str) -> list[Any] | None:
    """The list under `key`, None if there is none."""
    value = data.get(key)
    if value is None or isinstance(value, list):
        return value
    return refuse("not_a_list", ValueRefusal.LIST(name=key, text=shown(value)))


def awaited(what: EventName | str, wanted: str, awaiting: str) -> None:
    """Refuses the event `what` where it belongs to another moment of the game than `awaiting`."""
    if awaiting == wanted:
        return
    event = what.english if isinstance(what, EventName) else what
    if awaiting == "nothing":
        refuse("over", RuleRefusal.OVER(event=event))
    refuse("not_awaited", RuleRefusal.NOT_AWAITED(event=event, awaited=awaiting))
