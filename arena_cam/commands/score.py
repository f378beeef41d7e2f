"""`arena-cam score`: what the rules say of game records."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from arena_cam.domain.errors import BadRecord
from arena_cam.formats.game_record import read_record, score_record
from arena_cam.formats.wording import LANGUAGES

EXAMPLE = "arena-cam score game.jsonl --explain"

_LONGEST_MESSAGE = 400  # characters of one line on a terminal; the contract's limit for a message is 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam score`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="game records, one JSON object a line")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line for each record")
    parser.add_argument(
        "--explain", action="store_true", help="print the whole score sheet, every ruling with its line"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the sentences (default: en)")


def run(args: argparse.Namespace) -> int:
    """Scores each file in turn; 0 if all could be scored, else 2."""
    status = 0
    for file in args.files:
        try:
            result = {"file": file, **score_file(file, args.lang)}
        except BadRecord as error:
            _complain(file, error)
            status = 2
            continue
        print(_ENCODER.encode(result) if args.json else _for_people(result, args.explain))
    return status


def score_line(file: str, language: str = "en") -> str:
    """The result of the record in `file` as one line of JSON, plain ASCII. Raises BadRecord."""
    return _ENCODER.encode({"file": file, **score_file(file, language)})


def score_file(file: str, language: str = "en") -> dict[str, Any]:
    """The result of the record in `file`. Raises BadRecord, on line 1 if the file cannot be opened."""
    try:
        content = Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadRecord(1, f"the file cannot be opened: {reason}") from None
    return score_record(read_record(content), language)


def _complain(file: str, error: BadRecord) -> None:
    """One line on stderr, FILE as it was given, whatever bytes its name is made of."""
    sys.stdout.flush()
    message = f":{error.line}: {error.message[:_LONGEST_MESSAGE]}\n"
    sys.stderr.buffer.write(os.fsencode(file) + message.encode("utf-8", "backslashreplace"))
    sys.stderr.buffer.flush()


def _for_people(result: dict[str, Any], explain: bool) -> str:
    lines = [f"{result['file']}: {result['game']}, " + ("over" if result["over"] else "not over")]
    lines += [f"  {name}: {points}" for name, points in result["scores"].items()]
    if explain:
        lines += [f"  line {r['line']}: {r['text']} ({r['rule']})" for r in result["rulings"]]
    return "\n".join(lines)


_ENCODER = json.JSONEncoder(check_circular=False)
