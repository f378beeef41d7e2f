"""A small league: tables, results, standings; and its page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_cam.referee.keeping.league import fixtures, standings, with_results
from web.every_page import violations
from web.scripted_session import ScriptedSession, throws_scene

PEOPLE = ("Anna", "Bo", "Cleo", "Dan")


def game(started: float, over: bool = True, **scores: int) -> Any:
    best = max(scores.values())
    return {
        "id": f"g{started:g}", "started": started, "over": over, "players": list(scores), "scores": scores,
        "winners": [name for name, points in scores.items() if points == best],
    }  # fmt: skip


@given(st.integers(2, 9), st.integers(2, 5))
def test_everybody_meets_everybody_and_no_table_is_in_vain(people: int, size: int) -> None:
    players = [f"p{number}" for number in range(people)]
    tables = fixtures(players, size)
    assert {pair for table in tables for pair in combinations(table, 2)} == set(combinations(players, 2))
    assert all(len(table) == min(size, people) for table in tables)
    met: set[tuple[str, str]] = set()
    for table in tables:
        assert set(combinations(table, 2)) - met
        met |= set(combinations(table, 2))


def test_pairs_play_once_each() -> None:
    assert sorted(fixtures(PEOPLE, 2)) == sorted(combinations(PEOPLE, 2))


def test_a_game_is_the_result_of_one_table_and_only_if_it_was_finished_since() -> None:
    tables = fixtures(PEOPLE[:3], 3)
    games = [game(5, Anna=9, Bo=1, Cleo=1), game(20, False, Anna=1, Bo=2, Cleo=3), game(30, Bo=4, Cleo=4, Anna=1)]
    made = with_results(tables, games, since=10)
    assert [each.game["id"] for each in made if each.game] == ["g30"]
    table = standings(PEOPLE[:3], made)
    assert [(each.player, each.league_points, each.won) for each in table] == [
        ("Bo", 1.5, 1),
        ("Cleo", 1.5, 1),
        ("Anna", 0.0, 0),
    ]
    assert sum(each.league_points for each in table) == 3.0, "each pair at a table is worth one"


def test_a_league_is_set_up_and_read_on_its_page(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(throws_scene())
    one = session.games()[1]
    names = ["Anna", "Bernhard", "Christine"]
    played = one | {"players": names, "started": time.time(), "scores": dict(zip(names, (10, 30, 20), strict=True))}
    session.games = lambda most=-1, after=0, words="": [played][after : after + abs(most)]  # type: ignore[method-assign] # noqa: ARG005
    page = new_page(390, 844)
    page.goto(f"{serve(session).url}/players")
    page.click("text=League")
    for name in names:
        page.check(f"input[value={name}]")
    page.select_option("select[name=table]", "3")
    page.click("main form button")
    page.wait_for_selector("text=Fixtures")
    rows = [row.split() for row in page.locator(".standings tbody tr").all_inner_texts()]
    assert [row[1] for row in rows] == ["Bernhard", "Christine", "Anna"]
    assert page.locator(".fixtures li a").count() == 1
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert violations(page) == []


@pytest.mark.parametrize("since", ["0001-01-01", "0900-02-03", "9999-12-31", "never", ""])
def test_a_league_of_any_day_is_answered(serve: Any, since: str) -> None:
    answer = serve(ScriptedSession()).app.test_client().get(f"/league?since={since}&player=Anna")
    assert answer.status_code == 200
    assert re.search(r'name="since" value="\d{4}-\d\d-\d\d"', answer.text)
