"""Slow clients keep nobody else waiting; `python -m bench.slow_clients` measures it with hundreds."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Any

import pytest

from attacks.slow_clients import page_s, slow_clients
from web.scripted_session import ScriptedSession, throws_scene


def test_pages_are_answered_beside_requests_that_never_end(serve: Any) -> None:
    """More of them than there are threads for short requests: none of them may hold one."""
    served = serve(ScriptedSession(throws_scene()))
    threads = threading.active_count()
    with slow_clients(served.url, half_open=60, streams=0):
        for path in ("/", "/join", "/api/state"):
            page_s(served.url, path)
        assert threading.active_count() - threads < 10
    assert page_s(served.url) < 60


def test_streams_that_nobody_reads_leave_room_for_pages(serve: Any) -> None:
    session = ScriptedSession(throws_scene())
    served = serve(session)
    with slow_clients(served.url, half_open=0, streams=40):
        for _ in range(5):
            session.show(throws_scene())
            page_s(served.url)


@pytest.mark.parametrize("path", ["/", "/login", "/api/act/undo", "/api/nothing"])
def test_a_large_body_is_refused_before_it_is_taken_in(serve: Any, path: str) -> None:
    """Only its header was sent: who waited for all of it would never answer."""
    served = serve(ScriptedSession(throws_scene()))
    with socket.create_connection(("127.0.0.1", served.server.port), timeout=30) as opened:
        opened.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n".encode())
        assert opened.recv(200).startswith(b"HTTP/1.1 413")
    with socket.create_connection(("127.0.0.1", served.server.port), timeout=30) as opened:
        opened.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(40):
                opened.sendall(b"10000\r\n" + bytes(0x10000) + b"\r\n")
            opened.sendall(b"0\r\n\r\n")
        with contextlib.suppress(ConnectionResetError):
            assert opened.recv(200)[:12] in (b"HTTP/1.1 413", b"")
