"""A telephone as the camera: its page by HTTPS in a real browser, what is taken of whom, and photographs instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.camera.phone import PhoneSource
from arena_cam.commands.process.certificate import own_certificate
from arena_cam.commands.process.https import open_secure
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.serving import Server, listen
from referee.tricks_table import Table
from web.conftest import PIN, HeldBack
from web.scripted_session import ScriptedSession, game, snapshot

JPEG = cv2.imencode(".jpg", np.full((90, 160, 3), 120, np.uint8))[1].tobytes()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


@pytest.fixture
def source() -> Iterator[PhoneSource]:
    source = PhoneSource(5.0)
    yield source
    source.close()


def settings(secure: str | None = None) -> WebSettings:
    return WebSettings(PIN, "a secret of the tests", None, "tricks", secure, "AB:CD")


class Browser:
    """A browser without a screen."""

    def __init__(self, app: Any) -> None:
        self.client = app.test_client()

    def token(self) -> str:
        found = re.search(r'name="csrf-token" content="([^"]+)"', self.page("/join"))
        assert found is not None
        return found.group(1)

    def page(self, path: str = "/camera") -> str:
        return str(self.client.get(path).text)

    def log_in(self) -> Any:
        return self.client.post("/login", data={"pin": PIN, "next": "camera", "csrf": self.token()})

    def sends(self, content: bytes, still: bool = False) -> Any:
        headers = {"X-CSRF-Token": self.token()}
        return self.client.post(f"/api/camera{'?still=1' if still else ''}", data=content, headers=headers)


def test_only_the_referees_telephone_is_the_camera(table: Table, source: PhoneSource) -> None:
    browser = Browser(create_app(table.session, settings(), phone=source))
    assert "data-start-camera" not in browser.page()
    assert browser.sends(JPEG).status_code == 403
    assert browser.log_in().headers["Location"] == "/camera"
    assert "data-start-camera" in browser.page()
    assert browser.sends(JPEG).json == {"eye": "decided"}
    frame = source.read()
    assert frame is not None
    assert frame.image_bgr.shape == (90, 160, 3)


def test_a_second_telephone_waits_until_the_first_has_ended(table: Table, source: PhoneSource) -> None:
    app = create_app(table.session, settings(), phone=source)
    first, second = Browser(app), Browser(app)
    first.log_in(), second.log_in()
    assert [first.sends(JPEG).status_code for _ in range(2)] == [200, 200]
    answer = second.sends(JPEG)
    assert answer.status_code == 409
    assert "nother telephone" in answer.json["error"]["message"]


def test_what_is_no_picture_or_torn_is_refused(table: Table, source: PhoneSource) -> None:
    browser = Browser(create_app(table.session, settings(), phone=source))
    browser.log_in()
    for content in (b"", b"no picture", JPEG[: len(JPEG) // 2]):
        answer = browser.sends(content)
        assert answer.status_code == 400
        assert "photograph" in answer.json["error"]["message"]


@pytest.mark.parametrize(("camera", "leads"), [("phone", True), ("usb:0", False)])
def test_the_desk_leads_to_the_page_of_the_camera(camera: str, leads: bool) -> None:
    scene = snapshot(game=game("challenge", hint=None))
    scene["camera"]["source"] = camera
    session: Any = ScriptedSession(scene)
    browser = Browser(create_app(session, settings()))
    browser.log_in()
    assert ('href="/camera"' in browser.page("/referee")) == leads


def test_with_another_camera_it_says_how_to_start(table: Table) -> None:
    browser = Browser(create_app(table.session, settings()))
    browser.log_in()
    assert "arena-cam referee phone" in browser.page()
    assert browser.sends(JPEG).status_code == 409


def test_only_the_cameras_page_may_ask_for_the_camera(table: Table, source: PhoneSource) -> None:
    browser = Browser(create_app(table.session, settings("https://10.0.0.5:8001"), phone=source))
    assert "camera=()" in browser.client.get("/").headers["Permissions-Policy"]
    browser.log_in()
    assert "camera=(self)" in browser.client.get("/camera").headers["Permissions-Policy"]
    assert "https://10.0.0.5:8001/camera" in browser.page()
    assert "AB:CD" in browser.page()


def test_the_certificate_is_kept_and_made_anew_for_another_address(tmp_path: Path) -> None:
    first = own_certificate(tmp_path, "192.0.2.7")
    assert own_certificate(tmp_path, "192.0.2.7") == first
    assert own_certificate(tmp_path, "table.local")[2] != first[2]
    assert first[1].stat().st_mode & 0o077 == 0, "nobody else reads the key"
    assert re.fullmatch("([0-9A-F]{2}:){31}[0-9A-F]{2}", first[2])


def test_a_telephone_films_by_https(
    table: Table, source: PhoneSource, tmp_path: Path, new_page: Callable[..., Any]
) -> None:
    listening = listen("127.0.0.1", 0)
    with listen("127.0.0.1", 0) as free:
        port = int(free.getsockname()[1])
    secure = open_secure("127.0.0.1", port, int(listening.getsockname()[1]), tmp_path)
    assert secure.address is not None
    server = Server(create_app(table.session, settings(secure.address), phone=source), listening)
    server.start()
    secure.start()
    try:
        page = new_page(390, 844, ignore_https_errors=True)
        page.goto(f"{secure.address}/camera")
        page.fill("input[name=pin]", PIN)
        script = HeldBack(page, "**/js/phone_camera.js*")
        page.evaluate("document.querySelector('button.primary').click()")  # waits for no script of the next page
        page.click("[data-start-camera]")  # before its script has come: the press is kept
        script.let_go()
        page.wait_for_selector("[data-camera-status]:has-text('pictures')")
        frames = [source.read() for _ in range(3)]
        assert all(frame is not None and frame.image_bgr.shape[1] >= 320 for frame in frames)
        page.click("[data-stop-camera]")
        page.set_input_files("[data-still]", files=[{"name": "t.jpg", "mimeType": "image/jpeg", "buffer": JPEG}])
        page.wait_for_selector("[data-camera-status]:has-text('arrived')")
    finally:
        secure.stop()
        server.stop(server.app.extensions["arena_cam"].streams.end)
