"""What is drawn over a saved throw: how much of one card another covers, in either sense of going round."""

from __future__ import annotations

from typing import Any, cast

import cv2
import numpy as np
import pytest

from arena_cam.referee.interface import ThrowDetail
from arena_cam.web.drawings.measurements import measured
from web.scripted_session import ScriptedSession


def throw_with(upper: list[list[float]], lower: list[list[float]]) -> Any:
    detail = ScriptedSession().throw("t0009")
    card = detail["lie"]
    detail["reading"] = {
        "cards": [card | {"key": "low", "id": "red-8", "corners_px": lower},
                  card | {"key": "up", "id": "blue-3", "corners_px": upper}],
        "covers": [["up", "low"]],
    }  # fmt: skip
    return detail


SQUARE = [[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]]


@pytest.mark.parametrize("turn_upper", [1, -1])
@pytest.mark.parametrize("turn_lower", [1, -1])
def test_an_overlap_is_what_opencv_says(turn_upper: int, turn_lower: int) -> None:
    tilted = [[30.0, 10.0], [70.0, 30.0], [50.0, 70.0], [10.0, 50.0]]
    (overlap,) = measured(throw_with(tilted[::turn_upper], SQUARE[::turn_lower])).overlaps
    area, _ = cv2.intersectConvexConvex(np.array(tilted, np.float32), np.array(SQUARE, np.float32))
    assert overlap.share == pytest.approx(area / 1600, abs=1e-3)
    assert (overlap.upper, overlap.lower) == ("blue-3", "red-8")


def test_cards_that_lie_apart_have_nothing_in_common() -> None:
    apart = [[x + 100.0, y] for x, y in SQUARE]
    (overlap,) = measured(throw_with(apart, SQUARE)).overlaps
    assert (overlap.share, overlap.points) == (0.0, "")


def test_the_judged_cards_name_stands_above_and_the_others_below() -> None:
    outlines = {
        outline.card: outline for outline in measured(cast(ThrowDetail, ScriptedSession().throw("t0009"))).outlines
    }
    judged, other = outlines["green-10"], outlines["red-8"]
    ys = {card: [float(pair.split(",")[1]) for pair in outlines[card].points.split()] for card in outlines}
    assert judged.label[1] < min(ys["green-10"])
    assert other.label[1] > max(ys["red-8"])
