"""The real application on the real server, and Debian's chromium."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.serving import Server, listen
from web.scripted_session import ScriptedSession

PIN = "246810"
ADDRESS = "http://table.local:8000"
FAKE_CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


class Served:
    """A session behind a listening server."""

    def __init__(
        self, session: Any, port: int = 0, setup: Any = None, address: str | None = ADDRESS, game: str = "arena"
    ) -> None:
        self.session = session
        self.app = create_app(session, WebSettings(PIN, "a secret of the tests", address, game), setup)
        self.server = Server(self.app, listen("127.0.0.1", port))
        self.server.start()
        self.url = f"http://127.0.0.1:{self.server.port}"

    def stop(self) -> None:
        self.server.stop(self.app.extensions["arena_cam"].streams.end)


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    """Serves a session; every server is stopped after the test."""
    running: list[Served] = []

    def start(
        session: Any, port: int = 0, setup: Any = None, address: str | None = ADDRESS, game: str = "arena"
    ) -> Served:
        running.append(Served(session, port, setup, address, game))
        return running[-1]

    yield start
    for served in running:
        served.stop()
        if isinstance(served.session, ScriptedSession):
            served.session.end()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser; tests that need one are skipped where Debian's chromium is not installed. Without a window it opens a
    page in a third of the time."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", *FAKE_CAMERA])
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Any) -> Iterator[Callable[..., Any]]:
    """A page in a browser of its own (own cookies). Errors in a page's script fail the test."""
    contexts: list[Any] = []
    errors: list[str] = []

    def make(width: int = 1280, height: int = 800, **options: Any) -> Any:
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors


class HeldBack:
    """A page's requests to addresses like one pattern, which wait on their way until a test lets them go."""

    def __init__(self, page: Any, pattern: str) -> None:
        self._page = page
        self._waiting: list[Any] = []
        page.route(pattern, lambda route: self._waiting.append(route))  # not append: playwright marks it

    def let_go(self) -> None:
        """Lets the first one go, as soon as the page has sent one."""
        limit = time.monotonic() + 30
        while not self._waiting:
            assert time.monotonic() < limit, "the page sent nothing"
            self._page.wait_for_timeout(10)
        self._waiting.pop(0).continue_()


def photograph(page: Any, button: str, file: Path) -> None:
    """Takes a photograph as a person does: presses the button, and the camera that opens gives the file."""
    with page.expect_file_chooser() as chooser:
        page.click(button)
    chooser.value.set_files(file)


def log_in(page: Any, url: str) -> None:
    """Makes the page's browser the referee's."""
    page.goto(f"{url}/referee")
    page.fill("input[name=pin]", PIN)
    page.click("button.primary")
    page.wait_for_selector("#region-controls")
