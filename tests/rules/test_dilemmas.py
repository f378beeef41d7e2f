"""pandaqi's game, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from rules.records import Json, refused, score

NAMES = ["Anna", "Ben", "Cleo"]


def header(players: int = 3, **options: Any) -> Json:
    return {"game": "dilemmas", "players": [{"name": name} for name in NAMES[:players]], "options": options}


def lay(players: int = 3, **more: Any) -> list[Json]:
    return [{"type": "dilemma", "player": name, **more} for name in NAMES[:players]]


def vote(player: str, on: str, token: str) -> Json:
    return {"type": "vote", "player": player, "on": on, "token": token}


def tokens(on: str, yes: int, no: int, **supers: int) -> Json:
    return {"type": "tokens", "on": on, "yes": yes, "no": no, **supers}


REVEAL = {"type": "reveal"}


def round_of(*counts: tuple[int, int]) -> list[Json]:
    laid = lay(len(counts))
    return [*laid, *(tokens(name, *count) for name, count in zip(NAMES, counts, strict=False)), REVEAL]


@pytest.mark.parametrize(
    ("counts", "winning", "points"),
    [
        ([(2, 1), (3, 0), (1, 2)], ["Cleo"], [0, 0, 1]),  # tied at a difference of 1: most NO
        ([(2, 1), (2, 1), (2, 1)], NAMES, [2, 2, 2]),  # still tied: all of them
        ([(3, 0), (0, 3), (3, 0)], ["Ben"], [0, 0, 0]),
    ],
)
def test_the_closest_vote_wins(counts: list[tuple[int, int]], winning: list[str], points: list[int]) -> None:
    (ruling,) = score(header(), *round_of(*counts))["rulings"]
    assert ruling["winning"] == winning
    assert list(ruling["points"].values()) == points


def test_what_decides_between_equally_close_votes_is_said() -> None:
    def said(*counts: tuple[int, int]) -> str:
        return str(score(header(), *round_of(*counts))["rulings"][0]["text"])

    assert "the most NO are on the dilemma of Cleo." in said((2, 1), (2, 1), (1, 2))
    assert "the dilemma of Cleo was closest" in said((3, 0), (0, 3), (1, 2))
    assert "the dilemma of Anna and Ben was closest" in said((2, 1), (2, 1), (0, 3)), "nothing decides: both win"


def test_votes_start_when_all_dilemmas_are_laid_and_each_comes_once() -> None:
    assert refused(header(), *lay()[:2], vote("Anna", "Ben", "yes")) == 4
    assert refused(header(), *lay()[:2], lay()[1]) == 4
    assert refused(header(), *lay(), lay()[1]) == 5
    assert refused(header(), {"type": "dilemma", "player": "Zoe"}) == 2
    assert refused(header(), {"type": "dilemma", "player": "Anna", "positive": 7}) == 2
    assert score(header(), *lay()[:2])["state"]["dilemmas"] == ["Anna", "Ben"]


@pytest.mark.parametrize(
    "votes",
    [
        [vote("Anna", "Ben", "yes"), vote("Anna", "Ben", "no")],
        [vote("Anna", "Anna", "yes"), vote("Anna", "Ben", "yes"), vote("Anna", "Cleo", "yes")],
        [vote("Anna", "Ben", "maybe")],
        [vote("Anna", "Ben", "super_yes")],
        [vote("Zoe", "Ben", "yes")],
        [vote("Anna", "Zoe", "yes")],
        [vote("Anna", "Ben", "yes"), tokens("Ben", 2, 1)],
        [tokens("Ben", 2, 1), vote("Anna", "Ben", "yes")],
        [tokens("Ben", 2, 1), tokens("Ben", 2, 1)],
        [tokens("Ben", 2, 2)],
        [tokens("Ben", 4, -1)],
        [tokens("Ben", True, 2)],
        [tokens("Ben", 2.0, 1)],  # type: ignore[arg-type]  # what a careless program writes
        [tokens("Ben", 2, 0, super_yes=1)],
        [tokens("Anna", 3, 0), tokens("Ben", 3, 0), tokens("Cleo", 1, 2)],
        [tokens("Anna", 3, 0), REVEAL],
        [REVEAL],
    ],
)
def test_what_cannot_happen_is_refused(votes: list[Json]) -> None:
    assert refused(header(), *lay(), *votes) == len(votes) + 4
    assert refused(header(), *lay(), *votes[:-1]) == 0


def test_there_are_only_so_many_tokens_of_a_kind() -> None:
    # two players have one YES and one NO each, so at most two of a kind lie on the table
    laid = lay(2)
    assert refused(header(2), *laid, tokens("Anna", 2, 0), tokens("Ben", 1, 1)) == 5
    assert refused(header(2), *laid, tokens("Anna", 2, 0), tokens("Ben", 0, 2), REVEAL) == 0


def test_own_votes_are_a_house_rule() -> None:
    rules = header(own_vote=False)
    assert refused(rules, *lay(), vote("Anna", "Anna", "yes")) == 5
    assert refused(rules, *lay(), tokens("Anna", 2, 1)) == 5
    assert refused(rules, *lay(), *(tokens(name, 1, 1) for name in NAMES), REVEAL) == 0


def test_a_neutral_card_is_used_once_by_who_works_on_the_dilemma() -> None:
    neutral = {"type": "dilemma", "player": "Anna", "neutral": "but it rains"}
    assert refused(header(), neutral) == 2
    assert score(header(neutral=True), neutral)["state"]["neutral_used"] == ["Anna"]
    assert refused(header(neutral=True), {**neutral, "neutral_by": "Ben"}) == 2
    assert score(header(neutral=True, coop=True), {**neutral, "neutral_by": "Ben"})["state"]["neutral_used"] == ["Ben"]
    assert refused(header(neutral=True, coop=True), {**neutral, "neutral_by": "Cleo"}) == 2
    used = [neutral, *round_of((2, 1), (3, 0), (1, 2))[1:]]
    assert refused(header(neutral=True), *used, neutral) == len(used) + 2


def test_supervotes_count_three_are_single_and_must_be_used() -> None:
    rules = header(supervotes=True)
    supers = [vote("Anna", "Ben", "super_yes"), vote("Anna", "Cleo", "super_yes")]
    assert score(rules, *lay(), supers[0])["state"]["supers_left"] == {"super_yes": 2, "super_no": 3}
    assert refused(rules, *lay(), *supers) == 6
    counted = [*lay(), tokens("Anna", 0, 2, super_yes=1), tokens("Ben", 3, 0), tokens("Cleo", 3, 0), REVEAL]
    (ruling,) = score(rules, *counted)["rulings"]
    assert ruling["votes"]["Anna"] == {"yes": 3, "no": 2}
    assert ruling["points"]["Anna"] == 3
    (ruling,) = score(header(supervotes=True, super_points=1), *counted)["rulings"]
    assert ruling["points"]["Anna"] == 1
    assert refused(header(supervotes=True, rounds=1), *counted) == 8
    assert refused(header(supervotes=True, rounds=1, unused_supervotes="allow"), *counted) == 0
    assert refused(rules, *lay(), tokens("Anna", 0, 2, super_yes=1), tokens("Ben", 0, 0, super_yes=3)) == 6


def test_in_coop_the_neighbour_changes_sides_and_takes_the_odd_point() -> None:
    first = score(header(coop=True), *round_of((2, 1), (3, 0), (1, 2)))["rulings"][0]
    assert first["makers"] == {"Anna": ["Anna", "Ben"], "Ben": ["Ben", "Cleo"], "Cleo": ["Cleo", "Anna"]}
    rounds = [*round_of((2, 1), (3, 0), (1, 2)), *round_of((1, 2), (3, 0), (2, 1))]
    second = score(header(coop=True), *rounds)["rulings"][1]
    assert second["makers"] == {"Anna": ["Anna", "Cleo"], "Ben": ["Ben", "Anna"], "Cleo": ["Cleo", "Ben"]}
    assert second["points"] == {"Anna": 0, "Ben": 0, "Cleo": 1}


def test_after_the_last_round_the_highest_scores_win_together() -> None:
    result = score(header(rounds=1), *round_of((2, 1), (2, 1), (0, 3)))
    assert (result["over"], result["winners"]) == (True, ["Anna", "Ben"])
    assert result["state"] == {**result["state"], "awaiting": "nothing", "round": 1, "dilemmas": NAMES}
    assert refused(header(rounds=1), *round_of((2, 1), (2, 1), (0, 3)), *lay()) == 9
    assert score(header(), *round_of((2, 1), (2, 1), (0, 3)))["state"]["dilemmas"] == []
