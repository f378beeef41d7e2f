"""The production WSGI server: waitress, with one thread beside its own for all event streams.

A request for an event stream ends with its first line; its connection is handed to `live/courier.py`. Threads come into
being as short requests need them, so that hundreds of open pages cost their sockets and one place in a list.
"""

from __future__ import annotations

import contextlib
import copy
import resource
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher, WSGITask
from waitress.utilities import BadRequest, Error

from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.web.live.courier import Courier
from arena_cam.web.live.streams import HAND_OVER, LiveStreams, Stream
from arena_cam.web.words.messages import PortTrouble

MOST_THREADS = 24  # pages, pictures and button presses; each takes milliseconds
MOST_CONNECTIONS = 1000  # browsers keep up to six idle connections a page
MOST_OF_ONE = 600  # by one address: whoever holds that many keeps nobody else out
# Beside connections: two for each by HTTPS (secure_front.py), and the database, pictures being written, receivers.
OTHER_FILES = 2 * 200 + 200
FEWEST_CONNECTIONS = 100
LARGEST_REQUEST = 64 * 1024 * 1024  # an exported throw brought back; every other route is limited far lower by Flask
# Waitress takes a new buffer for a connection after so many bytes, and keeps all that it wrote into the old one until
# then: left at 16 MB, every page that stays open comes to cost that. An answer that is longer goes out all the same.
KEPT_OF_A_CONNECTION = 64 * 1024
# What is sent anywhere else is refused before it is taken in: hundreds of uploads at once would fill the disk, where
# bodies wait until they are whole. security.py holds these routes to 64 kB; up to here its answer says so in words.
TAKES_FILES = frozenset({"/api/opened", "/api/photos", "/api/seat/photo", "/api/camera", "/api/upkeep/arriving"})
LARGEST_ELSEWHERE = 128 * 1024
# Files that are on their way in wait in /tmp until they are whole, which on a Pi lies in memory: hundreds of strangers
# who sent 64 MB each would fill it. A table full of phones sends 5 MB each. Room is taken as a file comes, in steps of
# which all connections together cannot fill it: of what is announced nothing waits anywhere, and two who announced much
# and sent little kept all others out.
MOST_ARRIVING = 4 * LARGEST_REQUEST
MOST_ARRIVING_OF_ONE = 2 * LARGEST_REQUEST
ARRIVING_STEP = 64 * 1024
LONGEST_ARRIVING_S = 600.0  # 64 MB at 1 Mbit/s; who sends more slowly than that would keep the room that was taken
LONGEST_HEADER = 64 * 1024  # a browser's has 2 kB
LONGEST_CHUNK_LINE = 8 * 1024  # of a body in chunks, and what stands behind the last of them
# A phone that went out of reach is given up after so long without a sign of life, and its stream's thread is free.
UNREACHABLE_AFTER_MS = 60_000
LAST_PORT = 65535
STOP_WITHIN_S = 3.0  # a request still running then is cut off: a closing program must close


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there (on any free port for 0). Raises BadInput for no port's number, CannotDo if the port
    cannot be had."""
    if not 0 <= port <= LAST_PORT:
        raise BadInput(PortTrouble.NO_PORT(number=port, most=LAST_PORT))
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=256)
    except OSError as error:
        # What create_server caught has the system's words alone; it adds the address, which is said already. Its number
        # tells less: that a name is not known is numbered apart.
        reason = getattr(error.__context__, "strerror", None) or error
        raise CannotDo(PortTrouble.PORT_TAKEN(number=port, host=host, text=str(reason))) from None
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections have it from the socket that they came by
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREACHABLE_AFTER_MS)
    return listening


def room_for_connections() -> int:
    """The number of connections that may be open, at most MOST_CONNECTIONS: the rest of what this process may open is
    for files.

    Asks the system for more where that is less, which many a system sets to 1024. Without any left no picture could be
    written, and who is turned away by the system and not by us is asked again at once, for ever.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST_CONNECTIONS
    may = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (may, hard))
        soft = may
    return max(FEWEST_CONNECTIONS, soft - OTHER_FILES)


# Who is behind a connection from (host, port), where that is one of our own that passes on somebody else's; else None.
Behind = Callable[[tuple[str, int]], str | None]


class _NoRoom(Error):  # type: ignore[misc]  # waitress has no types
    code, reason = 503, "Service Unavailable"


