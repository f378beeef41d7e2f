"""Two readings of one photograph are each other's witness."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Reading, Unknown
from arena_cam.vision.photographs.singly.witness import agreed, as_large_there, asks_anyway, with_more, witnessed
from vision.planes.photographed import SIZE
from vision.small import camera_above, lie


def unsure(doubt: Doubt, **params: str) -> dict[str, object]:
    return {"sure": False, "doubts": (doubt(**params),)}


def test_a_name_in_question_is_sure_if_both_say_it_surely() -> None:
    first = replace(lie("AS"), **unsure(Doubt.OTHER_CARD, card_other="2S"))  # type: ignore[arg-type]
    both = witnessed(Reading("f", 0.0, (first,), sure=False), Reading("f", 0.0, (lie("AS"),)))
    assert both.lies[0].sure
    assert both.sure
    alone = witnessed(Reading("f", 0.0, (first,), sure=False), Reading("f", 0.0, ()))
    assert not alone.lies[0].sure


def test_other_doubts_are_not_taken_away_by_a_witness() -> None:
    hidden = replace(lie("AS"), **unsure(Doubt.MOSTLY_HIDDEN))  # type: ignore[arg-type]
    told = witnessed(Reading("f", 0.0, (hidden,), sure=False), Reading("f", 0.0, (lie("AS"),)))
    assert told.lies[0].doubts == hidden.doubts


def unknown(area_mm2: float) -> Unknown:
    return Unknown(area_mm2, None, (), Doubt.STRANGER(side="left", area_cm2=f"{area_mm2 / 100:.0f}"))


@pytest.mark.parametrize(
    ("area_mm2", "is_sure", "beside", "anyway"),
    [(140.0, True, 0, True), (900.0, True, 0, False), (900.0, True, 1, True), (140.0, False, 0, False)],
)
def test_cards_are_not_searched_for_singly_where_all_are_sure_and_no_other_has_room(
    area_mm2: float, is_sure: bool, beside: int, anyway: bool
) -> None:
    """Nor where two tell the plane, on which all others were searched for: of a marble that took four seconds."""
    thing = unknown(area_mm2)
    card = lie("AS") if is_sure else replace(lie("AS"), **unsure(Doubt.OTHER_CARD, card_other="2S"))  # type: ignore[arg-type]
    cards = (card, *[lie("KD", 200.0)] * beside)
    reading = Reading("f", 0.0, cards, sure=False, doubts=(thing.doubt,), unknown=(thing,))
    assert asks_anyway(reading, (63.0, 88.0)) is anyway
    assert not asks_anyway(replace(reading, doubts=(thing.doubt, Doubt.CIRCLE())), (63.0, 88.0))


def test_a_sure_name_without_a_witness_is_doubted() -> None:
    told = witnessed(Reading("f", 0.0, (lie("AS"),), sure=False), Reading("f", 0.0, ()))
    assert [doubt.sentence for doubt in told.lies[0].doubts] == [Doubt.UNLIKE_THE_DECK]
    assert not told.sure


def test_a_card_that_only_the_other_has_comes_beneath_and_is_never_sure() -> None:
    reading = Reading("f", 0.0, (lie("AS"),), sure=False)
    other = replace(lie("KD", 200.0), rests_on=("AS", "7S"))
    told = witnessed(reading, Reading("f", 0.0, (other, lie("AS")), (("AS", "KD"),)))
    assert [each.key for each in told.lies] == ["KD", "AS"]
    assert not told.lie("KD").sure
    assert told.lie("KD").rests_on == ("AS",)  # of 7S nothing is known
    assert told.covers == (("AS", "KD"),)
    assert not told.sure


def test_another_name_for_a_card_that_is_named_is_left_out() -> None:
    told = witnessed(Reading("f", 0.0, (lie("AS"),), sure=False), Reading("f", 0.0, (lie("KD", 3.0, 2.0),)))
    assert [each.key for each in told.lies] == ["AS"]


def test_a_card_twice_as_large_as_cards_are_on_the_plane_is_none() -> None:
    """Chequers of a cloth, each on a plane of its own, looked like the pips of large eights."""
    camera = camera_above(2.0, SIZE)
    ace, nearly, large = (
        lie("AS", size_px=(126.0, 176.0)),
        lie("KD", 100.0, size_px=(132.0, 170.0)),
        lie("8H", 50.0, size_px=(252.0, 352.0)),
    )
    reading = Reading("f", 0.0, (large, nearly, ace), (("AS", "8H"), ("KD", "AS")))
    kept = as_large_there(reading, camera, (63.0, 88.0))
    assert [each.key for each in kept.lies] == ["KD", "AS"]
    assert kept.covers == (("KD", "AS"),)


def test_of_two_readings_the_first_has_the_say_about_a_card_that_both_have() -> None:
    first = Reading("f", 0.0, (lie("AS"),), sure=True)
    both = with_more(first, Reading("f", 0.0, (lie("KD", 200.0), lie("AS", 5.0))))
    assert [each.key for each in both.lies] == ["AS", "KD"]
    assert both.lie("AS") is first.lies[0]


def test_who_covers_whom_is_not_told_twice() -> None:
    first = Reading("f", 0.0, (lie("AS"), lie("KD", 30.0)), (("KD", "AS"),), sure=False)
    told = witnessed(first, Reading("f", 0.0, (lie("AS"), lie("KD", 30.0)), (("AS", "KD"),)))
    assert told.covers == (("KD", "AS"),)


def test_faces_and_indices_that_say_the_same_leave_nothing_open() -> None:
    """What faces name plainly stays, what they name doubtfully gives way; the card they missed is the indices'."""
    doubted = replace(lie("AS", 0.0, 0.0), sure=False, doubts=(Doubt.UNLIKE_THE_DECK(),))
    guessed = replace(doubted, key="QD", card="QD", corners_px=lie("QD", 300.0, 0.0).corners_px)
    guessed = replace(guessed, identity_probability=0.6)
    by_faces = Reading("a", 0.0, (doubted, guessed), sure=False)
    others = Reading("a", 0.0, (lie("AS", 1.0, 0.0), lie("7C", 120.0, 0.0)), (("7C", "AS"),))
    both = agreed(by_faces, others, {"AS", "7C"})
    assert both is not None
    assert both.sure
    assert [(each.card, each.sure, each.doubts) for each in both.lies] == [("AS", True, ()), ("7C", True, ())]
    assert both.covers == others.covers
    hardly = replace(guessed, identity_probability=0.96, doubts=(Doubt.LITTLE_OF_FACE(),))
    assert agreed(replace(by_faces, lies=(doubted, hardly)), others, {"AS", "7C"}) is not None


def test_faces_and_indices_at_odds_stay_open() -> None:
    by_faces = Reading("a", 0.0, (lie("AS", 0.0, 0.0), lie("QD", 300.0, 0.0)), (("QD", "AS"),), sure=False)
    others = Reading("a", 0.0, (lie("AS", 0.0, 0.0), lie("QD", 300.0, 0.0)), (("QD", "AS"),))
    assert agreed(by_faces, others, {"AS", "QD"}) is not None
    assert agreed(by_faces, others, {"AS"}) is None
    assert agreed(by_faces, replace(others, sure=False), {"AS", "QD"}) is None
    assert agreed(by_faces, replace(others, lies=others.lies[:1]), {"AS", "QD"}) is None
    assert agreed(by_faces, replace(others, covers=(("AS", "QD"),)), {"AS", "QD"}) is None
    assert agreed(by_faces, replace(others, lies=()), {"AS", "QD"}) is None
    moved = replace(others, lies=(others.lies[0], lie("QD", 0.0, 300.0)))
    assert agreed(by_faces, moved, {"AS", "QD"}) is None
