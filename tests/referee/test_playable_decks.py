"""A deck of another game is refused before a table waits for cards that cannot come."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.referee.game.outfit import find_outfit
from arena_cam.referee.games.arena.command_line.playable import playable
from vision.small import small_deck, small_table


def named(deck: Deck, *names: str) -> Deck:
    cards = tuple(type(card)(name, card.image) for card, name in zip(deck.cards, names, strict=True))
    return Deck(deck.name, deck.width_mm, deck.height_mm, deck.corner_radius_mm, cards, deck.back)


def test_an_ordinary_pack_is_refused_with_what_to_do(tmp_path: Path) -> None:
    pack = named(small_deck(tmp_path), "AS", "10H", "QD")
    with pytest.raises(BadInput, match=r"AS.*--game"):
        playable(pack)
    with pytest.raises(BadInput, match="--game"):
        find_outfit("arena").open_eye(small_table(), pack, None)


def test_a_deck_with_any_card_of_the_game_is_played(tmp_path: Path) -> None:
    deck = named(small_deck(tmp_path), "red-1", "joker", "rules")
    assert playable(deck) is deck
