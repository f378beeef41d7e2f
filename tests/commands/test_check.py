"""`arena-cam check`: what is refused before anything is looked at."""

from __future__ import annotations

import pytest

from arena_cam.commands.main import main


@pytest.mark.parametrize("command", [["check"], ["watch"], ["referee"], ["deck", "learn"]])
def test_the_simulated_table_takes_no_other_table(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", "mine"] if command[-1] == "learn" else []
    assert main([*command, "sim", "--table", "table.json", *out]) == 2
    error = capsys.readouterr().err
    assert error == f"arena-cam {' '.join(command)}: the simulated table has a table of its own; leave --table out\n"


def test_a_camera_needs_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "usb:0"]) == 2
    assert "give --table table.json" in capsys.readouterr().err
