"""MQTT to a broker that is there already: how things stand, what happens, and that we are here.

Topics below PREFIX/NODE: `availability` (online, or offline by the last will), `state` (JSON, retained), `event` (JSON,
QoS 1: each thing once at least). All that is retained is sent anew with every connection, since a broker that was
started again may have forgotten it.
"""

from __future__ import annotations

import json
import re
import threading
from contextlib import suppress
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion

from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.referee.integrations.home_assistant import discovery
from arena_cam.referee.integrations.messages import ReceiverRefusal, ReceiverTrouble
from arena_cam.referee.integrations.payloads import Json, Say, state
from arena_cam.referee.interface import Snapshot

ONLINE, OFFLINE = "online", "offline"
KEEPALIVE_S = 15  # a broker whose plug was pulled is missed after one and a half of these
RETRY_S = 1  # a broker that is back has the state within two seconds
CONNECT_WITHIN_S = 5.0
TAKEN_WITHIN_S = 10.0
GOODBYE_WITHIN_S = 1.0
LONGEST_TOPIC = 60
_HOST = re.compile(r"[A-Za-z0-9.:_-]{1,253}")
_TOPIC = re.compile(rf"(?!/)[\w/-]{{1,{LONGEST_TOPIC}}}(?<!/)", re.ASCII)


def check_broker(about: dict[str, Any]) -> Json:
    """What is kept of a broker: `host`, `port`, `tls`, `username`, `password`, `prefix`, `language`.

    Raises Refused `bad_argument` for what cannot be one.
    """
    host, port = str(about.get("host", "")).strip(), int(about.get("port", 1883))
    prefix = str(about.get("prefix") or "arena-cam").strip()
    if not _HOST.fullmatch(host) or not 0 < port < 2**16:
        raise Refused("bad_argument", ReceiverRefusal.BROKER())
    if not _TOPIC.fullmatch(prefix):
        raise Refused("bad_argument", ReceiverRefusal.TOPIC(most=LONGEST_TOPIC))
    return {
        "host": host,
        "port": port,
        "tls": bool(about.get("tls", False)),
        "username": str(about.get("username") or ""),
        "password": str(about.get("password") or ""),
        "prefix": prefix,
    }


class Broker:
    """One broker (telling.Channel). Connects by itself, again and again, until it is closed."""

    longest_retry_s = float(RETRY_S)

    def __init__(self, about: Json, node: str, say: Say) -> None:
        """`node` names this table among others of the broker."""
        self._say, self._language = say, about["language"]
        base = f"{about['prefix']}/{node}"
        self._topics = {name: f"{base}/{name}" for name in ("availability", "state", "event")}
        self._node = f"arena_cam_{node}"
        self._where = f"{about['host']}:{about['port']}"
        self._lock = threading.Lock()
        self._state = ""  # what was shown last, on the present connection or before
        self._why = ReceiverTrouble.NOT_YET()
        self._forgotten = False
        self._client = self._made(about)

    def _made(self, about: Json) -> paho.Client:
        client = paho.Client(CallbackAPIVersion.VERSION2, client_id=self._node)
        client.connect_timeout = CONNECT_WITHIN_S
        client.reconnect_delay_set(RETRY_S, RETRY_S)
        if about["username"]:
            client.username_pw_set(about["username"], about["password"] or None)
        if about["tls"]:
            client.tls_set()
        client.will_set(self._topics["availability"], OFFLINE, qos=1, retain=True)
        client.on_connect = self._connected
        client.on_disconnect = self._lost
        client.connect_async(about["host"], about["port"], KEEPALIVE_S)
        client.loop_start()
        return client

    def tell(self, message: Json) -> None:
        """One thing that happened; returns when the broker has it. Raises CannotDo while there is no connection."""
        if not self._client.is_connected():
            raise CannotDo(self._why, about=self._where)
        sent = self._client.publish(self._topics["event"], json.dumps(message), qos=1)
        try:
            sent.wait_for_publish(TAKEN_WITHIN_S)
            taken = sent.is_published()
        except (RuntimeError, ValueError):
            taken = False
        if not taken:
            raise CannotDo(ReceiverTrouble.NOT_CONFIRMED(), about=self._where)

    def show(self, snapshot: Snapshot) -> None:
        """Publishes the state if it is another than the last."""
        shown = json.dumps(state(snapshot, self._say, self._language))
        with self._lock:
            if shown != self._state:
                self._state = shown
                if self._client.is_connected():
                    self._client.publish(self._topics["state"], shown, retain=True)

    def forget(self) -> None:
        """Takes back everything that the broker keeps of us, as far as it can be reached."""
        self._forgotten = True
        if self._client.is_connected():
            kept = (self._topics["availability"], self._topics["state"])
            for topic in [*discovery(self._node, self._topics), *kept]:
                self._last_words(topic, "")

    def close(self) -> None:
        """Says goodbye and ends the connection."""
        if self._client.is_connected() and not self._forgotten:
            self._last_words(self._topics["availability"], OFFLINE)
        self._client.disconnect()
        self._client.loop_stop()

    def _last_words(self, topic: str, text: str) -> None:
        with suppress(RuntimeError, ValueError):  # the connection went in this moment
            self._client.publish(topic, text, qos=1, retain=True).wait_for_publish(GOODBYE_WITHIN_S)

    def _connected(self, client: paho.Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            self._why = ReceiverTrouble.NO_CONNECTION(text=str(reason))
            return
        with self._lock:
            client.publish(self._topics["availability"], ONLINE, qos=1, retain=True)
            for topic, about in discovery(self._node, self._topics).items():
                client.publish(topic, json.dumps(about), qos=1, retain=True)
            if self._state:
                client.publish(self._topics["state"], self._state, retain=True)

    def _lost(self, _client: paho.Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        self._why = ReceiverTrouble.NO_CONNECTION(text=str(reason))
