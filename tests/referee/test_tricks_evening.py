"""An evening of tricks: cards seen, whose they are, what is asked, exchanges, deals, corrections, what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.formats.game_record import play_record, read_record, result_to_json
from referee.tricks_table import Table, whole_deal


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


def test_cards_seen_are_plays_and_the_rules_say_whose(table: Table) -> None:
    table.start()
    table.lays("5S", "9H")
    assert table.cards == [("5S", "Anna"), ("9H", "Ben")]
    assert (table.game["to_play"], table.game["suits"]) == ("Ben", ["D", "C"]), "the higher second card earns the third"
    table.lays("2D", "KC")
    game = table.game
    assert (game["trick"], game["to_play"], game["table"]) == (2, "Anna", [])
    assert game["last"]["winner"] == "Anna"
    assert game["last"]["sums"] == {"Anna": 18, "Ben": 11}
    assert [seat["score_cards"] for seat in game["seats"]] == [["KC"], []]
    assert [player["points"] for player in game["players"]] == [13, 0]


def test_cards_that_are_swept_or_put_aside_are_no_plays_when_seen_again(table: Table) -> None:
    table.start()
    table.lays("5S", "9H", "2D", "KC")
    table.takes("5S", "9H", "2D", "KC")
    table.lays("KC")
    table.lays("2D")
    assert table.question is None
    assert table.cards == []
    table.lays("AS")
    assert table.cards == [("AS", "Anna")]


def test_a_card_of_an_older_trick_is_asked_about_and_holds_up_what_follows(table: Table) -> None:
    table.start()
    table.lays("5S", "9H", "2D", "KC")
    table.lays("3S", "4H", "5D", "6C")
    table.lays("5S")
    question = table.question
    assert (question["code"], question["card"], question["blocking"]) == ("played_before", "5S", True)
    assert question["picture"] is not None
    table.lays("7H")
    assert table.cards == [], "whose turn it is depends on the answer"
    table.answers("other_card", card="5C")
    assert [card for card, _ in table.cards] == ["5C", "7H"]


def test_a_second_card_of_a_name_is_asked_about_while_the_first_lies_there(table: Table) -> None:
    """Two packs are mixed, or one of both was misread."""
    table.start()
    table.lays("5S", "7H")
    table.lays("5S'", guess=True)
    assert (table.question["code"], table.question["card"]) == ("played_before", "5S")
    assert table.question["picture"] is not None
    table.answers("other_card", card="5C")
    assert [card for card, _ in table.cards] == ["5S", "7H", "5C"]


def test_a_second_card_of_a_name_that_is_taken_back_leaves_nothing_to_ask(table: Table) -> None:
    table.start()
    table.lays("5S", "7H")
    table.lays("5S'", guess=True)
    table.takes("5S'")
    table.lays("9C")
    assert [card for card, _ in table.cards] == ["5S", "7H", "9C"]


def test_a_card_that_the_rules_do_not_allow_is_asked_about_with_the_reason(table: Table) -> None:
    table.start()
    table.lays("5S")
    table.lays("KS", others=("KC", "QS"), sure=False)
    question = table.question
    assert question["code"] == "not_allowed"
    assert "suits not yet in the trick" in question["params"]["why_unsure"][0]
    assert [choice["id"] for choice in question["choices"]][:2] == ["card:KC", "taken_back"], "no second spade"
    table.answers("card:KC")
    assert table.cards == [("5S", "Anna"), ("KC", "Ben")]
    assert table.question is None


def test_a_card_taken_back_is_asked_about_no_more(table: Table) -> None:
    table.start()
    table.lays("5S", "KS")
    assert table.question is not None
    table.takes("KS")
    assert table.question is None
    table.lays("KH")
    assert table.cards == [("5S", "Anna"), ("KH", "Ben")]


def test_nobody_has_a_suit_is_an_answer(table: Table) -> None:
    table.start()
    table.lays("5S", "KS")
    table.answers("nobody_has")
    assert table.cards == [("5S", "Anna"), ("KS", "Ben")]
    assert table.game["suits"] == ["H", "D", "C"]


def test_an_exchange_that_is_told_afterwards_makes_the_card_good(table: Table) -> None:
    table.start()
    table.lays("5S", "9H", "2D")
    table.lays("7S")
    assert table.question["code"] == "not_allowed"
    table.act("exchange", suit="C", none=True, player="Ben", phone=True)
    assert table.question is None
    assert table.game["trick"] == 2


def test_an_exchange_names_what_must_be_played(table: Table) -> None:
    table.start()
    table.lays("5S")
    assert table.game["may_ask"] == ["H", "D", "C"]
    table.act("exchange", suit="H")
    assert (table.game["owed"], table.game["may_ask"]) == ("H", [])
    table.lays("2D")
    assert table.question["code"] == "not_allowed"
    table.takes("2D")
    table.lays("9H")
    assert table.cards[-1] == ("9H", "Ben")
    with pytest.raises(Refused):
        table.act("exchange", suit="X")


def test_a_doubtful_card_counts_and_is_asked_about(table: Table) -> None:
    table.start()
    table.lays("6H", sure=False, others=("9H",))
    assert table.cards == [("6H", "Anna")]
    assert table.game["table"][0]["doubtful"]
    assert [choice["id"] for choice in table.question["choices"]] == ["keep", "card:9H", "other_card", "never"]
    table.answers("card:9H")
    assert table.cards == [("9H", "Anna")]
    assert not table.game["table"][0]["doubtful"]
    assert table.question is None


@pytest.mark.parametrize("mode", ["confirm_unsure", "confirm_always", "automatic"])
def test_a_guess_is_asked_about_before_it_counts(table: Table, mode: str) -> None:
    table.start(mode)
    table.lays("6H", guess=True, others=("9H",))
    assert (table.cards, table.played) == ([], [])
    assert table.question["code"] == "unsure_card"
    assert [choice["id"] for choice in table.question["choices"]] == ["keep", "card:9H", "other_card", "taken_back"]
    table.answers("card:9H")
    assert table.cards == [("9H", "Anna")]
    assert table.question is None


def test_a_guess_that_is_confirmed_counts_and_lets_the_next_card_in(table: Table) -> None:
    table.start()
    table.lays("6H", guess=True)
    table.lays("9S")
    assert table.cards == [], "whose turn it is depends on the answer"
    table.answers("keep")
    assert table.cards == [("6H", "Anna"), ("9S", "Ben")]
    table.takes("6H")
    table.lays("6H", guess=True)
    assert table.question is None, "a card of this trick, seen again"


def test_a_mark_that_was_taken_for_a_card_counts_for_nothing(table: Table) -> None:
    table.start()
    table.lays("6H", guess=True)
    table.answers("taken_back")
    table.lays("9S")
    assert (table.cards, table.question) == ([("9S", "Anna")], None)


def test_a_card_that_was_none_is_struck(table: Table) -> None:
    table.start()
    table.lays("6H", sure=False)
    table.answers("never")
    assert (table.cards, table.played) == ([], [])


def test_in_automatic_mode_nothing_waits(table: Table) -> None:
    table.start("automatic")
    table.lays("5S", "KS")
    assert not table.question["blocking"]
    table.lays("KH")
    assert table.cards == [("5S", "Anna"), ("KH", "Ben")]


def test_what_is_laid_in_a_pause_counts_for_nothing(table: Table) -> None:
    table.start()
    table.act("pause")
    table.lays("5S")
    table.act("resume")
    assert table.cards == []
    table.takes("5S")
    table.lays("5S")
    assert table.cards == [("5S", "Anna")]


def test_deals_and_the_game_end_as_the_record_says(table: Table) -> None:
    game = table.start(target=30)
    for number, card in enumerate(whole_deal()):
        table.lays(card)
        if number % 4 == 3:
            table.takes(*(lie.key for lie in table.eye.reading.lies))
    record = result_to_json(play_record(read_record(table.session.record(game))))
    assert record["over"] == table.game["over"] is True
    most = max(player["points"] for player in table.game["players"])
    assert table.game["hint"]["code"] == "over_points"
    assert table.game["hint"]["params"]["points"] == most >= table.game["hint"]["params"]["target"]
    assert record["scores"] == {player["name"]: player["points"] for player in table.game["players"]}
    detail = table.session.game(game)
    assert detail["rounds"] == 1
    assert sum(figures["tricks"] for figures in detail["statistics"].values()) == 13
    assert detail["points_by_round"] == [record["scores"]]


def test_the_next_deal_begins_with_a_button_or_an_answer(table: Table) -> None:
    table.start(target=10_000)
    for card in whole_deal():
        table.lays(card)
    assert (table.game["awaiting"], table.game["deal"]) == ("deal", 2)
    table.lays("AC")  # the score-card on its heap
    assert not table.session.snapshot()["questions_waiting"]
    table.takes(*(lie.key for lie in table.eye.reading.lies))
    table.lays("7H")
    asked = table.question
    assert asked["code"] == "next_deal"
    table.answers("begun")
    assert table.cards == [("7H", "Ben")], "the other dealt, so Ben leads"


def test_a_lead_laid_before_the_button_counts_when_it_is_pressed(table: Table) -> None:
    table.act("start_game", game="tricks", players=[{"name": "Anna"}, {"name": "Ben"}], dealer="Ben")
    table.lays("7H")
    table.act("dealt", player="Ben", phone=True)
    assert table.cards == [("7H", "Anna")]
    with pytest.raises(Refused) as refused:
        table.act("dealt")
    assert refused.value.said is not None


def test_what_lies_there_when_a_game_begins_is_the_stock_and_cards_of_the_game_before(table: Table) -> None:
    table.start()
    table.lies_face_down("stock")
    table.lays("5S", "9H", "2D")
    table.start()
    assert table.played == [], "nobody played them in this game"
    assert table.question is None
    table.takes("5S", "9H", "2D")
    table.lays("5S")
    assert table.cards == [("5S", "Anna")]


def test_a_correction_changes_what_follows_and_undo_takes_it_back(table: Table) -> None:
    table.start()
    table.lays("5S", "9H", "2D", "KC")
    line = next(
        line.number
        for line in table.session.match.ledger.record.events  # type: ignore[union-attr]
        if line.data.get("card") == "KC"
    )
    table.act("amend", line=line, set={"card": "3C"}, reason="misread")
    assert [player["points"] for player in table.game["players"]] == [0, 3]
    table.act("undo")
    assert [player["points"] for player in table.game["players"]] == [13, 0]


def test_after_a_power_cut_the_same_trick_and_question_stand_there(table: Table) -> None:
    table.start()
    table.lays("5S", "KS", "7H")
    before = (table.cards, table.question["code"], table.question["choices"])
    table.again()
    assert (table.cards, table.question["code"], table.question["choices"]) == before
    table.answers("taken_back")
    assert table.session.throws()[0]["card"] in ("5S", "KS")


def test_a_play_that_was_exported_is_opened_as_one_of_tricks(table: Table) -> None:
    table.start()
    table.lays("5S", "9H")
    throw = table.session.throws()[-1]
    opened = table.session.opened_throw(table.session.open_export(table.session.export_throw(throw["id"])))
    for key in ("card", "player", "line"):
        assert opened[key] == throw[key], key
