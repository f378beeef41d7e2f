"""`arena-cam judge`: one answer a picture, in order, and words for what cannot be judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.camera.folder import read_picture
from arena_cam.commands.main import main
from arena_cam.domain.lies import Landing
from arena_cam.formats.table_json import table_to_json
from arena_cam.simulation.arena.actions import LayChallenge, Throw
from arena_cam.simulation.arena.table import SimulatedTable
from shared_decks import deck_in

PHOTOGRAPHS = Path(__file__).parents[1] / "fixtures" / "images" / "photographs"


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory, deck_folder: Path) -> Path:
    """A folder with table.json and pile.png: blue-3 on the challenge card red-8."""
    folder = tmp_path_factory.mktemp("laid")
    table = SimulatedTable(deck_in(deck_folder), seed=2)
    (folder / "table.json").write_text(json.dumps(table_to_json(table.table())), encoding="utf-8")
    cv2.imwrite(str(folder / "nothing.png"), table.picture())
    table.perform(LayChallenge("red-8", at_mm=(0.0, 0.0)), Throw("blue-3", Landing.FLAT, aim_mm=(30.0, 25.0)))
    while not table.idle:
        table.advance(table.time_s + 0.5)
    cv2.imwrite(str(folder / "pile.png"), table.picture())
    return folder


def judged(capsys: pytest.CaptureFixture[str], *line: str, status: int = 0) -> list[dict[str, Any]]:
    assert main(["judge", "--json", *line]) == status
    return [json.loads(answer) for answer in capsys.readouterr().out.splitlines()]


def test_a_pile_is_answered_with_every_key(laid: Path, deck_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["--table", str(laid / "table.json"), "--deck", str(deck_folder), "--challenge", "red-8"]
    (answer,) = judged(capsys, *line, str(laid / "pile.png"))
    assert answer["frame"] == "pile.png"
    assert answer["order"] == ["red-8", "blue-3"]
    assert (answer["challenge"], answer["duelling"], answer["sure"]) == ("red-8", "blue-3", True)
    cards = {card["id"]: card for card in answer["cards"]}
    assert cards["blue-3"]["rests_on"] == ["red-8"]
    keys = {"id", "face", "landing", "confidence", "tilt_deg", "tilt_sd_deg", "centre_mm", "angle_deg", "corners_px"}
    assert keys | {"rests_on", "sure"} <= set(cards["red-8"])


def test_a_challenge_that_must_lie_there_is_missed_where_no_card_is_seen(
    laid: Path, deck_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["--table", str(laid / "table.json"), "--deck", str(deck_folder)]
    (told,) = judged(capsys, *line, "--challenge", "red-8", str(laid / "nothing.png"))
    assert (told["cards"], told["challenge"], told["sure"]) == ([], "red-8", False)
    (open_,) = judged(capsys, *line, str(laid / "nothing.png"))
    assert (open_["cards"], open_["sure"]) == ([], True)


def test_what_cannot_be_judged_has_its_own_answer_and_the_rest_goes_on(
    laid: Path, deck_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (laid / "pile.png").read_bytes()
    image = read_picture(laid / "pile.png")
    assert image is not None
    cv2.imwrite(str(tmp_path / "whole.jpg"), image)
    (tmp_path / "torn.jpg").write_bytes((tmp_path / "whole.jpg").read_bytes()[:5000])
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "words.png").write_bytes(b"no picture")
    cv2.imwrite(str(tmp_path / "small.png"), cv2.resize(image, None, fx=0.5, fy=0.5))
    cv2.imwrite(str(tmp_path / "black.png"), np.zeros_like(image))
    (tmp_path / "float.ppm").write_bytes(b"PF\n4 2\n-1.0\n" + np.full((2, 4, 3), 0.5, np.float32).tobytes())
    cv2.imwrite(str(tmp_path / "float.tif"), np.full((8, 8), 0.5, np.float32))
    cv2.imwrite(str(tmp_path / "strip.png"), np.zeros((4000, 2, 3), np.uint8))
    (tmp_path / "good.png").write_bytes(whole)
    wrong = {
        "float.ppm": "again",
        "float.tif": "again",
        "strip.png": "a strip; give the whole picture",
        "torn.jpg": "torn",
        "empty.png": "empty",
        "words.png": "no picture",
        "absent.png": "cannot be read",
        "small.png": "calibrated at 960x540",
        "black.png": "take the cap off the lens",
    }
    files = [str(tmp_path / name) for name in [*wrong, "good.png"]]
    answers = judged(capsys, "--table", str(laid / "table.json"), "--deck", str(deck_folder), *files, status=2)
    assert [answer["frame"] for answer in answers] == [*wrong, "good.png"]
    for answer, words in zip(answers, wrong.values(), strict=False):
        assert words in answer["error"]
    assert [card["id"] for card in answers[-1]["cards"]] == ["red-8", "blue-3"]


def test_a_folder_stands_for_its_pictures_by_their_numbers(
    laid: Path, deck_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was answered with "Is a directory"."""
    folder = tmp_path / "evening"
    (folder / "inner").mkdir(parents=True)
    for name in ("10.png", "9.png", "11.PNG", "inner/1.png", "._9.png"):
        (folder / name).write_bytes((laid / "pile.png").read_bytes())
    (folder / "12.heic").write_bytes(b"\x00\x00\x00\x18ftypheic" + bytes(64))
    (folder / "notes.txt").write_text("no picture", encoding="utf-8")
    line = ["--table", str(laid / "table.json"), "--deck", str(deck_folder)]
    answers = judged(capsys, *line, str(laid / "nothing.png"), str(folder), str(laid / "pile.png"), status=2)
    assert [answer["frame"] for answer in answers] == [
        "nothing.png",
        "9.png",
        "10.png",
        "11.PNG",
        "12.heic",
        "pile.png",
    ]
    assert [answer["frame"] for answer in answers if "error" in answer] == ["12.heic"], "which is not skipped"
    assert answers[1]["order"] == ["red-8", "blue-3"]


