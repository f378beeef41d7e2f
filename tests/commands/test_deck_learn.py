"""`arena-cam deck learn`: at the simulated table and from photographs, and `deck check`."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.folder import read_picture
from arena_cam.commands.decks import learn as deck_learn
from arena_cam.commands.decks.card_photograph import CardPhotograph
from arena_cam.commands.main import main
from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import back, face
from arena_cam.vision.deck_learning.card_taker import EmptyArena
from arena_cam.vision.deck_learning.taking_messages import NotTaken
from shared_decks import deck_in

NAMES = "red-1,blue-7"


def likeness(learned: Path, true: Path) -> float:
    """Correlation of a learned picture with the deck's own, the better way up, without the rim."""
    mine, real = read_picture(learned), read_picture(true)
    same = np.asarray(cv2.resize(real, (mine.shape[1], mine.shape[0]), interpolation=cv2.INTER_AREA))
    inner = (slice(40, -40), slice(40, -40))
    ways = (mine, mine[::-1, ::-1])
    return max(float(np.corrcoef(way[inner].ravel(), same[inner].ravel())[0, 1]) for way in ways)


def test_a_deck_is_learned_card_by_card_and_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine"
    first = ["deck", "learn", "sim", "--out", str(out), "--names", NAMES, "--in-order"]
    assert main(first) == 0
    said = capsys.readouterr().out
    assert "still missing (3): red-1, blue-7, back" in said
    assert "the arena is empty: lay blue-7, and no other" in said
    assert "blue-7 learned at 1.3 px/mm (2 of 3)" in said
    deck = read_deck(out)
    assert [card.id for card in deck.cards] == ["red-1", "blue-7"]
    assert deck.back is not None
    # measured, not told: the project's own deck is 63 x 88 mm with corners of 3 mm
    assert (deck.width_mm, deck.height_mm) == pytest.approx((63.0, 88.0), abs=0.2)
    assert deck.corner_radius_mm == pytest.approx(3.0, abs=0.8)
    # what the simulated table plays with
    true = {"red-1": face("red", 1), "blue-7": face("blue", 7), "back": back()}
    for card, picture in true.items():
        cv2.imwrite(str(tmp_path / f"{card}.png"), picture)
        assert likeness(out / f"{card}.png", tmp_path / f"{card}.png") > 0.9
    assert main(first) == 0
    assert "all cards are there already" in capsys.readouterr().out


class Overlooks:
    """A taker of cards that does not take the first one, which is taken away again."""

    def __init__(self, *_: object) -> None:
        self._sees = iter([EmptyArena(), NotTaken.FIDUCIALS(), EmptyArena()])

    def feed(self, _: object) -> object:
        return next(self._sees, None)


