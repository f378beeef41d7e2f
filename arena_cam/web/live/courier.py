"""One thread for all event streams: it says to each connection what is due, and waits for none.

A thread a stream would cost memory, and a change would wake hundreds that all want to run at once, beside the one that
judges. A connection that has not taken what it was sent is passed over; when it has, it gets the latest.
"""

from __future__ import annotations

import logging
import threading
from typing import Protocol

from arena_cam.web.live.streams import CLIENT_CHECK_S, SHORTEST_GAP_S, LiveStreams, Stream

log = logging.getLogger(__name__)
SLOW_CHECK_S = 0.5  # how soon one that was behind is looked at again


class Connection(Protocol):
    """A connection that the server has let go of."""

    @property
    def open(self) -> bool:
        """False once the other end is gone."""

    @property
    def busy(self) -> bool:
        """Whether something of what was sent has not left yet."""

    def send(self, data: bytes) -> None:
        """Sends without waiting."""

    def close(self) -> None:
        """Ends what is sent."""


class Courier:
    """Serves the streams that are handed to it, from the first one on, until all end."""

    def __init__(self, streams: LiveStreams) -> None:
        self._streams = streams
        self._lock = threading.Lock()
        self._new: list[tuple[Stream, Connection]] = []
        self._thread: threading.Thread | None = None

    def take(self, stream: Stream, connection: Connection) -> None:
        """From now on `stream` is said to `connection`."""
        with self._lock:
            self._new.append((stream, connection))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="streams", daemon=True)
                self._thread.start()
        self._streams.publish()

    def _run(self) -> None:
        served: list[tuple[Stream, Connection]] = []
        while not self._streams.ended:
            seen = self._streams.version
            served += self._taken()
            served = [(stream, connection) for stream, connection in served if _say(stream, connection)]
            behind = any(connection.busy for _, connection in served)
            self._streams.pause(SHORTEST_GAP_S)
            self._streams.wait_for_news(seen, SLOW_CHECK_S if behind else CLIENT_CHECK_S)
        for stream, connection in served + self._taken():
            stream.release()
            connection.close()

    def _taken(self) -> list[tuple[Stream, Connection]]:
        with self._lock:
            taken, self._new = self._new, []
        return taken


def _say(stream: Stream, connection: Connection) -> bool:
    """Says what is due; whether the connection is still open. A fault in one page ends its stream and no other, and so
    does its log-out.
    """
    if stream.over:
        stream.release()
        connection.close()
        return False
    try:
        if connection.open and not connection.busy and (news := stream.due()):
            connection.send(news)
    except Exception:
        log.exception("a stream could not be served")
        connection.close()
        stream.release()
        return False
    if not connection.open:
        stream.release()
    return connection.open
