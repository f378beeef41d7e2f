"""Points over the rounds as lines for a template."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_cam.web.drawings.chart import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, points_chart

PLAYERS = ["Anna", "Bernhard", "Ása"]
ROUNDS = st.lists(st.dictionaries(st.sampled_from(PLAYERS), st.integers(0, 5000)), min_size=1, max_size=40)


def places(points: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in points.split())]


def test_a_game_without_a_round_has_no_chart() -> None:
    assert points_chart([], PLAYERS) is None


def test_everybody_begins_at_nought_and_the_leader_ends_at_the_top() -> None:
    chart = points_chart([{"Anna": 3, "Bernhard": 1}, {"Anna": 10, "Bernhard": 4}], ["Anna", "Bernhard"])
    assert chart is not None
    anna, bernhard = chart.lines
    assert places(anna.points)[0] == places(bernhard.points)[0] == (LEFT, HEIGHT - BOTTOM)
    assert anna.end == (WIDTH - RIGHT, TOP)
    assert (anna.total, bernhard.total) == (10, 4)
    assert (anna.seat, bernhard.seat) == (0, 1)


def test_lines_have_their_players_colours_and_everybody_has_one() -> None:
    names = list("ABCDEFG")
    chart = points_chart([dict.fromkeys(names, 1)], names, {"B": "yellow"})
    assert chart is not None
    assert [line.look for line in chart.lines] == ["l0", "l1 c-yellow", "l2", "l3", "l4", "l0 again", "l1 again"]


def test_a_game_without_points_lies_on_the_axis() -> None:
    chart = points_chart([{"Anna": 0}], ["Anna"])
    assert chart is not None
    assert {y for _, y in places(chart.lines[0].points)} == {HEIGHT - BOTTOM}


@given(ROUNDS)
def test_lines_stay_on_the_paper_and_ticks_where_they_say(rounds: list[dict[str, int]]) -> None:
    chart = points_chart(rounds, PLAYERS)
    assert chart is not None
    most = max([1, *(points for scores in rounds for points in scores.values())])
    for line in chart.lines:
        at = places(line.points)
        assert len(at) == len(rounds) + 1
        assert line.end == at[-1]
        assert all(LEFT <= x <= WIDTH - RIGHT and TOP <= y <= HEIGHT - BOTTOM for x, y in at)
        assert [x for x, _ in at] == sorted(x for x, _ in at)
    for ticks, last in ((chart.ticks_y, most), (chart.ticks_x, len(rounds))):
        values = [value for _, value in ticks]
        assert values[0] == 0
        assert last / 3 < values[-1] <= last
        assert 1 < len(values) <= 6
        steps = {b - a for a, b in pairwise(values)}
        assert len(steps) == 1
        assert str(steps.pop()).strip("0") in ("1", "2", "5")


@pytest.mark.parametrize(
    ("most", "ticks"), [(1, [0, 1]), (7, [0, 2, 4, 6]), (23, [0, 5, 10, 15, 20]), (500, [0, 100, 200, 300, 400, 500])]
)
def test_ticks_are_round_numbers(most: int, ticks: list[int]) -> None:
    chart = points_chart([{"Anna": most}], ["Anna"])
    assert chart is not None
    assert [value for _, value in chart.ticks_y] == ticks
