"""Server-sent events: every open page gets the regions of itself that changed, as finished HTML.

Sending HTML and not data keeps one source of truth for how things look (the templates) and the browser's script free
of the game. A stream is one thread that sleeps on a condition; a change wakes them all; the first renders for its page
and language and writes the event, the others send the same bytes. Whoever was too slow for a change gets the latest.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Hashable, Iterator

from arena_cam.referee.interface import SessionPort

MOST_STREAMS = 320  # 200 scoreboards, and phones, referees and forgotten tabs beside them
HEARTBEAT_S = 5.0  # a page that has heard nothing for three of these says that it is out of touch
CLIENT_CHECK_S = 2.5  # how soon the thread of a closed page is free again
SHORTEST_GAP_S = 0.1  # changes that come faster than this are shown together
SAME_EVENT_S = 0.5  # so long the same bytes serve all: each event carries the time, by which pages set their clocks

Regions = dict[str, str]


class Rendered:
    """One version of a page for all who see the same. Regions that did not change are the objects they were before."""

    def __init__(self, version: int, regions: Regions, before: Regions) -> None:
        self.version = version
        self.regions = {name: before[name] if before.get(name) == html else html for name, html in regions.items()}
        self._events: dict[tuple[str, ...], tuple[float, bytes]] = {}

    def event(self, sent: Regions) -> bytes:
        """What a page that shows `sent` must hear, written once for all that hear the same; empty if it is nothing."""
        changed = tuple(name for name, html in self.regions.items() if sent.get(name) != html)
        if not changed:
            return b""
        now = time.time()
        written, event = self._events.get(changed, (0.0, b""))
        if not 0.0 <= now - written < SAME_EVENT_S:
            data = json.dumps({"now": now, "regions": {name: self.regions[name] for name in changed}})
            event = f"id: {self.version}\nevent: regions\ndata: {data}\n\n".encode()
            self._events[changed] = (now, event)
        return event


class LiveStreams:
    """Knows that something changed, and hands out what each page needs to hear of it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._version = 0
        self._ended = False
        self._open = 0
        self._rendering = threading.Lock()
        self._rendered: dict[Hashable, Rendered] = {}

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

    def rendered(self, key: Hashable, render: Callable[[], Regions]) -> Rendered:
        """What `render` gives, made once for all pages of the same `key` (page, language, viewer) and version."""
        version = self._version
        with self._rendering:
            known = self._rendered.get(key)
            if known is None or known.version < version:
                if len(self._rendered) > 2 * MOST_STREAMS:
                    self._rendered.clear()  # keys of phones long gone
                known = Rendered(version, render(), known.regions if known is not None else {})
                self._rendered[key] = known
        return known

    def stream(self, current: Callable[[], Rendered], gone: Callable[[], bool]) -> Iterator[bytes]:
        """The body of one event stream: `current` gives the page as it is, `gone` tells whether the browser has left.

        The first event carries all regions, so that a page that was out of touch is right again after one event.
        """
        yield b"retry: 1000\n\n"
        sent: Regions = {}
        seen = -1
        quiet_s = 0.0
        while not self._ended:
            if seen != self._version:
                page = current()
                seen, quiet_s = page.version, 0.0
                event = page.event(sent)
                sent = page.regions
                if event:
                    yield event
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
