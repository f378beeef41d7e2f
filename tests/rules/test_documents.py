"""The documents' example records score as they stand, and their tables name every event that a game knows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena_cam.commands.main import main
from arena_cam.rules import all_games

PAGES = Path(__file__).parents[2] / "docs" / "rules"
GAMES = sorted(all_games())


@pytest.mark.parametrize("game", GAMES)
def test_the_example_record_of_each_page_is_scored(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (record,) = re.findall(r"```jsonl\n(.*?)```", (PAGES / f"{game}.md").read_text(encoding="utf-8"), re.S)
    (tmp_path / "game.jsonl").write_text(record, encoding="utf-8")
    assert main(["score", "--json", str(tmp_path / "game.jsonl")]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["game"] == game
    assert result["over"] is False


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_events_names_every_event(game: str) -> None:
    page = (PAGES / f"{game}.md").read_text(encoding="utf-8")
    assert set(re.findall(r'^\| `\{"type":"(\w+)"', page, re.M)) == set(all_games()[game].events)
