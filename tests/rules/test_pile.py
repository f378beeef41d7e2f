"""Which card duels, told from how cards lie: against a slow reading of the rulebook, on any pile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_cam.domain.errors import Refused
from arena_cam.rules.games.arena.pile import CARDS, ArenaCard, candidates, duelling_card

CHALLENGE = "red-8"


def card(name: str, *on: str, landing: str = "flat", face: str = "up") -> ArenaCard:
    colour, value = CARDS.get(name, (None, None))
    return ArenaCard(name, colour, value, landing, face, on)


def test_the_first_of_those_on_the_challenge_duels() -> None:
    assert duelling_card(CHALLENGE, [card("blue-3", CHALLENGE), card("green-5", CHALLENGE)]) == "blue-3"
    assert candidates(CHALLENGE, [card("blue-3", CHALLENGE), card("green-5", CHALLENGE)]) == ["blue-3", "green-5"]


def test_a_card_on_another_candidate_waits_for_it() -> None:
    """Thrown first, but it lies on one that slid beneath it: the lower one duels."""
    assert duelling_card(CHALLENGE, [card("blue-3", "green-5", CHALLENGE), card("green-5", CHALLENGE)]) == "green-5"


@pytest.mark.parametrize(
    "alone",
    [
        card("blue-3"),  # beside it
        card("blue-3", "green-5"),  # on a card that does not lie on it
        card("red-2", CHALLENGE),  # the provocateur's own
        card("blue-3", CHALLENGE, landing="diagonal"),
        card("blue-3", CHALLENGE, landing="edge"),
        card("blue-3", CHALLENGE, face="down"),
        card("blue-8", CHALLENGE),  # of the challenge's value: passes it on, does not duel
        card("?1", CHALLENGE),  # nobody knows whose
    ],
)
def test_a_card_that_does_not_count_does_not_duel(alone: ArenaCard) -> None:
    assert duelling_card(CHALLENGE, [alone]) is None
    assert candidates(CHALLENGE, [alone]) == []


@pytest.mark.parametrize(("rule", "duels"), [("same_value", None), ("any", "green-5")])
def test_a_card_of_another_value_passes_it_on_only_by_the_house_rule(rule: str, duels: str | None) -> None:
    pile = [card("blue-3", CHALLENGE, landing="diagonal"), card("green-5", "blue-3")]
    assert duelling_card(CHALLENGE, pile, rule) == duels


def test_a_card_of_the_same_value_passes_it_on() -> None:
    assert duelling_card(CHALLENGE, [card("blue-8", CHALLENGE), card("green-5", "blue-8")]) == "green-5"


def test_a_card_beneath_itself_and_a_challenge_that_is_none_are_refused() -> None:
    with pytest.raises(Refused) as circle:
        duelling_card(CHALLENGE, [card("blue-3", "green-5"), card("green-5", "blue-3")])
    assert circle.value.code == "beneath_itself"
    with pytest.raises(Refused) as unknown:
        duelling_card("pink-8", [])
    assert unknown.value.code == "unknown_card"


def test_names_that_nothing_bears_are_not_asked_for() -> None:
    assert duelling_card(CHALLENGE, [card("blue-3", "white-9", CHALLENGE)]) == "blue-3"


NAMES = sorted(set(CARDS) - {CHALLENGE})


@st.composite
def piles(draw: st.DrawFn) -> list[ArenaCard]:
    """Cards thrown one after another, each on any of those before it."""
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=7))
    cards = []
    for number, name in enumerate(names):
        on = draw(st.lists(st.sampled_from([CHALLENGE, *names[:number]]), unique=True, max_size=2))
        landing = draw(st.sampled_from(["flat", "flat", "flat", "diagonal", "beside"]))
        cards.append(card(name, *on, landing=landing, face=draw(st.sampled_from(["up", "up", "down"]))))
    return cards


def slowly(cards: list[ArenaCard], any_passes: bool) -> tuple[list[str], str | None]:
    """The rulebook's sentence, card by card: who answers is flat, face up, on the challenge card, not of its value and
    not the provocateur's; what passes it on is of its value (or, by the house rule, anything that cannot answer)."""
    by_name = {each.name: each for each in cards}

    def answers(each: ArenaCard) -> bool:
        valid = each.landing == "flat" and each.face == "up"
        return valid and each.value != 8 and each.colour != "red" and on_challenge(each)

    def passes(each: ArenaCard) -> bool:
        same = each.landing == "flat" and each.face == "up" and each.value == 8
        return on_challenge(each) and (same or (any_passes and not answers(each)))

    def on_challenge(each: ArenaCard) -> bool:
        return any(name == CHALLENGE or passes(by_name[name]) for name in each.rests_on)

    def all_beneath(each: ArenaCard) -> set[str]:
        direct = {name for name in each.rests_on if name != CHALLENGE}
        return direct.union(*(all_beneath(by_name[name]) for name in direct))

    found = [each.name for each in cards if answers(each)]
    lowest = [name for name in found if not all_beneath(by_name[name]) & set(found)]
    return found, lowest[0] if lowest else None


@given(piles(), st.booleans())
def test_any_pile_is_ruled_as_the_rulebook_has_it(cards: list[ArenaCard], any_passes: bool) -> None:
    rule = "any" if any_passes else "same_value"
    found, duels = slowly(cards, any_passes)
    assert candidates(CHALLENGE, cards, rule) == found
    assert duelling_card(CHALLENGE, cards, rule) == duels


@given(piles())
def test_of_those_that_all_lie_on_the_challenge_itself_the_first_thrown_duels(cards: list[ArenaCard]) -> None:
    flat = [card(each.name, CHALLENGE) for each in cards]
    found = candidates(CHALLENGE, flat)
    assert duelling_card(CHALLENGE, flat) == (found[0] if found else None)
