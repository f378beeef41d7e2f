"""A half-covered token is of the kind whose colours it shows, in whatever shade; whole tokens show these colours."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.stack_order import StackOrder
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.discs.token_trust import kind_odds
from vision.tokens.scenes import PX_PER_MM, RADIUS_MM, TOKENS, laid, plain_light, small_prints, view_of

KINDS = list(TOKENS)
WHOLE = [("yes", (60.0, 60.0, 0.0)), ("no", (110.0, 60.0, 0.0)), ("back", (160.0, 60.0, 0.0))]
# Dark bodies about a white ring: to a correlation of crescents they are nearly the same.
BODIES = {"yes": (60, 110, 40), "no": (50, 45, 100), "back": (74, 70, 72)}
HALF = (104.0, 150.0)
COVER = (112.0, 150.0)


def seen(kind: str, at: tuple[float, float], visible: float = 1.0, margin: float = 0.5) -> SeenDisc:
    return SeenDisc(KINDS.index(kind), np.array(at), RADIUS_MM, 0.9, 0.9, visible, margin, 0.8)


def small_prints_discs() -> DiscPrints:
    return DiscPrints(small_prints().disc_images[: len(KINDS)], RADIUS_MM)


def shadowed(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Half of what is seen of the lower token lies in a shadow."""
    picture = picture.copy()
    rows = slice(round((HALF[1] - 12.0) * PX_PER_MM), round(HALF[1] * PX_PER_MM))
    columns = slice(round((HALF[0] - 12.0) * PX_PER_MM), round((HALF[0] + 12.0) * PX_PER_MM))
    picture[rows, columns] = np.round(picture[rows, columns] * 0.5).astype(np.uint8)
    return picture


def ringed_prints() -> DiscPrints:
    """The prints without their words: bodies and rings alone, as a crescent shows them."""
    images = []
    for colour in BODIES.values():
        image = np.full((240, 240, 3), colour, np.uint8)
        cv2.circle(image, (120, 120), 95, (250, 250, 250), 10)
        images.append(image)
    return DiscPrints(images, RADIUS_MM)


def ringed_view(kind: str) -> NDArray[np.uint8]:
    """Three whole tokens, and one of `kind` half beneath another, in half a shadow."""
    picture = np.full((660, 900, 3), 230, np.uint8)
    for name, (x, y) in [*((name, place[:2]) for name, place in WHOLE), (kind, HALF), ("yes", COVER)]:
        middle = (round(x * PX_PER_MM), round(y * PX_PER_MM))
        cv2.circle(picture, middle, round(RADIUS_MM * PX_PER_MM), BODIES[name], -1)
        cv2.circle(picture, middle, round(RADIUS_MM * 0.79 * PX_PER_MM), (250, 250, 250), 3)
    return shadowed(picture)


def test_a_half_covered_token_has_the_kind_of_its_colour() -> None:
    for true, said in (("no", "back"), ("back", "no"), ("no", "no")):
        half = seen(said, HALF, 0.35, 0.01)
        tokens = [*(seen(name, place[:2]) for name, place in WHOLE), seen("yes", COVER), half]
        colours = TokenColours(ringed_prints(), view_of(ringed_view(true)), plain_light, tokens)
        told = colours.told(half)
        assert KINDS[told.kind] == true
        assert told.margin > half.margin


def test_a_token_seen_as_printed_shows_its_colours_though_another_kind_has_its_sign() -> None:
    """The same sign in two colours correlates nearly as well."""
    clear = replace(seen("no", WHOLE[1][1][:2], margin=0.13), alike=0.97)
    view = view_of(laid([], WHOLE))
    assert TokenColours(small_prints_discs(), view, plain_light, [clear]).kinds == {KINDS.index("no")}
    assert not TokenColours(small_prints_discs(), view, plain_light, [replace(clear, margin=0.03)]).kinds


def test_a_haze_is_told_by_what_lies_in_it_and_not_by_a_token_of_the_same_kind_far_from_it() -> None:
    picture = laid([], [("no", (120.0, 60.0, 0.0)), ("yes", (240.0, 60.0, 0.0))])
    hazed = picture[:, 540:].astype(np.float64) * 0.5 + 100.0
    picture[:, 540:] = np.round(hazed).astype(np.uint8)
    tokens = [seen("no", (120.0, 60.0)), seen("yes", (240.0, 60.0))]
    colours = TokenColours(small_prints_discs(), view_of(picture), plain_light, tokens)
    _, offset = colours.light(np.array([255.0, 110.0]), KINDS.index("no"))
    assert offset.mean() > 60.0
    _, offset = colours.light(np.array([105.0, 95.0]), KINDS.index("no"))
    assert offset.mean() < 20.0


