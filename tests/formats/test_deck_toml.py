"""deck.toml: what cannot be used is said with the card and the place where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_cam.domain.cards import PrintedMarker, PrintedQr
from arena_cam.domain.errors import BadDeck
from arena_cam.formats.deck_toml import read_deck

DECK = """
name = "small"
width_mm = 63
height_mm = 88.0
corner_radius_mm = 3.0
back = "back.png"
[[card]]
id = "red-8"
colour = "red"
value = 8
image = "red-8.png"
[card.qr]
text = "DILEMMA:red-8"
size_mm = 18.0
x_mm = 31.5
y_mm = 66.0
[[card.marker]]
dictionary = "DICT_4X4_50"
id = 7
size_mm = 11.0
x_mm = 9.0
y_mm = 9.0
[[card]]
id = "TH"
image = "TH.png"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("back", "red-8", "TH"):
        (tmp_path / f"{name}.png").write_bytes(b"a picture")
    return tmp_path


def test_a_deck_is_read_with_what_is_printed_on_its_cards(folder: Path) -> None:
    (folder / "deck.toml").write_text(DECK, encoding="utf-8")
    deck = read_deck(folder)
    assert (deck.name, deck.width_mm, deck.back) == ("small", 63.0, folder / "back.png")
    red, ten = deck.cards
    assert (red.colour, red.value, red.markers) == ("red", 8, (PrintedMarker("DICT_4X4_50", 7, 11.0, 9.0, 9.0),))
    assert red.qr == PrintedQr("DILEMMA:red-8", 18.0, 31.5, 66.0)
    assert (ten.colour, ten.value, ten.markers, ten.qr) == (None, None, (), None)


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        ('id = "TH"', 'id = "red-8"', "'red-8' is there twice"),
        ('image = "TH.png"', 'image = "10H.png"', "the picture 10H.png is missing"),
        ('back = "back.png"', 'back = "rear.png"', "the picture rear.png is missing"),
        ('id = "TH"\n', "", "[[card]] id is missing"),
        ('id = "TH"', "id = 2026-01-01", "[[card]] id must be a text"),
        ('id = "TH"', 'id = "T\\nH"', "printable"),
        ("value = 8", 'value = "8"', "red-8: value must be a whole number"),
        ("width_mm = 63", "width_mm = nan", "width_mm is nan"),
        ("width_mm = 63", 'width_mm = "63"', 'width_mm must be a number, not "63"'),
        ("height_mm = 88.0", "", "height_mm is missing"),
        ("height_mm = 88.0", "height_mm = -88.0", "between 10 and 300"),
        ("corner_radius_mm = 3.0", "corner_radius_mm = 40", "corner_radius_mm is 40"),
        ("id = 7", "id = 50", "red-8: marker id names the marker 50, which is not in DICT_4X4_50"),
        ("size_mm = 11.0", "size_mm = 0", "red-8: marker size_mm is 0"),
        ("x_mm = 9.0", "x_mm = 90.0", "red-8: marker x_mm is 90.0"),
        ("y_mm = 66.0", "y_mm = -1", "red-8: qr y_mm is -1"),
        ("[card.qr]", "qr = 5\n[card.other]", "red-8: qr must be an object"),
        ("[[card]]", "[[cards]]", "card must be written as [[card]]"),
        (DECK[DECK.index("[[card]]") :], "", "names no cards"),
        ("[[card]]", "[card", "is not TOML"),
        ('name = "small"', 'name = "small"\ngame = "hexes"', "is a set of the game hexes"),
    ],
)
def test_what_cannot_be_used_is_said(folder: Path, was: str, now: str, words: str) -> None:
    assert was in DECK
    (folder / "deck.toml").write_text(DECK.replace(was, now), encoding="utf-8")
    with pytest.raises(BadDeck) as refused:
        read_deck(folder)
    message = str(refused.value)
    assert words in message
    assert "; " in message, "and what to do"
    assert "\n" not in message
