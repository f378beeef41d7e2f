"""An evening of tricks on its pages: the desk, the television and two phones, from the first phone to the rematch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from referee.tricks_table import Table
from web.conftest import Served, log_in
from web.every_page import cut_texts

NAMES = ("Anna", "Christophe-Alexandre")  # the first one deals, the second leads


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


def test_an_evening_from_the_first_phone_to_the_rematch(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    """Dealt by a phone; a card that is not allowed, a trick taken back, cards that still lie there at the rematch."""
    url = serve(table.session, game="tricks").url
    desk, television = new_page(1366, 768), new_page(1920, 1080)
    log_in(desk, url)
    television.goto(url)
    assert television.locator("[data-full-screen]").count() == 1
    assert television.locator("[data-slow-motion]").count() == 0, "nothing is thrown in this game"
    for seat, name in enumerate(NAMES):
        desk.fill(f'#new-game input[name="players[{seat}].name"]', name)
    desk.click("#new-game button.primary")
    phones = [new_page(390, 844) for _ in NAMES]
    for number, phone in enumerate(phones, start=1):
        phone.goto(f"{url}/join")
        phone.click(f"#seat-{number}")
        phone.wait_for_selector(".me")
    pages, ruling = (desk, television, *phones), television.locator("#region-ruling")
    phones[0].click("#dealt")
    expect(ruling).to_contain_text("Christophe-Alexandre leads")
    assert desk.locator("#quiet").count() == 0, "no time runs out in this game"
    table.lays("5S", "KS")
    desk.wait_for_selector(".question")
    assert [cut_texts(page) for page in pages] == [[]] * 4
    table.takes("KS")
    desk.wait_for_selector(".question", state="detached")
    table.lays("9H", "2D", "KC")
    expect(ruling).to_contain_text("wins trick 1")
    desk.click("#act-undo")
    desk.click("#ask-first [data-yes]")
    expect(ruling).not_to_contain_text("wins trick 1")
    desk.click("#act-redo")
    expect(ruling).to_contain_text("Corrected ruling")
    game = television.context.new_page()
    game.goto(f"{url}/games/{table.game['id']}")
    heads = game.locator(".of-table thead th.num")
    widths = heads.evaluate_all(
        "all => all.map((each) => each.offsetWidth / parseFloat(getComputedStyle(each).fontSize))"
    )
    assert max(widths) < 7.0, "a heading of many words takes lines, not the room of other columns"
    game.close()
    expect(ruling).to_contain_text("wins trick 1")
    assert [cut_texts(page) for page in pages] == [[]] * 4
    desk.on("dialog", lambda dialog: dialog.accept())
    desk.click("#act-end_game")
    television.wait_for_selector(".ranking")
    desk.click("#act-rematch")
    phones[0].click("#dealt")  # whoever sat there sits there still
    expect(ruling).to_contain_text("leads: any card")
    assert table.played == [], "the cards of the game before still lie there"
    assert [player["name"] for player in table.game["players"]] == list(NAMES)


def test_the_players_of_the_evening_are_those_of_its_game(table: Table, serve: Callable[..., Served]) -> None:
    """Before anything was played to the end, too."""
    page = serve(table.session, game="tricks").app.test_client().get("/players").text
    assert "Parlett" in page
    assert "Cards played" in page
    assert "Alex Randolph" not in page