def test_a_whole_token_that_correlates_well_is_not_of_another_kind_for_a_few_grey_levels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of half a token as large a lead in its correlation says less than those do."""
    whole = replace(seen("yes", WHOLE[0][1][:2], margin=0.06), alike=0.95)
    tokens = [whole, seen("no", WHOLE[1][1][:2]), seen("yes", COVER)]
    colours = TokenColours(small_prints_discs(), view_of(laid([], WHOLE)), plain_light, tokens)
    face = colours.face(whole)
    likeness = replace(face.likeness, alike=np.array([[0.95, 0.89, 0.1]]))
    monkeypatch.setattr(colours, "face", lambda _: replace(face, likeness=likeness))
    monkeypatch.setattr(colours, "cost", lambda *each: 24.0 if each[-1] == 0 else 15.0)
    monkeypatch.setattr(colours, "veiled_cost", lambda *_: 30.0)  # no veil explains it
    assert KINDS[colours.told(whole).kind] == "yes"
    assert KINDS[colours.told(replace(whole, visible=0.4)).kind] == "no"


@pytest.mark.parametrize(("left", "kind"), [(4.0, "no"), (24.0, "yes")])
def test_as_many_grey_levels_say_more_where_less_is_left(
    left: float, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = seen("yes", HALF, 0.4, 0.06)
    tokens = [*(seen(name, place[:2]) for name, place in WHOLE), half]
    colours = TokenColours(small_prints_discs(), view_of(laid([], WHOLE)), plain_light, tokens)
    face = colours.face(half)
    likeness = replace(face.likeness, alike=np.array([[0.85, 0.79, 0.1]]))
    monkeypatch.setattr(colours, "face", lambda _: replace(face, likeness=likeness))
    monkeypatch.setattr(colours, "cost", lambda *each: left + 4.0 if each[-1] == 0 else left)
    assert KINDS[colours.told(half).kind] == kind


def test_a_kind_that_no_whole_token_shows_does_not_win_by_its_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    half = seen("no", HALF, 0.35, 0.01)
    tokens = [seen("yes", WHOLE[0][1][:2]), seen("yes", COVER), half]
    colours = TokenColours(ringed_prints(), view_of(ringed_view("back")), plain_light, tokens)
    face = colours.face(half)
    likeness = replace(face.likeness, alike=np.array([[0.5, 0.9, 0.89]]))
    monkeypatch.setattr(colours, "face", lambda _: replace(face, likeness=likeness))
    assert colours.told(half).margin < 0.1


def test_a_kind_that_no_whole_token_shows_may_be_the_surer_by_its_colour_where_it_correlates_best() -> None:
    half = seen("back", HALF, 0.35, 0.01)
    tokens = [seen("yes", WHOLE[0][1][:2]), seen("no", WHOLE[1][1][:2]), seen("yes", COVER), half]
    colours = TokenColours(ringed_prints(), view_of(ringed_view("back")), plain_light, tokens)
    assert KINDS[int(colours.face(half).likeness.alike[0].argmax())] == "back"
    told = colours.told(half)
    assert KINDS[told.kind] == "back"
    assert told.margin > half.margin


def test_kinds_that_no_whole_token_shows_are_told_apart_by_their_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is known from the deck as well as the other: super tokens of two colours, with one sign."""
    half = seen("no", HALF, 0.35, 0.01)
    tokens = [seen("yes", WHOLE[0][1][:2]), seen("yes", COVER), half]
    colours = TokenColours(ringed_prints(), view_of(ringed_view("no")), plain_light, tokens)
    face = colours.face(half)
    likeness = replace(face.likeness, alike=np.array([[0.2, 0.9, 0.89]]))
    monkeypatch.setattr(colours, "face", lambda _: replace(face, likeness=likeness))
    told = colours.told(half)
    assert KINDS[told.kind] == "no"
    assert told.margin > half.margin


def test_where_no_kind_correlates_well_colours_are_asked_whatever_the_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    half = replace(seen("back", HALF, 0.6, 0.23), alike=0.56)
    tokens = [*(seen(name, place[:2]) for name, place in WHOLE), half]
    colours = TokenColours(small_prints_discs(), view_of(laid([], WHOLE)), plain_light, tokens)
    face = colours.face(half)
    likeness = replace(face.likeness, alike=np.array([[0.33, 0.1, 0.56]]))
    monkeypatch.setattr(colours, "face", lambda _: replace(face, likeness=likeness))
    monkeypatch.setattr(colours, "cost", lambda *each: {0: 8.0, 1: 30.0, 2: 20.0}[each[-1]])
    assert KINDS[colours.told(half).kind] == "yes"
    as_it_seems = replace(half, alike=0.9)
    likeness = replace(face.likeness, alike=np.array([[0.67, 0.1, 0.9]]))
    assert colours.told(as_it_seems) is as_it_seems


