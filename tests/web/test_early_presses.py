"""What is pressed before a page's scripts have come is done when they have: real pages whose scripts are held back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from web.conftest import HeldBack, log_in
from web.scripted_session import ScriptedSession, throws_scene


@pytest.mark.parametrize(
    ("script", "button", "done"),
    [
        ("page", "[data-enlarge-toggle]", ".camera.enlarged"),
        ("enlarge", "[data-enlarge-toggle]", ".camera.enlarged"),
        ("page", "[data-camera-toggle]", ".camera.off"),
        ("camera", "[data-camera-toggle]", ".camera.off"),
        ("page", "[data-slow-motion]", "[data-slow-motion][aria-pressed=false]"),
        ("slowmotion", "[data-slow-motion]", "[data-slow-motion][aria-pressed=false]"),
        ("page", "[data-full-screen]", "html.kiosk"),
        ("fullscreen", "[data-full-screen]", "html.kiosk"),
        ("page", "[data-speech]", "[data-speech][aria-pressed=true]"),
    ],
)
def test_a_button_of_the_television_is_heard_before_its_script_has_come(
    serve: Any, new_page: Callable[..., Any], script: str, button: str, done: str
) -> None:
    page = new_page(1920, 1080)
    late = HeldBack(page, f"**/js/{script}.js*")
    page.goto(serve(ScriptedSession(throws_scene())).url, wait_until="commit")
    page.click(button, timeout=5000)
    assert page.locator(done).count() == 0
    late.let_go()
    page.wait_for_selector(done)


def test_a_button_waits_for_its_own_script_only(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(1920, 1080)
    late = HeldBack(page, "**/js/slowmotion.js*")
    page.goto(serve(ScriptedSession(throws_scene())).url, wait_until="commit")
    page.click("[data-slow-motion]")
    page.click("[data-camera-toggle]")
    page.wait_for_selector(".camera.off")
    late.let_go()
    page.wait_for_selector("[data-slow-motion][aria-pressed=false]")


@pytest.mark.parametrize("script", ["fullscreen", "slowmotion"])
def test_a_script_that_did_not_come_is_asked_for_again(serve: Any, new_page: Callable[..., Any], script: str) -> None:
    """A Wi-Fi that drops for a moment leaves no dead button and no error."""
    page = new_page(1920, 1080)
    page.route(f"**/js/{script}.js*", lambda route: route.abort(), times=1)
    page.goto(serve(ScriptedSession(throws_scene())).url)
    button, done = {
        "fullscreen": ("[data-full-screen]", "html.kiosk"),
        "slowmotion": ("[data-slow-motion]", "[data-slow-motion][aria-pressed=false]"),
    }[script]
    page.click(button)
    page.wait_for_selector(done)


def test_a_setting_chosen_before_the_scripts_have_come_is_sent(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(throws_scene())
    page = new_page(1366, 768)
    url = serve(session).url
    log_in(page, url)
    late = HeldBack(page, "**/js/page.js*")
    page.goto(f"{url}/referee", wait_until="commit")
    page.select_option("#mode", "confirm_always")
    with page.expect_response("**/api/act/set_mode"):
        late.let_go()
