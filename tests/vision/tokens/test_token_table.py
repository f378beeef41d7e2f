"""A whole table: what lies together, whose it is, and what lies on it."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.formats.dilemmas.dilemma_line import dilemmas_in_words, dilemmas_to_json
from arena_cam.vision.tokens.token_table import TokenTableReader
from vision.tokens.scenes import laid, small_set


@pytest.fixture(scope="module")
def reader() -> TokenTableReader:
    return TokenTableReader(small_set())


def test_a_dilemma_with_its_tokens_and_its_owner(reader: TokenTableReader) -> None:
    cards = [("p-1", (100.0, 110.0, 0.0)), ("n-2", (164.0, 110.0, 0.0))]
    tokens = [("yes", (95.0, 90.0, 0.4)), ("no", (150.0, 125.0, 2.0)), ("yes", (259.0, 40.0, 0.0))]
    photograph = laid(cards, [*tokens, ("red", (50.0, 110.0, 0.0))])
    reading = reader.read(photograph, "p.jpg")
    line = dilemmas_to_json(reading)
    (dilemma,) = line["dilemmas"]
    assert (dilemma["positive"], dilemma["negative"], dilemma["neutral"]) == ("p-1", "n-2", None)
    assert dilemma["tokens"] == {"yes": 1, "no": 1, "super_yes": 0, "super_no": 0, "hidden": 0}
    assert dilemma["owner"] == "red"
    assert line["elsewhere"] == {"yes": 1}
    assert "p-1 + n-2: 1 yes, 1 no" in dilemmas_in_words(reading)


def test_an_even_picture_is_asked_about(reader: TokenTableReader) -> None:
    reading = reader.read(np.full((480, 640, 3), 128, np.uint8), "p.jpg")
    assert not reading.sure
    assert [doubt.code for doubt in reading.doubts] == ["no_dilemma"]