def veiled(picture: NDArray[np.uint8], at: tuple[float, float], veil: float) -> NDArray[np.uint8]:
    """The same, a reflection about a place adding so much of full light."""
    light = (picture / 255.0) ** 2.2
    rows, columns = np.indices(picture.shape[:2])
    near = np.hypot(columns - at[0] * PX_PER_MM, rows - at[1] * PX_PER_MM) < 1.5 * RADIUS_MM * PX_PER_MM
    shown = np.minimum(light + veil * near[..., None], 1.0) ** (1.0 / 2.2)
    return np.asarray(np.round(255.0 * shown), np.uint8)


@pytest.mark.parametrize(("veil", "true"), [(0.03, "no"), (0.0, "back")])
def test_beneath_a_reflection_of_its_own_a_dark_token_is_no_paler_one(veil: float, true: str) -> None:
    half = seen("back", HALF, 0.4, 0.1)
    tokens = [*(seen(name, place[:2]) for name, place in WHOLE), seen("yes", COVER), half]
    view = view_of(veiled(ringed_view(true), HALF, veil))
    told = TokenColours(ringed_prints(), view, plain_light, tokens).told(half)
    assert KINDS[told.kind] == true
    assert kind_odds(told) > 1.5


def test_a_kind_is_sure_only_if_it_leads_over_all_explanations(monkeypatch: pytest.MonkeyPatch) -> None:
    half = seen("back", HALF, 0.4, 0.01)
    tokens = [*(seen(name, place[:2]) for name, place in WHOLE), half]
    colours = TokenColours(small_prints_discs(), view_of(laid([], WHOLE)), plain_light, tokens)
    face = colours.face(half)
    likeness = replace(face.likeness, alike=np.array([[0.7, 0.97, 0.98]]))
    monkeypatch.setattr(colours, "face", lambda _: replace(face, likeness=likeness))
    monkeypatch.setattr(colours, "cost", lambda *each: {0: 16.0, 1: 12.0, 2: 9.0}[each[-1]])
    for veiled_costs, is_sure in (([20.0, 20.0, 20.0], True), ([19.0, 7.0, 6.6], False)):
        monkeypatch.setattr(colours, "veiled_cost", lambda *each, costs=veiled_costs: costs[each[-1]])
        told = colours.told(half)
        assert KINDS[told.kind] == "back"
        assert (kind_odds(told) > 2.0) == is_sure


