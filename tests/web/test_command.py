"""`arena-cam referee` as a process: it plays, is killed, is there again, and ends cleanly."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.domain.lies import Landing
from arena_cam.formats.table_json import table_to_json
from arena_cam.printing.deck import OWN_DECK
from arena_cam.simulation.arena.actions import LayChallenge, Throw, Wait
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.source import SimulatedSource
from arena_cam.store.backup import ARRIVING
from shared_decks import deck_in
from web.conftest import PIN, log_in

START_S = 60.0  # on a machine that does much else at the same time
SIM = ("sim", "--fps", "5")  # to draw the simulated table takes most of a process's time


class Process:
    """A running `arena-cam referee` with its address."""

    def __init__(self, data: Path, *args: str) -> None:
        command = [sys.executable, "-m", "arena_cam", "referee", *args, "--data", str(data), "--no-browser"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.said = ""
        while "Ctrl-C" not in self.said:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read() if self.process.stderr else ""
            self.said += line
        self.url = re.search(r"http://localhost:\d+", self.said)[0]  # type: ignore[index]

    def state(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/api/state", timeout=20) as answer:
            state: dict[str, Any] = json.load(answer)
        return state

    def wait_for(self, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            state = self.state()
            if true(state):
                return state
            time.sleep(0.3)
        raise AssertionError(f"not within {START_S} s: {state}")


@pytest.fixture
def start(tmp_path: Path, own_deck_folder: Path) -> Iterator[Callable[..., Process]]:
    """Starts processes over one data folder."""
    running: list[Process] = []
    shutil.copytree(own_deck_folder, tmp_path / "data" / OWN_DECK)

    def begin(*args: str) -> Process:
        running.append(Process(tmp_path / "data", *args))
        return running[-1]

    yield begin
    for each in running:
        each.process.kill()
        each.process.communicate(timeout=10)  # closes its pipes, too


def refused(*args: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "arena_cam", "referee", *args], capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stderr


def test_a_killed_game_is_there_again_and_a_signal_ends_it_cleanly(start: Callable[..., Process]) -> None:
    first = start(*SIM, "--port", "0", "--pin", "123456")
    before = first.wait_for(lambda state: state["game"] and state["game"]["challenge"])
    first.process.send_signal(signal.SIGKILL)
    first.process.wait(10)
    second = start(*SIM, "--port", "0", "--pin", "123456")
    after = second.state()
    assert after["game"]["id"] == before["game"]["id"]
    assert after["game"]["lines"] >= before["game"]["lines"]
    assert after["version"] > before["version"]
    for page in ("/", "/referee", "/join", "/throws", "/games", "/health", "/api/live.jpg"):
        with urllib.request.urlopen(second.url + page, timeout=20) as answer:
            assert answer.status in (200, 204)
    second.process.send_signal(signal.SIGTERM)
    assert second.process.wait(20) == 0
    assert second.process.stderr is not None
    assert "Traceback" not in second.process.stderr.read()


def test_it_says_who_may_come_and_keeps_to_the_room_given(start: Callable[..., Process], tmp_path: Path) -> None:
    process = start(*SIM, "--port", "0", "--evidence", "1.5G")
    pin = re.search(r"PIN (\d{6})", process.said)
    assert pin
    assert "--host 0.0.0.0" in process.said
    with urllib.request.urlopen(f"{process.url}/", timeout=20) as answer:
        assert "--host 0.0.0.0" in answer.read().decode(), "no code that leads a phone to itself"
    for secret in ("web-pin", "web-secret"):
        assert (tmp_path / "data" / secret).stat().st_mode & 0o077 == 0
    with urllib.request.urlopen(f"{process.url}/api/health", timeout=20) as answer:
        assert json.load(answer)["disk"]["budget_bytes"] == 3 * 2**29


def test_a_recording_is_refereed_at_its_own_pace(
    start: Callable[..., Process], tmp_path: Path, deck_folder: Path
) -> None:
    table = SimulatedTable(deck_in(deck_folder), seed=2, supersample=1)
    (tmp_path / "table.json").write_text(json.dumps(table_to_json(table.table())), encoding="utf-8")
    (tmp_path / "friday").mkdir()
    throw = Throw("blue-3", Landing.FLAT, aim_mm=(25.0, 20.0))
    table.perform(Wait(0.5), LayChallenge("red-8", at_mm=(0.0, 0.0)), Wait(0.5), throw)
    source = SimulatedSource(table, fps=15.0, live=False)
    lasts_s = 0.0
    while not (table.idle and table.time_s > 1.0) or table.time_s < lasts_s + 1.0:
        frame = source.read()
        assert frame is not None
        cv2.imwrite(str(tmp_path / "friday" / f"{frame.sequence:05d}.jpg"), frame.image_bgr)
        lasts_s = lasts_s if table.idle else frame.time_s
    about = ["--table", str(tmp_path / "table.json"), "--deck", str(deck_folder), "--port", "0"]
    began = time.monotonic()
    process = start(str(tmp_path / "friday"), *about)
    duel = process.wait_for(lambda state: state["game"] and state["game"]["awaiting"] == "duel")
    assert (duel["game"]["name"], duel["game"]["challenge"], duel["game"]["duelling"]) == ("friday", "red-8", "blue-3")
    ended = process.wait_for(lambda state: not state["camera"]["connected"])
    assert time.monotonic() - began >= lasts_s
    assert [warning["code"] for warning in ended["warnings"]] == ["source_ended"]


def test_a_recording_without_a_table_is_one_to_set_a_table_up_with(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    (tmp_path / "frames").mkdir()
    cv2.imwrite(str(tmp_path / "frames" / "00001.jpg"), np.full((90, 160, 3), 90, np.uint8))
    process = start(str(tmp_path / "frames"), "--port", "0")
    assert "/setup" in process.said
    shown = process.wait_for(lambda state: state["camera"]["frames"] > 1)
    assert shown["camera"]["connected"]
    assert [warning["code"] for warning in shown["warnings"]] == ["setting_up"]


def test_a_table_that_is_not_there_is_no_reason_to_set_one_up(tmp_path: Path) -> None:
    status, said = refused("usb:0", "--table", str(tmp_path / "typo.json"), "--port", "0", "--data", str(tmp_path))
    assert (status, len(said.splitlines())) == (2, 1)
    assert "typo.json" in said


@pytest.mark.parametrize("size", ["plenty", "-1", "4X", ""])
def test_a_size_that_is_none_is_refused(size: str) -> None:
    status, said = refused("sim", f"--keep-free={size}")
    assert status == 2
    assert "800M or 4G" in said


def test_a_taken_port_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, said = refused("sim", "--port", str(port), "--data", str(tmp_path))
    assert (status, len(said.splitlines())) == (1, 1)
    assert f"port {port}" in said
    assert "make run PORT=" in said, "who typed make run does not know --port"


def test_a_host_that_is_not_known_is_said_in_the_systems_words(tmp_path: Path) -> None:
    status, said = refused("none", "--game", "hexes", "--host", "a b", "--port", "0", "--data", str(tmp_path))
    assert (status, len(said.splitlines())) == (1, 1)
    assert "a b cannot be opened (Name or service not known)" in said


def test_a_number_that_is_no_port_was_asked_wrongly(tmp_path: Path) -> None:
    status, said = refused("none", "--game", "hexes", "--port", "80000", "--data", str(tmp_path))
    assert (status, len(said.splitlines())) == (2, 1)
    assert "65535" in said


def test_a_pin_that_cannot_be_kept_is_said_with_its_file_once(tmp_path: Path) -> None:
    (tmp_path / "web-pin").mkdir()
    status, said = refused("none", "--game", "hexes", "--port", "0", "--data", str(tmp_path))
    assert (status, len(said.splitlines())) == (1, 1)
    assert said.count("web-pin") == 1
    assert "[Errno" not in said


def test_a_short_pin_is_refused(tmp_path: Path) -> None:
    status, said = refused("sim", "--port", "0", "--pin", "1", "--data", str(tmp_path))
    assert status == 2
    assert "PIN" in said


def test_the_evening_of_a_backup_comes_back_in_the_browser_and_is_played_on(
    start: Callable[..., Process], new_page: Callable[..., Any], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])  # the program must be found again where it was
    process = start(*SIM, "--port", port, "--pin", PIN)
    process.wait_for(lambda state: state["game"] and state["game"]["lines"] >= 2)
    page = new_page(1366, 768)
    page.on("dialog", lambda dialog: dialog.accept())
    log_in(page, process.url)
    page.goto(f"{process.url}/upkeep")
    with page.expect_download() as download:
        page.click("text=Download a backup")
    download.value.save_as(tmp_path / "evening.zip")
    kept = process.state()["game"]
    process.wait_for(lambda state: state["game"]["lines"] >= kept["lines"] + 3)
    page.set_input_files("#restore input", tmp_path / "evening.zip")
    with page.expect_navigation(timeout=1000 * START_S):  # the page waits until the program is there again
        page.click("#restore button")
    assert process.process.poll() is None
    back = process.state()
    assert back["game"]["id"] == kept["id"]
    process.wait_for(lambda state: state["game"]["lines"] > back["game"]["lines"])
    aside = tmp_path / "data.before-restore-1"
    assert (aside / "arena-cam.db").is_file()
    assert not (aside / ARRIVING).exists()


@pytest.mark.parametrize("left", [pytest.param("hexes", marks=pytest.mark.thorough), "dilemmas"])
def test_a_demonstration_plays_its_own_game_whatever_was_left_on_the_table(
    left: str, start: Callable[..., Process]
) -> None:
    first = start(*SIM, "--game", left, "--port", "0")
    first.wait_for(lambda state: state["game"] and state["game"]["game"] == left)
    first.process.send_signal(signal.SIGTERM)
    assert first.process.wait(20) == 0
    second = start(*SIM, "--port", "0")
    second.wait_for(lambda state: state["game"]["game"] == "arena" and state["game"]["challenge"])
    second.process.send_signal(signal.SIGTERM)
    assert second.process.wait(20) == 0
    assert second.process.stderr is not None
    assert "Traceback" not in second.process.stderr.read()
