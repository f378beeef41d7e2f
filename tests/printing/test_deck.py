"""The project's own deck: complete, readable by machines, told apart by shape."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from pyzbar.pyzbar import decode

from arena_cam.camera.folder import read_picture
from arena_cam.domain.cards import Deck
from arena_cam.printing import deck as printing
from arena_cam.printing.shapes import SHAPES, placed
from shared_decks import deck_in


def test_it_is_a_deck_folder_with_fifty_cards_at_true_size(deck_folder: Path) -> None:
    deck = deck_in(deck_folder)
    assert len(deck.cards) == 50
    assert {(card.colour, card.value) for card in deck.cards} == {
        (colour, value) for colour in printing.COLOURS for value in range(1, 11)
    }
    assert len({card.markers[0].id for card in deck.cards}) == 50
    assert deck.back is not None
    height, width = read_picture(deck.cards[0].image).shape[:2]
    assert width / deck.width_mm == height / deck.height_mm >= 8.0


def test_every_marker_and_qr_code_is_found_where_the_deck_says(deck_folder: Path) -> None:
    deck = deck_in(deck_folder)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    for card in deck.cards[::3]:
        image = read_picture(card.image)
        scale = image.shape[1] / deck.width_mm
        corners, ids, _ = detector.detectMarkers(image)
        assert np.ravel(ids).tolist() == [card.markers[0].id] * 4
        found = sorted(tuple(np.reshape(c, (4, 2)).mean(axis=0) / scale) for c in corners)
        said = sorted((m.x_mm, m.y_mm) for m in card.markers)
        assert np.allclose(found, said, atol=0.15)
        assert card.qr is not None
        (code,) = decode(image)
        assert code.data.decode() == card.qr.text
        middle = (code.rect.left + code.rect.width / 2) / scale, (code.rect.top + code.rect.height / 2) / scale
        assert np.allclose(middle, (card.qr.x_mm, card.qr.y_mm), atol=0.5)


def test_the_colours_shapes_differ_without_any_colour() -> None:
    def drawn(outline: np.ndarray, turned_deg: float) -> np.ndarray:
        a = np.radians(turned_deg)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        drawing = np.zeros((100, 100), np.uint8)
        cv2.fillPoly(drawing, [np.round(placed(outline @ turn.T, (50.0, 50.0), 45.0)).astype(np.int32)], 1)
        return drawing.astype(bool)

    outlines = list(SHAPES.values())
    for k, one in enumerate(outlines):
        for other in outlines[:k]:
            for turned_deg in range(0, 360, 20):  # thrown cards lie every way up
                a, b = drawn(one, 0.0), drawn(other, turned_deg)
                assert np.count_nonzero(a ^ b) > 0.3 * np.count_nonzero(a | b)


def test_a_complete_folder_is_left_as_it_is_and_an_old_one_is_made_anew(deck_folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(deck_folder, tmp_path / "deck"))
    stamp = (folder / "red-1.png").stat().st_mtime_ns
    printing.default_deck(folder, printing.Faces.CODES)
    assert (folder / "red-1.png").stat().st_mtime_ns == stamp
    text = (folder / "deck.toml").read_text()
    (folder / "deck.toml").write_text(text.replace("63.0", "60.0", 1))
    printing.default_deck(folder, printing.Faces.CODES)
    assert (folder / "deck.toml").read_text() == text


@pytest.mark.parametrize("damage", [lambda file: file.unlink(), lambda file: file.write_bytes(file.read_bytes()[:900])])
def test_a_damaged_folder_is_made_anew(deck_folder: Path, tmp_path: Path, damage: Callable[[Path], object]) -> None:
    folder = Path(shutil.copytree(deck_folder, tmp_path / "deck"))
    before = (folder / "blue-4.png").read_bytes()
    damage(folder / "blue-4.png")
    printing.default_deck(folder, printing.Faces.CODES)
    assert (folder / "blue-4.png").read_bytes() == before
    assert not list(folder.glob("*.part"))


@pytest.fixture(scope="module")
def lands(own_deck_folder: Path) -> Deck:
    return deck_in(own_deck_folder)


def test_the_usual_faces_have_two_small_markers_where_the_deck_says_and_no_qr_code(lands: Deck) -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    assert all(card.qr is None for card in lands.cards)
    assert len({card.markers[0].id for card in lands.cards}) == 50
    for card in lands.cards[::7]:
        image = read_picture(card.image)
        corners, ids, _ = detector.detectMarkers(image)
        assert np.ravel(ids).tolist() == [card.markers[0].id] * 2
        scale = image.shape[1] / lands.width_mm
        found = sorted(tuple(np.reshape(c, (4, 2)).mean(axis=0) / scale) for c in corners)
        assert np.allclose(found, sorted((m.x_mm, m.y_mm) for m in card.markers), atol=0.15)
        assert not decode(image)


def test_no_two_of_the_usual_faces_are_alike(lands: Deck) -> None:
    small = [cv2.resize(read_picture(card.image), (21, 30), interpolation=cv2.INTER_AREA) for card in lands.cards]
    for k, one in enumerate(small):
        for other in small[:k]:
            for turned in (other, other[::-1, ::-1]):
                assert np.abs(one.astype(float) - turned).mean() > 3.0  # of 255, over the whole face, 3 mm a pixel


def test_plain_faces_have_no_code_at_all() -> None:
    assert "marker" not in printing.deck_toml(printing.Faces.PLAIN)
    assert "qr" not in printing.deck_toml(printing.Faces.PLAIN)
    plain, marked = (printing.face("blue", 6, faces) for faces in (printing.Faces.PLAIN, printing.Faces.LANDS))
    assert not np.array_equal(plain, marked)
