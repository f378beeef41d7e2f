"""A page whose program is out of reach, and a program that ends while it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest
from flask import request

from web.conftest import log_in
from web.scripted_session import ScriptedSession, duel_scene


@pytest.mark.parametrize(
    ("language", "words"), [("en", "No connection"), ("fr", "Pas de connexion"), ("is", "Ekkert samband")]
)
def test_a_button_pressed_without_a_network_says_so_in_the_page_s_language(
    language: str, words: str, serve: Any, new_page: Callable[..., Any]
) -> None:
    page = new_page(390, 844, locale=language)
    url = serve(ScriptedSession(duel_scene())).url
    log_in(page, url)
    page.route("**/api/act/**", lambda route: route.abort("internetdisconnected"))
    page.click("#region-controls [data-act=pause]")
    page.wait_for_selector(f"#toast:has-text('{words}')")


def test_a_request_that_ends_after_the_server_wakes_nothing(serve: Any) -> None:
    """Its byte would go to a pipe that is closed, or to the file that has the pipe's number by then."""
    served = serve(ScriptedSession(duel_scene()))
    servers: list[Any] = []

    def ask() -> str:
        servers.append(request.environ["waitress.client_disconnected"].__self__.server)
        return "heard"

    served.app.add_url_rule("/ask", "ask", ask)
    assert urlopen(f"{served.url}/ask", timeout=10).read() == b"heard"
    served.stop()
    servers[0].pull_trigger()
