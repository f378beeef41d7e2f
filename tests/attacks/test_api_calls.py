"""The API keeps to its description under a generator that knows nothing else of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.api_calls import call


@pytest.mark.parametrize(
    "game", ["arena", pytest.param("hexes", marks=pytest.mark.thorough)]
)  # all of them in bench.api_calls
def test_every_answer_is_described_and_what_is_wrong_is_refused(game: str, tmp_path: Path) -> None:
    """One right and one wrong call of each; test_security holds what strangers may do."""
    outcome = call(tmp_path, 1, 1, game)
    assert outcome.calls > 100
    assert dict(outcome.faults) == {}
