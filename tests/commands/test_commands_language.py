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
from arena_cam.store.backup import DATABASE
from arena_cam.store.database import Database
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
        ("en", "could not be learned", "no whole card"),
        ("fr", "pas pu être apprises", "aucune carte entière"),
        ("is", "lærðust ekki", "ekkert heilt spil"),
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
    ("line", "french", "icelandic"),
    [
        ("judge x.png --deck d --table none.json", "lecture impossible", "ekki er hægt að lesa"),
        ("judge x.png --deck d --game go", "il n’y a pas de jeu appelé go", "enginn leikur heitir go"),
        ("judge x.png --deck d", "donnez le dossier qui contient deck.toml", "gefið möppuna sem geymir deck.toml"),
        ("watch nowhere --table t --deck d", "faites-en un avec arena-cam calibrate", "búið til skrá með"),
        ("check usb:0", "il faut une table", "borð vantar"),
        ("calibrate --out t.json", "donnez soit VIEWS", "gefið annaðhvort VIEWS"),
        ("deck print --out o.pdf --only nothing", "il n’y a pas de partie", "enginn hluti"),
        ("deck check d --px-per-mm 99", "0,5 à 8 pixels", "0,5 til 8 díla"),
        ("deck learn --out o", "donnez soit SOURCE", "gefið annaðhvort SOURCE"),
        ("backup o.zip --data d", "rien n’est enregistré ici", "hér er ekkert skráð"),
        ("restore none.zip --data d", "lecture impossible", "ekki er hægt að lesa"),
        ("token list --data d", "démarrez une fois arena-cam referee", "ræsið arena-cam referee einu sinni"),
        ("replay none", "lecture impossible", "ekki er hægt að lesa"),
        ("random-game arena --players 99", "on ne peut pas être 99", "99 geta ekki leikið"),
        ("referee sim --pin 1 --data d", "trop court", "of stutt"),
    ],
)
def test_every_command_refuses_in_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    line: str,
    french: str,
    icelandic: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for language, said in (("fr", french), ("is", icelandic)):
        assert main([*line.split(), "--lang", language]) in (1, 2)
        assert said in capsys.readouterr().err


def test_what_a_command_did_is_told_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Database(tmp_path / DATABASE).close()
    for line, said in (
        ("token list", "enginn aðgangslykill er til"),
        ("token make lamp", "lamp má watch; afritið það núna"),
        ("token list", "aldrei notað"),
        (f"backup {tmp_path / 'b.zip'}", "0 leikir, 0 köst"),
        (f"restore {tmp_path / 'b.zip'} --replace", "endurheimt úr"),
    ):
        assert main([*line.split(), "--data", str(tmp_path), "--lang", "is"]) == 0
        assert said in capsys.readouterr().out


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
