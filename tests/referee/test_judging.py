"""A still picture is judged surely only where every plausible way it may lie names the same card."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.lies import Landing, Lie, Point3, Unknown
from arena_cam.referee.games.arena.readings.judging import Judgement, judge_reading
from referee.builders import DECK, lie, reading


def judged(lies: Sequence[Lie], challenge: str | None = "red-8", **more: Any) -> Judgement:
    """Each card lies at a place of its own: who touches whom is what the test says, not what the corners say."""
    return judge_reading(replace(reading([apart(each, i) for i, each in enumerate(lies)]), **more), DECK, challenge)


def apart(card: Lie, place: int) -> Lie:
    return replace(card, corners_mm=moved(card, 200.0 * place))


def moved(card: Lie, by_mm: float) -> tuple[Point3, Point3, Point3, Point3]:
    """The corners of a card that lies farther to the right."""
    assert card.corners_mm is not None
    a, b, c, d = ((x + by_mm, y, z) for x, y, z in card.corners_mm)
    return a, b, c, d


RED = lie("red-8")


@pytest.mark.parametrize(
    ("lies", "duelling"),
    [
        ([], None),  # nothing was thrown
        ([lie("blue-3")], None),  # beside it, not on it
        ([lie("blue-3", on=["red-8"])], "blue-3"),
        ([lie("blue-3", "diagonal", on=["red-8"])], None),
        ([lie("blue-3", on=["red-8"]), lie("green-4", on=["blue-3"])], "blue-3"),
        ([lie("blue-3", on=["red-8"]), lie("green-4", on=["blue-3", "red-8"])], "blue-3"),
        ([lie("blue-8", on=["red-8"]), lie("green-4", on=["blue-8"])], "green-4"),  # the same value passes it on
        ([lie("blue-8", "edge", on=["red-8"]), lie("green-4", "beside")], None),
    ],
)
def test_the_duelling_card_is_named_surely(lies: list[Lie], duelling: str | None) -> None:
    candidates = () if duelling is None else (duelling,)
    assert judged([RED, *lies]) == Judgement("red-8", duelling, True, (), candidates)


@pytest.mark.parametrize(
    ("lies", "why"),
    [
        # flat or leaning: it would duel, or not
        ([lie("blue-3", on=["red-8"], sure=False)], "blue-3 may lie diagonal rather than flat"),
        ([lie("blue-3", "diagonal", on=["red-8"], sure=False)], "blue-3 may lie flat rather than diagonal"),
        # the 3 may be an 8, which would not duel
        ([lie("blue-3", on=["red-8"], other_names=(("blue-8", 0.1),))], "blue-3 may be blue-8"),
        # a back, or a face of which nothing is in view
        ([lie("?1", on=["red-8"], identity_probability=0.6, other_names=(("blue-3", 0.4),))], "?1 may be blue-3"),
        ([lie("blue-3", on=["red-8"], other_names=(("<back>", 0.1),))], "blue-3 may lie face down"),
        # whichever it is duels, but its name is not sure
        ([lie("blue-3", on=["red-8"], other_names=(("blue-4", 0.3),))], "blue-3 may be blue-4"),
        # it lies on a card that leans: editions read this either way
        ([lie("blue-3", "diagonal", on=["red-8"]), lie("green-4", on=["blue-3"])], "the rulebooks can be read"),
    ],
)
def test_where_another_answer_is_plausible_it_asks(lies: list[Lie], why: str) -> None:
    judgement = judged([RED, *lies])
    assert not judgement.sure
    assert why in judgement.why_unsure[0]


@pytest.mark.parametrize(
    "lies",
    [
        # doubtful, but whichever it is changes nothing
        [lie("blue-3", on=["red-8"]), lie("green-4", on=["blue-3"], sure=False)],
        [lie("blue-3", "diagonal", sure=False)],
        [lie("blue-3", on=["red-8"]), lie("green-4", "edge", other_names=(("green-5", 0.3),))],
        [lie("blue-3", on=["red-8"], other_names=(("blue-8", 0.001),))],
        [lie("blue-3", on=["red-8"], landing_probabilities=((Landing.FLAT, 0.99), (Landing.EDGE, 0.01)))],
        [lie("blue-3", "edge", landing_probabilities=((Landing.EDGE, 0.6), (Landing.DIAGONAL, 0.4)))],
    ],
)
def test_a_doubt_that_changes_nothing_is_no_doubt(lies: list[Lie]) -> None:
    assert judged([RED, *lies]).sure


@pytest.mark.parametrize(
    ("lies", "candidates", "why"),
    [
        ([lie("blue-3", on=["red-8"]), lie("green-4", on=["red-8"])], ("blue-3", "green-4"), "side by side"),
        ([lie("blue-3", on=["red-8"]), lie("red-4", on=["red-8"])], ("blue-3",), "who threw it"),
    ],
)
def test_what_only_the_order_of_throwing_tells_is_said(lies: list[Lie], candidates: tuple[str], why: str) -> None:
    judgement = judged([RED, *lies])
    assert (judgement.duelling, judgement.sure, judgement.candidates) == ("blue-3", True, candidates)
    assert any(why in str(each) for each in judgement.depends_on)


def test_a_card_of_the_challenges_colour_is_the_provocateurs_own() -> None:
    """Nobody else has cards of that colour: it does not duel, nor is anybody asked. What hangs on it is told."""
    judgement = judged([RED, lie("red-3", on=["red-8"])])
    assert (judgement.duelling, judgement.sure) == (None, True)
    assert any("who threw it" in str(each) for each in judgement.depends_on)
    doubtful = judged([RED, lie("red-3", on=["red-8"], sure=False)])
    assert doubtful.sure, "flat or leaning, it does not duel"


def test_an_overlap_that_nobody_saw_through_is_asked_about() -> None:
    """Both lie at one place and the reading does not say who covers whom."""
    judgement = judge_reading(reading([RED, lie("blue-3")]), DECK, "red-8")
    assert not judgement.sure
    assert "red-8 and blue-3 overlap" in judgement.why_unsure[0]
    grazing = replace(lie("blue-3"), corners_mm=moved(RED, 63.2))
    assert judge_reading(reading([RED, grazing]), DECK, "red-8").sure, "they lie side by side"


@pytest.mark.parametrize(("gap_mm", "touching"), [(0.1, False), (-0.1, True), (-0.1, False)])
def test_what_may_lie_on_the_challenge_or_just_beside_it_is_asked_about(gap_mm: float, touching: bool) -> None:
    judgement = beside_red(gap_mm, touching)
    assert not judgement.sure
    assert any("blue-3" in why and "red-8" in why for why in judgement.why_unsure), judgement.why_unsure


@pytest.mark.parametrize(("gap_mm", "touching"), [(0.6, False), (-0.6, True)])
def test_what_plainly_lies_on_the_challenge_or_beside_it_is_not(gap_mm: float, touching: bool) -> None:
    judgement = beside_red(gap_mm, touching)
    assert judgement.sure
    assert judgement.duelling == ("blue-3" if touching else None)


def beside_red(gap_mm: float, touching: bool) -> Judgement:
    """A card whose long edge is so far from the challenge's, or so deep over it where the gap is negative."""
    blue = replace(lie("blue-3"), corners_mm=moved(RED, 63.0 + gap_mm), rests_on=("red-8",) if touching else ())
    unseen = replace(reading([RED, blue]), covers=())  # so little of an overlap shows nothing of who covers whom
    return judge_reading(unseen, DECK, "red-8")


