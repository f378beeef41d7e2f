"""MQTT with a real broker, Mosquitto, which is stopped and started during a game."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion

from arena_cam.domain.errors import Refused
from arena_cam.referee.integrations.mqtt import check_broker
from referee.integrations.evening import Evening, await_

MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
RIGHT_AGAIN_WITHIN_S = 2.0


class Mosquitto:
    """A broker that forgets everything when it is stopped."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        assert MOSQUITTO is not None
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([MOSQUITTO, "-p", str(self.port)], stdout=quiet, stderr=quiet)
        await_(self.listens, "the broker")

    def listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1.0).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


class House:
    """A program that listens to everything: `said` by topic, `events` in order."""

    def __init__(self, port: int) -> None:
        self.said: dict[str, str] = {}
        self.events: list[dict[str, Any]] = []
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_message = self._heard
        self.client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def _heard(self, _client: Any, _data: Any, message: Any) -> None:
        self.said = self.said | {message.topic: message.payload.decode()}  # others look through it meanwhile
        if message.topic.endswith("/event"):
            self.events.append(json.loads(message.payload))

    def history(self, topic: str) -> list[str]:
        """What is said on a topic from now on, in order; the list grows."""
        said: list[str] = []
        self.client.message_callback_add(topic, lambda _c, _d, message: said.append(message.payload.decode()))
        return said

    def end(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def state(self) -> Any:
        return next((json.loads(text) for topic, text in self.said.items() if topic.endswith("/state") and text), None)

    def availability(self) -> str | None:
        return next((text for topic, text in self.said.items() if topic.endswith("/availability")), None)

    def lines(self) -> list[int]:
        """Which lines it was told of, in order, those that were told twice once."""
        return list(dict.fromkeys(event["data"]["line"] for event in self.events))


@pytest.fixture
def broker() -> Iterator[Mosquitto]:
    if MOSQUITTO is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    broker = Mosquitto()
    yield broker
    broker.stop()


@pytest.fixture
def house(broker: Mosquitto) -> Iterator[House]:
    house = House(broker.port)
    yield house
    house.end()


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> list[paho.Client]:
    """The clients of what is told of, in the order in which they began to connect."""
    made: list[paho.Client] = []
    connect = paho.Client.connect_async

    def recorded(client: paho.Client, *about: Any) -> None:
        made.append(client)
        connect(client, *about)

    monkeypatch.setattr(paho.Client, "connect_async", recorded)
    return made


@pytest.fixture
def evening(tmp_path: Path, broker: Mosquitto, clients: list[paho.Client]) -> Iterator[Evening]:
    assert clients == []
    evening = Evening(tmp_path / "data")
    evening.start()
    evening.programs.add_broker({"host": "127.0.0.1", "port": broker.port}, "en")
    yield evening
    evening.stop()


def test_state_events_and_entities_are_published(evening: Evening, house: House) -> None:
    line = evening.add_line()
    await_(lambda: house.lines() == [line], "the line")
    await_(lambda: house.state() is not None, "the state")
    state = house.state()
    assert state["points"] == {player["name"]: player["points"] for player in evening.session.state["game"]["players"]}
    assert state["awaiting"] == evening.session.state["game"]["awaiting"]
    assert house.availability() == "online"
    entities = {topic: json.loads(text) for topic, text in house.said.items() if topic.startswith("homeassistant/")}
    assert {topic.split("/")[1] for topic in entities} == {"sensor", "binary_sensor", "event"}
    for about in entities.values():
        assert about["availability_topic"] in house.said
        assert about["state_topic"] in house.said
        assert about["device"]["identifiers"]
    assert len({about["unique_id"] for about in entities.values()}) == len(entities)


def test_a_broker_that_is_stopped_during_a_game_loses_nothing(
    evening: Evening, house: House, broker: Mosquitto
) -> None:
    sent = [evening.add_line()]
    await_(lambda: house.lines() == sent, "the first line")
    broker.stop()
    sent += [evening.add_line() for _ in range(5)]
    game = evening.session.state["game"] | {"awaiting": "duel", "may_choose": {"Anna": ["peace"]}}
    evening.session.show(evening.session.state | {"game": game})
    await_(lambda: evening.receiver()["state"] == "failing", "that it is missed")
    house.said.clear()
    broker.start()
    witness = House(broker.port)
    try:
        took = await_(lambda: (witness.state() or {}).get("choosing") == ["Anna"], "the state")
        assert took < RIGHT_AGAIN_WITHIN_S
        assert witness.availability() == "online"
        await_(lambda: set(sent) <= {*house.lines(), *witness.lines()}, "every line")
    finally:
        witness.end()
    await_(lambda: evening.receiver()["waiting"] == 0, "nothing left")
    told = list(dict.fromkeys([*house.lines(), *witness.lines()]))
    assert sorted(told) == sent


@pytest.mark.usefixtures("evening")
def test_who_dies_is_offline_by_the_last_will(house: House, clients: list[paho.Client]) -> None:
    await_(lambda: house.availability() == "online", "online")
    heard = house.history(next(topic for topic in house.said if topic.endswith("/availability")))
    connection = next(client.socket() for client in clients if client is not house.client)
    assert isinstance(connection, socket.socket)
    connection.shutdown(socket.SHUT_RDWR)  # what the broker sees of a plug that is pulled
    await_(lambda: heard[-2:] == ["offline", "online"], "offline, and back by itself")


def test_a_program_that_ends_says_goodbye_and_one_that_is_removed_leaves_nothing(
    evening: Evening, house: House
) -> None:
    evening.add_line()
    await_(lambda: house.availability() == "online" and house.state() is not None, "online")
    evening.restart()
    await_(lambda: house.availability() == "online", "online again")
    evening.programs.remove(evening.receiver()["id"])
    await_(lambda: not any(text for topic, text in house.said.items() if "/event" not in topic), "nothing kept")


@pytest.mark.parametrize(
    "about",
    [
        {},
        {"host": ""},
        {"host": "a b"},
        {"host": "ok", "port": 0},
        {"host": "ok", "prefix": "/a"},
        {"host": "ok", "prefix": "#"},
    ],
)
def test_what_is_no_broker_is_refused(about: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        check_broker(about)