def test_after_a_card_that_a_recording_misses_none_gets_the_name_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody lays it again there: every later card got the name of the one before it."""
    monkeypatch.setattr("arena_cam.commands.decks.at_the_table.CardTaker", Overlooks)
    line = ["deck", "learn", "sim", "--out", str(tmp_path / "mine"), "--names", NAMES, "--in-order"]
    assert main(line) == 1
    said = capsys.readouterr().err
    assert "red-1 was not taken" in said
    assert "wrong names" in said


def test_names_are_read_asked_and_a_card_is_turned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["pink-3", "t", "1"])
    questions: list[str] = []

    def asked(question: str) -> str:
        questions.append(question)
        return next(answers)

    monkeypatch.setattr(deck_learn, "asked", asked)
    # at 1.3 px/mm no QR code is read: the table is asked about, the colour is offered
    monkeypatch.setattr("arena_cam.referee.setup.lesson.codes_in", lambda _: [])
    line = ["deck", "learn", "sim", "--out", str(tmp_path / "mine"), "--names", "red-1", "--no-back"]
    assert main(line) == 0
    assert "7 for red-7" in questions[0]
    assert "no card of this deck" in capsys.readouterr().out
    assert read_deck(tmp_path / "mine").cards[0].id == "red-1"


def photograph(face: Path, file: Path) -> None:
    """A card on grey-blue cloth, a little turned."""
    card = cv2.resize(read_picture(face), (504, 704), interpolation=cv2.INTER_AREA)
    scene = np.full((1000, 800, 3), (90, 60, 50), np.uint8)
    place = np.array([[0.99, -0.08, 180], [0.08, 0.99, 130]], np.float64)
    mask = cv2.warpAffine(np.full(card.shape[:2], 255, np.uint8), place, (800, 1000))
    warped = cv2.warpAffine(card, place, (800, 1000), flags=cv2.INTER_AREA)
    scene = np.where(mask[:, :, None] > 127, warped, scene)
    cv2.imwrite(str(file), cv2.GaussianBlur(scene, (0, 0), 0.8))


def test_photographs_are_learned_by_their_names_and_a_bad_one_is_said(
    tmp_path: Path, deck_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos, out = tmp_path / "photos", tmp_path / "mine"
    photos.mkdir()
    photograph(deck_folder / "red-1.png", photos / "red-1.png")
    photograph(deck_folder / "blue-7.png", photos / "Blue_7.png")
    cv2.imwrite(str(photos / "green-2.png"), np.full((800, 800, 3), 120, np.uint8))
    (photos / "red-3.HEIC").write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 99)
    line = ["deck", "learn", "--photos", str(photos), "--card-size", "63x88", "--out", str(out)]
    assert main(line) == 1
    said = capsys.readouterr()
    assert "green-2.png: no whole card is to be seen; lay one card" in said.err
    assert "red-3.HEIC: is a HEIC or AVIF picture, which is not read here; save it as JPEG" in said.err
    assert "2 cards could not be learned (green-2, red-3)" in said.err
    assert "2 cards learned" in said.out
    deck = read_deck(out)
    assert {card.id for card in deck.cards} == {"red-1", "blue-7"}
    assert (out / "overview.jpg").is_file()
    for card in deck.cards:
        assert likeness(card.image, deck_folder / card.image.name) > 0.97
        # what the card bears besides its picture: four markers and a code
        printed = deck_in(deck_folder).by_id[card.id]
        assert [marker.id for marker in card.markers] == [marker.id for marker in printed.markers]
        assert card.qr is not None
        assert printed.qr is not None
        assert card.qr.text == printed.qr.text
    # a better photograph of one card is taken; the others' pictures are in the light of all, as they were
    before = deck.by_id["red-1"].image.stat().st_mtime_ns
    photograph(deck_folder / "green-2.png", photos / "green-2.png")
    (photos / "red-3.HEIC").unlink()
    os.utime(photos / "red-1.png", (1, 1))
    os.utime(photos / "Blue_7.png", (1, 1))
    assert main(line) == 0
    assert "1 cards learned, 2 were there already" in capsys.readouterr().out
    assert deck.by_id["red-1"].image.stat().st_mtime_ns == before


def test_the_pictures_learned_before_are_brought_into_the_light_of_all(tmp_path: Path, deck_folder: Path) -> None:
    """Only the last one shows what paper looks like: of a dark deck the first ten were half as bright as the rest."""
    photos, out = tmp_path / "photos", tmp_path / "mine"
    photos.mkdir()
    dark = tmp_path / "dark.png"
    for name, share in (("red-1", 0.6), ("red-2", 0.6), ("red-3", 1.0)):
        cv2.imwrite(str(dark), np.asarray(read_picture(deck_folder / f"{name}.png") * share, np.uint8))
        photograph(dark, photos / f"{name}.png")
    line = ["deck", "learn", "--photos", str(photos), "--card-size", "63x88", "--out"]
    (photos / "red-3.png").rename(tmp_path / "red-3.png")
    assert main([*line, str(out)]) == 0
    by_hand = read_picture(out / "red-2.png")
    by_hand[:20] = 0
    cv2.imwrite(str(out / "red-2.png"), by_hand)
    (tmp_path / "red-3.png").rename(photos / "red-3.png")
    assert main([*line, str(out)]) == 0
    assert main([*line, str(tmp_path / "at-once")]) == 0
    for name in ("red-1", "red-3"):
        assert (out / f"{name}.png").read_bytes() == (tmp_path / "at-once" / f"{name}.png").read_bytes()
    assert (read_picture(out / "red-2.png") == by_hand).all()


def tilted(face: Path, file: Path, tilt_deg: tuple[float, float], height_mm: float = 88.0) -> None:
    """A card on grey-blue cloth as a camera of 800 px focal length sees it from an angle."""
    card = cv2.resize(read_picture(face), (504, 704), interpolation=cv2.INTER_AREA)
    K = np.array([[800.0, 0.0, 399.5], [0.0, 800.0, 499.5], [0.0, 0.0, 1.0]])
    x, y = 63.0 / 2, height_mm / 2
    corners = np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
    pose = np.radians([*tilt_deg, 3.0]), np.array([0.0, 0.0, 123.0])
    at = cv2.projectPoints(corners, *pose, K, np.zeros(5))[0].reshape(4, 2).astype(np.float32)
    place = cv2.getPerspectiveTransform(np.array([[0, 0], [504, 0], [504, 704], [0, 704]], np.float32) - 0.5, at)
    mask = cv2.warpPerspective(np.ones((704, 504), np.float32), place, (800, 1000))[:, :, None]
    scene = cv2.warpPerspective(card, place, (800, 1000)) * mask + np.array([90.0, 60.0, 50.0]) * (1.0 - mask)
    cv2.imwrite(str(file), cv2.GaussianBlur(scene, (0, 0), 0.8))


def test_a_card_that_is_not_shaped_as_the_others_is_said_and_not_learned(
    tmp_path: Path, deck_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos, out = tmp_path / "photos", tmp_path / "mine"
    photos.mkdir()
    tilts = [(15.0, 0.0), (0.0, 18.0), (-16.0, 6.0), (8.0, -15.0), (-12.0, -12.0), (18.0, 9.0)]
    for number, tilt in enumerate(tilts, 1):
        tilted(deck_folder / f"red-{number}.png", photos / f"red-{number}.png", tilt)
    tilted(deck_folder / "blue-7.png", photos / "blue-7.png", (4.0, -6.0), height_mm=86.0)  # of another game
    assert main(["deck", "learn", "--photos", str(photos), "--card-size", "63x88", "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert (
        "blue-7.png: what was found is not shaped as the camera of the other photographs sees a flat card" in said.err
    )
    assert "6 cards learned" in said.out
    assert {card.id for card in read_deck(out).cards} == {f"red-{number}" for number in range(1, 7)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give either SOURCE"),
        (["--photos", "PHOTOS"], "give --card-size"),
        (["--photos", "PHOTOS", "--card-size", "63"], "like 63x88"),
        (["--photos", "PHOTOS", "--card-size", "63x88"], "holds no pictures"),
        (["--photos", "PHOTOS", "--card-size", "63x88", "--names", "pack"], "named like AS.jpg"),
        (["--photos", "MINE", "--card-size", "63x88"], "--out is the folder of the photographs"),
        (["usb:0"], "give --table table.json"),
        (["sim", "--names", "red-1,red-1"], "red-1 twice"),
        (["sim", "--names", "joker"], "has no joker"),
    ],
)
def test_what_is_asked_wrongly_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    (tmp_path / "photos").mkdir()
    folders = {"PHOTOS": str(tmp_path / "photos"), "MINE": str(tmp_path / "photos" / ".." / "mine")}
    words = [folders.get(word, word) for word in words]
    assert main(["deck", "learn", *words, "--out", str(tmp_path / "mine")]) == 2
    assert said in capsys.readouterr().err


def test_cards_that_are_too_alike_are_told(
    tmp_path: Path, deck_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "twins"
    folder.mkdir()
    names = ["red-1", "red-2", "blue-7", "blue-8"]
    for name, drawn in zip(names, ["red-1", "red-1", "blue-7", "green-8"], strict=True):
        shutil.copy(deck_folder / f"{drawn}.png", folder / f"{name}.png")
    cards = "".join(f'[[card]]\nid = "{name}"\nimage = "{name}.png"\n' for name in names)
    (folder / "deck.toml").write_text(f'name = "twins"\nwidth_mm = 63\nheight_mm = 88\ncorner_radius_mm = 3\n{cards}')
    assert main(["deck", "check", str(folder), "--json"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["alike"]
    assert pair["cards"] == ["red-1", "red-2"]
    assert main(["deck", "check", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "too alike even in full view" in said
    assert "red-1 and red-2" in said
    assert "blue" not in said


def test_cards_apart_are_seen_by_any_lens(tmp_path: Path) -> None:
    """A wide one that bends lines, held askew: no plane is exactly that of all eight cards."""
    K = np.array([[700.0, 0.0, 500.0], [0.0, 700.0, 375.0], [0.0, 0.0, 1.0]])
    image = np.full((750, 1000, 3), (40, 45, 40), np.uint8)
    for number in range(8):
        x, y = 81.0 * (number % 4 - 1.5), 106.0 * (number // 4 - 0.5)
        card = np.array([[x + a, y + b, 0.0] for a, b in ((-31.5, -44.0), (31.5, -44.0), (31.5, 44.0), (-31.5, 44.0))])
        bent = np.array([-0.1, 0.0, 0.0, 0.0, 0.0])
        at = cv2.projectPoints(card, np.array([0.25, 0.3, 0.0]), np.array([0.0, 0.0, 364.0]), K, bent)[0]
        cv2.fillConvexPoly(image, np.round(at * 16).astype(np.int32), (235, 240, 240), cv2.LINE_AA, 4)
    cv2.imwrite(str(tmp_path / "cards.png"), image)
    last = CardPhotograph("8S", tmp_path / "cards.png", (63.0, 88.0), 7, 8).read()
    y, x = (last.min(axis=2) > 200).nonzero()
    assert x.min() > 650
    assert y.min() > 350


def test_several_cards_in_one_photograph_are_learned_by_the_files_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    image = np.full((900, 1200, 3), (60, 70, 40), np.uint8)
    for number, (x, y) in enumerate([(300, 450), (600, 440), (900, 455)]):
        box = cv2.boxPoints(((x, y), (252, 352), 2.0 * number - 2.0)).astype(np.float32)
        cv2.fillConvexPoly(image, np.round(box * 16).astype(np.int32), (235, 240, 240), cv2.LINE_AA, 4)
        for spot in range(6):
            cv2.circle(image, (x - 60 + 40 * (spot % 4), y - 90 + 35 * spot), 16, (50 * number, 40 * spot, 190), -1)
    cv2.imwrite(str(photos / "AS 10H QD.png"), cv2.GaussianBlur(image, (0, 0), 0.8))
    cv2.imwrite(str(photos / "2S 3S.png"), cv2.GaussianBlur(image, (0, 0), 0.8))
    out = tmp_path / "pack"
    args = ["deck", "learn", "--photos", str(photos), "--card-size", "63x88", "--names", "pack", "--out", str(out)]
    assert main(args) != 0
    said = capsys.readouterr()
    assert said.err.count("named after 2 cards, but 3 are seen whole") == 1
    assert [card.id for card in read_deck(out).cards] == ["AS", "TH", "QD"]
    assert "3 cards learned" in said.out
