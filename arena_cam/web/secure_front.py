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
from contextlib import suppress
from pathlib import Path

MOST_CONNECTIONS = 200
PASSED_ON = 64 * 1024  # bytes at once
STOP_WITHIN_S = 3.0


class SecureFront:
    """Serves TLS on a listening socket, and passes what comes to `port` of this machine."""

    def __init__(self, listening: socket.socket, certificate: Path, key: Path, port: int) -> None:
        self._listening, self._port = listening, port
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._open = 0
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

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._serve, sock=self._listening, ssl=self._context)
        )
        try:
            self._loop.run_forever()
        finally:
            server.close()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            with suppress(asyncio.CancelledError):
                self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.close()

    async def _serve(self, from_browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        if self._open >= MOST_CONNECTIONS:
            to_browser.close()
            return
        self._open += 1
        try:
            from_pages, to_pages = await asyncio.open_connection("localhost", self._port)
            both = (_pass_on(from_browser, to_pages), _pass_on(from_pages, to_browser))
            await asyncio.gather(*both)
        except OSError:
            to_browser.close()
        finally:
            self._open -= 1


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
