"""Reads one line as one JSON object, as strictly as RFC 8259 has it, and as fast as the standard library can."""

from __future__ import annotations

import json
from json.scanner import make_scanner
from typing import Any, NoReturn

_LARGEST_DIGITS = 400  # a number of more digits than this is only ever too large: Python refuses to convert thousands
_WHITE_SPACE = " \t\r"  # what RFC 8259 calls so, but for the line feed

# The same short lines come again and again in thousands of records ({"type":"close"}), so what they say is kept.
_KEPT: dict[str, dict[str, Any]] = {}
_LONGEST_KEPT = 64  # characters; longer lines, with what a camera saw, hardly ever come twice
_MOST_KEPT = 4096  # lines, some two megabytes; then the collection starts anew


class BadLine(ValueError):
    """A line is not one JSON object; the message says why."""


class BadObject(ValueError):
    """The first line of a file that cannot be read: `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def read_objects(content: bytes) -> tuple[list[tuple[int, dict[str, Any]]], BadObject | None]:
    """The objects in `content`, one a line, each with the number of its line; lines of white space are left out.

    The objects are to be read only: lines that say the same may share one.
    With them comes what is wrong with the first line that cannot be read, if there is one; the objects stop before it.
    """
    try:
        lines: list[Any] = content.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        lines = content.split(b"\n")  # each line is decoded by itself, so that the right one is blamed
    objects = []
    scan, kept = _SCAN, _KEPT
    for number, text in enumerate(lines, 1):
        if text in kept:
            objects.append((number, kept[text]))
            continue
        try:
            # The scanner does not look for keys that stand there twice. A colon stands between each key and its value,
            # so with as many keys as colons none did; anything unusual goes to the careful reader below.
            value, end = scan(text, 0)
            if end == len(text) and value.__class__ is dict and len(value) == text.count(":"):
                objects.append((number, value))
                if end <= _LONGEST_KEPT:
                    if len(kept) == _MOST_KEPT:
                        kept.clear()
                    kept[text] = value
                continue
        except (StopIteration, ValueError, TypeError, RecursionError):
            pass
        try:
            text = text.decode("utf-8") if isinstance(text, bytes) else text
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
_SCAN = make_scanner(_DECODER)  # type: ignore[arg-type]  # typeshed asks for another scanner; json.decoder does this
_STRICT = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique)
_PATIENT = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique, parse_int=_integer)
