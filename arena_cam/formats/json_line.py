"""Reads one line as one JSON object, as strictly as RFC 8259 has it, and as fast as the standard library can."""

from __future__ import annotations

import json
from itertools import compress, repeat
from json.scanner import make_scanner
from operator import ne
from typing import Any, NoReturn

_LARGEST_DIGITS = 400  # a number of more digits than this is only ever too large: Python refuses to convert thousands
_WHITE_SPACE = " \t\r"  # what RFC 8259 calls so, but for the line feed


class BadLine(ValueError):
    """A line is not one JSON object; the message says why."""


class BadObject(ValueError):
    """The first line of a file that cannot be read: `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def read_objects(content: bytes) -> tuple[list[tuple[int, dict[str, Any]]], BadObject | None]:
    """The objects in `content`, one a line, each with the number of its line; lines of white space are left out.

    With them comes what is wrong with the first line that cannot be read, if there is one; the objects stop before it.
    """
    together = _read_together(content)
    return _read_one_by_one(content) if together is None else (list(enumerate(together, 1)), None)


def _read_together(content: bytes) -> list[dict[str, Any]] | None:
    """All lines in one go, which takes half the time; None if anything is unusual, also if it may well be good.

    The lines become one JSON array with a mark between them. No record holds the mark, which is not JSON; so if all
    marks stand between the elements of the array and not deeper, there is just one element to a line.
    """
    if _MARK in content:
        return None
    try:
        text = content.decode("utf-8").removesuffix("\n")
        array = f"[{text.replace(_LINE_END, _BETWEEN)}]"
        values, end = _SCAN_WITH_MARKS(array, 0)
    except (StopIteration, ValueError, KeyError, RecursionError):
        return None
    objects: list[Any] = values[::2]
    between = text.count("\n")
    if end != len(array) or len(values) != 2 * between + 1 or values[1::2] != [_MARKED] * between:
        return None
    if set(map(type, objects)) != {dict}:
        return None
    # The parser does not tell of keys that stand twice. A colon stands between each key and its value, so there are
    # as many keys as colons, or fewer if a key stood twice (or a colon in a string).
    colons = list(map(str.count, text.split("\n"), repeat(":")))
    differ = map(ne, colons, map(len, objects))
    looked_into = compress(zip(colons, objects, strict=True), differ)
    return objects if all(_keys_within(value) == count for count, value in looked_into) else None


def _read_one_by_one(content: bytes) -> tuple[list[tuple[int, dict[str, Any]]], BadObject | None]:
    """The same, a line at a time, for records with blank lines, colons in strings or anything that is wrong."""
    objects = []
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            text = line.decode("utf-8")  # each line by itself, so that the right one is blamed
            if text.strip(_WHITE_SPACE):
                objects.append((number, read_object(text)))
        except UnicodeDecodeError:
            return objects, BadObject(number, "this line is not UTF-8; save the file as UTF-8")
        except BadLine as bad:
            return objects, BadObject(number, str(bad))
    return objects, None


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
        raise BadLine(f"this is not JSON: {error.msg}, at character {error.pos + 1}") from None
    except RecursionError:
        raise BadLine("this is nested too deeply to be read") from None
    except ValueError:  # a number with thousands of digits
        return _read_large_numbers(text)
    if not isinstance(value, dict):
        raise BadLine("each line must be one JSON object, in braces")
    return value


def _read_large_numbers(text: str) -> dict[str, Any]:
    try:
        value = _PATIENT.decode(text)
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
_STRICT = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique)
_PATIENT = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique, parse_int=_integer)

_MARK, _LINE_END, _BETWEEN = b"NaN", "\n", ",NaN,"
_MARKED = object()
_MARKING = json.JSONDecoder(parse_constant={"NaN": _MARKED}.__getitem__)  # KeyError for Infinity
_SCAN_WITH_MARKS = make_scanner(_MARKING)  # type: ignore[arg-type]  # typeshed asks for another scanner than json.decoder
