"""Drawn sets are whole set folders, and no two of their cards look alike."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from arena_cam.domain.dilemma_sets import CardKind, TokenKind
from arena_cam.formats.dilemmas.dilemma_set_toml import read_dilemma_set
from arena_cam.simulation.dilemmas.drawn_sets import write_style
from arena_cam.simulation.dilemmas.random_styles import UNUSUAL_ARTS, UNUSUAL_HEADS, unusual_style
from arena_cam.simulation.dilemmas.styles import STYLES


def test_a_drawn_set_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = write_style(tmp_path / "small", STYLES["small"])
    read = read_dilemma_set(tmp_path / "small")
    assert read == made
    assert {token.name for token in read.tokens} == {kind.value for kind in TokenKind}
    first, second = (cv2.imread(str(card.image)) for card in read.cards[:2])
    assert first is not None
    assert second is not None
    assert first.shape[:2] == (680, 440)
    assert np.abs(first.astype(int) - second).max() > 100


def test_round_pieces_are_transparent_outside_their_circle(tmp_path: Path) -> None:
    made = write_style(tmp_path, STYLES["plain"])
    for disc in (*made.tokens, *made.owners):
        picture = cv2.imread(str(disc.image), cv2.IMREAD_UNCHANGED)
        assert picture is not None
        assert picture.shape[2] == 4
        assert picture[0, 0, 3] == 0
        assert picture[picture.shape[0] // 2, picture.shape[1] // 2, 3] == 255


def test_unusual_styles_have_heads_and_grounds_that_random_ones_have_not(tmp_path: Path) -> None:
    for seed in range(41, 47):
        style = unusual_style(seed)
        assert style == unusual_style(seed)
        assert style.head in UNUSUAL_HEADS
        assert style.art in UNUSUAL_ARTS
    made = write_style(tmp_path, unusual_style(41))
    positive, negative = (
        cv2.imread(str(next(card.image for card in made.cards if card.kind is kind)))
        for kind in (CardKind.POSITIVE, CardKind.NEGATIVE)
    )
    assert positive is not None
    assert negative is not None
    assert np.abs(positive.astype(int) - negative).mean() > 5, "the kinds' colours differ"
