"""The line of `judge`, to the letter of its contract, and readings that come back as they were kept."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.lies import Face, HypothesisFit, Landing, Lie, Reading, TablePose, Unknown, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.formats.judgement import judgement_to_json, reading_from_json, reading_in_full


@dataclass(frozen=True)
class Said:
    challenge: str | None
    duelling: str | None
    sure: bool
    doubts: tuple[Message, ...]
    candidates: tuple[str, ...] = ()
    depends_on: tuple[Message, ...] = ()


RED = Lie(
    key="red-8",
    card="red-8",
    face=Face.UP,
    landing=Landing.FLAT,
    confidence=0.998,
    tilt_deg=0.4,
    tilt_sd_deg=0.5,
    centre_mm=(12.1, -30.4),
    angle_deg=71.2,
    corners_px=((1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0)),
    corners_mm=((1.0, 2.0, 0.3), (3.0, 4.0, 0.3), (5.0, 6.0, 0.3), (7.0, 8.0, 0.3)),
    landing_probabilities=((Landing.FLAT, 0.998), (Landing.EDGE, 0.002)),
    other_names=(("red-3", 0.001),),
    covers_by_any_name=True,
    fits=(HypothesisFit("flat", Landing.FLAT, 0.4, 3.2, -10.5),),
)
DOWN = replace(
    RED, key="?1", card=None, face=Face.DOWN, rests_on=("red-8",), sure=False, doubts=(Doubt.UNLIKE_THE_DECK(),)
)
POSE = TablePose((0.1, 0.2, 0.3), (1.0, 2.0, 900.0), 0.31, (0, 1, 3), held=True)
JOKER = Unknown(5060.0, None, (), Doubt.STRANGER(side=Side.NEAR, area_cm2=50.6), ring_px=((1.5, 2.0), (3.0, 4.5)))
HAND = Unknown(1570.0, (120.5, -80.0), ("?1",), Doubt.STRANGER(side=Side.FAR_LEFT, area_cm2=15.7))
READING = Reading(
    "0007.jpg",
    1.5,
    (RED, DOWN),
    (("?1", "red-8"),),
    POSE,
    sure=False,
    doubts=(Doubt.SOMETHING_MOVES(), HAND.doubt, JOKER.doubt),
    unknown=(HAND, JOKER),
)


def test_a_judged_frame_says_what_the_contract_asks() -> None:
    line = json.loads(
        json.dumps(judgement_to_json(READING, Said("red-8", None, False, (Doubt.SEEN_TWICE(card="red-8"),))))
    )
    assert {k: line[k] for k in ("frame", "order", "challenge", "duelling", "sure", "why_unsure", "doubts")} == {
        "frame": "0007.jpg",
        "order": ["red-8", "?1"],
        "challenge": "red-8",
        "duelling": None,
        "sure": False,
        "why_unsure": ["red-8 is seen twice"],
        "doubts": [{"code": "seen_twice", "params": {"card": "red-8"}}],
    }
    first, second = line["cards"]
    assert {k: first[k] for k in ("id", "face", "landing", "confidence", "tilt_deg", "tilt_sd_deg")} == {
        "id": "red-8",
        "face": "up",
        "landing": "flat",
        "confidence": 0.998,
        "tilt_deg": 0.4,
        "tilt_sd_deg": 0.5,
    }
    assert first["corners_px"] == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert (first["centre_mm"], first["angle_deg"], first["rests_on"], first["sure"]) == ([12.1, -30.4], 71.2, [], True)
    assert (second["id"], second["face"], second["rests_on"]) == (None, "down", ["red-8"])


def test_a_frame_without_a_table_has_no_landing() -> None:
    bare = replace(RED, landing=None, tilt_deg=None, tilt_sd_deg=None, centre_mm=None, corners_mm=None)
    card = judgement_to_json(Reading("a.jpg", 0.0, (bare,)))["cards"][0]
    assert (card["landing"], card["tilt_deg"], card["centre_mm"]) == (None, None, None)


def test_a_frame_that_cannot_be_judged_says_why_and_what_to_do() -> None:
    line = judgement_to_json(Unreadable("x.jpg", 0.0, (Doubt.PICTURE_BLACK(),), Doubt.LET_LIGHT_IN()))
    assert line == {
        "frame": "x.jpg",
        "error": "the picture is black; take the cap off the lens and switch the light on",
        "doubts": [{"code": "picture_black", "params": {}}, {"code": "let_light_in", "params": {}}],
    }


def test_a_kept_reading_comes_back_as_it_was() -> None:
    assert reading_from_json(json.loads(json.dumps(reading_in_full(READING)))) == READING
    bare = replace(RED, landing=None, tilt_deg=None, tilt_sd_deg=None, centre_mm=None, corners_mm=None)
    without = Reading("a.jpg", 0.0, (bare,))
    assert reading_from_json(json.loads(json.dumps(reading_in_full(without)))) == without


def test_a_reading_kept_before_doubts_had_codes_is_read_with_its_english() -> None:
    kept = json.loads(json.dumps(reading_in_full(READING)))
    for part in (kept, *kept["cards"]):
        del part["doubts"]
    del kept["unknown"][0]["doubt"]
    old = reading_from_json(kept)
    assert old.why_unsure == READING.why_unsure
    assert [lie.why_unsure for lie in old.lies] == [lie.why_unsure for lie in READING.lies]
    assert str(old.unknown[0].doubt) == str(HAND.doubt)
    assert reading_from_json(json.loads(json.dumps(reading_in_full(old)))).why_unsure == READING.why_unsure


def test_a_card_that_cannot_be_named_is_said_with_how_it_lies_and_what_it_may_be() -> None:
    open_name = replace(
        RED, identity_probability=0.6, other_names=(("red-3", 0.3), ("red-9", 0.1)), landing=Landing.EDGE
    )
    line = judgement_to_json(replace(READING, lies=(open_name, DOWN)))
    assert [card["key"] for card in line["cards"]] == ["?1"]
    (unnamed,) = line["unnamed"]
    assert unnamed["id"] is None
    assert not unnamed["sure"]
    assert unnamed["names"] == [["red-8", 0.6], ["red-3", 0.3], ["red-9", 0.1]]
    assert unnamed["may_be"] == ["red-8", "red-3", "red-9"]
    assert (unnamed["landing"], unnamed["tilt_deg"], unnamed["centre_mm"]) == ("edge", 0.4, [12.1, -30.4])
