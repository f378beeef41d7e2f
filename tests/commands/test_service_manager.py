"""systemd hears that the referee is ready and alive while frames flow, and only then."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_cam.commands.process.service_manager import ServiceManager


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listener


def messages(listener: socket.socket) -> list[str]:
    out = []
    while True:
        try:
            out.append(listener.recv(1000).decode())
        except BlockingIOError:
            return out


def test_ready_with_the_first_frame_then_fed_by_new_ones_only(heard: socket.socket) -> None:
    manager = ServiceManager()
    manager.saw(0)
    assert messages(heard) == []
    manager.saw(3)
    assert messages(heard)[0].startswith("READY=1")
    manager.saw(3)
    manager.saw(3)
    assert messages(heard) == []
    manager.saw(18)
    manager.stopping()
    assert messages(heard) == ["WATCHDOG=1", "STOPPING=1"]


def test_without_a_manager_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    ServiceManager().saw(1)


def test_a_manager_that_went_away_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    ServiceManager().saw(1)
