"""Other programs, as pages see them: which have a token, which are told what happens, and how that goes."""

from __future__ import annotations

import threading
import time
from typing import Any, TypedDict

from arena_cam.domain.errors import Refused
from arena_cam.referee.integrations.messages import ReceiverRefusal
from arena_cam.referee.integrations.mqtt import Broker, check_broker
from arena_cam.referee.integrations.payloads import Say
from arena_cam.referee.integrations.telling import FIRST_RETRY_S, STOP_WITHIN_S, Channel, Teller
from arena_cam.referee.integrations.webhooks import Webhook, check_address, new_secret
from arena_cam.referee.interface import SessionPort
from arena_cam.store.messages import StoreRefusal
from arena_cam.store.receivers import Receiver, Receivers
from arena_cam.store.tokens import Token, Tokens

Json = dict[str, Any]
WEBHOOK, MQTT = "webhook", "mqtt"
MOST_RECEIVERS = 10


class TokenJson(TypedDict):
    """A token without what opens anything. `made`, `used` (None: never) in seconds since 1970."""

    id: str
    name: str
    scopes: list[str]
    made: float
    used: float | None


class ReceiverJson(TypedDict):
    """A program that is told what happens.

    `state`: new, ok, failing; `why`: what was wrong; `waiting`: how much it was not told yet.
    """

    id: str
    kind: str
    address: str
    language: str
    made: float
    waiting: int
    state: str
    why: str


class ProgramsSnapshot(TypedDict):
    tokens: list[TokenJson]
    receivers: list[ReceiverJson]


class Secret(TypedDict):
    """`secret` is told this once."""

    id: str
    secret: str


class Programs:
    """`tokens` of programs, and the receivers that are told what happens; `start` it, and `stop` it in the end."""

    def __init__(self, tokens: Tokens, receivers: Receivers, say: Say, *, first_retry_s: float = FIRST_RETRY_S) -> None:
        self.tokens = tokens
        self._receivers, self._say, self._first_retry_s = receivers, say, first_retry_s
        self._lock = threading.Lock()
        self._tellers: dict[str, Teller] = {}
        self._session: SessionPort | None = None

    def start(self, session: SessionPort) -> None:
        """Tells every receiver, from what it was not told before the program ended."""
        self._session = session
        for receiver in self._receivers.all():
            self._begin(receiver)

    def stop(self) -> None:
        """Ends all threads; may be called twice. Call it before the data folder is closed."""
        with self._lock:
            tellers, self._tellers = list(self._tellers.values()), {}
        for teller in tellers:
            teller.end()
        until = (
            time.monotonic() + STOP_WITHIN_S
        )  # for all of them: ten slow receivers hold up the end no longer than one
        for teller in tellers:
            teller.stop(until - time.monotonic())

    def snapshot(self) -> ProgramsSnapshot:
        """Everything about them but their secrets."""
        return {
            "tokens": [token_json(token) for token in self.tokens.all()],
            "receivers": [self._receiver_json(receiver) for receiver in self._receivers.all()],
        }

    def add_webhook(self, address: str, language: str) -> Secret:
        """Sends what happens there; the secret is what it is signed with. Raises Refused."""
        secret = new_secret()
        about = {"address": check_address(address), "secret": secret, "language": language}
        return {"id": self._add(WEBHOOK, about), "secret": secret}

    def add_broker(self, about: Json, language: str) -> str:
        """Publishes there; its id. Raises Refused."""
        return self._add(MQTT, check_broker(about) | {"language": language})

    def remove(self, receiver: str) -> None:
        """It is told nothing more, and keeps nothing of us as far as it can be reached. Refused `unknown`."""
        self._receivers.remove(receiver)
        with self._lock:
            teller = self._tellers.pop(receiver, None)
        if teller is not None:
            teller.forget()

    def test(self, receiver: str) -> None:
        """Sends it a test, behind what waits; where it was waited for, it is tried again now. Refused `unknown`."""
        with self._lock:
            teller = self._tellers.get(receiver)
        if teller is None:
            raise Refused("unknown", StoreRefusal.NO_RECEIVER(name=repr(receiver[:60])))
        self._receivers.test(receiver)
        teller.try_now()

    def _add(self, kind: str, about: Json) -> str:
        if len(self._receivers.all()) >= MOST_RECEIVERS:
            raise Refused("not_now", ReceiverRefusal.MANY(most=MOST_RECEIVERS))
        receiver = self._receivers.add(kind, about)
        if self._session is not None:
            self._begin(receiver)
        return receiver.id

    def _begin(self, receiver: Receiver) -> None:
        assert self._session is not None
        channel = self._channel(receiver)
        teller = Teller(receiver, channel, self._receivers, self._say, first_retry_s=self._first_retry_s)
        with self._lock:
            self._tellers[receiver.id] = teller
        teller.start(self._session)

    def _channel(self, receiver: Receiver) -> Channel:
        if receiver.kind == MQTT:
            return Broker(receiver.about, receiver.id, self._say)
        return Webhook(receiver.about["address"], receiver.about["secret"])

    def _receiver_json(self, receiver: Receiver) -> ReceiverJson:
        about = receiver.about
        teller = self._tellers.get(receiver.id)
        where = about["address"] if receiver.kind == WEBHOOK else f"{about['host']}:{about['port']}/{about['prefix']}"
        return {
            "id": receiver.id,
            "kind": receiver.kind,
            "address": where,
            "language": about["language"],
            "made": receiver.made,
            "waiting": self._receivers.waiting(receiver.id),
            "state": teller.reached.state if teller is not None else "new",
            "why": teller.reached.why if teller is not None else "",
        }


def token_json(token: Token) -> TokenJson:
    """A token without what opens anything."""
    return {
        "id": token.id,
        "name": token.name,
        "scopes": list(token.scopes),
        "made": token.made,
        "used": token.used,
    }
