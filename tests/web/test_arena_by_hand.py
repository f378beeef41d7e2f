"""A game in the arena without a camera: everything is told on the referee's page, and the television shows the pile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from arena_cam.camera.no_camera import NoCamera
from arena_cam.referee.game.outfit import unwatched_eye
from arena_cam.referee.session.session import Session
from arena_cam.store.data_folder import DataFolder
from referee.builders import Evening
from web.conftest import Served, log_in
from web.every_page import cut_or_beside, cut_texts, violations
from web.test_security import log_in as log_in_client

PLAYERS = [{"name": name, "colour": c} for name, c in (("Anna", "red"), ("Bo", "blue"), ("Cleo", "green"))]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(DataFolder(tmp_path, keep_free_bytes=0), unwatched_eye(), NoCamera())
    session.act("start_game", {"game": "arena", "players": PLAYERS}, "referee")
    yield session
    session.stop()


def throws(desk: Any, card: str, landing: str = "flat", on: tuple[str, ...] = (), face: str = "up") -> None:
    desk.select_option("#missed-card", **({"value": card} if card else {"label": "a face-down card"}))
    desk.select_option("#missed-landing", landing)
    desk.select_option("#missed-face", face)
    for name in on:
        desk.check(f"#throw-form input[value='{name}']")
    desk.click("#throw-form button")
    expect(desk.locator("#missed-card")).to_have_value("")


def game(session: Session) -> Any:
    return session.snapshot()["game"]


def test_a_round_is_told_from_its_challenge_to_its_duel(
    session: Session, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    """The desk bade Anna lay a challenge and had no button for it, and no card could rest on one that was told: no duel
    could come about."""
    url = serve(session).url
    desk, television = new_page(390, 844), new_page(1920, 1080)
    log_in(desk, url)
    television.goto(url)
    expect(television.locator(".told")).to_have_text("No camera watches: the referee enters what is thrown.")
    desk.select_option("#lay-card", "red-8")
    desk.click("#lay-form button")
    throws(desk, "green-10", "edge")
    throws(desk, "blue-8", on=("red-8",))
    throws(desk, "green-3", on=("blue-8",))
    assert (desk.input_value("#missed-landing"), desk.locator("#throw-form input:checked").count()) == ("flat", 0)
    rows = [" ".join(row.split()) for row in television.locator(".told li").all_inner_texts()]
    assert [row.split()[0] for row in rows] == ["3", "8", "10", "8"]
    assert "on blue 8" in rows[0]
    expect(television.locator("#region-ruling")).to_contain_text("Green 3 lies on the challenge card: Cleo duels.")
    assert television.locator(".countdown").count() == 0, "nothing closes by itself"
    assert session.snapshot()["countdown"] is None
    assert (cut_or_beside(desk, 390), cut_texts(television), violations(desk)) == ([], [], [])
    desk.click("#act-close_challenge")
    desk.check("#duel-1-peace")
    desk.check("#duel-2-conflict")
    desk.click("form.duel button.primary")
    expect(television.locator("#region-ruling")).to_contain_text("Cleo chose conflict")
    assert {player["name"]: player["points"] for player in game(session)["players"]} == {"Anna": 0, "Bo": 0, "Cleo": 11}


def test_what_was_told_is_corrected_where_it_stands(
    session: Session, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    session.act("lay_challenge", {"card": "red-8"}, "referee")
    desk = new_page(390, 844)
    log_in(desk, serve(session).url)
    throws(desk, "blue-3", on=("red-8",))
    line = session.snapshot()["cards"][1]["line"]
    desk.click(f"#fix-{line} summary")
    desk.click(f"#land-{line}-edge")
    expect(desk.locator(f"#land-{line}-edge")).to_have_attribute("aria-pressed", "true")
    assert session.snapshot()["cards"][1]["landing"] == "edge"


def test_a_card_thrown_face_down_needs_no_name(
    session: Session, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    session.act("lay_challenge", {"card": "red-8"}, "referee")
    desk = new_page(390, 844)
    log_in(desk, serve(session).url)
    desk.select_option("#missed-card", label="a face-down card")
    desk.click("#throw-form button")
    expect(desk.locator("#toast")).to_contain_text("only a card that lies face down may stay unnamed")
    throws(desk, "", on=("red-8",), face="down")
    told = session.snapshot()["cards"][1]
    assert (told["card"], told["face"], told["rests_on"]) == (None, "down", ["red-8"])
    expect(desk.locator("#throw-form input[name=rests_on]").last).to_have_attribute("value", told["name"])


def test_beside_a_camera_a_card_can_rest_on_one_that_it_did_not_see(
    tmp_path: Path, serve: Callable[..., Served]
) -> None:
    evening = Evening(tmp_path / "data")
    evening.start()
    evening.act("lay_challenge", card="red-8")
    client = serve(evening.session).app.test_client()
    log_in_client(client)
    desk = client.get("/referee").text
    assert 'name="rests_on" data-keep data-type="many" value="red-8"' in desk
    assert "A throw was missed" in desk
    assert "The challenge card was missed" in desk
    assert 'name="seconds"' in desk, "the quiet time is the camera's"
    evening.session.stop()
