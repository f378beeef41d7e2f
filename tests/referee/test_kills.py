"""Pull the plug at any moment: nothing that was told is lost, nothing is torn, and it starts again."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.killing import faults, kill_once, kill_starting
from referee.playing_games import GAMES

KILLS = 14


def test_nothing_that_was_told_is_lost_by_kill_9(tmp_path: Path) -> None:
    lines = 0
    for seed in range(KILLS):
        told = kill_once(tmp_path / "data", seed, longest_s=0.6)
        assert told, "it played before it was killed"
        assert list(faults(tmp_path / "data", told)) == [], f"kill {seed}"
        lines += len(told)
    assert lines > 2 * KILLS, "hardly anything was played"


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_was_told_of_another_game_is_lost(game: str, tmp_path: Path) -> None:
    for seed in range(2):
        told = kill_once(tmp_path / "data", seed, longest_s=0.6, game=game)
        assert told, "it played before it was killed"
        assert list(faults(tmp_path / "data", told)) == [], f"kill {seed}"


def test_nothing_that_was_told_is_lost_by_kills_in_the_middle_of_a_start(tmp_path: Path) -> None:
    told = kill_once(tmp_path / "data", 1, longest_s=0.3)
    for seed in range(3):
        kill_starting(tmp_path / "data", seed)
    assert list(faults(tmp_path / "data", told)) == []
