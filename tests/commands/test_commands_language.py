"""What the commands say in the language that was asked for."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.decoding import decode_picture
from arena_cam.camera.folder import FolderSource
from arena_cam.commands.decks.check import for_people
from arena_cam.commands.main import main
from arena_cam.commands.options.language import error_told
from arena_cam.domain.errors import BadInput, BadPicture
from arena_cam.domain.messages import Message
from arena_cam.formats.wording import told
from arena_cam.vision.deck_learning.likeness import Likeness
from arena_cam.vision.setup.messages import SurveyRefusal, ViewsLack


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "shows no such board"), ("fr", "ne montre pas cette mire"), ("is", "ekkert slíkt spjald")],
)
def test_calibrate_speaks_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, said: str) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((120, 160, 3), 128, np.uint8))
    assert main(["calibrate", str(tmp_path), "--out", str(tmp_path / "table.json"), "--lang", language]) == 1
    complaint = capsys.readouterr().err
    assert said in complaint
    assert ("no picture shows the board" in complaint) == (language == "en")


@pytest.mark.parametrize(
    ("language", "said", "why"),
    [
        ("en", "could not be used", "no whole card"),
        ("fr", "inutilisables", "aucune carte entière"),
        ("is", "nýttust ekki", "ekkert heilt spil"),
    ],
)
def test_deck_learn_speaks_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, said: str, why: str
) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    cv2.imwrite(str(photos / "red-1.png"), np.full((120, 160, 3), 128, np.uint8))
    line = ["deck", "learn", "--photos", str(photos), "--card-size", "63x88", "--out", str(tmp_path / "deck")]
    assert main([*line, "--lang", language]) == 1
    complaint = capsys.readouterr().err
    assert said in complaint
    assert why in complaint


def test_what_is_too_faint_is_told_in_it() -> None:
    found = Likeness((), ("AH",))
    assert "little is drawn on these" in for_people(found, 2.0)
    icelandic = for_people(found, 2.0, "is")
    assert "lítið er teiknað" in icelandic
    assert "  AH\n" in icelandic


def nested() -> Message:
    corners = ViewsLack.CORNERS(corners=("top left", "bottom right"))
    return SurveyRefusal.VIEWS_LACK(why=(corners, ViewsLack.TILT_X()))


def test_a_message_within_a_message_is_told_in_it_too() -> None:
    assert str(nested()) == told(nested(), "en")
    french = told(nested(), "fr")
    assert "ces vues ne déterminent pas" in french
    assert "incliné vers la caméra" in french
    assert "top left" not in french


@pytest.mark.parametrize(
    ("language", "torn", "empty"),
    [
        ("en", "its end is missing", "holds no pictures"),
        ("fr", "il en manque la fin", "ne contient aucune image"),
        ("is", "endann vantar", "engar myndir"),
    ],
)
def test_a_picture_and_a_folder_that_cannot_be_used_are_told_in_it(
    tmp_path: Path, language: str, torn: str, empty: str
) -> None:
    half = cv2.imencode(".jpg", np.full((120, 160, 3), 128, np.uint8))[1].tobytes()[:-40]
    with pytest.raises(BadPicture) as bad:
        decode_picture(half, "half.jpg")
    assert error_told(bad.value, language).startswith("half.jpg: ")
    assert torn in error_told(bad.value, language)
    with pytest.raises(BadInput) as nothing:
        FolderSource(tmp_path)
    assert error_told(nothing.value, language).startswith(f"{tmp_path}: ")
    assert empty in error_told(nothing.value, language)
