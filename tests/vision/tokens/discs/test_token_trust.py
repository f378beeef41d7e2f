"""What is seen of a token says how far to trust it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.discs.token_trust import (
    SURE,
    chance_missed,
    chance_there,
    confidence,
    is_doubtful,
    is_token,
    of_all,
    over_print,
)


def disc(alike: float, visible: float, rim: float, margin: float = 0.3) -> SeenDisc:
    return SeenDisc(0, np.zeros(2), 12.0, alike, alike, visible, margin, rim)


WHOLE, CRESCENT = disc(0.97, 1.0, 0.95), disc(0.65, 0.3, 0.2, 0.05)
HALF = replace(disc(0.9, 0.45, 0.5), lead=0.5)


def test_the_more_is_seen_the_surer_it_is() -> None:
    assert confidence(WHOLE) > confidence(HALF) > confidence(CRESCENT)
    assert confidence(WHOLE) > 0.99


def test_what_has_no_rim_is_no_token_and_little_rim_is_a_doubt() -> None:
    assert is_token(WHOLE)
    assert not is_token(CRESCENT)
    assert is_doubtful(disc(0.8, 0.4, 0.3))
    assert not is_doubtful(HALF)


def test_a_count_is_no_surer_than_its_tokens_and_a_hidden_one_takes_the_sureness() -> None:
    assert of_all([]) > SURE
    assert of_all([WHOLE, HALF]) <= confidence(HALF)
    assert of_all([WHOLE], 0.75) == pytest.approx(0.75, abs=0.01)


def test_what_was_not_counted_and_may_be_a_token_takes_the_sureness() -> None:
    assert of_all([WHOLE], 1.0, [0.02]) > SURE > of_all([WHOLE], 1.0, [0.42])


def test_what_hardly_looks_like_a_token_is_hardly_missed() -> None:
    assert chance_missed(CRESCENT) < 0.02 < chance_missed(disc(0.8, 0.4, 0.26)) <= 0.5


def test_a_token_that_print_does_not_explain_is_trusted_and_one_that_it_does_is_not() -> None:
    poor = disc(0.8, 0.4, 0.32)
    assert confidence(replace(poor, lead=0.8)) > SURE > confidence(poor) > confidence(replace(poor, lead=0.0))
    assert not is_token(replace(poor, lead=-0.2))


def test_a_lead_over_print_does_not_say_which_of_two_kinds_as_alike_a_token_is() -> None:
    undecided = replace(disc(0.9, 0.4, 0.9, margin=0.01), lead=0.9)
    assert is_doubtful(replace(undecided, margin=0.07)), "a token of the wrong kind had that much"
    told = replace(undecided, margin=0.12)
    assert is_token(undecided)
    assert is_doubtful(undecided)
    assert not is_doubtful(told)


def test_what_cards_and_tokens_in_shade_explain_as_well_is_asked_about() -> None:
    assert not is_doubtful(replace(HALF, over_scene=8.0))
    assert is_doubtful(replace(HALF, over_scene=-5.0))


def test_what_neither_cards_nor_tokens_in_shade_explain_is_something() -> None:
    crescent = replace(disc(0.8, 0.4, 0.35), lead=0.16)
    assert is_doubtful(replace(crescent, over_scene=0.0))
    assert not is_doubtful(replace(crescent, over_scene=8.0))


def test_what_makes_all_of_a_stack_likelier_is_a_token_and_says_no_more_than_its_lead_over_shade() -> None:
    poor = replace(disc(0.6, 0.5, 0.3, 0.15), of_kind=9.0)
    assert confidence(poor) < 0.5
    assert not is_doubtful(replace(disc(0.75, 0.5, 0.45, 0.15), of_kind=9.0, over_stack=5.0))
    told = confidence(replace(poor, over_scene=12.0, over_stack=3.0))
    assert told == pytest.approx(confidence(replace(poor, over_scene=12.0, over_stack=2.0)), abs=1e-3)
    assert told < confidence(replace(poor, over_stack=8.0))
    assert confidence(replace(poor, over_stack=-4.0)) == confidence(poor)


def test_what_a_smooth_shade_explains_much_worse_is_no_shadow_unless_any_shade_explains_it() -> None:
    half = replace(disc(0.85, 0.45, 0.5, 0.5), lead=0.6, over_scene=1.0)
    assert chance_there(half) < 0.95
    assert chance_there(replace(half, over_stack=7.0)) > 0.98
    assert chance_there(replace(half, over_stack=-3.0)) < chance_there(half)
    assert chance_there(replace(half, over_scene=-7.3, over_stack=4.2)) < 0.5


def test_the_kind_of_a_whole_token_is_told_by_a_smaller_margin_than_that_of_half_a_one() -> None:
    whole, half = (replace(disc(0.95, visible, 0.9, margin=0.05), lead=0.9) for visible in (1.0, 0.45))
    assert not is_doubtful(whole)
    assert is_doubtful(half)


def test_a_margin_tells_more_of_a_token_that_is_seen_just_as_printed() -> None:
    """A super token's print may differ little from the plain one's: without noise that tells as surely as much."""
    plain, noisy = (replace(disc(alike, 0.9, 0.9, margin=0.04), lead=0.9) for alike in (0.98, 0.8))
    assert confidence(plain) > 0.99
    assert is_doubtful(noisy)
    assert is_doubtful(replace(plain, margin=0.01))
    half, shaded = (replace(plain, visible=0.45, alike=alike, margin=0.06) for alike in (0.98, 0.85))
    assert not is_doubtful(half)
    assert is_doubtful(shaded), "others may shade it"


def test_a_margin_says_little_where_no_kind_is_like_what_is_seen() -> None:
    """In another's shade a token correlated with 0.56, and was surely of a kind that led its own by 0.23."""
    shaded = SeenDisc(0, np.zeros(2), 12.0, 0.56, 0.61, 0.68, 0.23, 1.2, lead=0.57, over_scene=11.4)
    assert is_token(shaded)
    assert is_doubtful(shaded)
    assert not is_doubtful(replace(shaded, alike=0.75))
    assert not is_doubtful(replace(shaded, of_kind=4.0)), "colours tell it"


