"""A dilemma that is being written stays on its phone until it is laid, and is seen by nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from web.conftest import Served
from web.test_dilemmas_pages import BALLOTS, NAMES, Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


@pytest.fixture
def phone(table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]) -> Any:
    """Anna's phone in a game of two rounds."""
    table.start(rounds=2)
    for name in ("Anna", "Ben"):
        table.posts(name, "/api/seats/free", player=name)
    page = new_page(390, 844)
    page.goto(f"{serve(table.session, game='dilemmas').url}/join")
    sit(page, 1)
    return page


def sit(page: Any, seat: int) -> None:
    page.click(f"#seat-{seat}")
    page.wait_for_selector("#side-positive")


def written(page: Any) -> tuple[str, str]:
    return page.input_value("#side-positive"), page.input_value("#side-negative")


def test_a_dilemma_is_still_there_when_the_page_comes_anew(table: Table, phone: Any) -> None:
    phone.fill("#side-positive", "You fly")
    phone.click("#cards-negative summary")
    card = phone.locator("#cards-negative button").first
    offered = card.inner_text()
    card.click()
    phone.reload()
    expect(phone.locator("#side-positive")).to_have_value("You fly")
    assert written(phone) == ("You fly", offered)
    assert written(phone) == ("You fly", offered)
    assert "You fly" not in table.phones["Guðrún"].get("/").text
    phone.fill("#side-negative", "")
    phone.reload()
    expect(phone.locator("#side-positive")).to_have_value("You fly")
    assert written(phone) == ("You fly", ""), "what was wiped out stays so"


def test_the_next_round_begins_with_an_empty_form(table: Table, phone: Any) -> None:
    phone.fill("#side-positive", "You fly")
    phone.fill("#side-negative", "slowly")
    phone.click("button:has-text('Lay it')")
    phone.wait_for_selector("#side-positive", state="detached")
    table.lays("Ben", "Guðrún")
    for player, ballot in BALLOTS.items():
        table.session.act("vote_in_secret", {"player": player, "choice": ballot}, player)
    phone.wait_for_selector("#side-positive")
    assert written(phone) == ("", "")
    phone.reload()
    phone.wait_for_selector("#side-positive")
    assert written(phone) == ("", "")


def test_who_takes_the_same_phone_sees_nothing_of_it(phone: Any) -> None:
    phone.fill("#side-positive", "You fly")
    phone.on("dialog", lambda dialog: dialog.dismiss())
    phone.click("button:has-text('Leave the seat')")
    phone.reload()
    expect(phone.locator("#side-positive")).to_have_value("You fly")
    phone.evaluate("() => { window.confirm = () => true; }")
    phone.click("button:has-text('Leave the seat')")
    sit(phone, 2)
    assert written(phone) == ("", "")
    assert phone.evaluate("() => localStorage.getItem('draft')") is None


def test_in_a_rematch_a_phone_keeps_its_seat(table: Table, phone: Any) -> None:
    table.session.act("end_game", {}, "referee")
    phone.wait_for_selector("#side-positive", state="detached")
    players = [{"name": name} for name in (*NAMES, "Dóra")]
    table.session.act("start_game", {"game": "dilemmas", "players": players}, "referee")
    phone.wait_for_selector("#side-positive")
    expect(phone.locator(".me")).to_contain_text("Anna")
    phone.reload()
    phone.fill("#side-positive", "You fly")
    phone.fill("#side-negative", "slowly")
    phone.click("button:has-text('Lay it')")
    phone.wait_for_selector("#side-positive", state="detached")
    assert table.game["laid"] == ["Anna"]
