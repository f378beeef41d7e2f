"""Getting about: the same pages from everywhere, few for a player, and the desk in the order of what is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from web.conftest import log_in
from web.scripted_session import ScriptedSession, duel_scene, throws_scene

LINKS = "() => [...document.querySelectorAll('nav a[href^=\"/\"]')].map(a => a.getAttribute('href'))"
EVERYTHING = {"/referee", "/join", "/throws", "/games", "/players", "/how", "/health"}


def test_scoreboard_and_pages_lead_to_the_same_pages(serve: Any, new_page: Callable[..., Any]) -> None:
    url = serve(ScriptedSession(throws_scene())).url
    page = new_page()
    for path in ("/", "/games", "/throws", "/health"):
        page.goto(url + path)
        links = set(page.evaluate(LINKS))
        assert links >= EVERYTHING, path
        assert "/setup" not in links, "no camera is here that could be set up"


def test_a_players_phone_leads_nowhere_but_to_what_a_player_needs(serve: Any, new_page: Callable[..., Any]) -> None:
    url = serve(ScriptedSession(throws_scene())).url
    page = new_page(390, 844)
    page.goto(f"{url}/join")
    links = set(page.evaluate(LINKS))
    assert {"/how", "/games"} <= links
    assert not links & {"/referee", "/setup", "/health"}


def test_on_a_phone_the_head_is_one_line_and_its_menu_leads_on(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(390, 844)
    page.goto(f"{serve(ScriptedSession(throws_scene())).url}/games")
    assert page.locator(".top").bounding_box()["height"] < 60
    assert not page.locator(".top a:has-text('Throws')").is_visible()
    page.click("text=Menu")
    page.click(".top a:has-text('Throws')")
    page.wait_for_url("**/throws")


def test_a_player_sees_the_arena_and_everybodys_points(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(390, 844)
    page.goto(f"{serve(ScriptedSession(throws_scene())).url}/join")
    page.click("#seat-2")
    points = page.locator(".others-points").inner_text().split()
    assert points[:2] == ["Christine", "24"]
    assert {"Anna", "Bernhard", "Daniel"} <= set(points)
    assert page.locator(".arena .label").count() == 4
    assert page.locator(".arena image").count() == 0, "the cards' pictures are for the television"
    tops = {page.locator(".me .facts > div").nth(place).bounding_box()["y"] for place in range(3)}
    assert len(tops) == 1, "points, life blocks and cards stand in one line"


@pytest.mark.parametrize(("width", "first"), [(390, "#region-controls"), (1366, ".of-picture")])
def test_the_desk_begins_with_what_is_needed_there(
    serve: Any, new_page: Callable[..., Any], width: int, first: str
) -> None:
    page = new_page(width, 844)
    log_in(page, serve(ScriptedSession(throws_scene())).url)
    page.wait_for_selector("#act-close_challenge")
    places = {name: page.locator(name).bounding_box() for name in ("#region-controls", ".of-picture", "#region-cards")}
    assert min(places, key=lambda name: (places[name]["y"], places[name]["x"])) == first
    if width < 600:
        assert page.locator("#act-close_challenge").bounding_box()["y"] < 300
        assert places["#region-cards"]["y"] < places[".of-picture"]["y"]


def test_what_unfolds_on_the_desk_pushes_nothing_of_the_other_column(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(1366, 768)
    log_in(page, serve(ScriptedSession(throws_scene())).url)
    before = page.locator("#new-game").bounding_box()["y"]
    page.click("#more summary")
    assert page.locator("#more form").first.is_visible()
    assert page.locator("#new-game").bounding_box()["y"] == before


def test_a_card_of_a_closed_round_is_one_tap_from_its_correction(serve: Any, new_page: Callable[..., Any]) -> None:
    scene = throws_scene()
    for card in scene["cards"]:
        card |= {"line": None, "in_round": False, "verdict": None, "card": "red-8", "throw": "t0009"}
    scene["game"]["players"][0]["hand"] = []
    page = new_page()
    log_in(page, serve(ScriptedSession(scene)).url)
    assert page.locator("#region-cards a:has-text('Correct')").first.get_attribute("href") == "/throws/t0009#amend"


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_a_tap_on_a_card_in_the_picture_opens_its_correction(
    serve: Any, new_page: Callable[..., Any], width: int, height: int
) -> None:
    page = new_page(width, height)
    log_in(page, serve(ScriptedSession(throws_scene())).url)
    page.wait_for_function("() => document.querySelector('.camera img').naturalWidth === 640")

    def tap(x: float, y: float) -> None:
        """At a place of the camera's picture, 1280 by 720."""
        box = page.locator(".camera img").bounding_box()
        scale = min(box["width"] / 1280, box["height"] / 720)
        left, top = box["x"] + (box["width"] - 1280 * scale) / 2, box["y"] + (box["height"] - 720 * scale) / 2
        page.mouse.click(left + x * scale, top + y * scale)

    page.locator(".camera").scroll_into_view_if_needed()
    tap(640 - 2 * 108, 360 + 2 * 70)  # where green 10 leans
    page.wait_for_selector("#fix-9[open]")
    assert page.evaluate("() => document.activeElement.closest('details')?.id") == "fix-9"
    page.locator(".camera").scroll_into_view_if_needed()
    tap(100, 650)  # the bare table: the picture grows
    page.wait_for_selector(".camera.enlarged")
    tap(640 + 2 * 22, 360 + 2 * 22)  # blue 3, which lies on red 8
    page.wait_for_selector("#fix-8[open]")
    assert page.locator(".camera.enlarged").count() == 0
    assert page.locator("#fix-6[open]").count() == 0


