"""A receiver's own thread: wakes when something happened, tells what was not told yet, in order, and tries again.

A receiver that cannot be reached holds up nobody but itself. Nothing is told twice unless the answer was lost on the
way, and then under the same id.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import Any, Protocol

from arena_cam.domain.errors import ArenaCamError, CannotDo
from arena_cam.referee.integrations.payloads import Json, Say, news
from arena_cam.referee.interface import SessionPort, Snapshot
from arena_cam.store.receivers import Delivery, Receiver, Receivers

log = logging.getLogger(__name__)
WAKE_EVERY_S = 0.5  # to see that it is to stop, and that it is time to try again
FIRST_RETRY_S = 2.0
# What could not be told for so long is given up: nobody wants the lamps of last week. The record has it all the same.
GIVE_UP_AFTER_S = 3 * 24 * 3600.0
STOP_WITHIN_S = 3.0


class Channel(Protocol):
    """The way to one receiver. `longest_retry_s`: the longest wait before it is tried again."""

    @property
    def longest_retry_s(self) -> float: ...

    def tell(self, message: dict[str, Any]) -> None:
        """Raises CannotDo where it was not taken."""
        ...

    def show(self, snapshot: Snapshot) -> None:
        """Tells the state as it is now, for receivers that keep no count; may do nothing."""
        ...

    def forget(self) -> None:
        """Takes back what the receiver keeps of us, before it is told nothing more."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Reached:
    """The outcome of the last attempt: `state` is new, ok or failing, `why` what was wrong, in English as programs say
    it."""

    state: str = "new"
    why: str = ""


class Teller:
    """Tells one receiver. `start` it, and `stop` it in the end."""

    def __init__(
        self,
        receiver: Receiver,
        channel: Channel,
        receivers: Receivers,
        say: Say,
        *,
        first_retry_s: float = FIRST_RETRY_S,
    ) -> None:
        self.receiver = receiver
        self.reached = Reached()
        self._channel, self._receivers, self._say = channel, receivers, say
        self._first_retry_s = first_retry_s
        self._failed = 0
        self._not_before = 0.0
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, session: SessionPort) -> None:
        self._thread = threading.Thread(target=self._run, args=(session,), name="teller", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Begins nothing more; `stop` waits for what is on its way."""
        self._stopping.set()

    def stop(self, within_s: float = STOP_WITHIN_S) -> None:
        """Ends the thread; waits for what is on its way, some seconds at most."""
        self.end()
        if self._thread is not None:
            self._thread.join(max(0.0, within_s))
        self._channel.close()

    def forget(self) -> None:
        """Ends it for good: the receiver keeps nothing of us."""
        self._stopping.set()
        self._channel.forget()
        self.stop()

    def try_now(self) -> None:
        """Does not wait longer before it tries again."""
        self._failed, self._not_before = 0, 0.0

    def _run(self, session: SessionPort) -> None:
        subscription = session.subscribe()
        try:
            while not self._stopping.is_set() and not subscription.closed:
                subscription.next(WAKE_EVERY_S)
                self._channel.show(session.snapshot())
                self._tell_all(session)
        except ArenaCamError as error:  # the data folder was closed, or its disk went
            if not self._stopping.is_set():
                log.warning("a receiver is told nothing any more: %s", error)
        finally:
            subscription.close()

    def _tell_all(self, session: SessionPort) -> None:
        while not self._stopping.is_set() and time.monotonic() >= self._not_before:
            delivery = self._receivers.next_delivery(self.receiver.id)
            if delivery is None:
                return
            if delivery.at < time.time() - GIVE_UP_AFTER_S:
                self._receivers.forget_before(self.receiver.id, time.time() - GIVE_UP_AFTER_S)
                continue
            message = self._message(delivery)
            if message is not None:
                try:
                    self._channel.tell(message)
                except CannotDo as error:
                    self._put_off(error)
                    return
                self.reached, self._failed = Reached("ok"), 0
            self._receivers.delivered(delivery.id)
            self._channel.show(session.snapshot())  # behind many that waited, too

    def _message(self, delivery: Delivery) -> Json | None:
        """The payload to send; None where it is gone, or in a form that this version cannot read."""
        contents = self._receivers.contents(delivery)
        if contents is None:
            return None
        try:
            return news(delivery, contents, self._say, self.receiver.about["language"])
        except (LookupError, TypeError, ValueError):  # it must not stop all that comes after it
            log.exception("%s %s of %s cannot be told", delivery.kind, delivery.item, delivery.game)
            return None

    def _put_off(self, error: CannotDo) -> None:
        """Waits before the next try, twice as long each time."""
        self.reached = Reached("failing", str(error))
        wait_s = min(self._channel.longest_retry_s, self._first_retry_s * 2.0 ** min(self._failed, 30))
        self._failed += 1
        self._not_before = time.monotonic() + wait_s