def test_a_doubtful_picture_and_a_missing_challenge_are_not_sure() -> None:
    assert judged([RED], sure=False, doubts=(Doubt.SOMETHING_MOVES(),)) == Judgement(
        "red-8", None, False, (Doubt.SOMETHING_MOVES(),)
    )
    missing = judged([lie("blue-3")])
    assert (missing.sure, missing.duelling) == (False, None)
    assert "red-8 was not found" in missing.why_unsure[0]


def test_without_a_challenge_the_lowest_flat_card_is_taken() -> None:
    lies = [lie("green-1", "diagonal"), RED, lie("blue-3", on=["red-8"])]
    assert judged(lies, None) == Judgement("red-8", "blue-3", True, (), ("blue-3",))
    assert judged([], None) == Judgement(None, None, True, ())
    assert not judged([RED, lie("blue-3")], None).sure, "two lie on the floor: either may be the lowest"
    hardly_seen = lie("blue-3", "beside", identity_probability=0.6, other_names=(("blue-4", 0.4),))
    over_both = [hardly_seen, replace(RED, rests_on=("blue-3",)), lie("green-4", on=["red-8"])]
    assert not judged(over_both, None).sure, "what lies beneath them all shows too little to say how it lies"


def test_of_a_hidden_overlap_only_what_can_be_is_weighed() -> None:
    """Nobody saw whether the 8 lies over the 4 or under it, but not both at once: the 4 duels either way."""
    lies = (RED, lie("blue-8", on=["red-8"]), lie("green-4", on=["red-8"]))
    assert judge_reading(reading(lies), DECK, "red-8") == Judgement("red-8", "green-4", True, (), ("green-4",))
    # the 3 covers the 4 for all to see: a third card under the one and over the other closes no circle
    more = (*lies, lie("yellow-3", "diagonal", on=["green-4", "blue-8"]))
    assert judge_reading(reading(more), DECK, "red-8").sure


