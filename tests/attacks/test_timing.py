"""How long an answer takes, and how long it is, tells no choice."""

from __future__ import annotations

import time
from pathlib import Path

from attacks.timing import CHOICES, measured, surprise

ROUNDS = 120
# Five places a run: were they all alike, one in a million runs would exceed this in any of them.
MOST_SURPRISE = 5.2


def test_neither_time_nor_size_of_an_answer_tells_a_choice(tmp_path: Path) -> None:
    found = measured(tmp_path / "data", ROUNDS)
    for place, seconds in found.seconds.items():
        assert surprise(*(seconds[choice] for choice in CHOICES)) < MOST_SURPRISE, place
    for place, sizes in found.sizes.items():
        assert sizes[CHOICES[0]] & sizes[CHOICES[1]], f"{place}: {dict(sizes)}"
    assert found.told[CHOICES[0]] == found.told[CHOICES[1]], "as many changes are told"


def test_a_choice_that_took_longer_would_be_found(tmp_path: Path) -> None:
    found = measured(tmp_path / "data", ROUNDS, choosing=lambda choice: time.sleep(0.05 * (choice == CHOICES[1])))
    seconds = found.seconds["choosing"]
    assert surprise(*(seconds[choice] for choice in CHOICES)) > MOST_SURPRISE
