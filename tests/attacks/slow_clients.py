"""Clients that take their time: requests never finished, streams never read. They may cost their sockets, no more."""

from __future__ import annotations

import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

UNFINISHED = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",  # a header without an end
    b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\npin=",  # a body that does not come
    b"POST /api/opened HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\nPK",
    b"",  # a connection, and nothing on it
)
STREAM = b"GET /api/stream/scoreboard HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def slow_clients(url: str, half_open: int, streams: int) -> Iterator[None]:
    """So many connections with an unfinished request, and so many streams that nobody reads, while this is open."""
    host, port = url.removeprefix("http://").split(":")
    with ExitStack() as opened:
        for number in range(half_open + streams):
            connection = opened.enter_context(socket.create_connection((host, int(port)), timeout=30))
            sent = STREAM if number >= half_open else UNFINISHED[number % len(UNFINISHED)]
            if sent:
                connection.sendall(sent)
        yield


def page_s(url: str, path: str = "/") -> float:
    """Seconds until a page is there whole."""
    began = time.monotonic()
    with urllib.request.urlopen(url + path, timeout=60) as answer:
        assert answer.status == 200
        answer.read()
    return time.monotonic() - began
