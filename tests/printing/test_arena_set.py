"""What is printed beside the cards: words that fit, a box that holds the deck, blocks enough for every table."""

from __future__ import annotations

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from arena_cam.formats.wording import sentences
from arena_cam.printing.arena import things
from arena_cam.printing.arena.messages import Printed
from arena_cam.printing.arena.rules_card import rules_card
from arena_cam.printing.arena.sheets_of_paper import LANGUAGES, PARTS, print_set
from arena_cam.printing.card_canvas import PX_MM
from arena_cam.printing.lettering import wrapped
from arena_cam.printing.pdf import PAPERS_MM, SAFE_MM, Sheets
from arena_cam.printing.scenes import HEIGHT_MM, PAPER, WIDTH_MM

SIGNS_FROM_MM, RIM_MM = HEIGHT_MM - 9.0, 2.4


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_card_has_room_for_its_words_in_every_language(language: str) -> None:
    for side in rules_card(language):
        assert side.shape == (round(HEIGHT_MM * PX_MM), round(WIDTH_MM * PX_MM), 3)
        blank = np.all(np.abs(side.astype(int) - PAPER) < 12, axis=2)
        rim = round((RIM_MM + 2.0) * PX_MM)
        above_the_signs = blank[round((SIGNS_FROM_MM - 1.5) * PX_MM) : round(SIGNS_FROM_MM * PX_MM), rim:-rim]
        assert above_the_signs.all(), "words reach the signs at the foot"
        at_the_right = blank[rim:-rim, -round((RIM_MM + 1.0) * PX_MM) - 12 : -round((RIM_MM + 1.0) * PX_MM)]
        assert at_the_right.all(), "words reach the rim"
        assert not blank[rim:-rim, rim:-rim].all(axis=1).all(), "there are words"


def test_every_word_of_the_sheets_is_there_in_every_language() -> None:
    for language in ("fr", "is"):
        assert {word for word in Printed if word.english not in sentences(language)} == set()


def test_lines_are_no_wider_than_asked_and_lose_no_word() -> None:
    text = "The first card that counts duels with the challenge card"
    lines = wrapped(text, 3.0, 30.0)
    assert " ".join(lines) == text
    assert len(lines) > len(wrapped(text, 3.0, 60.0)) > 1
    assert wrapped("Donaudampfschifffahrtsgesellschaft", 3.0, 5.0) == ["Donaudampfschifffahrtsgesellschaft"]


def test_the_box_holds_the_deck_and_fits_on_every_paper() -> None:
    wide, high, deep = things.BOX_MM
    assert wide > WIDTH_MM + 1.0
    assert high > HEIGHT_MM + 1.0
    assert deep > 55 * 0.33  # fifty cards and five rules cards of 300 g
    net = things.box()
    for width, height in PAPERS_MM.values():
        assert net.width_mm <= width - 2 * SAFE_MM + 0.5
        assert net.height_mm <= height - 2 * SAFE_MM


def test_there_are_lives_enough_for_three_and_for_five() -> None:
    assert len(things.life_blocks()) >= max(3 * 3, 5 * 2)
    assert things.stumbling_block().image.std() > 10


@pytest.mark.parametrize("paper", sorted(PAPERS_MM))
def test_every_part_but_the_cards_is_drawn_on_every_paper(paper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[int] = []
    monkeypatch.setattr(Canvas, "showPage", lambda canvas: pages.append(canvas.getPageNumber()))
    monkeypatch.setattr(Canvas, "drawImage", lambda *_, **__: None)
    for part in set(PARTS) - {"cards"}:
        before = len(pages)
        print_set(Sheets(paper), "is", (part,))
        assert len(pages) > before, part
