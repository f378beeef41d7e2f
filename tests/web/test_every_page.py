"""Every page on a laptop, a television and a phone: no word cut, no jump, light, readable by machines for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlparse

import pytest

from web.conftest import log_in
from web.every_page import (
    DRAWN,
    PAGES,
    REFEREES_PAGES,
    WATCH_SHIFT,
    cut_or_beside,
    jumps,
    violations_by_day_and_night,
    with_everything,
)
from web.scripted_session import ScriptedSession, duel_scene, over_scene, question_scene, throws_scene

MOST_BYTES = 150_000  # of a first page, everything together but the letters
SIZES = [(1366, 768), (1920, 1080), (390, 844)]
# One between two others shows what they do.
ENDS = [pytest.param(*SIZES[0], marks=pytest.mark.thorough), *SIZES[1:]]
SCENES = (throws_scene, duel_scene, question_scene, over_scene)


def test_the_table_leaves_no_page_out(serve: Any) -> None:
    app = serve(ScriptedSession(throws_scene())).app
    pages = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in rule.methods and not re.search(r"/api/|/static|\.\w+$|/events|/stream", rule.rule)
    ]
    here = [path.split("?")[0] for path in (*PAGES, *REFEREES_PAGES)]
    patterns = {rule: re.compile(re.sub(r"<[^>]+>", "[^/]+", rule)) for rule in pages}
    assert len(pages) > 20
    assert [rule for rule in pages if not any(patterns[rule].fullmatch(path) for path in here)] == ["/how"]


@pytest.mark.parametrize(("width", "height"), ENDS)
def test_no_word_is_cut_nothing_lies_beside_the_window_and_nothing_jumps_as_a_page_opens(
    serve: Any, new_page: Callable[..., Any], width: int, height: int
) -> None:
    session = ScriptedSession(throws_scene())
    url = with_everything(serve(session)).url
    page = new_page(width, height)
    log_in(page, url)
    page.add_init_script(WATCH_SHIFT)
    found: list[str] = []
    for path, about in _every_page(session):
        page.goto(f"{url}{path}{'&' if '?' in path else '?'}lang=en")
        wrong = cut_or_beside(page, width)
        page.wait_for_timeout(120)  # the first state of the stream has come, and the letters
        found += [f"{path} {about}: {each}" for each in [*wrong, *jumps(page)]]
    assert found == []


def test_no_word_is_cut_in_french_in_any_size_of_the_window(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(throws_scene())
    url = with_everything(serve(session)).url
    page = new_page(*SIZES[0])
    log_in(page, url)
    found: list[str] = []
    for path, about in _every_page(session):
        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        page.goto(f"{url}{path}{'&' if '?' in path else '?'}lang=fr")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            found += [f"{path} {about} {width}: {each}" for each in cut_or_beside(page, width)]
    assert found == []


def _every_page(session: ScriptedSession) -> Iterator[tuple[str, str]]:
    """The address of every page, and of those that show a game also with what else may go on, which is shown then."""
    for path in (*PAGES, *REFEREES_PAGES):
        yield path, ""
    for scene in SCENES[1:]:
        session.show(scene())
        for path in ("/", "/join", "/referee"):
            yield path, scene.__name__


@pytest.mark.parametrize(("width", "height"), ENDS)
def test_nothing_jumps_while_a_game_is_played(
    serve: Any, new_page: Callable[..., Any], width: int, height: int
) -> None:
    """On the scoreboard and a phone nothing ever does; on the referee's desk a question moves nothing."""
    session = ScriptedSession(throws_scene())
    url = serve(session).url
    page = new_page(width, height)
    log_in(page, url)
    page.add_init_script(WATCH_SHIFT)
    found = []
    for path, scenes in (("/", SCENES), ("/join", SCENES), ("/referee", (question_scene, throws_scene))):
        page.goto(url + path)
        for scene in scenes:
            session.show(scene())
            page.wait_for_timeout(250)
        found += [f"{path}: {each}" for each in jumps(page)]
        session.show(throws_scene())
    assert found == []


def test_axe_finds_nothing(serve: Any, new_page: Callable[..., Any]) -> None:
    url = with_everything(serve(ScriptedSession(throws_scene()))).url
    page = new_page()
    log_in(page, url)
    found = []
    for path in (*PAGES, *REFEREES_PAGES):
        page.goto(url + path)
        found += [f"{path} {each}" for each in violations_by_day_and_night(page)]
    assert found == []


def test_a_first_page_is_light_and_comes_from_here_alone(serve: Any, new_page: Callable[..., Any]) -> None:
    url = with_everything(serve(ScriptedSession(throws_scene()))).url
    page = new_page()
    log_in(page, url)
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    answered: list[Any] = []
    page.on("requestfinished", lambda request: answered.append(request))
    heavy, elsewhere = [], set()
    for path in (*PAGES, *REFEREES_PAGES):
        answered.clear()
        page.goto(url + path, wait_until="load")
        page.wait_for_timeout(120)
        # once each: while a page is slow to load the camera's picture is asked for again
        first = {request.url.partition("?")[0]: request for request in reversed(answered)}
        sizes = [_bytes(request) for address, request in first.items() if "/fonts/" not in address]
        assert len(sizes) >= 5, "the page, its style, its scripts were asked for anew"
        heavy += [(path, sum(sizes))] if sum(sizes) >= MOST_BYTES else []
        elsewhere |= {urlparse(request.url).netloc for request in answered if not request.url.startswith("blob:")}
    assert heavy == []
    assert elsewhere == {urlparse(url).netloc}


def _bytes(request: Any) -> int:
    sizes = request.sizes()
    return sum(max(0, int(sizes[part])) for part in ("responseBodySize", "responseHeadersSize"))
