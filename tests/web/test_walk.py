"""A game walked through round by round: what happened, the arena, and the points so far."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.builders import Evening
from web.every_page import violations
from web.test_security import log_in as client_log_in

PLAYERS = [{"name": name, "colour": c} for name, c in (("Anna", "red"), ("Bo", "blue"), ("Cleo", "green"))]


@pytest.fixture
def evening(tmp_path: Path) -> Any:
    """Three rounds that nobody answered."""
    evening = Evening(tmp_path / "data")
    evening.act("start_game", players=PLAYERS)
    for _ in range(3):
        mine = next(player for player in evening.game["players"] if player["is_provocateur"])
        evening.rests(mine["hand"][0])
        evening.act("close_challenge")
        evening.frame(*evening.hand.sweeps())
    yield evening
    evening.session.stop()


def test_a_game_is_walked_through_from_its_first_round_to_its_last(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    url = serve(evening.session).url
    page = new_page(390, 844)
    page.goto(f"{url}/games/{evening.game['id']}")
    page.click("text=Walk through the rounds")
    provokes = []
    for number in (1, 2, 3):
        assert page.inner_text("h1").endswith(f"Round {number}")
        assert page.locator(".arena .label").count() == 1, "the challenge card lay there alone"
        provokes.append(page.inner_text(".rulings"))
        assert violations(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        if number < 3:
            page.click("[rel=next]")
            page.wait_for_url(f"**/rounds/{number + 1}")
    assert len(set(provokes)) == 3
    points = {player["name"]: player["points"] for player in evening.game["players"]}
    legend = " ".join(page.inner_text(".legend").split())
    assert all(f"{name} {count}" in legend for name, count in points.items())
    page.click(".chart a[aria-label='Round 1']")
    page.wait_for_url("**/rounds/1")


def test_every_line_stands_in_one_round(evening: Evening, serve: Any) -> None:
    detail = evening.session.game(evening.game["id"])
    assert len(detail["round_ends"]) == len(detail["points_by_round"]) == 3
    assert detail["round_ends"] == sorted(set(detail["round_ends"]))
    client = serve(evening.session).app.test_client()
    assert client.get(f"/games/{detail['id']}/rounds/4").status_code == 404
    assert client.get(f"/games/{detail['id']}/rounds/0").status_code == 404


def test_a_correction_without_a_reason_names_who_made_it_and_nothing_more(evening: Evening, serve: Any) -> None:
    evening.act("amend", "Eva", line=2, set={"card": "red-9"})
    client = serve(evening.session).app.test_client()
    page = client.get(f"/games/{evening.game['id']}/lines/2").text
    assert "Corrected by Eva.<" in page
    assert "Eva: –" not in page


def test_a_line_that_is_corrected_again_and_again_is_named_once_at_the_desk(evening: Evening, serve: Any) -> None:
    evening.act("amend", "Eva", line=2, set={"card": "red-9"})
    for action in ("undo", "redo", "undo", "redo"):
        evening.act(action, "Eva")
    client = serve(evening.session).app.test_client()
    client_log_in(client)
    page = client.get("/referee").text
    assert page.count("corrected line 2") == 1
    assert f"/games/{evening.game['id']}/lines/2" in page, "and leads to that line"
