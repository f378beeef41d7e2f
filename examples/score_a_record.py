"""Scores a game record: every ruling with its reason, then the points.

Run: python examples/score_a_record.py [RECORD.jsonl]; without one a game is made up.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from arena_cam.domain.errors import BadRecord
from arena_cam.formats.game_record import read_record, score_record
from arena_cam.formats.scores.score_sheet import score_sheet
from arena_cam.rules import all_games
from arena_cam.rules.random_play import random_events, random_header


def main() -> None:
    content = Path(sys.argv[1]).read_text(encoding="utf-8") if len(sys.argv) > 1 else made_up()
    try:
        record = read_record(content)
        print(score_sheet(record, "en", 100))
        print(json.dumps(score_record(record)))  # the same for programs
    except BadRecord as error:
        sys.exit(f"line {error.line}: {error.message}")


def made_up() -> str:
    """A legal game record, one JSON object a line."""
    game, choose = all_games()["arena"], random.Random(1).choice
    header = random_header(game, choose, players=3)
    lines = [header, *random_events(game, header, choose, most=40)]
    return "\n".join(json.dumps(line) for line in lines)


if __name__ == "__main__":
    main()
