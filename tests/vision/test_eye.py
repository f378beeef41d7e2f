"""`arena_cam.vision` as other programs import it: a few names, and nothing loaded before one is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam import vision
from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Card, Deck
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.errors import BadDeck, CannotDo
from arena_cam.domain.lies import Reading as DomainReading
from arena_cam.vision import Reading, Unreadable, open_eye
from arena_cam.vision.eye import Eye


@pytest.fixture
def two_cards(tmp_path: Path) -> Deck:
    """A deck of two cards full of noise."""
    cards = []
    for number in range(2):
        file = tmp_path / f"card-{number}.png"
        noise = np.random.default_rng(number).integers(0, 255, (22, 16, 3)).astype(np.uint8)
        cv2.imwrite(str(file), cv2.resize(noise, (252, 352), interpolation=cv2.INTER_NEAREST))
        cards.append(Card(file.stem, file))
    return Deck("two", 63.0, 88.0, 3.0, tuple(cards))


def frame(grey: int) -> Frame:
    return Frame(np.full((240, 320, 3), grey, np.uint8), 0.0, 0, "test", "picture.png")


def test_every_name_of_the_door_is_there() -> None:
    assert {"TableReader", "PhotographReader", "Watcher", "open_eye", "Reading"} <= set(vision.__all__)
    for name in vision.__all__:
        assert getattr(vision, name).__name__ == name
        assert name in dir(vision)
    assert Reading is DomainReading
    assert vision.Eye is Eye


def test_another_name_is_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Telescope'"):
        _ = vision.Telescope


def test_importing_the_door_loads_neither_numpy_nor_opencv() -> None:
    program = (
        "import sys, arena_cam.vision; print(sorted({'numpy', 'cv2', 'arena_cam.domain.lies'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


def test_opening_an_eye_reads_no_picture_of_the_deck(tmp_path: Path) -> None:
    nowhere = Deck("gone", 63.0, 88.0, 3.0, (Card("one", tmp_path / "gone.png"),))
    eye = open_eye(None, nowhere)
    with pytest.raises(BadDeck, match="gone.png"):
        eye.judge(frame(120))


def test_a_card_in_a_photograph_is_named_without_a_table(two_cards: Deck) -> None:
    picture = np.full((500, 400, 3), 70, np.uint8)
    face = read_picture(two_cards.cards[1].image)
    picture[70:422, 80:332] = face
    reading = open_eye(None, two_cards).judge(Frame(picture, 0.0, 0, "test", "one.png"))
    assert isinstance(reading, Reading)
    assert [lie.card for lie in reading.lies] == ["card-1"]


def test_a_black_picture_is_no_empty_table(two_cards: Deck) -> None:
    answer = open_eye(None, two_cards).judge(frame(0))
    assert isinstance(answer, Unreadable)
    assert answer.doubts == (Doubt.PICTURE_BLACK(),)


def test_frames_in_time_need_a_table(two_cards: Deck) -> None:
    eye = open_eye(None, two_cards)
    with pytest.raises(CannotDo, match="need a calibrated table"):
        eye.look(frame(120))
    with pytest.raises(CannotDo, match="need a calibrated table"):
        eye.finish()