def test_what_is_seen_whole_and_as_printed_is_a_token_without_a_rim() -> None:
    for lead in (None, 0.15):
        assert not is_doubtful(replace(disc(0.95, 1.0, 0.28), lead=lead))
    assert is_doubtful(disc(0.75, 1.0, 0.28))


def test_what_print_explains_better_is_no_token_though_it_is_seen_whole_and_as_printed() -> None:
    """A face of next to no print is like many a place of a card."""
    alike = replace(disc(0.87, 1.0, 0.2, 0.09), explained=1.0, lead=-0.13)
    assert confidence(alike) < 0.5
    assert confidence(replace(alike, lead=0.1)) > SURE


def test_a_covered_token_without_rim_is_one_where_nothing_else_explains_it() -> None:
    covered = replace(disc(0.75, 0.3, 0.3), lead=0.66, over_scene=12.0)
    assert not is_doubtful(covered)
    assert is_doubtful(replace(covered, over_scene=7.0))
    assert is_doubtful(replace(covered, explained=0.36)), "one of another kind had that"


def test_a_token_that_nothing_covers_and_is_not_seen_as_printed_is_a_doubt() -> None:
    """Two that overlap were taken for one of another kind, surely."""
    whole = SeenDisc(0, np.zeros(2), 12.0, 0.65, 0.56, 1.0, 0.33, 0.9, lead=0.5)
    assert is_token(whole)
    assert is_doubtful(whole)
    assert not is_doubtful(replace(whole, alike=0.87, explained=0.61))
    assert confidence(replace(whole, visible=0.7)) > confidence(whole)


def test_a_half_seen_token_with_neither_its_print_nor_its_rim_is_a_doubt() -> None:
    corner = replace(disc(0.7, 0.34, 0.39, margin=0.44), explained=0.92, lead=0.65, over_scene=7.2)
    assert is_doubtful(corner)
    assert not is_doubtful(replace(corner, alike=0.9))
    assert not is_doubtful(replace(corner, rim=0.7))


def test_a_rim_about_a_fifth_of_a_face_is_anothers_and_more_of_its_print_or_nothing_else_must_speak_for_it() -> None:
    side = replace(disc(0.82, 0.2, 0.67, 0.43), lead=0.97, over_scene=5.4)
    assert is_doubtful(side)
    assert not is_doubtful(replace(side, visible=0.3))
    assert not is_doubtful(replace(side, alike=0.93))
    assert not is_doubtful(replace(side, over_scene=12.0))


def test_more_than_half_a_face_as_printed_is_a_token_where_print_is_much_less_likely_whatever_its_rim() -> None:
    on_a_band = replace(disc(0.99, 0.68, 0.2), lead=0.12)
    assert is_token(on_a_band)
    assert chance_there(on_a_band) > SURE
    assert not is_token(replace(on_a_band, lead=-0.06))
    assert not is_token(replace(on_a_band, alike=0.83))
    assert not is_token(replace(on_a_band, explained=0.7))


def test_print_that_hardly_correlates_says_nothing_and_print_that_does_speaks_against_a_token() -> None:
    assert -1.0 < over_print(replace(disc(0.38, 0.3, 0.4), lead=-0.07)) < 0.0
    assert over_print(replace(disc(0.8, 0.3, 0.4), lead=-0.15)) < -1.0
    assert over_print(disc(0.8, 0.3, 0.4)) == 0.0


def test_so_little_that_it_may_be_the_sides_of_others_is_asked_about() -> None:
    little = replace(disc(0.86, 0.24, 0.52, 0.28), lead=0.36, over_scene=5.3)
    beneath = [replace(little, on_sides=share) for share in (None, 0.0, 0.3, 0.87)]
    assert [is_doubtful(each) for each in beneath] == [False, False, False, True]
    assert not is_doubtful(replace(beneath[-1], over_scene=14.0)), "neither sides nor cards explain it"
