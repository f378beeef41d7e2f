"""David Parlett's game, rule by rule."""

from __future__ import annotations

import random
from typing import Any

import pytest

from arena_cam.formats.game_record import play_record, read_record, write_line
from arena_cam.rules import find_game
from arena_cam.rules.random_play import random_events, random_header
from rules.records import Json, codes, refused, score

HEADER: Json = {"game": "tricks", "players": [{"name": "Anna"}, {"name": "Ben"}]}
DEAL: Json = {"type": "deal"}
SUITS, RANKS = "SHDC", "23456789TJQKA"
PACK = [rank + suit for suit in SUITS for rank in RANKS]


def play(*cards: str) -> list[Json]:
    return [{"type": "play", "card": card} for card in cards]


def ask(suit: str, given: str | None = None, returned: str | None = None, **more: Any) -> Json:
    return {"type": "exchange", "suit": suit, "given": given, "returned": returned, **more}


def known(anna: str, ben: str) -> Json:
    """A deal in which the players hold these cards first; the rest is filled up in the order of the pack."""
    hands = {"Anna": anna.split(), "Ben": ben.split()}
    left = [card for card in PACK if card not in hands["Anna"] + hands["Ben"]]
    for hand in hands.values():
        while len(hand) < 12:
            hand.append(left.pop(0))
    return {"type": "deal", "hands": hands, "stock": left}


def test_the_non_dealer_leads_and_dealers_alternate() -> None:
    assert score(HEADER, DEAL)["state"]["to_play"] == "Ben"
    assert score({**HEADER, "dealer": "Ben"}, DEAL)["state"]["to_play"] == "Anna"
    assert score(HEADER)["state"]["stock"] == 28


@pytest.mark.parametrize(("cards", "to_play"), [("", "Ben"), ("5S", "Anna"), ("5S 6H", "Anna"), ("5S 5H", "Ben")])
def test_a_higher_second_card_earns_the_third(cards: str, to_play: str) -> None:
    assert score(HEADER, DEAL, *play(*cards.split()))["state"]["to_play"] == to_play


@pytest.mark.parametrize(
    ("cards", "winner", "by", "points"),
    [
        ("5S 4H 7C 9D", "Anna", "sum", 9),  # 12 against 13
        ("5S 7H 7D 9C", "Anna", "product", 9),  # 14 each, 45 against 49
        ("KS 5H 5C KD", "Ben", "first", 13),  # the lead was the first king
        ("5S KH 5D KC", "Anna", "first", 13),  # the second card was the first king
        ("5S 5H KD KC", "Ben", "first", 13),  # the leader's third card was the first king
        ("9S 9H 9D 9C", "Ben", "first", 9),
    ],
)
def test_who_wins_a_trick(cards: str, winner: str, by: str, points: int) -> None:
    (ruling,) = score(HEADER, DEAL, *play(*cards.split()))["rulings"]
    assert (ruling["winner"], ruling["by"], ruling["points"]) == (winner, by, points)


def test_every_trick_is_won_as_counting_by_hand_says() -> None:
    rng = random.Random(4)
    for _ in range(300):
        table = [rng.choice(RANKS) + suit for suit in rng.sample(SUITS, 4)]
        values = [RANKS.index(card[0]) + 2 for card in table]
        who = "BAAB" if values[1] > values[0] else "BABA"
        a, b = ([v for v, w in zip(values, who, strict=True) if w == name] for name in "AB")
        keys = [(sum(a), a[0] * a[1]), (sum(b), b[0] * b[1])]
        first = who[values.index(max(values))]
        expected = "A" if keys[0] > keys[1] else "B" if keys[1] > keys[0] else first
        (ruling,) = score(HEADER, DEAL, *play(*table))["rulings"]
        assert ruling["winner"][0] == expected, table


@pytest.mark.parametrize(
    "events",
    [
        [*play("5S"), {"type": "play", "card": "6H", "player": "Ben"}],
        [*play("5S", "6S")],
        [*play("5S", "6H", "7C", "8D"), *play("5S")],
        [*play("5S"), *play("1H")],
        [ask("S")],
        [*play("5S"), ask("S")],
        [*play("5S"), ask("X")],
        [*play("5S"), ask("H", given="7C")],
        [*play("5S"), ask("H", given="7H", returned="8H")],
        [*play("5S"), ask("H", given="7H", returned="5S")],
        [*play("5S"), ask("H", given="7H", none=True)],
        [*play("5S"), ask("H", none=False)],
        [*play("5S"), ask("H", player="Ben")],
        [*play("5S"), DEAL],
    ],
)
def test_what_cannot_happen_is_refused(events: list[Json]) -> None:
    assert refused(HEADER, DEAL, *events) == len(events) + 2
    assert refused(HEADER, DEAL, *events[:-1]) == 0