def test_what_a_hidden_overlap_keeps_from_touching_may_touch() -> None:
    """Taken for the lower one, the 10 keeps the 3 from the challenge card; the other way round the 3 lies on it."""
    lies = (RED, lie("blue-10", on=["red-8"]), lie("green-3"))
    seen = (("blue-10", "red-8"), ("green-3", "red-8"))
    judgement = judge_reading(replace(reading(lies), covers=seen), DECK, "red-8")
    assert judgement.why_unsure == ("blue-10 and green-3 overlap and it cannot be told how",)


def test_a_name_that_is_a_guess_says_nothing_of_who_covers_whom() -> None:
    """Seen beneath the challenge, but as a face that it hardly has: it may as well lie on it, and duel."""
    guess = lie("green-5", identity_probability=0.4, other_names=(("green-6", 0.35),))
    lies = (guess, lie("red-8", on=["green-5"]), lie("blue-3", on=["red-8"]))
    judgement = judge_reading(reading(lies), DECK, "red-8")
    assert not judgement.sure
    assert judgement.why_unsure[0] == "green-5 may be another card" or "overlap" in judgement.why_unsure[0]
    named = (replace(guess, identity_probability=1.0, other_names=()), *lies[1:])
    assert judge_reading(reading(named), DECK, "red-8").sure


def test_who_covers_whom_may_be_the_same_by_any_name_that_a_card_has() -> None:
    guess = lie("green-5", identity_probability=0.4, other_names=(("green-6", 0.6),))
    lies = (guess, lie("red-8", on=["green-5"]), lie("blue-3", on=["red-8"]))
    assert "overlap" in judge_reading(reading(lies), DECK, "red-8").why_unsure[0]
    seen_anyhow = (replace(guess, covers_by_any_name=True), *lies[1:])
    assert judge_reading(reading(seen_anyhow), DECK, "red-8").sure


def test_what_a_name_leaves_open_is_weighed_by_its_kinds() -> None:
    """Three names told, of the challenge's value none; what they leave open may be of that value, and not duel."""
    names = (("blue-4", 0.005), ("blue-5", 0.005), ("blue-6", 0.005))
    known = judged([RED, lie("blue-3", on=["red-8"], identity_probability=0.985, other_names=names)])
    assert known.sure
    doubtful = judged([RED, lie("blue-3", on=["red-8"], identity_probability=0.935, other_names=names)])
    assert doubtful.why_unsure == ("blue-3 may be another card",)


def test_names_that_are_hardly_likely_one_by_one_are_likely_together() -> None:
    """Of what duels three other names have 0.016 each: it is one of them once in twenty times."""
    names = tuple((f"blue-{value}", 0.016) for value in (4, 5, 6))
    half_covered = lie("blue-3", on=["red-8"], identity_probability=0.952, other_names=names)
    assert judged([RED, half_covered]).why_unsure == ("blue-3 may be blue-4",)


def test_which_card_of_a_kind_it_is_matters_to_nobody() -> None:
    """Of a strip of a red card that lies on the challenge, which is red, nobody knows the value; no red card duels."""
    names = tuple((f"red-{value}", 0.085) for value in range(1, 8))
    strip = lie("red-9", on=["red-8"], identity_probability=0.4, other_names=names)
    assert judged([RED, strip, lie("blue-3", on=["red-8"])]).sure
    blue = tuple((f"blue-{value}", 0.015) for value in (4, 5, 6))
    doubtful = judged([RED, replace(strip, identity_probability=0.36, other_names=(*names, *blue))])
    assert doubtful.why_unsure == ("red-9 may be blue-4",), "each is hardly likely, all of them together are"


def test_the_names_of_cards_that_cannot_duel_are_not_enumerated() -> None:
    """Five cards lie over the one that duels, each of one of four names: no name changes what duels."""
    lies = [RED, lie("blue-3", on=["red-8"])]
    for value in (1, 2, 4, 5, 6):
        names = tuple((f"{colour}-{value}", 0.25) for colour in ("violet", "blue", "yellow"))
        lies.append(lie(f"green-{value}", on=["blue-3"], identity_probability=0.25, other_names=names))
    assert judged(lies).sure
    assert judged([lies[0], replace(lies[2], rests_on=("red-8",))]).why_unsure[0] == "green-1 may be violet-1"


