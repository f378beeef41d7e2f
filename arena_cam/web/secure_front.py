"""HTTPS beside the pages' own port: what comes in encrypted is passed on to it, for browsers give their camera to no
other page.

waitress, which serves the pages, speaks no TLS; the standard library does, and nothing of a request need be understood
to pass it on.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

MOST_CONNECTIONS = 200
MOST_OF_ONE = 60  # by one address: a browser keeps six a page, and nobody is to hold all there are
SHAKE_HANDS_WITHIN_S = 10.0
PASSED_ON = 64 * 1024  # bytes at once
STOP_WITHIN_S = 3.0

Address = tuple[str, int]


class SecureFront:
    """Serves TLS on a listening socket, and passes what comes to `pages`, the host and port of the pages themselves."""

    def __init__(self, listening: socket.socket, certificate: Path, key: Path, pages: Address) -> None:
        self._listening, self._pages = listening, pages
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._open: Counter[str] = Counter()  # connections by the address that they came from
        self._behind: dict[Address, str] = {}
        self._writers: set[asyncio.StreamWriter] = set()  # both ends of every connection that is passed on
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="https", daemon=True)

    def start(self) -> None:
        """Serves in a thread of its own until `stop`."""
        self._thread.start()

    def stop(self) -> None:
        """Ends all connections. May be called twice."""
        if self._thread.is_alive():
            with suppress(RuntimeError):  # it ended meanwhile
                self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(STOP_WITHIN_S)

    def behind(self, address: Address) -> str | None:
        """Whose connection the pages meet as one from `address`; None where it did not come by HTTPS.

        Nothing that is sent has a say in this, so nobody can pass for somebody else.
        """
        return self._behind.get(address)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._listening.setblocking(False)
        self._loop.create_task(self._accept())
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._end())
            self._loop.close()

    async def _end(self) -> None:
        """Closes every socket at once, so that none is left to be found open later."""
        self._listening.close()
        tasks = asyncio.all_tasks(self._loop) - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # transports close their sockets in the loop's next turn
        await asyncio.sleep(0)

    async def _accept(self) -> None:
        serving: set[asyncio.Task[None]] = set()
        while True:
            try:
                connection, (host, *_) = await self._loop.sock_accept(self._listening)
            except OSError:  # it was gone before it could be taken, or this process may open no more files
                await asyncio.sleep(0.1)
                continue
            if self._open.total() >= MOST_CONNECTIONS or self._open[host] >= MOST_OF_ONE:
                connection.close()
                continue
            self._open[host] += 1
            task = self._loop.create_task(self._serve(connection, host))
            serving.add(task)
            task.add_done_callback(serving.discard)

    async def _serve(self, connection: socket.socket, host: str) -> None:
        try:
            from_browser, to_browser = await self._encrypted(connection)
        except (OSError, EOFError, TimeoutError):  # ssl.SSLError among them: it speaks no TLS, or does not like ours
            connection.close()
        else:
            await self._connected(from_browser, to_browser, host)
            self._writers.discard(to_browser)
        finally:
            self._open[host] -= 1
            self._open += Counter()  # forgets who has none any more

    async def _encrypted(self, connection: socket.socket) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader = asyncio.StreamReader(limit=PASSED_ON)
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await self._loop.connect_accepted_socket(
            lambda: protocol, connection, ssl=self._context, ssl_handshake_timeout=SHAKE_HANDS_WITHIN_S
        )
        writer = asyncio.StreamWriter(transport, protocol, reader, self._loop)
        self._writers.add(writer)
        return reader, writer

    async def _connected(self, from_browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter, host: str) -> None:
        try:
            from_pages, to_pages = await asyncio.open_connection(*self._pages)
        except OSError:
            to_browser.close()
            return
        self._writers.add(to_pages)
        own: Address = to_pages.get_extra_info("sockname")[:2]
        self._behind[own] = host  # before anything is passed on
        try:
            await asyncio.gather(_pass_on(from_browser, to_pages), _pass_on(from_pages, to_browser))
        finally:
            del self._behind[own]
        self._writers.discard(to_pages)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Everything that comes, until either side ends."""
    try:
        while content := await reader.read(PASSED_ON):
            writer.write(content)
            await writer.drain()
    except (OSError, ssl.SSLError):
        pass
    finally:
        writer.close()
