"""Damaged files of every kind, a few hundred of them; `python -m bench.mutated_files` tries fifty thousand."""

from __future__ import annotations

from pathlib import Path

from attacks.mutated_files import all_kinds, try_out, whole_ones


def test_a_damaged_file_is_read_or_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    kinds = all_kinds(tmp_path)
    whole_ones(kinds, tmp_path / "scratch")
    outcome = try_out(kinds, 600, 1, tmp_path / "scratch")
    assert outcome.tried.total() == 600
    assert dict(outcome.faults) == {}
    assert outcome.read.total() > 60, "where no damage is small, nothing behind the first check is tried"


def test_what_is_damaged_is_the_same_at_every_run(tmp_path: Path) -> None:
    """A seed that found a fault must find it again."""
    made = []
    for name in ("once", "again"):
        (tmp_path / name).mkdir()
        made.append([kind.originals for kind in all_kinds(tmp_path / name)])
    assert made[0] == made[1]
