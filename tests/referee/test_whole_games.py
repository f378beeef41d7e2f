"""Whole games through a session, card by card to the end, come out as the record scores them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from arena_cam.formats.game_record import play_record, read_record, score_record
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.games.arena.reports import best_throw
from referee.builders import Evening
from referee.player_process import play


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_is_played_to_its_end(tmp_path: Path, seed: int) -> None:
    evening = Evening(tmp_path / "data")
    chance = random.Random(seed)
    play(evening, chance)
    game = evening.game["id"]
    for _ in range(2000):
        if evening.game["over"] or evening.game["id"] != game:
            break
        play(evening, chance)
    assert evening.game["over"], "it comes to an end"
    left = [player["name"] for player in evening.game["players"] if player["hand"]]
    why = evening.game["hint"]
    assert (why["code"], why["params"]) == (("over_one_left", {"player": left[0]}) if left else ("over_none_left", {}))
    assert {name: sum(earned) for name, earned in evening.game["earned"].items()} == {
        player["name"]: player["points"] for player in evening.game["players"]
    }
    scored = score_record(read_record(evening.session.record(game)))
    page = evening.game["players"]
    assert {p["name"]: p["points"] for p in page} == scored["scores"]
    assert evening.game["winners"] == scored["winners"]
    cards = [card for p in page for card in p["hand"] + p["won"]] + evening.game["removed"]
    assert len(cards) == len(set(cards)) == 30, "no card is lost or doubled"
    detail = evening.session.game(game)
    assert detail["points_by_round"][-1] == scored["scores"]
    assert len(detail["log"]) == evening.game["lines"] - 1
    announcement = evening.session.snapshot()["announcement"]
    assert announcement is not None
    assert announcement["kind"] in ("game_over", "correction")
    evening.session.stop()
    again = Evening(tmp_path / "data")
    assert again.game["over"]
    again.session.stop()


@pytest.mark.parametrize(
    ("record", "best"),
    [
        ("arena-duels", {"player": "Christine", "card": "green-1", "points": 11, "round": 2}),
        ("arena-en-example-1", {"player": "Eric", "card": "violet-3", "points": 11, "round": 1}),
        ("arena-nobody-reacts", None),
    ],
)
def test_the_best_throw_is_the_one_that_won_most(record: str, best: dict[str, Any] | None) -> None:
    text = (Path(__file__).parent.parent / "fixtures" / "records" / f"{record}.jsonl").read_text(encoding="utf-8")
    read = read_record(text)
    assert best_throw(Ledger(read, play_record(read))) == best
