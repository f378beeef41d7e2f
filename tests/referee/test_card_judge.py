"""What `judge` says of a picture of cards to people: why it is not sure stands where it is not sure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Reading
from arena_cam.domain.messages import Message
from arena_cam.referee.game.card_judge import CardJudge
from formats.test_judgement import RED

FRAME = Frame(np.zeros((2, 2, 3), np.uint8), 0.0, 0, "pictures", "a.jpg")


def words(card: tuple[Message, ...], picture: tuple[Message, ...], language: str = "en") -> list[str]:
    lie = replace(RED, landing=None, tilt_deg=None, tilt_sd_deg=None, sure=not card, doubts=card)
    reading = Reading("a.jpg", 0.0, (lie,), sure=not card and not picture, doubts=picture)
    return CardJudge(lambda _frame: reading, language=language).judge(FRAME).words.splitlines()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["a.jpg: 1 card - not sure", "  Red 8 ? it may be red 3 instead"]),
        ("fr", ["a.jpg: 1 carte - pas sûr", "  8 rouge ? c’est peut-être la carte 3 rouge"]),
    ],
)
def test_a_doubt_of_a_card_stands_beside_it(language: str, said: list[str]) -> None:
    """It read "1 card - not sure: " and ended there."""
    assert words((Doubt.OTHER_CARD(card_other="red-3"),), (), language) == said


def test_a_doubt_of_the_whole_picture_is_said_once() -> None:
    moves = Doubt.SOMETHING_MOVES()
    head, card = words((moves, Doubt.INDEX_ALONE()), (moves,))
    assert head == f"a.jpg: 1 card - not sure: {moves}"
    assert card == f"  Red 8 ? {Doubt.INDEX_ALONE()}"
    assert words((), ()) == ["a.jpg: 1 card", "  Red 8"]
