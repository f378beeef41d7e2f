"""A terminal is told how long something takes, in colour; a pipe gets neither. Bare commands show their help."""

from __future__ import annotations

import io
import time

import pytest

from arena_cam.commands.main import main
from arena_cam.commands.process.terminal import CLEARED, Working, coloured


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_whose_owner_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert coloured("BAD", "bad", Terminal()) == "\033[1;31mBAD\033[0m"
    assert coloured("BAD", "bad", io.StringIO()) == "BAD"
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured("BAD", "bad", Terminal()) == "BAD"
    monkeypatch.setenv("NO_COLOR", "")
    assert coloured("BAD", "bad", Terminal()) != "BAD"
    monkeypatch.setenv("TERM", "dumb")
    assert coloured("BAD", "bad", Terminal()) == "BAD"


def test_what_takes_long_is_shown_with_how_far_it_is_and_wiped_off_in_the_end() -> None:
    terminal = Terminal()
    with Working("looking", terminal, shown_after_s=0.0) as working:
        working.at(3, 10)
        while "looking… 3 of 10," not in terminal.getvalue():
            time.sleep(0.01)
        working.say("this one is left out")
    assert terminal.getvalue().endswith(CLEARED) or "left out\n" in terminal.getvalue()
    assert f"{CLEARED}this one is left out\n" in terminal.getvalue()


def test_a_pipe_is_told_only_what_stays() -> None:
    pipe = io.StringIO()
    with Working("looking", pipe, shown_after_s=0.0) as working:
        time.sleep(0.3)
        working.say("this one is left out")
    assert pipe.getvalue() == "this one is left out\n"


@pytest.mark.parametrize("line", [[], ["deck"], ["token"]])
def test_a_bare_command_shows_its_help(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith("usage: arena-cam")
    assert ("judge" if not line else "print" if line == ["deck"] else "revoke") in shown


@pytest.mark.parametrize(
    ("line", "signed"),
    [
        (["deck", "check", "nowhere"], "arena-cam deck check: "),
        (["token", "list", "--data", "nowhere"], "arena-cam token list: "),
        (["restore", "nowhere.zip", "--data", "also-nowhere"], "arena-cam restore: "),
    ],
)
def test_an_error_is_signed_with_what_was_typed(
    line: list[str], signed: str, capsys: pytest.CaptureFixture[str], tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert main(line) in (1, 2)
    assert capsys.readouterr().err.startswith(signed)
