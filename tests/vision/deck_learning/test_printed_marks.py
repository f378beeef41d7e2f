"""Markers and codes on learned cards: found where they are printed, and nothing taken for one that is none."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.folder import read_picture
from arena_cam.domain.cards import PrintedMarker, PrintedQr
from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import Faces, back, deck_toml, face
from arena_cam.vision.deck_learning.printed_marks import DICTIONARY, printed_marks
from arena_cam.vision.deck_learning.straightening import PX_PER_MM, picture_size

NAMES = ("red-1", "yellow-6", "violet-10")
ENTRY = "\n\n[[card]]\n"


@pytest.fixture(scope="module")
def three_cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deck folder of three cards of the deck with codes: drawing them all takes seconds."""
    folder = tmp_path_factory.mktemp("three")
    pictures = {name: face(name.split("-")[0], int(name.split("-")[1]), Faces.CODES) for name in NAMES}
    for name, picture in {**pictures, "back": back()}.items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    head, *entries = deck_toml(Faces.CODES).split(ENTRY)
    kept = [entry for entry in entries if entry.startswith(tuple(f'id = "{name}"' for name in NAMES))]
    (folder / "deck.toml").write_text(ENTRY.join([head, *kept]))
    return folder


def learned(file: Path, px_per_mm: float) -> np.ndarray:
    """A face as a camera that sees so many pixels a millimetre would have it learned."""
    drawn = read_picture(file)
    seen = cv2.resize(drawn, (round(63 * px_per_mm), round(88 * px_per_mm)), interpolation=cv2.INTER_AREA)
    seen = cv2.GaussianBlur(seen, (0, 0), 0.6)
    return cv2.resize(seen, picture_size(63.0, 88.0), interpolation=cv2.INTER_CUBIC)


def place(mark: PrintedMarker | PrintedQr) -> tuple[float, float, float]:
    return mark.size_mm, mark.x_mm, mark.y_mm


@pytest.mark.parametrize("name", NAMES)
def test_marks_are_found_where_the_deck_prints_them(three_cards: Path, name: str) -> None:
    card = read_deck(three_cards).by_id[name]
    markers, qr = printed_marks(learned(card.image, 5.0))
    assert len(markers) == len(card.markers)
    for true in card.markers:
        (mine,) = [m for m in markers if np.hypot(m.x_mm - true.x_mm, m.y_mm - true.y_mm) < 5.0]
        assert (mine.dictionary, mine.id) == (true.dictionary, true.id)
        assert place(mine) == pytest.approx(place(true), abs=0.2)
    assert card.qr is not None
    assert qr is not None
    assert qr.text == card.qr.text
    assert place(qr) == pytest.approx(place(card.qr), abs=0.3)


def card_with_marker(turns: int = 0, open_border_mm: float = 0.0) -> np.ndarray:
    width, height = picture_size(63.0, 88.0)
    card = np.full((height, width, 3), 240, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    marker = np.rot90(cv2.aruco.generateImageMarker(dictionary, 7, 96), turns)
    card[200:296, 160:256] = marker[:, :, None]
    card[200:216, 176 : 176 + round(open_border_mm * PX_PER_MM)] = 140
    return card


def test_only_whole_and_upright_markers_are_taken(three_cards: Path) -> None:
    ((marker,), qr) = printed_marks(card_with_marker())
    assert (marker.id, qr) == (7, None)
    assert place(marker) == pytest.approx((12.0, 26.0, 31.0), abs=0.1)
    assert printed_marks(card_with_marker(turns=1)) == ((), None)  # deck.toml has no word for one that is turned
    assert printed_marks(card_with_marker(turns=2)) == ((), None)
    assert printed_marks(card_with_marker(open_border_mm=8.0)) == ((), None)
    assert printed_marks(learned(three_cards / "back.png", 5.0)) == ((), None)


def test_of_two_codes_none_is_the_cards(three_cards: Path) -> None:
    red = learned(three_cards / "red-1.png", 6.0)
    both = red.copy()
    both[60:220, 170:340] = red[430:590, 170:340]
    assert printed_marks(both)[1] is None
