"""How to play: what a guest reads before the first throw, in three languages, and where it is found."""

from __future__ import annotations

from typing import Any

import pytest

from arena_cam.rules import all_games
from arena_cam.web.games.arena.how_to_play import COUNTS, SAME_VALUE, example
from web.scripted_session import ScriptedSession, duel_scene, snapshot


@pytest.mark.parametrize("language", ["en", "fr", "is"])
@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_game_is_explained_in_every_language(serve: Any, name: str, language: str) -> None:
    client = serve(ScriptedSession(snapshot(game=None))).app.test_client()
    page = client.get(f"/how/{name}?lang={language}")
    assert page.status_code == 200
    assert all_games()[name].title in page.text
    assert page.text.count("<li>") >= 3, "a list of what one does"
    if language != "en":
        english = client.get(f"/how/{name}?lang=en").text
        said = [line for line in page.text.splitlines() if line.strip().startswith(("<li>", "<p>"))]
        assert not [line for line in said if line in english]


def test_without_a_game_the_usual_one_is_explained_and_no_other_exists(serve: Any) -> None:
    client = serve(ScriptedSession(snapshot(game=None))).app.test_client()
    assert client.get("/how").headers["Location"].endswith("/how/arena")
    assert client.get("/how/ludo").status_code == 404


@pytest.mark.parametrize("path", ["/", "/join", "/games"])
def test_it_is_found_from_the_scoreboard_the_phone_and_every_page(serve: Any, path: str) -> None:
    assert 'href="/how"' in serve(ScriptedSession(duel_scene())).app.test_client().get(path).text


def test_the_duellists_phone_says_what_the_choices_bring(serve: Any) -> None:
    client = serve(ScriptedSession(duel_scene())).app.test_client()
    token = client.get("/join").text.split('name="csrf-token" content="')[1].split('"')[0]
    assert client.post("/api/seat", json={"player": "Bernhard"}, headers={"X-CSRF-Token": token}).status_code == 200
    phone = client.get("/join").text
    assert "Conflict wins both cards and gives up a life block" in phone
    assert "data-called" in phone


@pytest.mark.parametrize("cards", [COUNTS, SAME_VALUE])
def test_the_drawings_show_what_they_say(cards: Any) -> None:
    drawing = example(cards)
    assert drawing.floor is not None
    left, top, width, height = drawing.floor
    for shown, drawn in zip(cards, drawing.cards, strict=True):
        corners = [tuple(float(part) for part in pair.split(",")) for pair in drawn.outline.split()]
        inside = [left <= x <= left + width and top <= y <= top + height for x, y in corners]
        assert all(inside) == (shown.verdict not in ("edge", "beside")), shown
        assert any(inside) == (shown.verdict != "beside"), shown
