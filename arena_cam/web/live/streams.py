"""Server-sent events: every open page gets the regions of itself that changed, as finished HTML.

Sending HTML and not data keeps one source of truth for how things look (the templates) and the browser's script free
of the game. After a change each page and language is rendered and its event written once; all that see the same are
sent the same bytes, by one thread (courier.py). Whoever was too slow for a change gets the latest.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Hashable, Iterator

from arena_cam.referee.interface import SessionPort

MOST_STREAMS = 320  # 200 scoreboards, and phones, referees and forgotten tabs beside them
HEARTBEAT_S = 5.0  # a page that has heard nothing for three of these says that it is out of touch
CLIENT_CHECK_S = 2.5  # how soon the place of a closed page is free again
SHORTEST_GAP_S = 0.1  # changes that come faster than this are shown together
SAME_EVENT_S = 0.5  # so long the same bytes serve all: each event carries the time, by which pages set their clocks
# Where a server that takes streams over puts the function for it into a request's environment.
HAND_OVER = "arena_cam.hand_over"

Regions = dict[str, str]


class Rendered:
    """One version of a page for all who see the same. Regions that did not change are the objects they were before."""

    def __init__(self, version: int, regions: Regions, before: Regions) -> None:
        self.version = version
        self.regions = {name: before[name] if before.get(name) == html else html for name, html in regions.items()}
        self._events: dict[tuple[str, ...], tuple[float, bytes]] = {}

    def event(self, sent: Regions) -> bytes:
        """The message for a page that shows `sent`, written once for all that hear the same; empty if it is nothing."""
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
        self._owned: dict[str, list[Stream]] = {}

    @property
    def open_streams(self) -> int:
        """The number of pages that hang on at this moment."""
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

    def own(self, stream: Stream, browser: str) -> None:
        """`stream` tells what only a log-in lets `browser` see: it ends with `log_out`."""
        with self._changed:
            self._owned.setdefault(browser, []).append(stream)
        stream.on_close(lambda: self._disown(stream, browser))

    def _disown(self, stream: Stream, browser: str) -> None:
        with self._changed:
            left = [each for each in self._owned.get(browser, []) if each is not stream]
            self._owned[browser] = left
            if not left:
                del self._owned[browser]

    def log_out(self, browser: str) -> None:
        """Ends the streams that this browser may not hear any more, in whichever of its windows they are open."""
        with self._changed:
            for stream in self._owned.get(browser, []):
                stream.over = True
        self.publish()

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
        """The result of `render`, made once for all pages of the same `key` (page, language, viewer) and version."""
        version = self._version
        with self._rendering:
            known = self._rendered.get(key)
            if known is None or known.version < version:
                if len(self._rendered) > 2 * MOST_STREAMS:
                    self._rendered.clear()  # keys of phones long gone
                known = Rendered(version, render(), known.regions if known is not None else {})
                self._rendered[key] = known
        return known

    @property
    def version(self) -> int:
        """Grows with everything that is published."""
        return self._version

    @property
    def ended(self) -> bool:
        return self._ended

    def wait_for_news(self, seen: int, seconds: float) -> None:
        """Until there is another version than `seen`, for so long at most."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._version != seen, seconds)

    def pause(self, seconds: float) -> None:
        """Waits for so many seconds, or until the program closes."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended, seconds)

    def page(self, current: Callable[[], Rendered]) -> Callable[[], bytes]:
        """A function that gives what one open page must hear now; `current` gives the page as it is.

        The first event carries all regions, so that a page that was out of touch is right again after one event.
        """
        sent: Regions = {}
        seen = -1

        def news() -> bytes:
            nonlocal sent, seen
            if seen == self._version:
                return b""
            page = current()
            event, sent, seen = page.event(sent), page.regions, page.version
            return event

        return news


class Stream:
    """The body of one event stream: `news` gives what is to be said now, b"" if it is nothing.

    A server that can take connections over (`hand_over`) ends the request with the first line and says the rest from a
    thread that serves all streams: see courier.py. For any other, iterating waits and goes on until the program closes.
    """

    def __init__(
        self, streams: LiveStreams, news: Callable[[], bytes], hand_over: Callable[[Stream], None] | None = None
    ) -> None:
        self._streams, self._news, self._hand_over = streams, news, hand_over
        self._said_at = time.monotonic()
        self.over = False
        """Whether nothing more may be said, though somebody listens."""
        self._closing: list[Callable[[], None]] = []
        self._handed_over = False

    def on_close(self, work: Callable[[], None]) -> None:
        """Calls `work` once, when the last listener has gone."""
        self._closing.append(work)

    def due(self) -> bytes:
        """The bytes to send now: the news, or after a while without any that all is well; b"" for nothing."""
        news, now = self._news(), time.monotonic()
        if not news and now - self._said_at >= HEARTBEAT_S:
            news = b"event: alive\ndata: {}\n\n"
        if news:
            self._said_at = now
        return news

    def __iter__(self) -> Iterator[bytes]:
        yield b"retry: 1000\n\n"
        if self._hand_over is not None:
            self._handed_over = True
            self._hand_over(self)
            return
        while not self._streams.ended and not self.over:
            seen = self._streams.version
            if news := self.due():
                yield news
                self._streams.pause(SHORTEST_GAP_S)
            self._streams.wait_for_news(seen, CLIENT_CHECK_S)

    def close(self) -> None:
        """Called at the end of the request. A stream that the courier took over goes on."""
        if not self._handed_over:
            self.release()

    def release(self) -> None:
        """Nobody listens any more; may be called twice."""
        while self._closing:
            self._closing.pop()()


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
