"""How far a card reaches over the wall, and the dial of its tilt: numbers that decide, drawn where they belong."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest

from arena_cam.web.drawings.measurements import measured
from arena_cam.web.drawings.reach import reach_of
from web.scripted_session import ScriptedSession

TABLE = {"arena": {"inner_mm": [280.0, 200.0], "wall_thickness_mm": 6.0}}
RADIUS = 3.0


def card_at(x: float, y: float, angle_deg: float = 0.0) -> dict[str, Any]:
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    half = ((-30, 45), (30, 45), (30, -45), (-30, -45))
    return {"corners_mm": [[x + cos * a - sin * b, y + sin * a + cos * b, 0.3] for a, b in half]}


@pytest.mark.parametrize(
    ("x", "y"), [(140 - 30 + 5.0, 0.0), (-(140 - 30 + 5.0), 20.0), (10.0, 100 - 45 + 5.0), (0.0, -(100 - 45 + 5.0))]
)
def test_the_reach_is_measured_across_each_wall(x: float, y: float) -> None:
    reach = reach_of(card_at(x, y), TABLE, RADIUS)
    assert reach is not None
    assert reach.reach_mm == pytest.approx(5.0)
    points = [tuple(float(part) for part in pair.split(",")) for pair in reach.card.split()]
    assert max(across for across, _along in points) == pytest.approx(5.0, abs=0.06), "drawn where it is measured"
    assert (reach.allowed_mm, reach.over_mm) == (4.0, 10.0)


def test_a_round_corner_reaches_less_far_than_a_sharp_one() -> None:
    lie = card_at(140 - 50.0, 0.0, 45.0)
    sharp, rounded = reach_of(lie, TABLE, 0.0), reach_of(lie, TABLE, RADIUS)
    assert sharp is not None
    assert rounded is not None
    assert sharp.reach_mm - rounded.reach_mm == pytest.approx(RADIUS * (math.sqrt(2) - 1), abs=1e-6)


def test_a_thin_wall_allows_less_and_a_card_far_inside_is_not_drawn() -> None:
    thin = {"arena": {"inner_mm": [280.0, 200.0], "wall_thickness_mm": 2.0}}
    reach = reach_of(card_at(111.0, 0.0), thin, RADIUS)
    assert reach is not None
    assert (reach.allowed_mm, reach.over_mm) == (2.0, 6.0)
    assert reach_of(card_at(0.0, 0.0), TABLE, RADIUS) is None
    assert reach_of(card_at(0.0, 0.0), None, RADIUS) is None
    assert reach_of({}, TABLE, RADIUS) is None


def test_a_card_that_fell_beside_lies_outside_as_a_whole() -> None:
    reach = reach_of(card_at(140 + 30 + 7.0, 0.0), TABLE, RADIUS)
    assert reach is not None
    assert reach.inside_mm == pytest.approx(-7.0)


def test_the_dial_has_a_scale_and_its_zones_meet_at_the_limits() -> None:
    gauge = measured(ScriptedSession().throw("t0009")).gauge  # type: ignore[arg-type]
    assert gauge is not None
    assert [degrees for _x, _y, degrees in gauge.labels] == [0, 5, 10, 15, 20]
    starts = [zone.removeprefix("M").partition("A")[0] for zone in gauge.zones]
    ends = [" ".join(zone.split()[-2:]) for zone in gauge.zones]
    assert ends[:2] == starts[1:]
    assert gauge.labels[0][0] < gauge.labels[2][0] < gauge.labels[4][0], "0 on the left, 20 on the right"


def test_a_replay_says_the_numbers_and_compares_in_words(serve: Any) -> None:
    page = serve(ScriptedSession()).app.test_client().get("/throws/t0009").text
    assert "flat below 3°, leaning from 4°" in page
    assert "over 1000 times worse" in page
    assert re.search(r"\d+(\.\d)? ± 0\.8 mm (over|inside) the inner edge", page)
    assert "mm²" in page


def test_the_film_opens_on_the_card_in_dispute(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(1366, 900)
    page.goto(serve(ScriptedSession()).url + "/throws/t0009")
    page.wait_for_function("() => /scale\\((?!1\\))/.test(document.querySelector('.stage-inner').style.transform)")
    apart = """() => { const card = document.querySelector('.outline.judged polygon').getBoundingClientRect(),
        stage = document.querySelector('.stage').getBoundingClientRect();
        return [card.left - stage.left, card.top - stage.top,
                stage.right - card.right, stage.bottom - card.bottom]; }"""
    assert min(page.evaluate(apart)) >= -1, "the whole card is in view"
    page.click("[data-film-whole]")
    page.wait_for_function("() => /scale\\(1\\)/.test(document.querySelector('.stage-inner').style.transform)")