def test_the_camera_is_hidden_and_shown_by_a_button_that_says_so(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(1366, 768)
    page.goto(serve(ScriptedSession(duel_scene())).url)
    page.click("text=Hide the camera")  # waits until the button can be pressed
    assert page.locator(".camera.off").count() == 1
    page.click("text=Show the camera")
    assert page.locator(".camera.off").count() == 0


def test_who_corrects_is_remembered_and_no_reason_is_demanded(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(throws_scene())
    url = serve(session).url
    page = new_page()
    log_in(page, url)
    for _ in range(2):
        page.goto(f"{url}/throws/t0009")
        page.select_option("#amend [data-kind=set] select[name=landing]", "edge")
        page.click("#amend button.primary")
        page.wait_for_selector("#preview:visible")
        name = page.input_value("input[name=who]")
        page.fill("input[name=who]", "Ruth")
        page.click("[data-confirm-amend]")
        page.wait_for_selector("#preview", state="hidden")
    assert name == "Ruth"
    sent, who = session.acts[-1][1:3]
    assert who.endswith("Ruth")
    assert "reason" not in sent


def test_a_game_is_looked_for_and_renamed_where_it_is_looked_at(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(throws_scene())
    page = new_page(390, 844)
    url = serve(session).url
    log_in(page, url)
    page.goto(f"{url}/games")
    titles = [row.inner_text() for row in page.query_selector_all(".game-row h2")]
    page.fill("[role=search] input", titles[1])
    page.press("[role=search] input", "Enter")
    page.wait_for_url("**/games?q=*")
    assert [row.inner_text() for row in page.query_selector_all(".game-row h2")] == titles[1:2]
    page.fill("[role=search] input", "nobody of this name")
    page.click("[role=search] button")
    page.wait_for_selector("text=No game has these words")
    page.click("text=All games")
    page.click(f".game-row h2 a:has-text('{titles[0]}')")
    page.fill("[data-act=rename_game] [name=name]", "Before Christmas")
    page.click("[data-act=rename_game] button")
    renamed = ("rename_game", {"game": page.url.rsplit("/", 1)[1], "name": "Before Christmas"})
    assert session.asked_for(renamed) == [renamed]


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_desk_does_not_jump_with_every_step_of_the_game(
    size: tuple[int, int], serve: Any, new_page: Callable[..., Any]
) -> None:
    throws, duel = throws_scene(), duel_scene()
    session = ScriptedSession(duel)
    page = new_page(*size)
    log_in(page, serve(session).url)

    def top(said: str, state: dict[str, Any]) -> float:
        session.show(state | {"eye": state["eye"] | {"state": "settling" if said == "long" else "decided"}})
        page.wait_for_function(
            "now => document.querySelector('#region-status').dataset.html?.includes(now)",
            arg="settling" if said == "long" else "decided",
        )
        page.wait_for_timeout(100)
        return float(page.locator("#region-cards").bounding_box()["y"])

    tops = {top(said, state) for said, state in [("short", duel), ("long", throws), ("short", throws), ("long", duel)]}
    assert max(tops) - min(tops) < 1.0, tops
