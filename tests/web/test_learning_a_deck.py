"""A published deck is learned on the set-up's page: laid, named by a tap, left, and gone on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.referee.setup.desk import Chosen
from referee.setup_scenes import SettingUp, empty_table, scene, table_with_card
from shared_decks import deck_in
from web.test_setup import enter, is_fine

SIZE = (1280, 720)


@pytest.fixture
def table(tmp_path: Path, deck_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SettingUp]:
    monkeypatch.setattr("arena_cam.referee.setup.lesson.codes_in", lambda _: [])
    chosen = Chosen(scene(SIZE).table, tmp_path / "home" / "table.json", deck_in(deck_folder), deck_folder)
    table = SettingUp(tmp_path / "table", deck_folder, in_use=chosen, image=empty_table(SIZE))
    yield table
    table.stop()


def test_cards_are_laid_and_named_by_a_tap(
    table: SettingUp, deck_folder: Path, serve: Callable[..., Any], new_page: Callable[..., Any]
) -> None:
    deck = deck_in(deck_folder)
    phone = enter(new_page(390, 844), str(serve(table.session, setup=table.desk).url))
    phone.click("#begin")
    board = new_page(390, 844)
    board.goto(phone.url.replace("/setup", "/"))
    assert board.locator("#region-ruling .words").inner_text() == "No game yet"  # there is a table: it is set up again
    phone.click("#go-deck")
    phone.click("#start-learning")
    phone.wait_for_selector("text=Lay the next card")
    is_fine(phone)
    table.camera.show(table_with_card(deck, "violet-9", SIZE))
    phone.wait_for_selector("text=Which card is it?")
    phone.wait_for_function("() => document.querySelector('.learn-asked img').naturalWidth > 50")
    assert phone.locator(".learn-row").first.get_attribute("aria-label") == "Violet"  # its colour is offered first
    is_fine(phone)
    phone.click("#card-violet-9")
    phone.wait_for_selector("text=Violet 9 is learned. Take it out.")
    phone.click("#stop-learning")
    phone.click("text=Go on learning: 50 cards are missing")
    phone.click("#card-violet-9.learned")
    phone.wait_for_function("() => document.querySelector('#learned-card img').naturalWidth > 50")
    is_fine(phone)
    phone.click("text=Learn it again")
    phone.wait_for_selector("text=0 / 51")
