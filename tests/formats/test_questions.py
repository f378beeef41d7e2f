"""What is asked about a picture names the place, the possibilities and what would settle them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from arena_cam.domain.doubts import Doubt, Side, chances, settled_by
from arena_cam.domain.lies import Reading, Unknown
from arena_cam.domain.messages import Message, message_from_json
from arena_cam.formats.judgement import judgement_to_json
from arena_cam.formats.questions import questions_to_json
from vision.small import lie

NAMES = (("red-8", 0.6), ("red-3", 0.3), ("red-5", 0.08), ("red-6", 0.02))
OTHER = Doubt.OTHER_CARD(card_other="red-3", candidates=NAMES)


def reading(*doubts: Message, unknown: tuple[Unknown, ...] = ()) -> Reading:
    card = replace(lie("red-8", 200.0, 150.0, sure=not doubts), doubts=doubts)
    frame = tuple(thing.doubt for thing in unknown)
    return Reading("0.jpg", 0.0, (card,), sure=not doubts and not frame, doubts=frame, unknown=unknown)


def test_a_doubtful_name_comes_with_three_possibilities_its_place_and_a_remedy() -> None:
    (question,) = questions_to_json(reading(OTHER))
    assert question["about"] == "red-8"
    assert question["may_be"] == [["red-8", 0.6], ["red-3", 0.3], ["red-5", 0.08]]
    assert question["settle"]["code"] == "lift_cover"
    assert message_from_json(question["why"]) == OTHER
    assert question["corners_px"][0] == [200.0, 150.0]


def test_something_unknown_is_asked_about_where_it_lies() -> None:
    doubt = Doubt.STRANGER(side=Side.LEFT, area_cm2=2.0)
    (question,) = questions_to_json(reading(unknown=(Unknown(200.0, (-80.0, 4.0), (), doubt),)))
    assert (question["about"], question["may_be"]) == (None, [])
    assert question["centre_mm"] == [-80.0, 4.0]
    assert question["settle"]["code"] == "clear_it"


def test_something_unknown_in_a_photograph_is_asked_about_where_it_is_seen() -> None:
    doubt = Doubt.STRANGER(side=Side.LEFT, area_cm2=2.0)
    thing = Unknown(200.0, None, (), doubt, ring_px=((1.0, 2.0), (3.0, 2.0), (2.0, 4.04)))
    (question,) = questions_to_json(reading(unknown=(thing,)))
    assert question["ring_px"] == [[1.0, 2.0], [3.0, 2.0], [2.0, 4.0]]
    assert "centre_mm" not in question


@pytest.mark.parametrize(("doubts", "asked"), [((), 0), ((OTHER, Doubt.ON_OR_BESIDE(card_below="red-2")), 2)])
def test_only_what_is_not_sure_is_asked(doubts: tuple[Message, ...], asked: int) -> None:
    said = json.loads(json.dumps(judgement_to_json(reading(*doubts))))
    assert len(said["questions"]) == asked


def test_a_chance_of_next_to_nothing_is_no_possibility() -> None:
    assert chances(Doubt.OTHER_CARD(card_other="b", candidates=(("a", 0.997), ("b", 0.003)))) == (("a", 0.997),)
    assert chances(Doubt.ARGUABLE(card="a")) == ()


def test_a_doubt_that_says_itself_what_to_do_needs_no_remedy() -> None:
    assert settled_by(Doubt.ARGUABLE(card="red-8")) is None
    assert settled_by(Doubt.FLAT_OR_LEANING(tilt_deg=3.0)) == Doubt.LOOK_ALONG_WALL()
