"""Pages of an evening of every game, and of a table being set up: no cut word, no jump, nothing that axe finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.printing.dilemmas.texts import LANGUAGES, card_texts
from arena_cam.web.serving import Server, listen
from attacks.api_calls import PIN, pages_of
from attacks.evenings import EVENINGS, Playing, evening_of
from web.conftest import log_in
from web.every_page import DRAWN, WATCH_SHIFT, cut_or_beside, cut_texts, jumps, violations_by_day_and_night
from web.test_security import log_in as log_in_client

TELEVISION = 1920
LAPTOP, PHONE = (1366, 768), (390, 844)
SIZES = [LAPTOP, (TELEVISION, 1080), PHONE]
LIVE = ("/", "/overlay", "/join", "/referee", "/throws", "/camera")


# Pages of hexes and of tricks are made of the same parts as the others.
FURTHER = {"hexes", "tricks"}
FEW = [pytest.param(name, marks=pytest.mark.thorough) if name in FURTHER else name for name in sorted(EVENINGS)]


@pytest.fixture(scope="module", params=sorted(EVENINGS))
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Playing, str]]:
    folder = tmp_path_factory.mktemp(request.param)
    with evening_of(request.param, folder / "evening") as playing, pages_of(playing, folder) as app:
        server = Server(app, listen("127.0.0.1", 0))
        server.start()
        yield playing, f"http://127.0.0.1:{server.port}"
        server.stop(app.extensions["arena_cam"].streams.end)


def _pages(playing: Playing) -> list[str]:
    game = playing.session.snapshot()["game"]
    if game is None:
        return ["/", "/setup", "/referee", "/join"]
    told = playing.session.game(game["id"])["log"]
    return [
        *LIVE,
        f"/games/{game['id']}",
        *(f"/games/{game['id']}/lines/{each['line']}" for each in told[:1]),
        *(f"/throws/{throw['id']}" for throw in playing.session.throws()[:1]),
    ]


def _wrong(page: Any, width: int) -> list[str]:
    return [*cut_or_beside(page, width), *page.evaluate(_BESIDE), *page.evaluate(_BARE)]


# Panels that are seen and hold nothing, or nothing but their heading.
_BARE = """() => [...document.querySelectorAll("main section, main .panel")].filter(panel => {
  if (!panel.checkVisibility({visibilityProperty: true}) || !panel.getBoundingClientRect().height) return false;
  if (panel.querySelector("svg, img, canvas, video, input, select, button, summary")) return false;
  const heading = panel.querySelector("h2, h3")?.innerText.trim() ?? "";
  return panel.innerText.trim() === heading;
}).map(panel => `nothing in ${panel.id || panel.className}`)"""


# Buttons of which a part lies outside the box that hides what overflows.
_BESIDE = """() => [...document.querySelectorAll("button, .button")].filter(button => {
  if (!button.checkVisibility({visibilityProperty: true})) return false;
  const lies = button.getBoundingClientRect();
  for (let box = button.parentElement; box && box !== document.body; box = box.parentElement) {
    const overflow = getComputedStyle(box).overflow, clip = box.getBoundingClientRect();
    if (/auto|scroll/.test(overflow)) return false;
    if (overflow === "hidden" && (lies.right > clip.right + 1 || lies.bottom > clip.bottom + 1)) return true;
  }
  return false;
}).map(button => "beside its box: " + (button.textContent.trim() || button.ariaLabel))"""


def test_every_games_pages_are_whole_in_every_language(
    served: tuple[Playing, str], new_page: Callable[..., Any]
) -> None:
    playing, url = served
    found: list[str] = []
    page = new_page(*LAPTOP)
    log_in(page, url)
    for path in _pages(playing):
        for language, sizes in (("fr", SIZES), ("is", (LAPTOP, PHONE))):
            page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
            answer = page.goto(f"{url}{path}?lang={language}")
            assert answer.status == 200, path
            for width, height in sizes:  # a window is made smaller and larger, too
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(DRAWN)
                found += [f"{path} {width} {language}: {each}" for each in _wrong(page, width)]
    assert found == []


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_nothing_is_cut_and_nothing_jumps_as_a_games_page_opens(
    served: tuple[Playing, str], new_page: Callable[..., Any], size: tuple[int, int]
) -> None:
    playing, url = served
    page = new_page(*size)
    log_in(page, url)
    page.add_init_script(WATCH_SHIFT)
    found: list[str] = []
    for path in _pages(playing):
        page.goto(f"{url}{path}?lang=en")
        page.wait_for_timeout(120)
        found += [f"{path}: {each}" for each in [*_wrong(page, size[0]), *jumps(page)]]
    assert found == []


@pytest.mark.parametrize("served", FEW, indirect=True)
def test_axe_finds_nothing_on_any_games_pages(served: tuple[Playing, str], new_page: Callable[..., Any]) -> None:
    playing, url = served
    page = new_page(*SIZES[0])
    log_in(page, url)
    found = []
    for path in _pages(playing):
        page.goto(url + path)
        found += [f"{path} {each}" for each in violations_by_day_and_night(page)]
    assert found == []


def test_a_doubt_keeps_the_capitals_of_names(tmp_path: Path) -> None:
    with evening_of("hexes", tmp_path / "evening") as playing, pages_of(playing, tmp_path) as app:
        client = app.test_client()
        log_in_client(client, PIN)
        for language, said in (("en", "No new tile is plain on the board of Anna"), ("fr", "Aucune nouvelle tuile")):
            page = client.get(f"/referee?lang={language}").text
            assert said in page
            assert "of anna" not in page
            assert "de anna" not in page


def test_the_end_of_a_game_of_four_is_whole_on_a_television(tmp_path: Path, new_page: Callable[..., Any]) -> None:
    with evening_of("dilemmas", tmp_path / "evening") as playing, pages_of(playing, tmp_path) as app:
        names = ("Anna", "Bernhard", "Guðrún", "Daniel")
        players = [{"name": name} for name in names]
        playing.session.act("start_game", {"game": "dilemmas", "players": players, "options": {}}, "referee")
        for name in names:
            sides = {"positive": "You see in the dark", "negative": "every door creaks"}
            playing.session.act("lay_dilemma", {"player": name, **sides}, name)
        for name, votes in zip(names, ("ynyn", "ynyn", "nyny", "nyyn"), strict=True):
            playing.session.act("vote_in_secret", {"player": name, "choice": votes}, name)
        playing.session.act("end_game", {}, "referee")
        server = Server(app, listen("127.0.0.1", 0))
        server.start()
        page = new_page(TELEVISION, 1080)
        page.goto(f"http://127.0.0.1:{server.port}/?lang=fr")
        assert page.locator(".last-ruling").count() == 1
        assert cut_texts(page) == []
        server.stop(app.extensions["arena_cam"].streams.end)


@pytest.mark.parametrize("size", [(1366, 768), (TELEVISION, 1080)])
@pytest.mark.parametrize("count", [2, 4, 6, 8])
def test_the_longest_dilemmas_are_whole_on_a_wide_screen(
    tmp_path: Path, new_page: Callable[..., Any], count: int, size: tuple[int, int]
) -> None:
    """The fewer there are the larger they are written."""
    every = [card for language in LANGUAGES for card in card_texts(language)]
    longest = {kind: max((c.text for c in every if c.kind == kind), key=len) for kind in ("positive", "negative")}
    with evening_of("dilemmas", tmp_path / "evening") as playing, pages_of(playing, tmp_path) as app:
        names = TEN[:count]
        players = [{"name": name} for name in names]
        playing.session.act("start_game", {"game": "dilemmas", "players": players, "options": {}}, "referee")
        server = Server(app, listen("127.0.0.1", 0))
        server.start()
        page = new_page(*size)
        page.goto(f"http://127.0.0.1:{server.port}/")
        found = cut_texts(page)
        for name in names:
            playing.session.act("lay_dilemma", {"player": name, **longest}, name)
        page.reload()
        found += cut_texts(page)
        for name in names:
            playing.session.act("vote_in_secret", {"player": name, "choice": ("yn" * count)[:count]}, name)
        page.reload()
        assert page.locator(".dilemma .count").count() == count
        assert found + cut_texts(page) == []
        server.stop(app.extensions["arena_cam"].streams.end)


TEN = ("Anna", "Bernhard", "Guðrún Þorsteinsdóttir", "Daniel", "Anne-Françoise", "Frank", "Gerda", "Heinz-Maximilian",
       "Ida", "Jón")  # fmt: skip


def test_ten_players_with_long_names_find_room_from_the_first_dilemma_to_the_end(
    tmp_path: Path, new_page: Callable[..., Any]
) -> None:
    with evening_of("dilemmas", tmp_path / "evening") as playing, pages_of(playing, tmp_path) as app:
        server = Server(app, listen("127.0.0.1", 0))
        server.start()
        act = playing.session.act
        found: list[str] = []

        def look(at: str) -> None:
            for width, height in SIZES:
                page = new_page(width, height)
                page.goto(f"http://127.0.0.1:{server.port}/?lang=fr")
                found.extend(f"{at} {width}: {each}" for each in _wrong(page, width))
                page.close()

        act("start_game", {"game": "dilemmas", "players": [{"name": name} for name in TEN], "options": {}}, "referee")
        look("laying")
        for name in TEN:
            sides = {"positive": "You see in the dark", "negative": "every door creaks"}
            act("lay_dilemma", {"player": name, **sides}, name)
        look("voting")
        for number, name in enumerate(TEN):
            act("vote_in_secret", {"player": name, "choice": ("yyyyynnnnn" * 2)[number : number + 10]}, name)
        look("counted")
        act("end_game", {}, "referee")
        look("the end")
        server.stop(app.extensions["arena_cam"].streams.end)
    assert found == []
