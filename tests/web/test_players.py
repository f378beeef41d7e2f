"""The pages on players: a table, profiles, files; names of any kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.builders import Evening
from web.every_page import violations
from web.scripted_session import ScriptedSession, throws_scene

SPECIAL = "Anna / <b>Örn</b>"


@pytest.fixture
def evening(tmp_path: Path) -> Any:
    """A game of three, played to its end without a duel."""
    evening = Evening(tmp_path / "data")
    players = [{"name": name, "colour": c} for name, c in ((SPECIAL, "red"), ("Bo", "blue"), ("Cleo", "green"))]
    evening.act("start_game", players=players)
    while not evening.game["over"]:
        game = evening.game
        mine = next(player for player in game["players"] if player["is_provocateur"])
        evening.rests(mine["hand"][0])
        evening.act("close_challenge")
        evening.frame(*evening.hand.sweeps())
    yield evening
    evening.session.stop()


def test_the_table_leads_to_a_profile_and_back(evening: Evening, serve: Any, new_page: Callable[..., Any]) -> None:
    url = serve(evening.session).url
    page = new_page(390, 844)
    page.goto(f"{url}/players")
    assert violations(page) == []
    page.click(f"text={SPECIAL}")
    page.wait_for_selector("text=Head to head")
    assert page.inner_text("h1").startswith(SPECIAL)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert violations(page) == []


def test_points_and_files(evening: Evening, serve: Any) -> None:
    client = serve(evening.session).app.test_client()
    points = {player["name"]: player["points"] for player in evening.game["players"]}
    table = client.get("/players").text
    for name in ("Bo", "Cleo"):
        assert f"{points[name]:.1f}" in table
        rows = client.get(f"/players/{name}/games.csv").text.splitlines()
        assert len(rows) == 2
        assert rows[1].split(",")[2] == str(float(points[name]))
    assert client.get("/players/Nobody").status_code == 404
    assert client.get("/players?game=ludo").status_code == 200
    assert "has played this" in client.get("/players?game=hexes").text
    assert client.get("/players/Bo?page=-5").status_code == 200


def test_a_long_list_of_games_is_read_page_by_page(serve: Any) -> None:
    session = ScriptedSession(throws_scene())
    one = session.games()[1]
    many = [one | {"id": f"g{number}", "name": f"Evening {number:02}"} for number in range(65)]
    session.games = lambda most=-1, after=0, words="": many[after : after + most]  # type: ignore[method-assign] # noqa: ARG005
    client = serve(session).app.test_client()
    pages = [client.get(f"/games?page={number}").text for number in range(3)]
    assert ["Evening 00" in page for page in pages] == [True, False, False]
    assert ["Evening 64" in page for page in pages] == [False, False, True]
    assert [('rel="next"' in page, 'rel="prev"' in page) for page in pages] == [
        (True, False),
        (True, True),
        (False, True),
    ]
    assert client.get("/games?page=-3").status_code == 200
