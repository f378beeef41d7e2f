"""Server-sent events: every open page gets the regions of itself that changed, as finished HTML.

Sending HTML and not data keeps one source of truth for how things look (the templates) and the browser's script free
of the game. A stream is one thread that sleeps on a condition; a change wakes them all; the first renders for
its page and language, the others send the same bytes.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Hashable, Iterator

from arena_cam.referee.interface import SessionPort

MOST_STREAMS = 320  # 200 scoreboards, and phones, referees and forgotten tabs beside them
HEARTBEAT_S = 5.0  # a page that has heard nothing for three of these says that it is out of touch
CLIENT_CHECK_S = 1.0  # how soon the thread of a closed page is free again
SHORTEST_GAP_S = 0.1  # changes that come faster than this are shown together

Regions = dict[str, str]


class LiveStreams:
    """Knows that something changed, and hands out what each page needs to hear of it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._version = 0
        self._ended = False
        self._open = 0
        self._rendering = threading.Lock()
        self._rendered: dict[Hashable, tuple[int, Regions]] = {}

    @property
    def open_streams(self) -> int:
        """How many pages hang on at this moment."""
        return self._open

    def publish(self) -> None:
        """Says that something that pages show may have changed; returns at once."""
        with self._changed:
            self._version += 1
            self._changed.notify_all()

    def end(self) -> None:
        """Ends every stream: the program is closing."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def enter(self) -> bool:
        """Takes a place for one stream; False if all are taken. Each place taken must be given back with `leave`."""
        with self._changed:
            if self._open >= MOST_STREAMS or self._ended:
                return False
            self._open += 1
            return True

    def leave(self) -> None:
        with self._changed:
            self._open -= 1

    def regions(self, key: Hashable, render: Callable[[], Regions]) -> Regions:
        """What `render` gives, made once for all pages of the same `key` (page, language, viewer) and version."""
        version = self._version
        with self._rendering:
            known = self._rendered.get(key)
            if known is None or known[0] != version:
                if len(self._rendered) > 2 * MOST_STREAMS:
                    self._rendered.clear()  # keys of phones long gone
                known = (version, render())
                self._rendered[key] = known
        return known[1]

    def stream(self, current: Callable[[], Regions], gone: Callable[[], bool]) -> Iterator[bytes]:
        """The body of one event stream: `current` gives the page's regions, `gone` tells whether the browser has left.

        The first event carries all regions, so that a page that was out of touch is right again after one event.
        """
        yield b"retry: 1000\n\n"
        sent: Regions = {}
        seen = -1
        quiet_s = 0.0
        while not self._ended:
            if seen != self._version:
                seen, quiet_s = self._version, 0.0
                regions = current()
                changed = {name: html for name, html in regions.items() if sent.get(name) != html}
                sent = dict(regions)
                if changed:
                    event = json.dumps({"now": time.time(), "regions": changed})
                    yield f"id: {seen}\nevent: regions\ndata: {event}\n\n".encode()
                    self._pause(SHORTEST_GAP_S)
            elif quiet_s >= HEARTBEAT_S:
                quiet_s = 0.0
                yield b"event: alive\ndata: {}\n\n"
            self._wait_for_news(seen)
            quiet_s += CLIENT_CHECK_S
            if gone():
                return

    def _wait_for_news(self, seen: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._version != seen, CLIENT_CHECK_S)

    def _pause(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._ended, seconds)


def follow(session: SessionPort, streams: LiveStreams) -> threading.Thread:
    """Starts the one thread that wakes all streams whenever the session has changed, until the session ends."""

    def run() -> None:
        subscription = session.subscribe()
        while not subscription.closed:
            if subscription.next(CLIENT_CHECK_S) is not None:
                streams.publish()
        streams.end()

    thread = threading.Thread(target=run, name="live", daemon=True)
    thread.start()
    return thread