class _TooSlow(Error):  # type: ignore[misc]
    code, reason = 408, "Request Timeout"


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """A request as it comes in, held to the size that its address may have, and to the room that the files leave which
    are on their way in already (`room`, bytes)."""

    adj: Any
    error: Error | None
    completed: bool
    body_bytes_received: int

    def __init__(self, adj: Any, room: Callable[[], int]) -> None:
        super().__init__(adj)
        self._room = room
        self._no_room = False
        self._began_s = time.monotonic()
        self.arriving = 0
        """Bytes for which this request has taken room until it is answered, if it brings a file."""

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.path not in TAKES_FILES:
            self._at_most(LARGEST_ELSEWHERE)
        elif self.chunked or self.content_length > LARGEST_ELSEWHERE:
            announced = ARRIVING_STEP if self.chunked else min(self.content_length, LARGEST_REQUEST)
            self._no_room = announced > self._room()
            self.arriving = 0 if self._no_room else min(announced, ARRIVING_STEP)
            self._at_most(0 if self._no_room else LARGEST_REQUEST)

    def received(self, data: bytes) -> int:
        took = int(super().received(data))
        self._take_room()
        if self._no_room and (self.error is not None or not self.completed):
            self._refuse(_NoRoom("too many files are on their way in, try again in a minute"))
        elif self.arriving and not self.completed and time.monotonic() - self._began_s > LONGEST_ARRIVING_S:
            self._refuse(_TooSlow("the file comes too slowly, try again nearer to the Wi-Fi"))
        elif self.chunked and not self.completed:
            kept = len(self.body_rcv.control_line) + len(self.body_rcv.trailer)
            if kept > LONGEST_CHUNK_LINE:  # it is put together anew with every piece that comes
                self._refuse(BadRequest("a line of the body is too long"))
        return took

    def _take_room(self) -> None:
        """Room for the next step of a file that goes on coming."""
        if self.arriving and self.body_bytes_received > self.arriving:
            self._no_room = self._room() < ARRIVING_STEP
            self.arriving += 0 if self._no_room else ARRIVING_STEP

    def _refuse(self, error: Error) -> None:
        self.error, self.completed = error, True

    def _at_most(self, size: int) -> None:
        self.adj = copy.copy(self.adj)
        self.adj.max_request_body_size = size


class _Connection:
    """What is left of a request whose answer goes on: the connection, and how it is written to."""

    def __init__(self, channel: HTTPChannel, *, chunked: bool) -> None:
        self._channel, self._chunked = channel, chunked

    @property
    def open(self) -> bool:
        return bool(self._channel.connected)

    @property
    def busy(self) -> bool:
        return bool(self._channel.total_outbufs_len)

    def send(self, data: bytes) -> None:
        """Leaves to the server's loop what the socket does not take at once."""
        with contextlib.suppress(ClientDisconnected):
            self._channel.write_soon(b"%X\r\n%b\r\n" % (len(data), data) if self._chunked else data)

    def close(self) -> None:
        """Ends the answer and, when it has left, the connection; nothing where the server has closed them all."""
        with contextlib.suppress(ClientDisconnected, OSError):
            if self._chunked:
                self._channel.write_soon(b"0\r\n\r\n")
            self._channel.close_when_flushed = True
            self._channel.server.pull_trigger()


class _Task(WSGITask):  # type: ignore[misc]
    """A request; one that turns out to be an event stream ends while its connection stays open."""

    _stream: Stream | None = None

    def get_environment(self) -> dict[str, Any]:
        environment: dict[str, Any] = super().get_environment()
        came_from = self.channel.behind(tuple(self.channel.addr[:2]))
        if came_from is not None:
            environment["REMOTE_ADDR"] = environment["REMOTE_HOST"] = came_from
        environment[HAND_OVER] = self._hand_over
        return environment

    def _hand_over(self, stream: Stream) -> None:
        self._stream = stream

    def finish(self) -> None:
        if self._stream is None:
            super().finish()
            return
        self.close_on_finish = False
        self.channel.courier.take(self._stream, _Connection(self.channel, chunked=self.chunked_response))


