"""Holds the newest state for all event streams. It is serialised once; a slow reader misses the states in between."""

from __future__ import annotations

import threading

from arena_cam.referee.interface import Message


class Feed:
    """Holds the newest message and wakes the threads that wait for it."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._message: Message | None = None
        self._closed = False
        self._viewers = 0

    def publish(self, id: int, kind: str, data: str) -> None:
        """Replaces the message. `id` must be greater than that of the last."""
        with self._news:
            self._message = {"id": id, "kind": kind, "data": data}
            self._news.notify_all()

    def close(self) -> None:
        """Ends every stream that waits here."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    @property
    def viewers(self) -> int:
        with self._news:
            return self._viewers

    def subscribe(self, last_id: int = -1) -> FeedSubscription:
        with self._news:
            self._viewers += 1
        return FeedSubscription(self, last_id)

    def newer(self, last_id: int, timeout_s: float) -> Message | None:
        """The newest message if its id is another than `last_id`, waiting up to `timeout_s` for one."""
        with self._news:
            self._news.wait_for(lambda: self._closed or self._is_news(last_id), timeout_s)
            return self._message if self._is_news(last_id) else None

    def _is_news(self, last_id: int) -> bool:
        return self._message is not None and self._message["id"] != last_id

    @property
    def closed(self) -> bool:
        with self._news:
            return self._closed

    def leave(self) -> None:
        with self._news:
            self._viewers -= 1


class FeedSubscription:
    """One viewer's place (interface.Subscription)."""

    def __init__(self, feed: Feed, last_id: int) -> None:
        self._feed = feed
        self._last_id = last_id
        self._left = False

    def next(self, timeout_s: float) -> Message | None:
        message = self._feed.newer(self._last_id, timeout_s)
        if message is not None:
            self._last_id = message["id"]
        return message

    @property
    def closed(self) -> bool:
        return self._feed.closed

    def close(self) -> None:
        if not self._left:
            self._left = True
            self._feed.leave()
