"""Cards that judging would not be sure of are named before a game: those too alike, and those with little on them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from arena_cam.formats.deck_toml import read_deck
from arena_cam.vision.deck_learning.likeness import likeness
from vision.small import blotches


def ace(pip: np.ndarray) -> np.ndarray:
    """White with one pip in the middle, and an index too small to be read from above."""
    card = np.full((880, 630, 3), 245, np.uint8)
    for centre, scale in (((315, 440), 70.0), ((45, 60), 18.0), ((585, 820), 18.0)):
        cv2.fillPoly(card, [np.round(pip * scale + centre).astype(np.int32)], (40, 40, 190), cv2.LINE_AA)
    return card


def test_cards_with_little_on_them_are_named_as_judging_would_ask_about_them(tmp_path: Path) -> None:
    turn = np.linspace(0, 2 * np.pi, 60)
    heart = np.stack([np.sin(turn) ** 3, -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn)) / 16], 1)
    faces = {"AH": ace(heart), "AD": ace(np.array([[0.0, -1.1], [0.8, 0.0], [0.0, 1.1], [-0.8, 0.0]]))}
    faces |= {f"full-{seed}": blotches(seed, 630, 880, cell=60) for seed in range(2)}
    entries = ""
    for name, face in faces.items():
        cv2.imwrite(str(tmp_path / f"{name}.png"), face)
        entries += f'[[card]]\nid = "{name}"\nimage = "{name}.png"\n'
    (tmp_path / "deck.toml").write_text(f'name = "aces"\nwidth_mm = 63\nheight_mm = 88\n{entries}')
    found = likeness(read_deck(tmp_path))
    assert set(found.faint) == {"AH", "AD"}
    # in full view their pips tell them apart, and nothing is like the cards with more on them
    assert all({pair.one, pair.other} == {"AH", "AD"} and not pair.always_asked for pair in found.pairs)


def test_a_deck_of_one_card_is_like_nothing(tmp_path: Path) -> None:
    """It ended with a traceback: of a deck that is just begun nothing stands beside its first card."""
    cv2.imwrite(str(tmp_path / "9C.png"), blotches(1, 630, 880, cell=60))
    entry = '[[card]]\nid = "9C"\nimage = "9C.png"\n'
    (tmp_path / "deck.toml").write_text(f'name = "begun"\nwidth_mm = 63\nheight_mm = 88\n{entry}')
    found = likeness(read_deck(tmp_path))
    assert not found.pairs
    assert not found.faint