class _Channel(HTTPChannel):  # type: ignore[misc]
    task_class = _Task
    courier: Courier
    behind: Behind

    def __init__(self, server: Any, connection: socket.socket, address: Any, adjustments: Any, **more: Any) -> None:
        super().__init__(server, connection, address, adjustments, **more)
        if sum(other.addr[0] == address[0] for other in server.active_channels.values()) > MOST_OF_ONE:
            self.handle_close()

    @property
    def last_activity(self) -> float:
        """When something last came or went, in seconds of the clock as it is set now.

        Waitress closes what has stood still for long; a clock that is set forward would close every stream.
        """
        return time.time() - (time.monotonic() - self._active_s)

    @last_activity.setter
    def last_activity(self, _now: float) -> None:
        self._active_s = time.monotonic()

    @property
    def parser_class(self) -> Callable[[Any], _Parser]:
        return partial(_Parser, room=self._room)

    @property
    def arriving(self) -> int:
        return sum(request.arriving for request in (*self.requests, self.request) if request is not None)

    def _room(self) -> int:
        """Bytes of a file for which there is room beside those that are on their way in."""
        others = [(other.arriving, other.came_from) for other in tuple(self.server.active_channels.values())]
        whose = self.came_from
        here = sum(size for size, address in others if address == whose)
        room: int = min(MOST_ARRIVING - sum(size for size, _ in others), MOST_ARRIVING_OF_ONE - here)
        return room

    @property
    def came_from(self) -> str:
        return self.behind(tuple(self.addr[:2])) or str(self.addr[0])

    def _flush_some(self, do_close: bool = True) -> bool:
        """Waitress sends without its lock where no request is on; a stream that was handed over goes on without one."""
        with self.outbuf_lock:
            return bool(super()._flush_some(do_close))


class GrowingDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]  # waitress has no types
    """Waitress's threads, but only as many as were ever busy at once, up to `most`: each takes 100 kB and more."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def add_task(self, task: Any) -> None:
        """Queues `task`, and starts one more thread for it where all are busy."""
        with self.lock:
            self.queue.append(task)
            self.queue_cv.notify()
            idle = len(self.threads) - self.stop_count - self.active_count
            short = len(self.queue) > idle and not self.stop_count
            wanted = min(len(self.threads) + 1, self._most)
        if short:
            self.set_thread_count(wanted)


class Server:
    """Serves `app` on a listening socket; `port` is its port. `behind` is SecureFront's, where the pages have one."""

    def __init__(self, app: Flask, listening: socket.socket, behind: Behind = lambda _: None) -> None:
        self.port = int(listening.getsockname()[1])
        self.app = app
        self._map: dict[int, Any] = {}
        self._server: Any = create_server(
            app,
            map=self._map,
            sockets=[listening],
            _dispatcher=GrowingDispatcher(MOST_THREADS),
            connection_limit=room_for_connections(),
            asyncore_use_poll=True,  # select() cannot hold more than 1024 file handles
            channel_request_lookahead=1,  # lets a stream notice that its browser has gone
            max_request_body_size=LARGEST_REQUEST,
            max_request_header_size=LONGEST_HEADER,
            outbuf_high_watermark=KEPT_OF_A_CONNECTION,
            channel_timeout=60,
            ident=None,
        )
        streams: LiveStreams = app.extensions["arena_cam"].streams
        self._server.channel_class = type(
            "_ServedChannel", (_Channel,), {"courier": Courier(streams), "behind": staticmethod(behind)}
        )
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)
        self._stopped = False

    def start(self) -> None:
        """Serves in a thread of its own until `stop`."""
        self._thread.start()

    def stop(self, end_streams: Callable[[], None]) -> None:
        """Ends all streams, then the threads, then the sockets; waits a few seconds at most. May be called twice."""
        if self._stopped:
            return
        self._stopped = True
        end_streams()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=STOP_WITHIN_S)
        try:
            self._server.trigger.pull_trigger(self._close_sockets)
        except OSError:  # the pipe that wakes the loop was closed by an error in it
            self._close_sockets()  # the loop ends when it finds nothing left to wait for
        if self._thread.is_alive():
            self._thread.join(STOP_WITHIN_S)

    def _close_sockets(self) -> None:
        # A request that still runs wakes the loop when it ends, by a pipe that is closed by then: the pipe's number may
        # be that of a file of ours, and the byte would stand in it.
        self._server.trigger.pull_trigger = lambda _thunk=None: None
        wasyncore.close_all(self._map, ignore_all=True)
