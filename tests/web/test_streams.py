"""Many open pages on one process: each hears of every change, and short requests are still answered."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
import tracemalloc
import urllib.request
from typing import Any

import pytest
import waitress.server

from arena_cam.web.live.streams import Rendered
from arena_cam.web.serving import MOST_THREADS
from web.scripted_session import ScriptedSession, duel_scene, game, snapshot, throws_scene

SCOREBOARDS = 200


class OpenScoreboard:
    """A bare reader of one event stream, cheap enough to have 200 of."""

    def __init__(self, url: str, view: str = "scoreboard") -> None:
        host, port = url.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=10)
        self.socket.sendall(f"GET /api/stream/{view} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        self.text = b""

    def listen(self, words: bytes, seconds: float = 20.0) -> None:
        """Reads until the stream said `words`, or for so long."""
        until = time.monotonic() + seconds
        while words not in self.text and time.monotonic() < until:
            try:
                self.text += self.socket.recv(65536)
            except TimeoutError:
                return


def test_200_scoreboards_hear_each_ruling_and_the_page_still_opens(serve: Any) -> None:
    """How soon the last of them hears it, bench.viewers measures."""
    session = ScriptedSession(snapshot(game=game("challenge", rulings=[])))
    served = serve(session)
    boards = [OpenScoreboard(served.url) for _ in range(SCOREBOARDS)]
    for scene, words in ((throws_scene(), b"Green 10 leans"), (duel_scene(), b"is choosing")):
        session.show(scene)
        for board in boards:
            board.listen(words)
            assert words in board.text
        with urllib.request.urlopen(f"{served.url}/", timeout=20) as answer:
            assert answer.status == 200
    for board in boards:
        board.socket.close()


def test_a_closed_page_gives_its_place_back(serve: Any) -> None:
    served = serve(ScriptedSession())
    streams = served.app.extensions["arena_cam"].streams
    boards = [OpenScoreboard(served.url) for _ in range(20)]
    for board in boards:
        board.listen(b"regions")
    assert streams.open_streams == 20
    for board in boards:
        board.socket.close()
    until = time.monotonic() + 15
    while streams.open_streams and time.monotonic() < until:
        time.sleep(0.1)
    assert streams.open_streams == 0


def test_a_stream_says_only_what_changed(serve: Any) -> None:
    session = ScriptedSession(throws_scene())
    board = OpenScoreboard(serve(session).url)
    board.listen(b'"players"')
    before = board.text
    state = json.loads(json.dumps(session.state))
    state["paused"] = True
    session.show(state)
    board.listen(b"Paused")
    event = board.text[len(before) :].split(b"data: ")[-1]
    assert set(json.loads(event.split(b"\n")[0])["regions"]) == {"status"}


def test_what_a_page_was_sent_is_not_kept(serve: Any) -> None:
    """Pages stay open all evening: a megabyte and more sent to one of them cost no more than the last few events."""
    session = ScriptedSession(throws_scene())
    board = OpenScoreboard(serve(session).url)
    board.listen(b"regions")
    tracemalloc.start()
    try:
        for number in range(30):
            scene = throws_scene()
            scene["game"]["players"][0]["name"] = f"number-{number}-{'x' * 30_000}"
            session.show(scene)
            board.listen(f"number-{number}-".encode())
            assert f"number-{number}-".encode() in board.text
        buffers = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, "*/waitress/buffers.py")])
    finally:
        tracemalloc.stop()
    assert len(board.text) > 900_000
    assert sum(trace.size for trace in buffers.traces) < 300_000


@pytest.mark.parametrize("jump_s", [7200.0, -7200.0], ids=["forward", "back"])
def test_a_clock_that_is_set_ends_no_stream(serve: Any, monkeypatch: pytest.MonkeyPatch, jump_s: float) -> None:
    """Set forward by an hour, it ended every stream at once, as if nothing had been said on it for so long."""
    session = ScriptedSession(snapshot(game=game("challenge", rulings=[])))
    served = serve(session)
    board = OpenScoreboard(served.url)
    board.listen(b"regions")
    of_day = time.time
    monkeypatch.setattr(time, "time", lambda: of_day() + jump_s)
    urllib.request.urlopen(f"{served.url}/api/health", timeout=20).close()  # the server's loop goes round
    session.show(throws_scene())
    board.listen(b"Green 10 leans")
    assert b"Green 10 leans" in board.text
    board.socket.close()


def test_stopping_the_server_ends_streams_at_once(serve: Any) -> None:
    served = serve(ScriptedSession())
    board = OpenScoreboard(served.url)
    board.listen(b"regions")
    started = time.monotonic()
    served.stop()
    while board.socket.recv(65536):
        pass
    assert time.monotonic() - started < 5.0


def test_open_pages_share_one_thread(serve: Any) -> None:
    """Hundreds of threads that a change wakes together would run before the one that judges."""
    served = serve(ScriptedSession())
    boards = [OpenScoreboard(served.url) for _ in range(60)]
    for board in boards:
        board.listen(b"regions")
        assert b"regions" in board.text
    assert web_threads() <= MOST_THREADS
    for board in boards:
        board.socket.close()


def test_a_page_that_does_not_read_hears_the_latest_and_keeps_nobody_waiting(serve: Any) -> None:
    """What it missed is not kept for it: megabytes are published, and it is sent what its socket holds and the last."""
    session = ScriptedSession(throws_scene())
    served = serve(session)
    slow = OpenScoreboard(served.url)
    slow.listen(b"regions")
    quick = OpenScoreboard(served.url)
    for number in range(30):
        scene = throws_scene()
        scene["game"]["players"][0]["name"] = f"number-{number}-{'x' * 400_000}"
        session.show(scene)
        quick.text = b""
        quick.listen(f"number-{number}-".encode())
        assert f"number-{number}-".encode() in quick.text
    slow.listen(b"number-29-")
    assert b"number-29-" in slow.text
    heard = {int(each) for each in re.findall(rb"number-(\d+)-", slow.text)}
    assert len(heard) < 20, "it was sent everything that it did not read in time"


def test_a_fault_in_one_page_ends_its_stream_and_no_other(serve: Any, caplog: pytest.LogCaptureFixture) -> None:
    session = ScriptedSession(throws_scene())
    served = serve(session)
    board, other = OpenScoreboard(served.url), OpenScoreboard(served.url, "health")
    board.listen(b"regions")
    other.listen(b"regions")
    session.health = _fails  # type: ignore[method-assign]
    session.show(duel_scene())
    board.listen(b"is choosing")
    assert b"is choosing" in board.text
    other.listen(b"0\r\n\r\n")
    assert other.socket.recv(100) == b""
    assert "could not be served" in caplog.text


def _fails() -> Any:
    raise RuntimeError("this never happens")


def test_a_server_whose_loop_cannot_be_woken_stops_all_the_same(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the web server's loop closes the pipe that wakes it."""
    created: list[Any] = []

    def create(*args: Any, **options: Any) -> Any:
        created.append(waitress.server.create_server(*args, **options))
        return created[-1]

    monkeypatch.setattr("arena_cam.web.serving.create_server", create)
    before = {thread for thread in threading.enumerate() if thread.name == "web"}
    served = serve(ScriptedSession())
    (loop,) = {thread for thread in threading.enumerate() if thread.name == "web"} - before
    board = OpenScoreboard(served.url)
    board.listen(b"regions")
    created[0].trigger.close()
    served.stop()
    assert not loop.is_alive()
    board.socket.close()


def web_threads() -> int:
    return sum(thread.name.startswith("waitress") for thread in threading.enumerate())


def test_what_many_hear_is_written_once_and_who_missed_a_change_gets_the_latest() -> None:
    first = Rendered(1, {"head": "<p>a</p>", "ruling": "<p>b</p>"}, {})
    second = Rendered(2, {"head": "<p>a</p>", "ruling": "<p>c</p>"}, first.regions)
    quick, slow = second.event(first.regions), second.event({})
    assert second.event(dict(first.regions)) is quick
    assert json.loads(quick.split(b"data: ")[1])["regions"] == {"ruling": "<p>c</p>"}
    assert json.loads(slow.split(b"data: ")[1])["regions"] == second.regions
    assert second.event(second.regions) == b""
