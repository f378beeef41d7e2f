"""Reads a record's lines, each one JSON object, as strictly as RFC 8259 has it.

msgspec reads them, quickly. Whatever it will not read, or may have read too kindly, is read again by the standard
library's slower parser, which tells what is wrong, on which line and at which character.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import msgspec

from arena_cam.domain.messages import Message
from arena_cam.rules.messages import RecordRefusal

_LARGEST_DIGITS = 400  # a number of more digits than this is only ever too large: Python refuses to convert thousands
_WHITE_SPACE = " \t\r"  # what RFC 8259 calls so, but for the line feed


class BadLine(ValueError):
    """A line is not one JSON object; `why` says why not."""

    def __init__(self, why: Message) -> None:
        super().__init__(str(why))
        self.why = why


class BadObject(ValueError):
    """The first line of a file that cannot be read, and why not: `line` counts from 1."""

    def __init__(self, line: int, why: Message) -> None:
        super().__init__(str(why))
        self.line = line
        self.why = why


class Objects(NamedTuple):
    """The objects of a file and the numbers of their lines; `bad` is what is wrong with the line after the last."""

    numbers: Sequence[int]
    objects: Sequence[dict[str, Any]]
    bad: BadObject | None = None


def read_objects(content: bytes) -> Objects:
    """The objects in `content`, one a line but for lines of white space, up to the first that cannot be read."""
    together = _read_together(content)
    return _read_one_by_one(content) if together is None else Objects(range(1, len(together) + 1), together)


def _read_together(content: bytes) -> list[dict[str, Any]] | None:
    """All lines in one go; None if anything is unusual, also if it may well be good."""
    lines = content.removesuffix(b"\n").split(b"\n")
    try:
        objects: list[Any] = list(map(_QUICK.decode, lines))
    except (ValueError, RecursionError):
        return None
    if set(map(type, objects)) != {dict}:
        return None
    # The parser does not tell of keys that stand twice. A colon stands between each key and its value, so there are
    # as many keys as colons, or fewer if a key stood twice (or a colon in a string). Only where an object has other
    # objects within, or something is wrong, the keys directly in it are not all.
    for line, value in zip(lines, objects, strict=True):
        if line.count(b":") != len(value) and line.count(b":") != _keys_within(value):
            return None
    return objects


def _read_one_by_one(content: bytes) -> Objects:
    """The same, a line at a time, for records with blank lines, colons in strings or anything that is wrong."""
    numbers: list[int] = []
    objects: list[dict[str, Any]] = []
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            text = line.decode("utf-8")  # each line by itself, so that the right one is blamed
            if text.strip(_WHITE_SPACE):
                objects.append(read_object(text))
                numbers.append(number)
        except UnicodeDecodeError:
            bad = BadObject(number, RecordRefusal.NOT_UTF_8())
            return Objects(numbers, objects, bad)
        except BadLine as wrong:
            return Objects(numbers, objects, BadObject(number, wrong.why))
    return Objects(numbers, objects)


def read_object(text: str) -> dict[str, Any]:
    """The JSON object on the line `text` (without its line end).

    Raises BadLine for anything else: other JSON, NaN or Infinity, a key twice in one object, nesting beyond what the
    parser can follow.
    """
    try:
        value = _DECODER.decode(text)
        if isinstance(value, dict) and _keys_within(value) == text.count(":"):
            return value
        value = _STRICT.decode(text)  # a colon in a string, or a key twice
    except BadLine:
        raise
    except json.JSONDecodeError as error:
        raise BadLine(RecordRefusal.NOT_JSON(text=error.msg, at=error.pos + 1)) from None
    except RecursionError:
        raise BadLine(RecordRefusal.TOO_DEEP()) from None
    except ValueError:  # a number with thousands of digits
        return _read_large_numbers(text)
    if not isinstance(value, dict):
        raise BadLine(RecordRefusal.NO_OBJECT())
    return value


def _read_large_numbers(text: str) -> dict[str, Any]:
    try:
        value = _PATIENT.decode(text)
    except json.JSONDecodeError as error:
        raise BadLine(RecordRefusal.NOT_JSON(text=error.msg, at=error.pos + 1)) from None
    except RecursionError:
        raise BadLine(RecordRefusal.TOO_DEEP()) from None
    if not isinstance(value, dict):
        raise BadLine(RecordRefusal.NO_OBJECT())
    return value


def _keys_within(value: dict[str, Any]) -> int:
    """How many keys all objects within `value` have together; without recursion, however deep they lie."""
    keys = 0
    waiting: list[Any] = [value]
    for outer in waiting:  # which grows meanwhile
        if outer.__class__ is dict:
            keys += len(outer)
            outer = outer.values()
        waiting += [inner for inner in outer if inner.__class__ is dict or inner.__class__ is list]
    return keys


def _refuse_constant(constant: str) -> NoReturn:
    raise BadLine(RecordRefusal.NO_NUMBER(text=constant))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise BadLine(RecordRefusal.KEY_TWICE(text=ascii(twice[:40])))
    return value


def _integer(digits: str) -> int:
    if len(digits) <= _LARGEST_DIGITS:
        return int(digits)
    largest: int = 10**_LARGEST_DIGITS
    return -largest if digits[0] == "-" else largest


_QUICK = msgspec.json.Decoder()
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_STRICT = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique)
_PATIENT = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique, parse_int=_integer)
