"""Sheets are printed from the browser: a button for each, drawn once, in the page's language."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena_cam.commands.process.print_shop import OwnPrintShop
from arena_cam.domain.errors import CannotDo
from arena_cam.domain.messages import AsRecorded
from arena_cam.web.access.print_shop import Sheet
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.words.print_words import PARTS
from web.scripted_session import ScriptedSession, throws_scene


class PaperShop:
    """Writes what was asked for instead of drawing it."""

    sheets = (
        Sheet("arena", "blocks", ("en",)),
        Sheet("arena", "rules", ("en",)),
        Sheet("dilemmas", "cards", ("en", "fr")),
    )

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def pdf(self, sheet: Sheet, paper: str, language: str) -> Path:
        if sheet.part == "blocks" and paper == "letter":
            raise CannotDo(AsRecorded.AS_RECORDED(text="the disk is full; make room"))
        file = self._folder / "sheet.pdf"
        file.write_text(f"%PDF {sheet.game} {sheet.part} {paper} {language}")
        return file


@pytest.fixture
def client(tmp_path: Path) -> Any:
    session: Any = ScriptedSession(throws_scene())
    app = create_app(session, WebSettings("123456", "a secret of the tests", None), None, PaperShop(tmp_path))
    yield app.test_client()
    session.end()


def test_every_sheet_has_a_button_for_each_paper(client: Any) -> None:
    page = client.get("/print?lang=fr").text
    for address in ("/print/arena/blocks.pdf?paper=a4", "/print/dilemmas/cards.pdf?paper=letter"):
        assert address in page
    assert "Pions" in page


def test_a_sheet_comes_in_the_language_of_the_page_if_it_has_it(client: Any) -> None:
    client.get("/print?lang=fr")
    answer = client.get("/print/dilemmas/cards.pdf?paper=letter")
    assert answer.text == "%PDF dilemmas cards letter fr"
    assert answer.mimetype == "application/pdf"
    assert client.get("/print/arena/blocks.pdf?language=fr").text == "%PDF arena blocks a4 en"


@pytest.mark.parametrize("path", ["arena/money.pdf", "arena/blocks.pdf?paper=a3", "ludo/cards.pdf"])
def test_what_there_is_not_is_not_found(client: Any, path: str) -> None:
    assert client.get(f"/print/{path}").status_code == 404


def test_a_sheet_that_cannot_be_drawn_says_why(client: Any) -> None:
    answer = client.get("/print/arena/blocks.pdf?paper=letter")
    assert answer.status_code >= 400
    assert "The disk is full; make room" in answer.text


def test_the_own_print_shop_draws_a_sheet_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = OwnPrintShop(tmp_path / "sheets")
    assert {sheet.part for sheet in shop.sheets} <= set(PARTS), "each part has a title"
    blocks = next(sheet for sheet in shop.sheets if sheet.part == "blocks")
    first = shop.pdf(blocks, "a4", "en")
    assert first.read_bytes().startswith(b"%PDF")

    def no_more(*_args: object, **_more: object) -> None:
        raise AssertionError("drawn twice")

    monkeypatch.setattr(subprocess, "run", no_more)
    assert shop.pdf(blocks, "a4", "en") == first


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    shop = OwnPrintShop(blocked)
    with pytest.raises(CannotDo, match="could not be drawn"):
        shop.pdf(next(sheet for sheet in shop.sheets if sheet.part == "blocks"), "a4", "en")


def test_a_tap_hands_over_the_file(serve: Any, new_page: Callable[..., Any], tmp_path: Path) -> None:
    served = serve(ScriptedSession(throws_scene()))
    served.app.extensions["arena_cam"].print_shop = PaperShop(tmp_path)
    page = new_page(390, 844)
    page.goto(f"{served.url}/print?lang=fr")
    for width in (390, 480, 700, 1366):
        page.set_viewport_size({"width": width, "height": 844})
        buttons = page.locator(".rows .buttons").all()
        assert all(each.bounding_box()["height"] < 60 for each in buttons), "both papers beside each other"
    with page.expect_download() as waited:
        page.click("a[href*='arena/blocks.pdf?paper=a4']")
    assert waited.value.suggested_filename == "arena-blocks-a4.pdf"
