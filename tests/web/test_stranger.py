"""A stranger's first evening in one go: from the empty scoreboard to a second game, with everything that goes wrong.

Laptop, television and phones are open all the while. After every step no word is cut on any of them and each leads on
somewhere; what is done often is counted in taps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from referee.builders import Evening
from web.conftest import PIN
from web.every_page import cut_texts

NAMES = ("Anna", "Bernhard", "Christine")
MOST_TAPS = 3
LAPTOP, TELEVISION, PHONE = (1366, 768), (1920, 1080), (390, 844)
LEADS_ON = "a[href]:visible, button:visible:not([disabled])"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "data")
    yield evening
    evening.session.stop()


class Screens:
    """Every screen of the evening. `look` holds that all of them can be read and that none is a dead end."""

    def __init__(self, url: str, language: str, referee: Any, television: Any, phones: list[Any]) -> None:
        self.url, self.language = url, language
        self.referee, self.television, self.phones = referee, television, phones
        for page in (referee, television, *phones):
            page.on("dialog", lambda dialog: dialog.accept())

    def look(self, step: str) -> None:
        for page in (self.referee, self.television, *self.phones):
            assert cut_texts(page) == [], (step, page.url)
            assert page.locator(LEADS_ON).count() > 0, (step, page.url)

    def go(self, page: Any, path: str) -> None:
        page.goto(f"{self.url}{path}{'&' if '?' in path else '?'}lang={self.language}")

    def tap(self, where: str) -> None:
        """The referee taps."""
        self.referee.locator(where).first.click()
        self.taps += 1

    @contextmanager
    def few_taps(self, what: str) -> Iterator[None]:
        self.taps = 0
        yield
        assert 1 <= self.taps <= MOST_TAPS, what


def until(page: Any, selector: str, text: str | None = None) -> None:
    expect(page.locator(selector).first).to_be_visible(timeout=20_000)
    if text is not None:
        expect(page.locator(selector).first).to_contain_text(text, timeout=20_000)


@pytest.mark.parametrize(
    ("language", "desk", "wall"),
    [("en", LAPTOP, TELEVISION), pytest.param("fr", PHONE, LAPTOP, marks=pytest.mark.thorough)],
)
def test_a_strangers_evening(
    evening: Evening,
    serve: Any,
    new_page: Callable[..., Any],
    language: str,
    desk: tuple[int, int],
    wall: tuple[int, int],
) -> None:
    pages = [new_page(*desk), new_page(*wall), new_page(*PHONE), new_page(*PHONE)]
    screens = Screens(serve(evening.session).url, language, pages[0], pages[1], pages[2:])
    _arrive(screens, evening)
    _first_round(screens, evening)
    _dispute(screens, evening)
    _corrections_of_each_kind(screens, evening)
    _to_the_end_and_again(screens, evening)


def _arrive(screens: Screens, evening: Evening) -> None:
    """Reads how it is played, logs in, begins; two take their seats on their phones."""
    screens.go(screens.television, "/")
    screens.television.locator("a[href='/how']").first.click()
    until(screens.television, "h1")
    screens.go(screens.television, "/")
    screens.go(screens.referee, "/referee")
    screens.referee.fill("input[name=pin]", PIN)
    screens.referee.locator("button.primary").click()
    until(screens.referee, "#region-controls")
    form = screens.referee.locator("#new-game")
    screens.referee.fill("#new-game input[name=name]", "Friday")
    for seat, name in enumerate(NAMES):
        screens.referee.fill(f'#new-game input[name="players[{seat}].name"]', name)
    form.locator("button[type=submit], button:not([type])").last.click()
    until(screens.television, ".player", "Anna")
    for phone, name in zip(screens.phones, NAMES, strict=False):
        screens.go(phone, "/join")
        phone.locator(f"button.seat:has-text('{name}')").click()
        until(phone, ".me")
    screens.look("a game was begun")
    evening.rests("red-8")
    until(screens.referee, "#act-close_challenge")


def _first_round(screens: Screens, evening: Evening) -> None:
    """An unsure card is asked about, a misread one mended, and two duel in secret."""
    evening.rests("green-4", "diagonal", sure=False)
    until(screens.referee, ".question")
    screens.look("a question")
    with screens.few_taps("answer a question"):
        screens.tap(".question button.primary")
        until(screens.television, "#region-ruling")
        expect(screens.referee.locator(".question")).to_have_count(0)
    evening.rests("blue-5", on=["red-8"], other_names=(("blue-3", 0.02),))
    line = next(card["line"] for card in evening.session.snapshot()["cards"] if card["name"] == "blue-5")
    until(screens.referee, f"#fix-{line} summary")
    with screens.few_taps("mend an identity"):
        screens.tap(f"#fix-{line} summary")
        screens.tap(f"#fix-{line} button[data-args*='blue-3']")
        until(screens.referee, "#region-cards [data-key='blue-3']")
    evening.waits(1.0)
    anna, bernhard = screens.phones
    until(anna, "#choose-conflict")
    screens.look("a duel")
    anna.locator("#choose-conflict").click()
    until(bernhard, "#choose-peace")
    assert "Anna" in screens.television.locator("#region-ruling").inner_text()
    bernhard.locator("#choose-peace").click()
    expect(screens.television.locator(".player-points b").first).to_have_text("11", timeout=20_000)
    screens.look("the duel is decided")
    evening.frame(*evening.hand.sweeps())


def _dispute(screens: Screens, evening: Evening) -> None:
    """The next challenge lies there when somebody says: mine of the last round lay flat on the challenge card."""
    evening.rests(evening.game["players"][_provocateur(evening)]["hand"][0])
    screens.go(screens.referee, "/throws")
    screens.referee.locator(".throw", has_text=re.compile("Christine")).first.click()
    until(screens.referee, "#amend")
    screens.look("a replay")
    screens.referee.select_option("#amend [data-kind=set] select[name=landing]", "beside")
    screens.referee.locator("#amend button.primary").click()
    until(screens.referee, "#preview")
    screens.look("what a correction changes")
    screens.referee.fill("input[name=who]", "Ruth")
    screens.referee.locator("[data-confirm-amend]").click()
    expect(screens.referee.locator("#preview")).to_be_hidden()
    assert _amendments(evening)[-1]["set"] == {"landing": "beside"}


def _corrections_of_each_kind(screens: Screens, evening: Evening) -> None:
    """Another choice in the duel, an event struck, one entered before another, which is struck later; the last step
    undone and done again."""
    game, said = evening.game["id"], len(_amendments(evening))
    log = evening.session.game(game)["log"]
    lines = {(each["event"]["type"], each["event"].get("card")): each["line"] for each in log}
    screens.go(screens.referee, f"/games/{game}")
    screens.look("a game")
    for line, kind, choose in (
        (lines["throw", "green-4"], "strike", {}),
        (lines["throw", "blue-5"], "before", {"card": "green-7", "landing": "edge"}),
        (lines["duel", None], "set", {"choice-1": "peace"}),
    ):
        screens.go(screens.referee, f"/games/{game}/lines/{line}")
        until(screens.referee, "#amend")
        screens.referee.locator(f"#amend input[name=kind][value={kind}]").check()
        for name, value in choose.items():
            screens.referee.select_option(f"#amend [data-kind={kind}] select[name={name}]", value)
        screens.referee.locator("#amend button.primary").click()
        until(screens.referee, "#preview")
        screens.look(f"a preview of {kind}")
        screens.referee.locator("[data-confirm-amend]").click()
        expect(screens.referee.locator("#preview")).to_be_hidden()
    assert len(_amendments(evening)) == said + 3
    _strike_what_was_entered(screens, evening)
    screens.go(screens.referee, "/referee")
    before = evening.game["lines"]
    with screens.few_taps("undo"):
        screens.tap("#act-undo")
        screens.tap("#ask-first [data-yes]")
        until(screens.referee, "#act-redo")
    with screens.few_taps("redo"):
        screens.tap("#act-redo")
        expect(screens.referee.locator("#act-redo")).to_have_count(0)
    assert evening.game["lines"] > before, "nothing that was written is taken away"
    assert "record format" not in screens.referee.locator("#region-rulings").inner_text()
    screens.look("undone and done again")


def _strike_what_was_entered(screens: Screens, evening: Evening) -> None:
    game = evening.game["id"]
    entry = next(each["line"] for each in evening.session.game(game)["log"] if each["event"].get("before"))
    screens.go(screens.referee, f"/games/{game}")
    screens.referee.locator(f"a[href='/games/{game}/lines/{entry}']").click()
    until(screens.referee, "#amend")
    screens.look("what was entered")
    screens.referee.locator("#amend input[name=kind][value=strike]").check()
    screens.referee.locator("#amend button.primary").click()
    until(screens.referee, "#preview")
    screens.look("a preview of what was entered, struck")
    screens.referee.locator("[data-confirm-amend]").click()
    expect(screens.referee.locator("#preview")).to_be_hidden()
    assert "green-7" not in str(evening.session.game(game)["rulings"])


def _to_the_end_and_again(screens: Screens, evening: Evening) -> None:
    """Played to its end, looked at round by round, and once more with the same names."""
    first = evening.game["id"]
    screens.tap("#act-end_game")
    until(screens.referee, "#act-rematch")
    until(screens.television, ".ranking")
    screens.look("the end")
    for path in (f"/games/{first}/rounds/1", "/players", "/league", "/games"):
        screens.go(screens.phones[1], path)
        screens.look(path)
    with screens.few_taps("rematch"):
        screens.tap("#act-rematch")
        expect(screens.television.locator(".player-points b").first).to_have_text("0", timeout=20_000)
        until(screens.phones[0], "button.seat, .me")
    assert evening.game["id"] != first
    assert [player["name"] for player in evening.game["players"]] == list(NAMES)
    screens.look("a second game")


def _provocateur(evening: Evening) -> int:
    return next(place for place, player in enumerate(evening.game["players"]) if player["is_provocateur"])


def _amendments(evening: Evening) -> list[Any]:
    log = evening.session.game(evening.game["id"])["log"]
    return [each["event"] for each in log if each["event"]["type"] == "amend"]
