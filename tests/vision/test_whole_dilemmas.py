"""Tables of dilemmas read whole: what of them is asked about."""

from __future__ import annotations

import cv2

from arena_cam.vision.tokens.token_table import TokenTableReader
from vision.tokens.scenes import PX_PER_MM, laid, small_set


def test_something_round_that_is_no_known_disc_is_asked_about() -> None:
    cards = [("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))]
    cards += [("p-2", (260.0, 110.0, 0.0)), ("n-1", (324.0, 110.0, 0.0))]
    photograph = laid(cards, [("red", (92.0, 40.0, 0.0))], size_mm=(420, 220))
    reader = TokenTableReader(small_set())
    first = {each.positive: each for each in reader.read(photograph, "p.jpg").dilemmas}
    assert first["p-1"].sure
    assert first["p-1"].owner == "red"
    assert first["p-2"].sure
    assert first["p-2"].owner is None
    at = (round(292.0 * PX_PER_MM), round(40.0 * PX_PER_MM))
    cv2.circle(photograph, at, round(9.0 * PX_PER_MM), (230, 120, 90), -1, cv2.LINE_AA)
    second = {each.positive: each for each in reader.read(photograph, "p.jpg").dilemmas}
    assert second["p-1"].sure
    assert [doubt.code for doubt in second["p-2"].doubts] == ["owner_unclear"]


def test_tokens_in_a_stack_on_no_known_card_are_asked_about() -> None:
    cards = [("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))]
    reader = TokenTableReader(small_set())
    for x, may_lie_on_its_card in ((240.0, True), (330.0, False)):
        tokens = [("yes", (x, 60.0, 0.4)), ("no", (x + 12.0, 66.0, 2.0))]
        reading = reader.read(laid(cards, tokens, size_mm=(420, 220)), "p.jpg")
        assert [each.sure for each in reading.dilemmas] == [not may_lie_on_its_card]
        assert not reading.sure
        assert [doubt.code for doubt in reading.doubts] == ["tokens_elsewhere"]
