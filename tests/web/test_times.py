"""Moments on pages: as the language writes them, and in the browser's own time zone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arena_cam.web.words.times import moment
from web.scripted_session import ScriptedSession, throws_scene

AT = 1767294600.0  # 1 January 2026, 19:10 UTC


@pytest.fixture
def in_reykjavik(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Atlantic/Reykjavik")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("language", "day", "text"),
    [
        ("en", True, "1 Jan 2026, 19:10"),
        ("fr", True, "1 janv. 2026, 19:10"),
        ("is", True, "1. jan. 2026, 19:10"),
        ("en", False, "19:10:00"),
    ],
)
@pytest.mark.usefixtures("in_reykjavik")
def test_a_moment_is_written_as_the_language_does(language: str, day: bool, text: str) -> None:
    assert moment(AT, language, day) == f'<time datetime="2026-01-01T19:10:00Z" data-time="0">{text}</time>'


@pytest.mark.usefixtures("in_reykjavik")
def test_a_browser_elsewhere_shows_its_own_time(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(throws_scene())
    one = session.games()[0] | {"started": AT}
    session.games = lambda most=-1, after=0, words="": [one][after:]  # type: ignore[method-assign] # noqa: ARG005
    url = serve(session).url
    shown = []
    for zone in ("Atlantic/Reykjavik", "Asia/Kolkata"):
        page = new_page(timezone_id=zone)
        page.goto(f"{url}/games")
        page.wait_for_selector("time:not([data-time])")
        shown.append(page.inner_text("time"))
    assert shown == ["1 Jan 2026, 19:10", "2 Jan 2026, 00:40"]
