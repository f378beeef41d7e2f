"""Webhooks: signed as published, nothing lost, nothing out of order, no way to misuse them."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.referee.integrations import webhooks
from arena_cam.referee.integrations.telling import STOP_WITHIN_S
from arena_cam.referee.integrations.webhooks import check_address, send, signature
from referee.integrations.evening import Evening, await_


class Receiver(ThreadingHTTPServer):
    """Takes POSTs and answers `status`; `took` is what it answered 200 to, `asked` everything."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 200
        self.location = ""
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        self.took: list[dict[str, Any]] = []
        self.address = f"http://127.0.0.1:{self.server_address[1]}/arena?from=table"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, dict(self.headers), body))
        if self.server.status == 200:
            self.server.took.append(json.loads(body))
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "data")
    evening.start()
    yield evening
    evening.stop()


def lines(receiver: Receiver) -> list[int]:
    return [message["data"]["line"] for message in receiver.took]


def test_the_signature_is_that_of_the_published_example() -> None:
    # The example of the specification's authors, docs.svix.com/receiving/verifying-payloads/how-manual.
    secret, id = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
    signed = signature(secret, id, 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_what_happens_is_sent_at_once_signed_and_in_the_receivers_language(
    evening: Evening, receiver: Receiver
) -> None:
    told = evening.programs.add_webhook(receiver.address, "fr")
    line = evening.add_line()
    await_(lambda: receiver.took, "a message")
    path, headers, body = receiver.asked[0]
    assert path == "/arena?from=table"
    expected = signature(told["secret"], headers["webhook-id"], int(headers["webhook-timestamp"]), body)
    assert headers["webhook-signature"] == expected
    message = receiver.took[0]
    assert (message["type"], message["data"]["line"], message["id"]) == ("line.added", line, headers["webhook-id"])
    assert message["data"]["rulings"][0]["code"] == "duelling"
    assert message["data"]["game"]["name"] == "Evening"
    await_(lambda: evening.receiver()["state"] == "ok", "the state")


def test_what_a_receiver_refused_is_sent_again_in_order_also_after_a_restart(
    evening: Evening, receiver: Receiver
) -> None:
    evening.programs.add_webhook(receiver.address, "en")
    receiver.status = 500
    sent = [evening.add_line() for _ in range(3)]
    await_(lambda: len(receiver.asked) >= 2, "a second try")
    assert evening.receiver()["state"] == "failing"
    assert "answered 500" in evening.receiver()["why"]
    evening.restart()
    sent.append(evening.add_line())
    receiver.status = 200
    await_(lambda: len(receiver.took) >= len(sent), "all of them")
    assert lines(receiver) == sent
    await_(lambda: evening.receiver()["waiting"] == 0, "nothing left")
    assert len({message["id"] for message in receiver.took}) == len(sent)


def test_a_receiver_that_is_away_holds_up_nobody_else(evening: Evening, receiver: Receiver) -> None:
    evening.programs.add_webhook("http://127.0.0.1:9/nobody", "en")
    evening.programs.add_webhook(receiver.address, "en")
    line = evening.add_line()
    await_(lambda: lines(receiver) == [line], "the other one")
    away, there = evening.programs.snapshot()["receivers"]
    await_(lambda: evening.programs.snapshot()["receivers"][0]["state"] == "failing", "the state of the one away")
    assert away["waiting"] == 1
    assert there["id"] != away["id"]


def test_a_test_can_be_sent_and_a_receiver_that_was_removed_hears_nothing(evening: Evening, receiver: Receiver) -> None:
    id = evening.programs.add_webhook(receiver.address, "en")["id"]
    evening.programs.test(id)
    await_(lambda: [message["type"] for message in receiver.took] == ["test"], "the test")
    evening.programs.remove(id)
    evening.add_line()
    assert evening.programs.snapshot()["receivers"] == []
    with pytest.raises(Refused):
        evening.programs.test(id)
    assert len(receiver.took) == 1


def test_no_redirect_is_followed(receiver: Receiver) -> None:
    receiver.status, receiver.location = 302, receiver.address
    with pytest.raises(CannotDo, match="answered 302"):
        send(receiver.address, "whsec_AAAA", {"id": "msg"})
    assert len(receiver.asked) == 1


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "all_proxy"])
def test_no_proxy_of_the_environment_is_used(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    send(receiver.address, "whsec_AAAA", {"id": "msg"})
    assert len(receiver.asked) == 1


@pytest.mark.parametrize(
    "address",
    [
        "",
        "arena",
        "ftp://192.168.1.2/",
        "file:///etc/passwd",
        "http://",
        "http://name:password@192.168.1.2/",
        "http://192.168.1.2:99999/",
        "http://192.168.1.2/a b",
        "http://192.168.1.2/\r\nHost: other",
        "http://" + "a" * 600,
    ],
)
def test_what_is_no_address_is_refused(evening: Evening, address: str) -> None:
    with pytest.raises(Refused):
        evening.programs.add_webhook(address, "en")
    assert evening.programs.snapshot()["receivers"] == []


def test_an_address_is_taken_as_it_was_typed() -> None:
    assert check_address(" http://192.168.1.20:1880/arena?a=1 ") == "http://192.168.1.20:1880/arena?a=1"


@pytest.mark.parametrize("reached", ["169.254.169.254", "::ffff:169.254.169.254", "fe80::1%eth0"])
def test_nothing_is_sent_to_addresses_of_the_link_alone(
    monkeypatch: pytest.MonkeyPatch, receiver: Receiver, reached: str
) -> None:
    import http.client

    class Pretending:
        """A connection whose name led to where clouds hand out secrets."""

        def getpeername(self) -> tuple[str, int]:
            return reached, 80

        def close(self) -> None:
            pass

    monkeypatch.setattr(http.client.HTTPConnection, "connect", lambda self: setattr(self, "sock", Pretending()))
    with pytest.raises(CannotDo, match="where nothing is sent"):
        send(receiver.address, "whsec_AAAA", {"id": "msg"})


def test_an_answer_that_drips_in_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte began the time anew: one receiver could be waited for without end, and stood there as well reached."""
    monkeypatch.setattr(webhooks, "ANSWER_WITHIN_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drips() -> None:
            with server.accept()[0] as connection, contextlib.suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                for _ in range(40):
                    connection.sendall(b"X-Drip: 1\r\n")
                    time.sleep(0.05)
                connection.sendall(b"\r\n")

        thread = threading.Thread(target=drips, daemon=True)
        thread.start()
        with pytest.raises(CannotDo, match="no whole answer in time"):
            send(f"http://127.0.0.1:{server.getsockname()[1]}/", "whsec_AAAA", {"id": "msg"})
        thread.join()


def test_many_receivers_that_never_answer_do_not_hold_up_the_end(evening: Evening) -> None:
    """Each is given up after three seconds; all of them together, too."""
    with socket.create_server(("127.0.0.1", 0)) as silent:  # connections wait in its queue
        for _ in range(6):
            evening.programs.add_webhook(f"http://127.0.0.1:{silent.getsockname()[1]}/", "en")
        evening.add_line()
        time.sleep(1.0)  # all of them wait for an answer
        began = time.monotonic()
        evening.programs.stop()
        assert time.monotonic() - began < 4 * STOP_WITHIN_S, "one after another they take six times that"
