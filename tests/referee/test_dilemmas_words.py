"""The words of cards that lie on the table, from the set that a photograph is read with."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from arena_cam.formats.dilemmas.dilemma_set_toml import dilemma_set_to_toml
from arena_cam.referee.game.outfit import find_outfit
from arena_cam.referee.games.dilemmas.laid_cards import cards_seen, laid_in_record
from vision.tokens.scenes import laid, small_set


def test_a_photograph_tells_what_the_seen_cards_say_as_far_as_the_set_does(tmp_path: Path) -> None:
    cards = (dataclasses.replace(small_set().cards[0], text="You fly"), *small_set().cards[1:])
    for piece in small_set().cards[0].image.parent.iterdir():
        (tmp_path / piece.name).write_bytes(piece.read_bytes())
    dilemmas = dataclasses.replace(small_set(), cards=cards)
    (tmp_path / "deck.toml").write_text(dilemma_set_to_toml(dilemmas), encoding="utf-8")
    scene = laid([(cards[0].id, (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))], [])
    reading = find_outfit("dilemmas").photo_reader(tmp_path)(scene, {})
    assert reading["words"] == {cards[0].id: "You fly"}
    assert cards_seen(reading["dilemmas"][0], reading["words"]) == {
        "positive": {"id": cards[0].id, "text": "You fly"},
        "negative": {"id": "n-2", "text": ""},
    }


def test_a_record_may_say_anything_where_the_cards_stand() -> None:
    assert laid_in_record({}, "Anna") == {}
    odd_ones: tuple[Any, ...] = (None, 3, [], {"Anna": 3}, {"Anna": {"positive": "p-1"}}, {"Ben": {}})
    for odd in odd_ones:
        assert laid_in_record({"laid": odd}, "Anna") == {}
    card = {"id": "p-1", "text": "You fly", "more": [1]}
    assert laid_in_record({"laid": {"Anna": {"positive": card}}}, "Anna") == {
        "positive": {"id": "p-1", "text": "You fly"}
    }
