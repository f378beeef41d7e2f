"""Requests that claim to come from somewhere else, and PINs tried by many at once."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.web.access.security import WRONG_TRIES_IN_ALL, PinGate
from web.conftest import PIN
from web.scripted_session import ScriptedSession, throws_scene
from web.test_security import headers, log_in, token

FORGED = ("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "[::1]:99999", "a b", "<script>", "x" * 4000)


@pytest.mark.parametrize("host", FORGED)
def test_a_forged_host_is_repeated_nowhere(serve: Any, host: str) -> None:
    """No address of a page, link or redirect is made from it, so that none leads elsewhere."""
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    for method, path in (("GET", "/"), ("GET", "/join"), ("GET", "/health"), ("GET", "/api/state"), ("POST", "/login")):
        sent = {"Host": host, "X-Forwarded-Host": host, "Forwarded": f"host={host}", "Accept": "application/json"}
        answer = client.open(path, method=method, headers=sent)
        assert answer.status_code < 500
        told = answer.text + "".join(f"{value}" for _, value in answer.headers)
        assert "evil.example" not in told
        assert host not in told or len(host) < 4


def test_a_referees_stream_ends_with_the_log_out(serve: Any) -> None:
    """It went on telling what only referees may see, to a window that nobody had closed."""
    served = serve(ScriptedSession(throws_scene()))
    client = served.app.test_client()
    log_in(client)
    cookie = f"arena_cam={client.get_cookie('arena_cam').value}"
    with socket.create_connection(("127.0.0.1", served.server.port), timeout=20) as opened:
        opened.sendall(f"GET /api/stream/referee HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
        text = b""
        while b"event: regions" not in text:
            text += opened.recv(65536)
        assert client.post("/logout", data={"csrf": token(client)}).status_code == 303
        while more := opened.recv(65536):  # it ends: otherwise this waits for as long as the socket may
            text += more
    assert served.app.extensions["arena_cam"].streams.open_streams == 0


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost.evil.example:8000", "file://"])
def test_another_sites_request_does_nothing_even_from_the_referees_browser(serve: Any, origin: str) -> None:
    """Its cookie goes along; the page's token does not, for another site cannot read it."""
    session = ScriptedSession(throws_scene())
    client = serve(session).app.test_client()
    log_in(client)
    for sent in ({"Origin": origin}, {"Origin": origin, "Sec-Fetch-Site": "cross-site"} | headers(client)):
        answer = client.post("/api/act/undo", json={}, headers=sent)
        assert (answer.status_code, answer.json["error"]["code"]) == (403, "csrf")
    assert session.acts == []
    assert "Access-Control-Allow-Origin" not in client.get("/api/state", headers={"Origin": origin}).headers


def test_an_address_is_the_connections_whatever_the_request_claims(serve: Any) -> None:
    """Who could make up an address for each try would have as many tries as there are addresses."""
    client = serve(ScriptedSession()).app.test_client()
    answers = []
    for number in range(8):
        claimed = {"X-Forwarded-For": f"10.0.0.{number}", "X-Real-IP": f"10.0.0.{number}"} | headers(client)
        answers.append(client.post("/login", data={"pin": "111111"}, headers=claimed).status_code)
    assert answers == [403] * 5 + [429] * 3


def test_pins_from_two_hundred_addresses_at_once_are_counted_together() -> None:
    """A million PINs, and as many threads as a server has: the right one among them is not found by being quick."""
    gate = PinGate(PIN, clock=lambda: 0.0)
    start = threading.Barrier(200)
    tried, refused = [], []

    def guess(number: int) -> None:
        start.wait()
        for each in range(5):
            try:
                tried.append(gate.try_pin(f"{number:03d}{each:03d}", f"10.0.{number // 250}.{number % 250}"))
            except Refused:
                refused.append(number)

    threads = [threading.Thread(target=guess, args=(number,)) for number in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tried == [False] * WRONG_TRIES_IN_ALL
    assert len(refused) == 1000 - WRONG_TRIES_IN_ALL
