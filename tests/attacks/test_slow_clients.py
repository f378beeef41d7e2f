"""Slow clients keep nobody else waiting; `python -m bench.slow_clients` measures it with hundreds."""

from __future__ import annotations

import contextlib
import resource
import socket
import threading
from typing import Any

import pytest

from arena_cam.web import serving
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


def test_waiting_for_pictures_that_do_not_come_leaves_room_for_pages(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lost camera in a full room: each page that shows its picture had a thread of the server for two seconds."""
    session, comes = ScriptedSession(throws_scene()), threading.Event()
    monkeypatch.setattr(session, "wait_jpeg", lambda *_: comes.wait(20) and None)
    served = serve(session)
    asks = b"GET /api/live.jpg?after=999999 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with contextlib.ExitStack() as opened:
        waiting = [opened.enter_context(socket.create_connection(("127.0.0.1", served.server.port))) for _ in range(40)]
        for connection in waiting:
            connection.sendall(asks)
        try:
            assert page_s(served.url) < 10
        finally:
            comes.set()
        answers = [connection.recv(200)[9:12] for connection in waiting]
    assert (answers.count(b"204"), answers.count(b"429")) == (12, 28)


def test_who_holds_many_connections_keeps_nobody_else_out(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_OF_ONE", 8)
    served = serve(ScriptedSession(throws_scene()))
    address = ("127.0.0.1", served.server.port)
    with contextlib.ExitStack() as opened:
        held = [opened.enter_context(socket.create_connection(address, timeout=30)) for _ in range(9)]
        assert held[8].recv(1) == b"", "the ninth is closed at once"
        other = opened.enter_context(socket.create_connection(address, timeout=30, source_address=("127.0.0.2", 0)))
        other.sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert other.recv(200).startswith(b"HTTP/1.1 200")
        held[0].close()
        held[1].sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert held[1].recv(200).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("soft", "hard", "connections", "asked_for"),
    [(1024, 4096, 1000, 1600), (1024, 1024, 424, 1024), (256, 512, 100, 512), (20_000, 20_000, 1000, None)],
)
def test_files_can_be_opened_beside_all_connections(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, connections: int, asked_for: int | None
) -> None:
    """A thousand connections were let in where many a system lets a program open 1024 files."""
    asked: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits[0]))
    assert serving.room_for_connections() == connections
    assert asked == ([] if asked_for is None else [asked_for])


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


def test_files_on_their_way_in_fill_no_disk(serve: Any) -> None:
    """Strangers sent as many of 64 MB each as there may be connections, before anybody asked who they were."""
    address = ("127.0.0.1", serve(ScriptedSession(throws_scene())).server.port)
    sized, chunked = b"Content-Length: 60000000", b"Transfer-Encoding: chunked"

    def sends(source: str, said: bytes, body: bytes) -> socket.socket:
        connection = opened.enter_context(socket.create_connection(address, timeout=30, source_address=(source, 0)))
        connection.sendall(b"POST /api/opened HTTP/1.1\r\nHost: localhost\r\n" + said + b"\r\n\r\n" + body)
        return connection

    with contextlib.ExitStack() as opened:
        held = [sends(f"127.0.0.{2 + number // 2}", (sized, chunked)[number % 2], b"1") for number in range(4)]
        for source, said, body in (("127.0.0.2", sized, b""), ("127.0.0.4", chunked, b"1"), ("127.0.0.4", sized, b"")):
            assert sends(source, said, body).recv(200).startswith(b"HTTP/1.1 503"), (source, said)
        small = b"Content-Length: 2"
        assert sends("127.0.0.4", small, b"{}").recv(200).startswith(b"HTTP/1.1 403"), "what is small goes on"
        held[1].sendall(b"\r\n" * 5000)  # a size line that does not end
        held[1].sendall(b"a" * 20_000)
        assert held[1].recv(200).startswith(b"HTTP/1.1 400")
        assert sends("127.0.0.4", sized, bytes(60_000_000)).recv(200).startswith(b"HTTP/1.1 403"), "there is room again"
