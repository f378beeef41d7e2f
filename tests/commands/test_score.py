"""`arena-cam score` and `arena-cam random-game` as one types them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena_cam.commands.main import main

HEADER = '{"game":"hexes","version":1,"players":[{"name":"Anna"}]}\n'


def run(*words: str | bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "arena_cam", *words], capture_output=True, check=False, timeout=60)


def test_it_scores_the_good_files_in_order_and_says_what_is_wrong_with_the_others(tmp_path: Path) -> None:
    good, bad, empty = tmp_path / "good.jsonl", tmp_path / "bad.jsonl", tmp_path / "empty.jsonl"
    good.write_text(HEADER, encoding="utf-8")
    bad.write_text(HEADER + '\n{"type":"draw","tile":"1-1-1"}\n', encoding="utf-8")
    empty.write_text("", encoding="utf-8")
    files = [str(bad), str(good), str(tmp_path / "none.jsonl"), str(empty), str(tmp_path), str(good)]
    done = run("score", *files, "--json")
    assert done.returncode == 2
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["file"] for result in results] == [str(good), str(good)]
    complaints = done.stderr.decode().splitlines()
    blamed = [f"{files[0]}:3: ", f"{files[2]}:1: ", f"{files[3]}:1: ", f"{files[4]}:1: "]
    assert [line[: len(start)] for line, start in zip(complaints, blamed, strict=True)] == blamed
    assert all(len(line) < 500 + len(str(tmp_path)) for line in complaints)
    assert bad.read_text(encoding="utf-8").count("\n") == 3, "no file is ever changed"


def test_good_files_alone_give_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "good.jsonl"
    file.write_text(HEADER, encoding="utf-8")
    assert main(["score", str(file), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["options"]["rounds"] == 1
    assert result["state"]["awaiting"] == "draw"


def test_thousands_of_files_are_scored_in_their_order(tmp_path: Path) -> None:
    files = []
    for number in range(1000):
        file = tmp_path / f"{number}.jsonl"
        file.write_text(HEADER.replace("Anna", f"Anna {number}") if number % 7 else "", encoding="utf-8")
        files.append(str(file))
    done = run("score", *files, "--json")
    assert done.returncode == 2
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == [f for i, f in enumerate(files) if i % 7]
    assert [line.split(":")[0] for line in done.stderr.decode().splitlines()] == files[::7]


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names must be UTF-8")
def test_a_file_may_be_called_anything(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/odd \xff % {}.jsonl"
    Path(os.fsdecode(name)).write_text(HEADER, encoding="utf-8")
    assert run("score", name, "--json").returncode == 0
    assert run("score", name).returncode == 0
    complaint = run("score", name + b"x", "--json")
    assert complaint.stderr.startswith(name + b"x:1: ")
    assert complaint.stderr.count(b"\n") == 1


def test_it_speaks_to_people_in_three_languages(capsys: pytest.CaptureFixture[str]) -> None:
    record = Path(__file__).parents[1] / "fixtures" / "records" / "arena-en-example-1.jsonl"
    sheets = {}
    for language in ("en", "fr", "is"):
        assert main(["score", str(record), "--explain", "--lang", language]) == 0
        sheets[language] = capsys.readouterr().out
    assert len(set(sheets.values())) == 3
    rows = [line.split()[0] for line in sheets["en"].splitlines() if line.strip()[:1].isdigit()]
    assert rows == ["7", "7", "7", "7", "8"], "every ruling with its line"
    said = {language: " ".join(sheet.split()) for language, sheet in sheets.items()}
    assert "As in the rulebook: Life blocks for each player (2); " in said["en"]
    assert "falls beside (it goes back to the hand)" in said["en"], "the defaults are shown, too"
    assert not any(key in sheet for key in ("life_blocks", "two_left_beside") for sheet in said.values())
    assert "House rules" not in sheets["en"], "a default is no house rule"
    assert " EN, " not in said["fr"], "no code of a rulebook, and the rule's own words in the language"
    assert "English" in said["en"]
    assert "anglaises" in said["fr"]
    assert "Eric 11" in sheets["en"]
    assert "Violet 3 lies on the challenge" in said["en"]
    assert not re.search(r"(red|blue|green|yellow|violet)-\d", "".join(sheets.values())), "cards are called by name"


def test_house_rules_are_told_from_defaults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = ", ".join(f'{{"name": "P{i}", "colour": "{c}"}}' for i, c in enumerate(("red", "blue", "green")))
    record = tmp_path / "house.jsonl"
    record.write_text(
        f'{{"game": "arena", "version": 1, "players": [{players}], "options": {{"pile": "any"}}}}\n', encoding="utf-8"
    )
    assert main(["score", str(record), "--explain"]) == 0
    sheet = capsys.readouterr().out
    question = "What lies on a card that lies on the challenge card"
    assert f"House rules: {question} (counts on any card) As in the rulebook:" in " ".join(sheet.split())
    assert question not in " ".join(sheet.partition("As in the rulebook:")[2].split())


def test_a_random_game_is_the_same_for_the_same_seed_and_scores(tmp_path: Path) -> None:
    for game in ("arena", "tricks", "dilemmas", "hexes"):
        first = run("random-game", game, "--seed", "7", "--events", "80")
        assert first.returncode == 0
        assert run("random-game", game, "--seed", "7", "--events", "80").stdout == first.stdout
        assert run("random-game", game, "--seed", "8", "--events", "80").stdout != first.stdout
        file = tmp_path / f"{game}.jsonl"
        file.write_bytes(first.stdout)
        assert run("score", str(file), "--json").returncode == 0


def test_a_random_game_asked_for_wrongly_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["random-game", "arena", "--players", "9"]) == 2
    assert "give --players from 3 to 5" in capsys.readouterr().err
    assert main(["random-game", "arena", "--options", '{"pile":"heap"}']) == 2
    assert "pile must be" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("language", "not_json", "empty"),
    [("en", "this is not JSON", "is empty"), ("fr", "pas du JSON", "est vide"), ("is", "ekki JSON", "er tóm")],
)
def test_what_is_wrong_with_a_record_is_said_in_the_language_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, not_json: str, empty: str
) -> None:
    bad, nothing = tmp_path / "bad.jsonl", tmp_path / "empty.jsonl"
    bad.write_text("{,}\n")
    nothing.write_text("")
    assert main(["score", str(bad), str(nothing), "--lang", language]) == 2
    of_bad, of_nothing = capsys.readouterr().err.splitlines()
    assert of_bad.startswith(f"{bad}:1: ")
    assert not_json in of_bad
    assert empty in of_nothing
