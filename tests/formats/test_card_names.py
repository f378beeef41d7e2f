"""Names of cards as people type them and as they name photographs."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_cam.domain.cards import Card, Deck, PrintedMarker, PrintedQr
from arena_cam.domain.errors import BadInput
from arena_cam.formats.card_names import ARENA_NAMES, name_from_file, name_list, named_card
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.deck_toml import read_deck, save_deck


@pytest.mark.parametrize(
    ("typed", "colour", "meant"),
    [
        ("red-7", None, "red-7"),
        ("Red 7", None, "red-7"),
        ("r7", None, "red-7"),
        ("b10", None, "blue-10"),
        ("7", "green", "green-7"),
        ("back", "green", "back"),
        ("7", None, None),
        ("red-11", None, None),
        ("pink-7", None, None),
        ("", "red", None),
    ],
)
def test_short_forms(typed: str, colour: str | None, meant: str | None) -> None:
    assert named_card(typed, ARENA_NAMES, colour) == meant


def test_a_short_form_that_means_two_cards_means_none() -> None:
    assert named_card("b7", ["blue-7", "black-7"]) is None
    assert named_card("bla7", ["blue-7", "black-7"]) == "black-7"


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("red-1", "red-1"),
        ("Red_01", "red-1"),
        ("10H", "TH"),
        ("qs", "QS"),
        ("joker", "joker"),
        ("back", "back"),
        ("IMG_2043", None),
        ("20240518_101112", None),
        ("DSC00012", None),
        ("scan", None),
    ],
)
def test_a_file_tells_its_card_unless_a_camera_named_it(stem: str, name: str | None) -> None:
    assert name_from_file(stem) == name


@pytest.mark.parametrize("text", ["", "red-1,red-1", "red 1/2"])
def test_lists_that_cannot_be(text: str) -> None:
    with pytest.raises(BadInput, match="--names"):
        name_list(text)


def test_a_deck_that_is_written_is_read_again_as_it_was(tmp_path: Path) -> None:
    for name in ("a.png", "b.png", "back.png"):
        (tmp_path / name).write_bytes(b"x")
    marker = PrintedMarker("DICT_4X4_50", 7, 11.0, 9.5, 9.5)
    cards = (
        Card("red-8", tmp_path / "a.png", "red", 8, (marker,), PrintedQr('say "hi" \\ á', 17.5, 31.5, 64.2)),
        Card("joker", tmp_path / "b.png"),
    )
    deck = Deck("mine, all of it", 63.5, 88.0, 3.2, cards, tmp_path / "back.png")
    save_deck(tmp_path, deck)
    assert read_deck(tmp_path) == deck


def test_a_folder_grows_card_by_card_and_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = DeckFolder(tmp_path / "deck", (63.0, 88.0), None, ["red-1", "red-2", "red-3"])
    folder.put("back", b"back", 3.0)  # no deck.toml is possible yet
    folder.put("red-3", b"three", 3.0)
    again = DeckFolder(tmp_path / "deck", None, None, ["red-1", "red-2", "red-3"])
    assert again.size_mm == (63.0, 88.0)
    assert [again.has(name) for name in ("red-1", "red-3", "back")] == [False, True, True]
    again.put("red-1", b"one", 3.0)
    deck = read_deck(tmp_path / "deck")
    assert [card.id for card in deck.cards] == ["red-1", "red-3"]
    assert (deck.cards[0].colour, deck.cards[0].value) == ("red", 1)
    assert deck.back is not None
    with pytest.raises(BadInput, match="name another folder"):
        DeckFolder(tmp_path / "deck", (57.0, 87.0))
