"""Reads one line as one JSON object, as strictly as RFC 8259 has it, and as fast as the standard library can."""

from __future__ import annotations

import json
from typing import Any, NoReturn

_LARGEST_DIGITS = 400  # a number of more digits than this is only ever too large: Python refuses to convert thousands


class BadLine(ValueError):
    """A line is not one JSON object; the message says why."""


def read_object(text: str) -> dict[str, Any]:
    """The JSON object on the line `text` (without its line end).

    Raises BadLine for anything else: other JSON, NaN or Infinity, a key twice in one object, nesting beyond what the
    parser can follow.
    """
    try:
        value, end = _DECODER.raw_decode(text)
        colons = text.count(":")
        # A colon stands between each key and its value, so with as many keys as colons no key was there twice.
        if (
            isinstance(value, dict)
            and (end == len(text) or not text[end:].strip(" \t\r"))
            and (len(value) == colons or _keys_within(value) == colons)
        ):
            return value
    except (ValueError, RecursionError):
        pass  # the strict reader says what is wrong
    return _read_strictly(text)


def _read_strictly(text: str) -> dict[str, Any]:
    try:
        value = _STRICT.decode(text)
    except json.JSONDecodeError as error:
        raise BadLine(f"this is not JSON: {error.msg}, at character {error.pos + 1}") from None
    except RecursionError:
        raise BadLine("this is nested too deeply to be read") from None
    if not isinstance(value, dict):
        raise BadLine("each line must be one JSON object, in braces")
    return value


def _keys_within(value: Any) -> int:
    """How many keys all objects within `value` have together; without recursion, however deep they lie."""
    keys = 0
    waiting: list[Any] = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            keys += len(inner)
            waiting += inner.values()
        elif isinstance(inner, list):
            waiting += inner
    return keys


def _refuse_constant(constant: str) -> NoReturn:
    raise BadLine(f"{constant} is no number in JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise BadLine(f"the key {twice[:40]!a} stands twice in one object")
    return value


def _integer(digits: str) -> int:
    if len(digits) <= _LARGEST_DIGITS:
        return int(digits)
    largest: int = 10**_LARGEST_DIGITS
    return -largest if digits[0] == "-" else largest


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_STRICT = json.JSONDecoder(parse_constant=_refuse_constant, parse_int=_integer, object_pairs_hook=_unique)
