"""Values of files that people may have written: taken out one by one, each refused in words where it is none.

All functions raise BadInput with a message that names the place (`what`); the reader of the file adds its name and
what to do.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from arena_cam.domain.errors import BadInput
from arena_cam.formats.messages import ValueTrouble

MOST_SHOWN = 40  # characters of a wrong value in a message


def _shown(value: Any) -> str:
    return json.dumps(value, default=str)[:MOST_SHOWN]


def part(data: dict[str, Any], key: str, inside: str = "") -> Any:
    if data.get(key) is None:
        raise BadInput(ValueTrouble.MISSING(place=f"{inside}{key}"))
    return data[key]


def given(data: dict[str, Any], key: str, default: float) -> Any:
    return default if data.get(key) is None else data[key]


def object_(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInput(ValueTrouble.NO_OBJECT(place=what) if what else ValueTrouble.NO_OBJECT_AT_ALL())
    return value


def number(value: Any, what: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput(ValueTrouble.NO_NUMBER(place=what, given=_shown(value)))
    # Compared before it is made a float: an integer may be too large for one.
    if not (low <= value <= high and math.isfinite(value)):
        raise BadInput(
            ValueTrouble.OUT_OF_RANGE(place=what, given=str(value)[:MOST_SHOWN], low=f"{low:g}", high=f"{high:g}")
        )
    return float(value)


def numbers(value: Any, what: str, count: int, low: float, high: float) -> list[float]:
    if not isinstance(value, list) or len(value) != count:
        raise BadInput(ValueTrouble.NO_NUMBERS(place=what, count=count))
    return [number(v, what, low, high) for v in value]


def tables(data: dict[str, Any], key: str) -> list[Any]:
    """What is written as [[key]], once for each; none where the key is not there."""
    value = data.get(key, [])
    if not isinstance(value, list):
        raise BadInput(ValueTrouble.NO_TABLES(place=key, written=f"[[{key}]]"))
    return value


def refuse_twice(key: str, names: Sequence[str]) -> None:
    """Refuses names of [[key]] of which one is there twice."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadInput(ValueTrouble.TWICE(place=f"[[{key}]]", name=repr(twice[0])))


def text(value: Any, what: str, most: int = 80) -> str:
    """A name that can be shown in a line: printable, not empty, of `most` characters at most."""
    if not isinstance(value, str) or not value.isprintable() or not 1 <= len(value.strip()) <= len(value) <= most:
        raise BadInput(ValueTrouble.NO_TEXT(place=what, most=most, given=_shown(value)))
    return value


def markers_in(dictionary: str) -> float:
    """How many markers the OpenCV dictionary of that name has, as far as the name tells: DICT_4X4_50 has 50."""
    told = re.fullmatch(r"DICT_\dX\d_(\d+)", dictionary)
    return int(told[1]) if told else math.inf
