"""The form of a new game: names, seats, who begins, house rules; and a picture as large as the screen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from arena_cam.camera.no_camera import NoCamera
from arena_cam.referee.game.outfit import unwatched_eye
from arena_cam.referee.session.session import Session
from arena_cam.rules import all_games
from arena_cam.rules.house_rules import answered, asked
from arena_cam.store.data_folder import DataFolder
from arena_cam.web.games.arena.house_rules import house_rules_said
from arena_cam.web.words.language import translator
from web.conftest import log_in
from web.scripted_session import ScriptedSession, duel_scene, snapshot, throws_scene


def test_every_house_rule_of_the_game_can_be_chosen_and_no_other_value() -> None:
    options = all_games()["arena"].options
    said = house_rules_said(translator("fr"))
    assert [name for name, _question, _answers in said] == list(options)
    for name, _question, answers in said:
        assert answers[0][0] == "", "the usual answer stands first, with an empty value"
        others = [json.loads(value) for value, _answer in answers[1:]]
        assert set(others) <= set(options[name].values)
        assert options[name].default not in others


def test_every_option_of_every_game_has_words() -> None:
    for game in all_games().values():
        if game.house_rules is None:
            continue
        for name, option in game.options.items():
            assert asked(game, name) != name
            values = () if isinstance(option.values, range) else option.values
            assert all(answered(game, name, value) != str(value) for value in values if type(value) is not int), name


def test_a_game_is_started_with_house_rules_and_the_one_who_begins(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(snapshot(game=None))
    page = new_page()
    log_in(page, serve(session).url)
    for seat, name in enumerate(("Anna", "Bo", "Cleo")):
        page.fill(f"[name='players[{seat}].name']", name)
    page.select_option("[name=first]", label="Player 2")
    page.click("#house-rules > summary")
    page.select_option("[name='options.rethrow']", label="everyone may throw again once")
    page.select_option("[name='options.life_blocks']", label="4")
    page.click("form[data-act=start_game] button.primary >> nth=0")
    started = {
        "players": [
            {"name": "Anna", "colour": "red"},
            {"name": "Bo", "colour": "blue"},
            {"name": "Cleo", "colour": "green"},
        ],
        "first": "Bo",
        "options": {"rethrow": "once", "life_blocks": 4},
        "game": "arena",  # the house's, as the form names none
    }
    assert ("start_game", started) in session.asked_for(("start_game", started))


def test_seats_are_shuffled_with_their_colours_and_the_symbol_follows(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page()
    log_in(page, serve(ScriptedSession(snapshot(game=None))).url)
    people = {"Anna": "red", "Bo": "blue", "Cleo": "green", "Dan": "yellow"}
    for seat, name in enumerate(people):
        page.fill(f"[name='players[{seat}].name']", name)
    seats = """() => [...document.querySelectorAll('[data-seats] li')].map(row =>
        [row.querySelector('input').value, row.querySelector('select').value,
         [...row.querySelector('svg').classList].find(name => name.startsWith('c-')).slice(2)])"""
    page.evaluate("() => { let n = 0; Math.random = () => [0, 0.4, 0.1][n++ % 3]; }")
    page.click("[data-shuffle-seats]")
    after = page.evaluate(seats)
    assert {name: colour for name, colour, _drawn in after[:4]} == people
    assert [name for name, _colour, _drawn in after[:4]] != list(people)
    assert all(colour == drawn for _name, colour, drawn in after)
    assert after[4][0] == ""


@pytest.mark.parametrize("other", [False, True])
def test_as_many_may_be_named_as_may_play(
    tmp_path: Path, serve: Any, new_page: Callable[..., Any], other: bool
) -> None:
    """Up to twenty play at dilemmas; there were fields for ten. A place more appears with each name."""
    session = Session(DataFolder(tmp_path, keep_free_bytes=0), unwatched_eye(lambda *_: {}), NoCamera())
    page = new_page(390, 844)
    log_in(page, serve(session, game="tricks" if other else "dilemmas").url)
    if other:
        page.click("#other-game summary")
    form = page.locator("#other-game form" if other else "#new-game form")
    seats = form.locator(".seats li:visible")
    assert seats.count() == 4
    names = [f"Player-{number}" for number in range(12)]
    for number, name in enumerate(names):
        seats.nth(number).locator("input").fill(name)
        assert seats.count() == max(4, number + 2)
    if other:
        form.locator("select[name=game]").select_option("dilemmas")
    form.locator("button.primary").click()
    expect(page.locator("#region-controls")).to_contain_text("Lay a dilemma")
    game = session.snapshot()["game"]
    assert game is not None
    assert [player["name"] for player in game["players"]] == names
    session.stop()


def test_names_that_played_before_are_offered(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(snapshot(game=None))
    page = new_page()
    log_in(page, serve(session).url)
    offered = page.evaluate("() => [...document.querySelectorAll('#known-players option')].map(each => each.value)")
    assert offered
    assert set(offered) == {name for game in session.games() for name in game["players"]}


def test_the_picture_fills_the_screen_and_is_zoomed(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(1366, 768)
    log_in(page, serve(ScriptedSession(throws_scene())).url)
    page.click("[data-enlarge-toggle]")
    page.wait_for_selector(".camera.enlarged")
    box = page.locator(".camera.enlarged").bounding_box()
    assert (box["x"], box["y"]) == (0, 0)
    assert box["width"] >= 1366
    page.mouse.move(300, 300)
    page.mouse.wheel(0, -600)
    page.wait_for_function("() => /scale\\((?!1\\))/.test(document.querySelector('.enlarged img').style.transform)")
    page.keyboard.press("Escape")
    page.wait_for_selector(".camera:not(.enlarged)")


def test_a_phone_vibrates_when_its_duel_begins(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(throws_scene())
    page = new_page(390, 844)
    page.add_init_script("window.calls = 0; navigator.vibrate = () => { window.calls += 1; return true; };")
    page.goto(serve(session).url + "/join")
    page.click("button.seat:has-text('Bernhard')")
    page.wait_for_selector(".me")
    assert page.evaluate("() => window.calls") == 0
    session.show(duel_scene())
    page.wait_for_selector("#choose-peace")
    page.wait_for_function("() => window.calls === 1")


def test_the_pages_can_be_installed_on_a_phone(serve: Any) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    page = client.get("/join")
    manifest = client.get(page.text.split('rel="manifest" href="')[1].split('"')[0])
    assert manifest.json["start_url"] == "/join"
    assert "manifest-src 'self'" in page.headers["Content-Security-Policy"]
    for icon in manifest.json["icons"]:
        assert client.get(f"/static/{icon['src']}").mimetype == icon["type"]
