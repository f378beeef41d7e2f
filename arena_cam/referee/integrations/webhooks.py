"""Webhooks: what happened, sent to an address that the family typed, signed so that it can be told from a forgery.

Signed as the Standard Webhooks specification 1.0.0 says: HMAC-SHA256 over id, seconds and body, with a secret of the
receiver's own, in the headers webhook-id, webhook-timestamp and webhook-signature.

Whoever holds the PIN names the address, and the home network is where its receivers are; so private addresses are
allowed. What could be misused otherwise is not there: no redirect is followed, no proxy of the environment is used, the
answer's body is not read and of its status nobody but the referee hears, and addresses of this link alone
(169.254.0.0/16, fe80::/10: where clouds hand out secrets) are refused after the name was resolved.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import ipaddress
import json
import secrets
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from arena_cam import __version__
from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.referee.integrations.messages import ReceiverRefusal, ReceiverTrouble
from arena_cam.referee.interface import Snapshot

ANSWER_WITHIN_S = 10.0
LONGEST_ADDRESS = 500
SECRET_PREFIX = "whsec_"


def new_secret() -> str:
    """A secret to sign with: 256 random bits, in the form that the specification gives it."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def signature(secret: str, id: str, seconds: int, body: bytes) -> str:
    """The header webhook-signature: "v1," and the HMAC-SHA256 in base64."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = hmac.new(key, f"{id}.{seconds}.".encode() + body, hashlib.sha256)
    return "v1," + base64.b64encode(signed.digest()).decode()


def check_address(address: str) -> str:
    """`address` if a webhook can be sent there. Raises Refused `bad_argument`, saying why not."""
    try:
        parts = urlsplit(address.strip())
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        good = good and parts.username is None and parts.password is None and not parts.fragment
    except ValueError:
        good = False
    if not good or len(address) > LONGEST_ADDRESS or not address.strip().isascii() or " " in address.strip():
        raise Refused("bad_argument", ReceiverRefusal.ADDRESS())
    return address.strip()


def send(address: str, secret: str, message: Mapping[str, Any]) -> None:
    """Sends one message. Raises CannotDo where it was not taken: no connection, or any answer but 2xx."""
    body = json.dumps(message, separators=(",", ":")).encode()
    seconds = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"arena-cam/{__version__}",
        "webhook-id": message["id"],
        "webhook-timestamp": str(seconds),
        "webhook-signature": signature(secret, message["id"], seconds, body),
    }
    parts = urlsplit(address)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=ANSWER_WITHIN_S)
    try:
        connection.connect()
        _check_reached(connection)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        with _limited(connection):
            connection.request("POST", target, body, headers)
            status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        text = getattr(error, "strerror", None) or str(error)
        why = ReceiverTrouble.NO_CONNECTION(text=text) if text else ReceiverTrouble.SILENT()
        raise CannotDo(why, about=parts.netloc) from None
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise CannotDo(ReceiverTrouble.ANSWERED(status=status), about=parts.netloc)


class Webhook:
    """One address (telling.Channel)."""

    longest_retry_s = 600.0

    def __init__(self, address: str, secret: str) -> None:
        self._address, self._secret = address, secret

    def tell(self, message: dict[str, Any]) -> None:
        send(self._address, self._secret, message)

    def show(self, snapshot: Snapshot) -> None:
        """Nothing: a webhook is told what happens, not how things stand."""

    def forget(self) -> None:
        """Nothing is kept there."""

    def close(self) -> None:
        """Nothing is open between two messages."""


@contextmanager
def _limited(connection: http.client.HTTPConnection) -> Iterator[None]:
    """Cuts the connection after ANSWER_WITHIN_S in all: its own limit begins anew with every byte that drips in.

    Raises TimeoutError where it had to.
    """
    late = threading.Event()

    def cut() -> None:
        late.set()
        with suppress(OSError, AttributeError):  # it was closed meanwhile
            connection.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(ANSWER_WITHIN_S, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if late.is_set():
            raise TimeoutError("no whole answer in time")


def _check_reached(connection: http.client.HTTPConnection) -> None:
    """Raises CannotDo where the name led to an address that is only of this link."""
    reached = ipaddress.ip_address(connection.sock.getpeername()[0].partition("%")[0])
    reached = getattr(reached, "ipv4_mapped", None) or reached  # ::ffff:169.254.169.254 is the same place
    if reached.is_link_local or reached.is_multicast:
        raise CannotDo(ReceiverTrouble.LEADS_ELSEWHERE(address=str(reached)), about=connection.host)