def test_something_unknown_matters_where_it_may_hide_a_card_of_the_pile() -> None:
    aside, over = (
        Unknown(900.0, (x, 80.0), near, Doubt.STRANGER(side=side, area_cm2=9.0))
        for x, near, side in ((-90.0, ("green-4",), Side.LEFT), (0.0, ("blue-3",), Side.MIDDLE))
    )
    lies = [RED, lie("blue-3", on=["red-8"]), lie("green-4")]

    def with_unknown(*things: Unknown) -> Judgement:
        return judged(lies, unknown=things, sure=False, doubts=tuple(thing.doubt for thing in things))

    assert with_unknown(over).sure, "it touches no card that is joined to the challenge card"
    covering = tuple(replace(each, corners_mm=RED.corners_mm) for each in lies[:2])
    apart_from_them = (*covering, apart(lies[2], 3))
    whole = reading(apart_from_them)
    for thing, sure in ((aside, True), (over, False), (replace(aside, may_be_card=True), False)):
        judgement = judge_reading(replace(whole, unknown=(thing,), sure=False, doubts=(thing.doubt,)), DECK, "red-8")
        assert (judgement.sure, judgement.duelling) == (sure, "blue-3")


def turned(card: Lie, x: float, y: float, degrees: float) -> Lie:
    """A card that lies with its middle at a place, turned."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    u, v = DECK.width_mm / 2, DECK.height_mm / 2
    sides = ((-u, v), (u, v), (u, -v), (-u, -v))
    a, b, d, e = ((x + c * p - s * q, y + s * p + c * q, 0.0) for p, q in sides)
    return replace(card, corners_mm=(a, b, d, e))


# Two cards over each other, of which a third looks out by a corner.
UNDER, OVER, CORNER = (
    turned(lie("blue-3"), -30.0, 0.0, 0.0),
    turned(lie("green-4", on=["blue-3"]), 25.0, 0.0, 90.0),
    (1.5, 36.0),
)


def hidden_beneath(
    *lies: Lie, corner_mm: tuple[float, float] | None = CORNER, may_be_card: bool = False, area_mm2: float = 50.0
) -> Judgement:
    doubt = Doubt.STRANGER(side=Side.MIDDLE, area_cm2=0.5)
    seen = () if corner_mm is None else (Unknown(area_mm2, corner_mm, (), doubt, may_be_card),)
    doubts = tuple(thing.doubt for thing in seen)
    return judge_reading(replace(reading(lies), unknown=seen, doubts=doubts, sure=not seen), DECK, "red-8")


def test_of_a_hidden_challenge_a_corner_tells_who_lies_on_it() -> None:
    judgement = hidden_beneath(UNDER, OVER)
    assert (judgement.challenge, judgement.duelling, judgement.sure) == ("red-8", "blue-3", True)


def test_what_a_hidden_challenge_leaves_open_is_asked() -> None:
    assert not hidden_beneath(UNDER, OVER, corner_mm=None).sure, "it may lie anywhere"
    assert not hidden_beneath(UNDER, OVER, corner_mm=(150.0, 0.0)).sure, "what is seen there is none of it"
    assert not hidden_beneath(UNDER, OVER, may_be_card=True).sure, "a card lies beside them"
    assert not hidden_beneath(UNDER, OVER, area_mm2=4000.0).sure, "a hand lies beside them"
    assert not hidden_beneath(UNDER, replace(OVER, other_names=(("red-8", 0.1),))).sure, "it may be one that is seen"


def test_more_than_is_ever_seen_of_a_hidden_challenge_is_not_the_challenge_alone() -> None:
    """Beneath one card lay the challenge and another: on either side a piece of them was in view, as one thing."""
    over = turned(lie("green-4"), 0.0, 0.0, 0.0)
    assert hidden_beneath(over, corner_mm=(0.0, 0.0), area_mm2=700.0).sure
    assert not hidden_beneath(over, corner_mm=(0.0, 0.0), area_mm2=2000.0).sure


def test_where_there_is_room_for_another_hidden_card_it_is_asked() -> None:
    heap = [turned(lie("blue-3"), -40.0, 0.0, 0.0)]
    heap += [turned(lie(f"blue-{n}", on=["blue-3"]), 20.0 * (n - 5), 8.0 * (n - 5), 5.0 * n) for n in (4, 5, 6, 7)]
    assert not hidden_beneath(*heap, corner_mm=(-20.0, 46.0)).sure
