"""A match's knowledge of the table beyond its record, as JSON to keep: after a power cut the same game stands there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arena_cam.domain.lies import Lie
from arena_cam.domain.messages import as_recorded, messages_from_json, messages_to_json
from arena_cam.formats.judgement import lie_from_json, lie_in_full
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Asked, Match

Json = dict[str, Any]


def to_json(match: Match) -> Json:
    """Everything of `match` that its record does not hold. Times of the source are left out: they start anew."""
    return {
        "table": {key: lie_in_full(lie) for key, lie in match.table.items()},
        "lines": dict(match.lines),
        "throws": dict(match.throws),
        "stale": sorted(match.stale),
        "questions": [question_to_json(question) for question in match.questions],
        "asked": match.asked,
        "auto_close": match.auto_close,
        "paused": match.paused,
        "own": dict(match.own),
    }


def question_to_json(question: Asked) -> Json:
    return {
        "id": question.id,
        "kind": question.kind,
        "lie": lie_in_full(question.lie) if question.lie is not None else None,
        "line": question.line,
        "throw": question.throw,
        **messages_to_json(question.doubts),
        "about": list(question.about),
        "blocking": question.blocking,
        "answers": [list(answer) for answer in question.answers],
    }


def from_json(ledger: Ledger, memory: Json) -> Match:
    """The match over `ledger` as it was; a memory that cannot be read is forgotten, the record stands on its own."""
    match = Match(ledger)
    try:
        return replace(
            match,
            table={str(key): lie_from_json(lie) for key, lie in memory.get("table", {}).items()},
            lines={str(key): int(line) for key, line in memory.get("lines", {}).items()},
            throws={str(key): str(throw) for key, throw in memory.get("throws", {}).items()},
            stale=frozenset(memory.get("stale", [])),
            questions=tuple(_question(question) for question in memory.get("questions", [])),
            asked=int(memory.get("asked", 0)),
            auto_close=bool(memory.get("auto_close", True)),
            paused=bool(memory.get("paused", False)),
            own=dict(memory.get("own", {})),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return match


def _question(data: Json) -> Asked:
    lie: Lie | None = lie_from_json(data["lie"]) if data["lie"] is not None else None
    return Asked(
        id=str(data["id"]),
        kind=str(data["kind"]),
        lie=lie,
        line=data["line"],
        throw=data["throw"],
        at_s=0.0,
        doubts=messages_from_json(data) if "why_unsure" in data else as_recorded(data["why"]),
        about=tuple(data["about"] if "about" in data else data["why"]),  # older memories have one list for both
        blocking=bool(data["blocking"]),
        answers=tuple((str(code), event, words) for code, event, words in data.get("answers", [])),
    )
