"""Every example runs as it stands and says what it promises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
# What must be among what each of them prints.
SAYS = {
    "judge_a_picture.py": "flat (",
    "watch_a_table.py": "blue-3 rests, flat",
    "score_a_record.py": "challenge",
    "add_a_camera_source.py": "20.0 70.0 120.0 170.0 220.0",
}


def run(*words: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-W", "error", str(EXAMPLES / words[0]), *words[1:]]
    return subprocess.run(program, capture_output=True, text=True, timeout=300, check=False)


def test_every_example_is_run_and_listed() -> None:
    assert {file.name for file in EXAMPLES.glob("*.py")} == set(SAYS)
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert all(f"[{name}]({name})" in listed for name in SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_an_example_runs(name: str) -> None:
    done = run(name)
    assert done.returncode == 0, done.stderr
    assert SAYS[name] in done.stdout


def test_a_record_that_cannot_be_scored_is_refused_in_one_line(tmp_path: Path) -> None:
    record = tmp_path / "torn.jsonl"
    record.write_text('{"game": "arena", "version": 1, "players": []}\n', encoding="utf-8")
    done = run("score_a_record.py", str(record))
    assert done.returncode == 1
    assert done.stderr.startswith("line 1: ")
    assert done.stderr.count("\n") == 1
