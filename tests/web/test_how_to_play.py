"""How to play: what a guest reads before the first throw, in three languages, and where it is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena_cam.rules import all_games
from arena_cam.web.games.arena.how_to_play import COUNTS, SAME_VALUE, example
from web.every_page import cut_texts, violations
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


@pytest.mark.parametrize("name", sorted(all_games()))
def test_a_scoreboard_says_before_the_first_game_how_to_begin_and_what_will_be_there(serve: Any, name: str) -> None:
    """The largest panel of the television was empty until a game had begun."""
    scene = snapshot(game=None)
    client = serve(ScriptedSession(scene | {"camera": scene["camera"] | {"source": "none"}, "arena": None}), game=name)
    app = client.app.test_client()
    panel = app.get("/").text.split('id="region-arena">')[1].split("</section>")[0]
    assert all_games()[name].title in panel
    assert panel.count("<li>") == 3
    assert panel.count("Here ") == 1, "what will be there"
    assert 'href="/how"' in panel
    assert "<li>" not in app.get("/overlay?show=table").text, "nothing is laid over somebody's stream"


def test_a_measured_arena_is_drawn_before_the_first_game(serve: Any) -> None:
    page = serve(ScriptedSession(snapshot(game=None))).app.test_client().get("/").text
    assert "arena-floor" in page
    assert 'class="before"' not in page


@pytest.mark.parametrize("name", ["arena", "dilemmas"])
@pytest.mark.parametrize("size", [(390, 844), (1366, 768), (1920, 1080)])
def test_what_is_said_before_the_first_game_is_not_cut(
    serve: Any, new_page: Callable[..., Any], name: str, size: tuple[int, int]
) -> None:
    scene = snapshot(game=None)
    scene = scene | {"camera": scene["camera"] | {"source": "none"}, "arena": None}
    url = serve(ScriptedSession(scene), game=name).url
    page = new_page(*size)
    for language in ("en", "fr", "is"):
        page.goto(f"{url}/?lang={language}")
        page.wait_for_selector(".before")
        assert cut_texts(page) == []
        low = "() => document.querySelector('.before').getBoundingClientRect().bottom"
        assert page.evaluate(low) <= page.evaluate(low.replace(".before", "#board-arena")) + 1
    assert violations(page) == []
