"""The arena engine against a second one that was written for clarity alone."""

from __future__ import annotations

import pytest

from rules.arena_reference import play as play_slowly
from rules.messy_records import messy_record, play

RECORDS = 120
AT_A_TIME = 60


@pytest.mark.parametrize("first", range(0, RECORDS, AT_A_TIME))
def test_messy_records_are_ruled_on_as_the_slow_engine_does(first: int) -> None:
    for seed in range(first, first + AT_A_TIME):
        header, lines = messy_record(seed)
        expected, played = play_slowly(header, lines), play(header, lines)
        if isinstance(expected, int) or isinstance(played, int):
            assert played == expected, f"seed {seed}"
            continue
        over, scores, rulings, state = expected
        result = played.game.result(played.state)
        told = [{"line": ruling.line, "code": ruling.code, **ruling.facts} for ruling in played.rulings]
        assert (result["over"], result["scores"], told, result["state"]) == (over, scores, rulings, state), (
            f"seed {seed}"
        )


def test_the_messy_records_hold_what_makes_them_messy() -> None:
    kinds = {"unidentified": 0, "amended": 0, "wrong": 0, "duel": 0, "rethrow": 0}
    for seed in range(60):
        header, lines = messy_record(seed)
        played = play(header, lines)
        if isinstance(played, int):
            kinds["wrong"] += 1
            continue
        codes = {ruling.code for ruling in played.rulings}
        kinds["unidentified"] += any("?" in str(ruling.facts.get("card")) for ruling in played.rulings)
        kinds["amended"] += "amended" in codes
        kinds["duel"] += bool(codes & {"both_peace", "one_conflict", "both_conflict"})
        kinds["rethrow"] += "rethrow" in codes
    assert min(kinds.values()) >= 2, kinds
