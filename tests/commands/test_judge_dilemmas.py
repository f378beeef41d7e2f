"""`arena-cam judge --game dilemmas` on the command line: a line a photograph, refusals in one line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.commands.main import main
from arena_cam.formats.dilemmas.dilemma_set_toml import dilemma_set_to_toml
from vision.tokens.scenes import laid, small_set


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("sets") / "small"
    shutil.copytree(small_set().cards[0].image.parent, made)
    (made / "deck.toml").write_text(dilemma_set_to_toml(small_set()), encoding="utf-8")
    return made


def judged(folder: Path, *files: Path) -> int:
    return main(["judge", "--game", "dilemmas", "--deck", str(folder), "--json", *map(str, files)])


def test_a_line_a_photograph_as_the_contract_has_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tokens = [("yes", (70.0, 130.0, 0.4)), ("no", (124.0, 125.0, 2.0))]
    cv2.imwrite(str(tmp_path / "p.png"), laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))], tokens))
    assert judged(folder, tmp_path / "p.png") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["frame"] == "p.png"
    (found,) = answer["dilemmas"]
    assert (found["positive"], found["negative"], found["neutral"], found["owner"]) == ("p-1", "n-2", None, None)
    assert found["tokens"] == {"yes": 1, "no": 1, "super_yes": 0, "super_no": 0, "hidden": 0}
    assert 0.9 < found["confidence"] < 1.0


def test_pictures_that_show_no_dilemma_are_unsure_or_refused_and_the_next_one_is_read(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (300, 400, 3), np.uint8)
    pictures = {"black": np.zeros((300, 400, 3), np.uint8), "white": np.full((300, 400, 3), 255, np.uint8)}
    pictures |= {"noise": noise, "grey": noise[:, :, 0], "clear": np.dstack([noise, noise[:, :, 0]])}
    for name, picture in pictures.items():
        cv2.imwrite(str(tmp_path / f"{name}.png"), picture)
    cv2.imwrite(str(tmp_path / "strip.png"), np.full((2, 4000, 3), 128, np.uint8))
    (tmp_path / "text.jpg").write_bytes(b"no picture")
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "a.heic").write_bytes(b"\x00\x00\x00\x18ftypheic" + bytes(64))
    refused = ["strip.png", "text.jpg", "empty.jpg", "a.heic", "missing.jpg"]
    files = [tmp_path / name for name in (*refused, *(f"{name}.png" for name in pictures))]
    assert judged(folder, *files) == 2
    said = capsys.readouterr()
    answers = {answer["frame"]: answer for answer in map(json.loads, said.out.splitlines())}
    assert [name for name, answer in answers.items() if "error" in answer] == refused
    assert "save it as JPEG" in answers["a.heic"]["error"]
    for name in pictures:
        answer = answers[f"{name}.png"]
        assert (answer["dilemmas"], answer["sure"]) == ([], False), name
        assert answer["doubts"][0]["code"] == "no_dilemma", name
    assert "Traceback" not in said.err


def without_token(text: str) -> str:
    head, *tokens = text.split("[[token]]")
    return head + "[[token]]".join(["", *tokens[1:]])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace('game = "dilemmas"', ""), "is no set of dilemmas"),
        (lambda text: text.replace('"p-1.png"', '"gone.png"'), "gone.png"),
        (lambda text: text.replace('"n-1"', '"n-2"'), "n-2"),
        (lambda text: text.replace('"positive"', '"happy"'), "kind must be one of"),
        (lambda text: text.replace("width_mm = 60", "width_mm = -1"), "width_mm"),
        (without_token, 'no token of kind "yes"'),
        (lambda text: text[: len(text) // 2] + '\nid = "', "deck.toml"),
    ],
)
def test_a_set_that_cannot_be_used_is_refused_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[str], str], told: str
) -> None:
    spoiled = tmp_path / "set"
    shutil.copytree(folder, spoiled)
    text = (folder / "deck.toml").read_text(encoding="utf-8")
    (spoiled / "deck.toml").write_text(change(text), encoding="utf-8")
    assert judged(spoiled, tmp_path / "p.jpg") == 2
    said = capsys.readouterr().err.strip()
    assert told in said
    assert len(said.splitlines()) == 1


def test_a_card_whose_picture_is_broken_or_tiny_is_refused_by_name(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, data in (("words", b"not a picture"), ("nothing", b"")):
        spoiled = tmp_path / name
        shutil.copytree(folder, spoiled)
        (spoiled / "p-2.png").write_bytes(data)
        assert judged(spoiled, tmp_path / "p.jpg") == 2
        said = capsys.readouterr().err.strip()
        assert "p-2.png" in said
        assert len(said.splitlines()) == 1
