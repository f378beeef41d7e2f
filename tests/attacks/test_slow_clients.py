"""Slow clients keep nobody else waiting; `python -m bench.slow_clients` measures it with hundreds."""

from __future__ import annotations

import contextlib
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
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


@pytest.fixture
def upload(serve: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., socket.socket]]:
    """Begins to send a file from an address, where 8 MB may be on their way in, and 4 MB from one address."""
    monkeypatch.setattr(serving, "MOST_ARRIVING", 8_000_000)
    monkeypatch.setattr(serving, "MOST_ARRIVING_OF_ONE", 4_000_000)
    address = ("127.0.0.1", serve(ScriptedSession(throws_scene())).server.port)

    def sends(source: str, body: bytes, said: bytes = b"Content-Length: 3000000") -> socket.socket:
        connection = opened.enter_context(socket.create_connection(address, timeout=30, source_address=(source, 0)))
        connection.sendall(b"POST /api/opened HTTP/1.1\r\nHost: localhost\r\n" + said + b"\r\n\r\n" + body)
        return connection

    with contextlib.ExitStack() as opened:
        yield sends


CHUNKED = b"Transfer-Encoding: chunked"
PART = b"200000\r\n" + bytes(0x200000) + b"\r\n"  # 2 MB


def answered(connection: socket.socket, within_s: float = 30.0) -> bytes:
    """The status of the answer; empty where there is none, or the connection was closed while it still sent."""
    connection.settimeout(within_s)
    with contextlib.suppress(ConnectionResetError, TimeoutError):
        return connection.recv(200)[9:12]
    return b""


def refused_for_want_of_room(upload: Callable[..., socket.socket], source: str) -> bool:
    """Whether a file of 3 MB is, once what others have sent is read."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with upload(source, b"") as tried:
            if answered(tried, 0.2) == b"503":
                return True
    return False


def test_files_on_their_way_in_fill_no_disk(upload: Callable[..., socket.socket]) -> None:
    """Strangers sent as many of 64 MB each as there may be connections, before anybody asked who they were."""
    two = b"Content-Length: 2000000"
    held = [upload(source, bytes(1_900_000), two) for source in ("127.0.0.2", "127.0.0.3") for _ in range(2)]
    held.append(upload("127.0.0.4", b"1", CHUNKED))
    assert refused_for_want_of_room(upload, "127.0.0.2"), "this address has sent its share"
    assert refused_for_want_of_room(upload, "127.0.0.4"), "there is no room for 3 MB of anybody"
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        chunked = upload("127.0.0.5", PART, CHUNKED)
        assert answered(chunked) in (b"503", b""), "it said no size, and was cut off when there was no room"
    assert answered(upload("127.0.0.4", b"{}", b"Content-Length: 2")) == b"403", "what is small goes on"
    held[4].sendall(b"\r\n" * 5000)  # a size line that does not end
    held[4].sendall(b"a" * 20_000)
    assert answered(held[4]) == b"400"
    for number in (0, 2):
        held[number].close()
    sent = b"503"
    while sent == b"503":  # until the server has seen that they are gone
        sent = answered(upload("127.0.0.4", bytes(1_900_000), b"Content-Length: 1900000"))
    assert sent == b"403", "there is room again"
    held[1].sendall(bytes(100_000))
    assert answered(held[1]) == b"403", "what goes on within its share arrives"


def test_who_announces_files_and_sends_little_of_them_keeps_nobody_out(upload: Callable[..., socket.socket]) -> None:
    """Two strangers with two each were enough, for as long as they liked."""
    for source in ("127.0.0.2", "127.0.0.3"):
        for said in (b"Content-Length: 3000000", CHUNKED) * 4:
            upload(source, b"1", said)
    assert answered(upload("127.0.0.2", b"2" * 3_000_000)) == b"403"
    assert answered(upload("127.0.0.4", b"2" * 3_000_000)) == b"403"


def test_a_file_that_never_ends_is_given_up(
    upload: Callable[..., socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = upload("127.0.0.2", b"1")
    assert answered(slow, 0.2) == b"", "nothing is said while it may come"
    monkeypatch.setattr(serving, "LONGEST_ARRIVING_S", 0.1)
    slow.sendall(b"1")
    assert answered(slow) == b"408"
