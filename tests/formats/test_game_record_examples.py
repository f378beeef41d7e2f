"""The worked examples of the record format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena_cam.domain.errors import BadRecord
from arena_cam.formats.game_record import read_record, score_record

EXAMPLES = sorted((Path(__file__).parents[1] / "fixtures" / "records").glob("*.jsonl"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_it_scores_the_example_as_expected(file: Path) -> None:
    expected = json.loads(file.with_suffix(".expected.json").read_text(encoding="utf-8"))
    if "line" in expected:
        with pytest.raises(BadRecord) as refused:
            score_record(read_record(file.read_bytes()))
        assert refused.value.line == expected["line"]
        return
    result = score_record(read_record(file.read_bytes()))
    told = {key: result[key] for key in expected["output"]}
    assert all(ruling["text"] for ruling in result["rulings"])
    assert _comparable(told) == _comparable(expected["output"])


def test_there_are_examples_of_all_games() -> None:
    assert {file.stem.split("-")[0] for file in EXAMPLES} == {"arena", "tricks", "dilemmas", "hexes"}


def _comparable(result: dict[str, Any]) -> dict[str, Any]:
    """`result` without sentences, and with the items of a round, which come in any order, sorted."""
    rulings = []
    for ruling in result["rulings"]:
        ruling = {key: value for key, value in ruling.items() if key not in ("text", "rule")}
        if "items" in ruling:
            ruling["items"] = {name: sorted(items, key=json.dumps) for name, items in ruling["items"].items()}
        rulings.append(ruling)
    return {**result, "rulings": rulings}
