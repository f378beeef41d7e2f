"""How long an answer takes, and how long it is, tells no choice."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from attacks.secrets import SECRETS
from attacks.timing import measured, surprise

ROUNDS = 120
# Five places a run: were they all alike, one in a million runs would exceed this in any of them.
MOST_SURPRISE = 5.2


@pytest.mark.parametrize("game", SECRETS)
def test_neither_time_nor_size_of_an_answer_tells_a_choice(game: str, tmp_path: Path) -> None:
    one, other = SECRETS[game][1]
    found = measured(tmp_path / "data", ROUNDS, game=game)
    for place, seconds in found.seconds.items():
        assert surprise(seconds[one], seconds[other]) < MOST_SURPRISE, place
    for place, sizes in found.sizes.items():
        assert sizes[one] & sizes[other], f"{place}: {dict(sizes)}"
    assert found.told[one] == found.told[other], "as many changes are told"


def test_a_choice_that_took_longer_would_be_found(tmp_path: Path) -> None:
    one, other = SECRETS["arena"][1]
    found = measured(tmp_path / "data", ROUNDS, choosing=lambda choice: time.sleep(0.05 * (choice == other)))
    assert surprise(found.seconds["choosing"][one], found.seconds["choosing"][other]) > MOST_SURPRISE
