"""Pull the plug at any moment: nothing that was told is lost, nothing is torn, and it starts again."""

from __future__ import annotations

from pathlib import Path

from referee.killing import faults, kill_once, kill_starting

KILLS = 20


def test_nothing_that_was_told_is_lost_by_kill_9(tmp_path: Path) -> None:
    lines = 0
    for seed in range(KILLS):
        told = kill_once(tmp_path / "data", seed, longest_s=0.6)
        assert told, "it played before it was killed"
        assert list(faults(tmp_path / "data", told)) == [], f"kill {seed}"
        lines += len(told)
    assert lines > 2 * KILLS, "hardly anything was played"


def test_nothing_that_was_told_is_lost_by_kills_in_the_middle_of_a_start(tmp_path: Path) -> None:
    told = kill_once(tmp_path / "data", 1, longest_s=0.3)
    for seed in range(3):
        kill_starting(tmp_path / "data", seed)
    assert list(faults(tmp_path / "data", told)) == []
