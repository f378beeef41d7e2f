"""States a record in a line or two, and says what the rules make of it."""

from __future__ import annotations

import json
from typing import Any

from arena_cam.domain.errors import BadRecord
from arena_cam.formats.game_record import read_record, score_record

Json = dict[str, Any]


def score(header: Json, *events: Json) -> Json:
    """The result of a record; BadRecord if it is refused."""
    head = {"version": 1, **header}
    return score_record(read_record("\n".join(json.dumps(line) for line in (head, *events))))


def refused(header: Json, *events: Json) -> int:
    """The line on which a record is refused, 0 if it is good."""
    try:
        score(header, *events)
    except BadRecord as error:
        return error.line
    return 0


def codes(result: Json) -> list[str]:
    return [ruling["code"] for ruling in result["rulings"]]