def test_a_folder_without_pictures_is_answered_with_what_to_give(
    deck_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "1.png").write_bytes(b"")
    (answer,) = judged(capsys, "--deck", str(deck_folder), str(tmp_path), status=2)
    assert answer["frame"] == tmp_path.name
    assert answer["error"].startswith("this folder holds no pictures; give pictures, or a folder of files")
    monkeypatch.chdir(tmp_path)
    (answer,) = judged(capsys, "--deck", str(deck_folder), ".", status=2)
    assert answer["frame"] == "."


def test_cards_of_any_table_are_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a table nobody knows how a card landed, so there are names and order alone; a file is named once."""
    line = ["judge", "--deck", str(PHOTOGRAPHS / "deck"), str(PHOTOGRAPHS / "two_on_carpet.jpg")]
    assert main([*line, str(tmp_path / "absent.jpg")]) == 2
    head, upper, lower, absent = capsys.readouterr().out.splitlines()
    assert head == "two_on_carpet.jpg: 2 cards"
    below = lower.strip()
    assert upper == f"{upper.split(' on')[0]} on {below[0].lower()}{below[1:]}"
    assert absent.startswith("absent.jpg: cannot be read")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["challenge red 8, duelling card blue 3", "Red 8: flat (", "Blue 3: flat (", "on red 8"]),
        ("fr", ["carte d’offre 8 rouge, carte en duel 3 bleu", "8 rouge: à plat (", "3 bleu: à plat (", "sur 8 rouge"]),
    ],
)
def test_people_read_names_and_how_cards_lie_as_the_pages_say_it(
    language: str, words: list[str], laid: Path, deck_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["--table", str(laid / "table.json"), "--deck", str(deck_folder), "--lang", language]
    assert main(["judge", *line, str(laid / "pile.png")]) == 0
    said = capsys.readouterr().out
    assert [each for each in words if each not in said] == [], said


@pytest.mark.parametrize(("level", "words"), [(0, "black"), (255, "white"), (128, "one shade of grey")])
def test_a_photograph_of_nothing_is_no_empty_table(
    level: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "shot.png"), np.full((300, 400, 3), level, np.uint8))
    (answer,) = judged(capsys, "--deck", str(PHOTOGRAPHS / "deck"), str(tmp_path / "shot.png"), status=2)
    assert words in answer["error"]
    assert "; " in answer["error"], "and what to do"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "check the name"),
        ("{", "is not JSON"),
        ("[]", "must hold an object"),
        ('{"pile.png": "red-99"}', "no card 'red-99'"),
        ('{"pile.png": 5}', "no card 5"),
    ],
)
def test_a_challenge_file_that_cannot_be_used_is_said_in_one_line(
    content: str | None, words: str, laid: Path, deck_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "challenges.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    line = ["judge", "--table", str(laid / "table.json"), "--deck", str(deck_folder), "--challenge-file", str(file)]
    assert main([*line, str(laid / "pile.png")]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
