"""What a recording shows is played without anybody at the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena_cam.referee.games.arena.stand_ins.recorded_game import RecordedGame
from referee.builders import DECK, Evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    recorded = RecordedGame(DECK, "videos/friday.mp4")
    evening = Evening(tmp_path / "data", on_state=recorded)
    recorded.watch(evening.session)
    return evening


def begun(evening: Evening) -> bool:
    return evening.game is not None


def test_the_first_card_in_the_arena_begins_a_game_of_all_colours(evening: Evening) -> None:
    evening.frame()
    assert not begun(evening)
    evening.rests("red-2", "beside")
    assert not begun(evening)
    evening.rests("blue-9")
    game = evening.game
    assert {player["colour"] for player in game["players"]} == {card.colour for card in DECK.cards}
    assert (game["name"], game["provocateur"]) == ("friday.mp4", "Blue")
    assert (game["challenge"], game["awaiting"]) == ("blue-9", "throws")


def test_when_the_recording_is_over_nobody_throws_any_more(evening: Evening) -> None:
    evening.rests("blue-9")
    evening.rests("red-4", "beside")
    assert evening.game["awaiting"] == "throws"
    evening.session.finish()
    assert [ruling["code"] for ruling in evening.game["rulings"]] == ["beside", "unanswered"]
    assert [warning["code"] for warning in evening.session.snapshot()["warnings"]] == ["source_ended"]


def test_a_duel_that_is_awaited_in_the_end_is_left_to_people(evening: Evening) -> None:
    evening.rests("blue-9")
    evening.rests("red-4", on=["blue-9"])
    evening.waits(1.0)
    evening.session.finish()
    assert evening.game["awaiting"] == "duel"
    evening.act("duel_choice", player="Blue", choice="peace")
    evening.act("duel_choice", player="Red", choice="conflict")
    assert evening.game["rulings"][-1]["code"] == "one_conflict"


def test_a_deck_of_another_game_is_shown_without_one(tmp_path: Path) -> None:
    deck = replace(DECK, cards=tuple(card for card in DECK.cards if card.colour == "red"))
    recorded = RecordedGame(deck, "frames")
    evening = Evening(tmp_path / "data", on_state=recorded)
    recorded.watch(evening.session)
    evening.rests("red-9")
    evening.session.finish()
    assert not begun(evening)