@pytest.mark.parametrize(("apart", "sign", "most"), [(8, False, 1.0), (40, False, 10.0), (0, True, 10.0)])
def test_two_colours_that_are_no_farther_apart_than_light_is_off_tell_no_kind(
    apart: int, sign: bool, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left of each kind may be little and much all the same, as where a light is told a little wrongly. That is
    wrong all over a face: a sign in another colour on the same ground tells."""
    bodies = [(60, 110, 40), (40, 60, 100), (40 + apart, 60, 100)]
    faces = [np.full((240, 240, 3), body, np.uint8) for body in bodies]
    if sign:
        cv2.circle(faces[2], (120, 120), 40, (200, 200, 200), -1)
    prints = DiscPrints(faces, RADIUS_MM)
    half = seen("back", HALF, 0.4, 0.01)
    tokens = [*(seen(name, place[:2]) for name, place in WHOLE), half]
    colours = TokenColours(prints, view_of(laid([], WHOLE)), plain_light, tokens)
    face = colours.face(half)
    likeness = replace(face.likeness, alike=np.array([[0.5, 0.96, 0.96]]))
    monkeypatch.setattr(colours, "face", lambda _: replace(face, likeness=likeness))
    for name in ("cost", "veiled_cost"):
        monkeypatch.setattr(colours, name, lambda *each: {0: 30.0, 1: 14.0, 2: 6.0}[each[-1]])
    told = colours.told(half)
    assert KINDS[told.kind] == "back"
    assert (kind_odds(told) < 1.0) == (most < 5.0)


def test_nothing_is_told_where_no_whole_token_is_seen_or_the_kind_is_plain() -> None:
    half = seen("back", HALF, 0.35, 0.01)
    view = view_of(ringed_view("no"))
    assert TokenColours(ringed_prints(), view, plain_light, [half]).told(half) is half
    plain = replace(half, margin=0.5)
    tokens = [*(seen(name, place[:2]) for name, place in WHOLE), plain]
    assert TokenColours(ringed_prints(), view, plain_light, tokens).told(plain) is plain


def test_the_light_is_that_of_the_whole_tokens_of_a_kind() -> None:
    picture = np.asarray(laid([], WHOLE) * 0.5, np.uint8)
    prints = DiscPrints(small_prints().disc_images[: len(KINDS)], RADIUS_MM)
    tokens = [seen(name, place[:2]) for name, place in WHOLE]
    gain, offset = TokenColours(prints, view_of(picture), plain_light, tokens).light(np.array([100.0, 60.0]), 0)
    assert np.allclose(gain, 0.5, atol=0.06)
    assert np.abs(offset).max() < 8.0


def test_a_haze_over_one_kind_is_the_same_in_all_channels() -> None:
    """Whole green tokens in a haze, red ones far away and clear: what red is seen as in that haze is told by the green
    ones, though they hardly say how much of it is green."""
    yes, no = [(60.0, 60.0), (100.0, 60.0), (60.0, 110.0)], [(220.0, 60.0), (260.0, 60.0)]
    picture = laid([], [*(("yes", (*at, 0.0)) for at in yes), *(("no", (*at, 0.0)) for at in no)]) * 0.6
    picture[:, : round(160 * PX_PER_MM)] += 45.0
    prints = DiscPrints(small_prints().disc_images[: len(KINDS)], RADIUS_MM)
    tokens = [*(seen("yes", at) for at in yes), *(seen("no", at) for at in no)]
    view = view_of(np.asarray(picture, np.uint8))
    for kind in ("yes", "no"):
        _, offset = TokenColours(prints, view, plain_light, tokens).light(np.array([80.0, 80.0]), KINDS.index(kind))
        assert np.ptp(offset) < 1.0
        assert 15.0 < offset.mean() < 50.0


def test_colours_tell_how_far_a_kind_is_ahead() -> None:
    tokens = [*(seen(name, place[:2]) for name, place in WHOLE), seen("yes", COVER)]
    half = seen("no", HALF, 0.35, 0.01)
    colours = TokenColours(ringed_prints(), view_of(ringed_view("no")), plain_light, [*tokens, half])
    assert colours.ahead(half) > 3.0 > 0.0 > colours.ahead(replace(half, kind=KINDS.index("back")))
    nobody = TokenColours(ringed_prints(), view_of(ringed_view("no")), plain_light, [half])
    assert nobody.ahead(half) == 0.0


def test_what_was_looked_at_before_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of(laid([], [*WHOLE, ("no", (*HALF, 0.0)), ("yes", (*COVER, 0.0))]))
    tokens = [seen("yes", COVER), seen("no", HALF, 0.5)]
    first = TokenColours(small_prints_discs(), view, plain_light, tokens)
    face, light = first.face(tokens[1]), first.light(tokens[1].middle, 1)
    again = TokenColours(first.prints, view, plain_light, [replace(token, lead=0.5) for token in tokens], first.looks)
    monkeypatch.setattr(DiscPrints, "lit_samples", None)
    assert again.face(again.tokens[1]) is face
    assert again.light(tokens[1].middle, 1) is light
    other = TokenColours(first.prints, view, plain_light, tokens)
    with pytest.raises(TypeError):  # without those looks it is looked at anew
        other.face(tokens[1])


@pytest.mark.parametrize(("upper", "lower"), [(COVER, HALF), (HALF, COVER)])
def test_prints_overrule_rims_that_tell_an_order_in_which_a_face_is_spoilt(
    monkeypatch: pytest.MonkeyPatch, upper: tuple[float, float], lower: tuple[float, float]
) -> None:
    monkeypatch.setattr(StackOrder, "lead", lambda *_: -0.63)
    view = view_of(laid([], [("no", (*lower, 0.0)), ("yes", (*upper, 0.0))]))
    above, beneath = seen("yes", upper), seen("no", lower, 0.4)
    colours = TokenColours(small_prints_discs(), view, plain_light, [above, beneath])
    assert colours.lies_over(above, beneath)
    assert not colours.lies_over(beneath, replace(above, visible=0.3))  # rims that agree with what prints tell


@pytest.mark.parametrize(("upper", "lower"), [(COVER, HALF), (HALF, COVER)])
def test_prints_tell_which_of_two_that_show_as_much_lies_above_where_rims_do_not(
    monkeypatch: pytest.MonkeyPatch, upper: tuple[float, float], lower: tuple[float, float]
) -> None:
    """One of two that overlap does: where neither did both faces were spoilt."""
    monkeypatch.setattr(StackOrder, "lead", lambda *_: 0.3)
    view = view_of(laid([], [("no", (*lower, 0.0)), ("yes", (*upper, 0.0))]))
    above, beneath = seen("yes", upper, 0.4), seen("no", lower, 0.41)
    colours = TokenColours(small_prints_discs(), view, plain_light, [above, beneath])
    assert colours.lies_over(above, beneath)
    assert not colours.lies_over(beneath, above)
    monkeypatch.setattr(TokenColours, "_prints_tell", lambda *_: 0.5)
    assert not colours.lies_over(above, beneath)  # hardly told: the one of which more is seen, if any
    assert colours.lies_over(above, replace(beneath, visible=0.35))
