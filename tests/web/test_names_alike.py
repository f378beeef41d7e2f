"""Names that nobody could tell apart on a television: refused where a game begins, and written as they were before."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from arena_cam.camera.no_camera import NoCamera
from arena_cam.domain.errors import Refused
from arena_cam.referee.game.outfit import unwatched_eye
from arena_cam.referee.session.session import Session
from arena_cam.store.data_folder import DataFolder
from web.conftest import Served, log_in


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(DataFolder(tmp_path, keep_free_bytes=0), unwatched_eye(), NoCamera())
    yield session
    session.stop()


def start(session: Session, *names: str) -> None:
    session.act("start_game", {"game": "dilemmas", "players": [{"name": name} for name in names]}, "referee")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Anna", "anna"),
        ("ANNA", "Anna"),
        ("Anna Lísa", "Anna  Lísa"),
        ("Guðrún", unicodedata.normalize("NFD", "Guðrún")),
        ("Anna", "Ａnna"),
        ("Straße", "STRASSE"),
    ],
)
def test_two_names_that_read_alike_do_not_begin_a_game(session: Session, first: str, second: str) -> None:
    with pytest.raises(Refused) as refused:
        start(session, "Ben", first, second)
    assert refused.value.code == "bad_argument"
    assert first in str(refused.value.said)
    assert second in str(refused.value.said)
    assert session.snapshot()["game"] is None


@pytest.mark.parametrize("names", [("Anna", "Hanna"), ("Anna", "Ána"), ("Jon", "Jón"), ("A", "B")])
def test_names_that_differ_to_the_eye_do(session: Session, names: tuple[str, str]) -> None:
    start(session, *names)
    game = session.snapshot()["game"]
    assert game is not None
    assert tuple(player["name"] for player in game["players"]) == names


def test_the_same_name_twice_is_refused_as_it_is_written(session: Session) -> None:
    """It said 'Gu\\xf0r\\xfan'."""
    with pytest.raises(Refused) as refused:
        start(session, "Guðrún", "Guðrún")
    assert refused.value.code == "bad_argument"
    assert "two players are called Guðrún;" in str(refused.value.said)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "look the same on the scoreboard"), ("fr", "se lisent de la même façon"), ("is", "líta eins út")],
)
def test_the_form_of_a_new_game_says_so_and_keeps_what_was_typed(
    session: Session, serve: Callable[..., Served], new_page: Callable[..., Any], language: str, words: str
) -> None:
    page = new_page(390, 844)
    log_in(page, serve(session, game="dilemmas").url)
    page.goto(f"{page.url}?lang={language}")
    for seat, name in enumerate(("Anna", "anna")):
        page.locator("#new-game .seats input").nth(seat).fill(name)
    page.locator("#new-game form button.primary").click()
    expect(page.locator("#toast")).to_contain_text(words)
    assert page.locator("#new-game .seats input").nth(1).input_value() == "anna"
    page.locator("#new-game .seats input").nth(1).fill("Anna B")
    page.locator("#new-game form button.primary").click()
    expect(page.locator("#region-controls")).to_contain_text("Anna B")


def test_who_played_before_is_written_as_then(
    session: Session, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    """ "anna" of the second evening had a history of her own beside Anna's."""
    start(session, "Anna", "Ben", "Jón Ó")
    session.act("end_game", {}, "referee")
    page = new_page(390, 844)
    log_in(page, serve(session, game="dilemmas").url)
    page.click("#new-game summary >> nth=0")
    seats = page.locator("#new-game .seats input")
    for seat, (typed, written) in enumerate((("anna", "Anna"), ("jón  ó", "Jón Ó"), ("Benni", "Benni"))):
        seats.nth(seat).fill(typed)
        seats.nth(seat).blur()
        assert seats.nth(seat).input_value() == written
