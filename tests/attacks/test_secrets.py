"""What one player chose is nowhere before all have chosen.

In hexes and tricks nothing that the program knows is secret: tiles are drawn when they are asked for, and of hands it
knows what was played. Pictures of a block that lies open alone: tests/referee/test_blocks_on_the_table.py, thousands in
bench.secret_pictures.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from attacks.secrets import SECRETS, differences, told_to_programs


@pytest.mark.parametrize("game", SECRETS)
def test_nothing_that_can_be_looked_at_tells_a_choice(
    game: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def logged() -> str:
        told = caplog.text
        caplog.clear()
        return told

    assert differences(game, tmp_path, logged) == []


class Receiver(ThreadingHTTPServer):
    """Takes webhooks and keeps what they say."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.took: list[dict[str, Any]] = []
        self.address = f"http://127.0.0.1:{self.server_address[1]}/"


class _Taking(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        self.server.took.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize("game", SECRETS)
def test_no_program_is_told_a_choice(game: str, tmp_path: Path, receiver: Receiver) -> None:
    told = []
    for choice in SECRETS[game][1]:
        receiver.took.clear()
        told.append(told_to_programs(game, tmp_path / choice, choice, lambda: receiver.took, receiver.address))
    assert "'test'" in told[0]
    assert told[0] == told[1]
