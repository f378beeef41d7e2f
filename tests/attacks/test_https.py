"""The pages by HTTPS: who is behind a connection is told apart, and who holds connections keeps nobody out."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from arena_cam.commands.process.certificate import own_certificate
from arena_cam.commands.process.https import Secure, open_secure
from arena_cam.domain.errors import CannotDo
from arena_cam.web.access.security import WRONG_TRIES_PER_ADDRESS
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.secure_front import MOST_CONNECTIONS
from arena_cam.web.serving import Server, listen
from web.conftest import PIN
from web.scripted_session import ScriptedSession, throws_scene

Site = tuple[int, int]  # the pages' port, and the one of HTTPS


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    session: Any = ScriptedSession(throws_scene())
    listening = listen("127.0.0.1", 0)
    port = int(listening.getsockname()[1])
    with listen("127.0.0.1", 0) as free:
        secure_port = int(free.getsockname()[1])
    secure: Secure = open_secure("127.0.0.1", secure_port, port, tmp_path)
    app = create_app(session, WebSettings(PIN, "a secret of the tests", None))
    server = Server(app, listening, secure.behind)
    server.start()
    secure.start()
    yield port, secure_port
    secure.stop()
    server.stop(app.extensions["arena_cam"].streams.end)
    session.end()


def connect(port: int, own_address: str, *, encrypted: bool) -> http.client.HTTPConnection:
    """A connection from one of this machine's many addresses."""
    source = (own_address, 0)
    if not encrypted:
        return http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=source)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=30, source_address=source, context=context)


def tries(connection: http.client.HTTPConnection, pin: str, **claimed: str) -> int:
    """The status with which a log-in is answered."""
    connection.request("GET", "/referee")
    page = connection.getresponse()
    cookie = str(page.getheader("Set-Cookie")).partition(";")[0]
    token: Any = re.search(r'name="csrf-token" content="([^"]+)"', page.read().decode())
    sent = {"Cookie": cookie, "X-CSRF-Token": token[1], "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/login", f"pin={pin}", sent | claimed)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def test_wrong_pins_by_https_lock_nobody_else(site: Site) -> None:
    """Neither another telephone behind the same listener nor this machine's own browser."""
    port, secure = site
    guesser = connect(secure, "127.0.0.2", encrypted=True)
    assert [tries(guesser, "111111") for _ in range(WRONG_TRIES_PER_ADDRESS + 1)] == [403] * 5 + [429]
    assert tries(connect(secure, "127.0.0.3", encrypted=True), PIN) == 303
    assert tries(connect(port, "127.0.0.1", encrypted=False), PIN) == 303


def test_who_guesses_by_both_ways_is_one(site: Site) -> None:
    port, secure = site
    for number in range(WRONG_TRIES_PER_ADDRESS):
        way = connect((port, secure)[number % 2], "127.0.0.2", encrypted=bool(number % 2))
        assert tries(way, "111111", **{"X-Forwarded-For": f"10.0.0.{number}"}) == 403
    for each, encrypted in ((port, False), (secure, True)):
        assert tries(connect(each, "127.0.0.2", encrypted=encrypted), PIN) == 429


def test_who_holds_all_the_connections_that_one_may_have_keeps_nobody_out(site: Site) -> None:
    """They say nothing, or something that is no TLS; the telephone that is the camera gets in beside them."""
    _, secure = site
    with ExitStack() as held:
        for number in range(MOST_CONNECTIONS + 20):
            own = held.enter_context(
                socket.create_connection(("127.0.0.1", secure), timeout=30, source_address=("127.0.0.2", 0))
            )
            if number % 3 == 0:
                own.sendall(b"GET / HTTP/1.1\r\n\r\n")
        phone = connect(secure, "127.0.0.3", encrypted=True)
        phone.request("GET", "/camera")
        assert phone.getresponse().status == 200
    answered(lambda: connect(secure, "127.0.0.2", encrypted=True))


def answered(opened: Callable[[], http.client.HTTPConnection]) -> None:
    """What was held has been given back: the one who held it is let in again, soon."""
    until = time.monotonic() + 30
    while True:
        try:
            again = opened()
            again.request("GET", "/")
            assert again.getresponse().status == 200
            return
        except (OSError, http.client.HTTPException):
            assert time.monotonic() < until
            time.sleep(0.1)


@pytest.mark.parametrize("name", ["https.crt", "https.key", "https.host"])
@pytest.mark.parametrize("damage", [lambda b: b[: len(b) // 2], lambda _: b"\xff\xfe", lambda _: b""])
def test_a_damaged_certificate_is_made_anew(tmp_path: Path, name: str, damage: Callable[[bytes], bytes]) -> None:
    first = own_certificate(tmp_path, "192.0.2.7")[2]
    (tmp_path / name).write_bytes(damage((tmp_path / name).read_bytes()))
    certificate, key, again = own_certificate(tmp_path, "192.0.2.7")
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    assert again != first
    assert own_certificate(tmp_path, "192.0.2.7")[2] == again


def test_where_no_certificate_can_be_kept_it_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "https.crt").mkdir()
    with pytest.raises(CannotDo, match="--https-port 0"):
        own_certificate(tmp_path, "192.0.2.7")