def test_after_an_exchange_the_card_given_must_be_played() -> None:
    asked = [DEAL, *play("5S"), ask("H", given="7H", returned="2S")]
    assert refused(HEADER, *asked, *play("8H")) == 5
    assert refused(HEADER, *asked, ask("D")) == 5
    assert refused(HEADER, *asked, *play("7H")) == 0
    unnamed = [DEAL, *play("5S"), ask("H")]
    assert refused(HEADER, *unnamed, *play("8D")) == 5
    assert refused(HEADER, *unnamed, *play("8H"), *play("9D")) == 0


def test_after_none_for_every_suit_any_card_may_be_played() -> None:
    none = [ask(suit, none=True) for suit in "HDC"]
    assert refused(HEADER, DEAL, *play("5S"), *none[:2], *play("6S")) == 6
    assert refused(HEADER, DEAL, *play("5S"), *none[:2], none[0]) == 6
    assert refused(HEADER, DEAL, *play("5S"), *none, none[0]) == 7
    state = score(HEADER, DEAL, *play("5S"), *none, *play("6S"))["state"]
    assert (state["table"], state["to_play"], state["legal_suits"]) == (["5S", "6S"], "Anna", ["H", "D", "C"])


def test_known_hands_are_held_to() -> None:
    spades = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    hearts = "AS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH"
    deal = known(anna=spades, ben=hearts)
    assert refused(HEADER, deal, *play("2D")) == 3
    assert refused(HEADER, deal, *play("AS"), ask("H")) == 4, "both cards are needed"
    assert refused(HEADER, deal, *play("AS"), ask("H", given="KH", returned="2S")) == 4
    assert refused(HEADER, deal, *play("AS"), ask("H", given="2H", returned="2D")) == 4
    assert refused(HEADER, deal, *play("AS"), ask("H", none=True)) == 4
    assert refused(HEADER, deal, *play("AS"), ask("D", none=True)) == 0
    assert refused(HEADER, deal, *play("2H"), ask("H", given="3H", returned="2S")) == 4, "hearts are in the trick"
    assert refused(HEADER, deal, *play("2H"), ask("D", given="3H", returned="2S")) == 4
    exchanged = score(HEADER, deal, *play("AS"), ask("H", given="2H", returned="3S"))["state"]["hands"]
    assert exchanged["Anna"][:2] == ["2S", "4S"]
    assert exchanged["Anna"][-1] == "2H"
    assert exchanged["Ben"][0] == "3S"


def test_a_known_deal_must_hold_all_52_cards() -> None:
    good = known("2S", "3S")
    assert refused(HEADER, good) == 0
    for wrong in (
        {**good, "stock": None},
        {**good, "hands": None},
        {**good, "stock": good["stock"][1:]},
        {**good, "stock": [good["stock"][0], *good["stock"][:-1]]},
        {**good, "hands": {"Anna": good["hands"]["Anna"]}},
        {**good, "hands": {**good["hands"], "Cleo": []}},
        {**good, "hands": {"Anna": good["hands"]["Anna"], "Cleo": good["hands"]["Ben"]}},
        {**good, "hands": {**good["hands"], "Ben": "3S"}},
    ):
        assert refused(HEADER, wrong) == 2


def test_the_winner_draws_first_while_there_is_a_stock() -> None:
    deal = known(anna="4H 7C", ben="5S 9D")
    stock = deal["stock"]
    state = score(HEADER, deal, *play("5S", "4H", "9D", "7C"))["state"]
    assert (state["stock"], state["to_play"]) == (24, "Ben")
    assert set(stock[:2]) <= set(state["hands"]["Ben"])
    assert set(stock[2:4]) <= set(state["hands"]["Anna"])


def whole_deal(seed: int, **options: Any) -> tuple[Json, list[Json]]:
    rng = random.Random(seed)
    header = {**random_header(find_game("tricks"), rng.choice), "options": options}
    return header, list(random_events(find_game("tricks"), header, rng.choice, most=400))


def test_the_game_ends_after_a_whole_deal_at_the_target() -> None:
    header, events = whole_deal(3, target=1)
    record = read_record("".join(map(write_line, [header, *events])))
    played = play_record(record)
    result = record.game.result(played.state)
    assert [ruling.code for ruling in played.rulings] == ["trick"] * 13 + ["deal_end"]
    assert result["over"]
    assert result["state"]["deal"] == 1
    assert result["state"]["stock"] == 0
    assert sum(len(cards) for cards in result["state"]["score_cards"].values()) == 13
    assert result["scores"] == played.rulings[-1].facts["scores"]


def test_points_of_a_deal_in_progress_count_in_the_scores_and_the_next_deal_starts_afresh() -> None:
    header, events = whole_deal(5, target=10_000)
    first = events[: 1 + next(i for i, event in enumerate(events[1:]) if event["type"] == "deal")]
    result = score(header, *first)
    assert codes(result)[-1] == "deal_end"
    state = result["state"]
    assert (state["awaiting"], state["deal"], state["stock"], state["trick"]) == ("deal", 2, 28, None)
    assert state["dealer"] != header["dealer"]
    assert set(state["tricks"].values()) == {0}
    assert sum(result["scores"].values()) == sum(r["points"] for r in result["rulings"] if r["code"] == "trick")
