"""A game walked through round by round: what happened, the arena, and the points so far."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.builders import Evening
from web.every_page import violations
from web.test_security import log_in as client_log_in

PLAYERS = [{"name": name, "colour": c} for name, c in (("Anna", "red"), ("Bo", "blue"), ("Cleo", "green"))]


@pytest.fixture
def evening(tmp_path: Path) -> Any:
    """Three rounds that nobody answered."""
    evening = Evening(tmp_path / "data")
    evening.act("start_game", players=PLAYERS)
    for _ in range(3):
        mine = next(player for player in evening.game["players"] if player["is_provocateur"])
        evening.rests(mine["hand"][0])
        evening.act("close_challenge")
        evening.frame(*evening.hand.sweeps())
    yield evening
    evening.session.stop()


def test_a_game_is_walked_through_from_its_first_round_to_its_last(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    url = serve(evening.session).url
    page = new_page(390, 844)
    page.goto(f"{url}/games/{evening.game['id']}")
    page.click("text=Walk through the rounds")
    provokes = []
    for number in (1, 2, 3):
        assert page.inner_text("h1").endswith(f"Round {number}")
        assert page.locator(".arena .label").count() == 1, "the challenge card lay there alone"
        provokes.append(page.inner_text(".rulings"))
        assert violations(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        if number < 3:
            page.click("[rel=next]")
            page.wait_for_url(f"**/rounds/{number + 1}")
    assert len(set(provokes)) == 3
    points = {player["name"]: player["points"] for player in evening.game["players"]}
    legend = " ".join(page.inner_text(".legend").split())
    assert all(f"{name} {count}" in legend for name, count in points.items())
    page.click(".chart a[aria-label='Round 1']")
    page.wait_for_url("**/rounds/1")


def test_on_a_phone_a_ruling_has_the_whole_width_below_what_happened(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    """In a column of its own it had a quarter of it: the page of a game was twenty thousand pixels long."""
    page = new_page(390, 844)
    page.goto(f"{serve(evening.session).url}/games/{evening.game['id']}")
    event, ruling = (page.locator(".log tr:has-text('keeps') td").nth(column).bounding_box() for column in (1, 2))
    assert ruling["width"] > 250
    assert ruling["y"] >= event["y"] + event["height"]
    assert page.evaluate("() => document.querySelector('.log').scrollWidth") <= 390
    assert violations(page) == []


def test_a_player_has_one_colour_on_every_page(evening: Evening, serve: Any) -> None:
    """A line of the chart was blue because its player had been named second."""
    evening.act(
        "start_game", players=[{"name": n, "colour": c} for n, c in zip("ABC", ("green", "red", "blue"), strict=True)]
    )
    mine = next(player for player in evening.game["players"] if player["is_provocateur"])
    evening.rests(mine["hand"][0])
    evening.act("close_challenge")
    client = serve(evening.session).app.test_client()
    for path in ("", "/rounds/1"):
        chart = client.get(f"/games/{evening.game['id']}{path}").text
        assert [look for look in ("l0 c-green", "l1 c-red", "l2 c-blue") if f"line {look}" not in chart] == []


def test_every_line_stands_in_one_round(evening: Evening, serve: Any) -> None:
    detail = evening.session.game(evening.game["id"])
    assert len(detail["round_ends"]) == len(detail["points_by_round"]) == 3
    assert detail["round_ends"] == sorted(set(detail["round_ends"]))
    client = serve(evening.session).app.test_client()
    assert client.get(f"/games/{detail['id']}/rounds/4").status_code == 404
    assert client.get(f"/games/{detail['id']}/rounds/0").status_code == 404


def test_a_round_that_a_correction_ended_holds_what_was_played_in_it(evening: Evening, serve: Any) -> None:
    """The round's end was entered at the game's last line; its place in the order of play is the first round."""
    game = evening.game["id"]
    before = evening.session.game(game)
    close = next(each for each in before["log"] if each["line"] == before["round_ends"][0])
    evening.act("amend", "Eva", line=close["line"], set={"type": "note"}, before=[close["event"]])
    entered = evening.session.game(game)["round_ends"][0]
    assert entered > before["round_ends"][-1]
    client = serve(evening.session).app.test_client()
    challenges = [each["event"]["card"] for each in before["log"] if each["event"]["type"] == "challenge"]
    for number, challenge in enumerate(challenges, 1):
        happened = client.get(f"/games/{game}/rounds/{number}").text.split("What happened")[-1]
        assert "End of throwing" in happened
        assert [card for card in challenges if said(card) in happened] == [challenge]
    other_lines = client.get(f"/games/{game}/lines/2").text.split("Other lines of this round")[-1]
    assert f"/games/{game}/lines/{entered}" in other_lines, "what a correction entered can be corrected"
    assert f"/games/{game}/lines/{before['round_ends'][1]}" not in other_lines


def said(card: str) -> str:
    return f"Challenge card {card.replace('-', ' ')}"


def test_a_correction_without_a_reason_names_who_made_it_and_nothing_more(evening: Evening, serve: Any) -> None:
    evening.act("amend", "Eva", line=2, set={"card": "red-9"})
    client = serve(evening.session).app.test_client()
    page = client.get(f"/games/{evening.game['id']}/lines/2").text
    assert "Corrected by Eva.<" in page
    assert "Eva: –" not in page
    evening.act("amend", "referee", line=2, set={"card": "red-8"})
    assert "Correction (arbitre)." in client.get(f"/games/{evening.game['id']}/lines/2?lang=fr").text


def test_a_line_that_is_corrected_again_and_again_is_named_once_at_the_desk(evening: Evening, serve: Any) -> None:
    evening.act("amend", "Eva", line=2, set={"card": "red-9"})
    for action in ("undo", "redo", "undo", "redo"):
        evening.act(action, "Eva")
    client = serve(evening.session).app.test_client()
    client_log_in(client)
    page = client.get("/referee").text
    assert page.count("corrected line 2") == 1
    assert f"/games/{evening.game['id']}/lines/2" in page, "and leads to that line"
