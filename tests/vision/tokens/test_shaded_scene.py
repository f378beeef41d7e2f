"""A shadow of a token on a card is no token; a token half beneath another is one."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import PLAIN, PrintLight
from arena_cam.vision.tokens import shaded_scene
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import DiscSearch, Light, SeenDisc
from arena_cam.vision.tokens.discs.token_trust import is_doubtful, is_token
from arena_cam.vision.tokens.shaded_scene import (
    LIKELY,
    MAY_BE,
    but_for_shades,
    colours_speak,
    compared_with_scene,
    is_shadow,
    lead_in_cast_shadows,
    may_be_covered,
    may_hide_a_token,
    over_scene,
    smooth_lead,
    token_lead,
    uncovered,
    with_smooth_lead,
    without_shadows,
)
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import PX_PER_MM, RADIUS_MM, TOKENS, Place, laid, plain_light, small_prints, view_of

CAMERA = TableView(1.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))
CARD = (110.0, 110.0, 0.0)
TOP, UNDER = (110.0, 110.0, 0.0), (118.0, 117.0, 1.0)


def seen(kind: str, place: Place, visible: float) -> SeenDisc:
    return SeenDisc(list(TOKENS).index(kind), np.array(place[:2]), RADIUS_MM, 0.9, 0.9, visible, 0.5, 0.5)


def scene(picture: NDArray[np.uint8], tokens: list[SeenDisc]) -> tuple[SeenTable, TokenColours]:
    view = view_of(picture)
    motion = rigid_motion(np.array(CARD))
    table = SeenTable(CAMERA, view, [LaidCard(motion, 0, PLAIN, np.ones((90, 60), bool), 1.0, 1.0, 9)])
    prints = DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM)
    return table, TokenColours(prints, view, plain_light, tokens)


def with_shadow(tops: tuple[Place, ...] = (TOP,), under: Place = UNDER) -> NDArray[np.uint8]:
    """Tokens and their shadow, which lies where one half beneath them would."""
    lit = laid([("p-1", CARD)])
    shadow = np.zeros(lit.shape[:2], np.uint8)
    middle = (round(under[0] * PX_PER_MM), round(under[1] * PX_PER_MM))
    cv2.circle(shadow, middle, round(RADIUS_MM * PX_PER_MM), 1, -1)
    dark = np.where(shadow[..., None] > 0, np.round(lit * 0.55).astype(np.uint8), lit)
    whole = laid([("p-1", CARD)], [("yes", top) for top in tops])
    at = np.indices(lit.shape[:2])[::-1] / PX_PER_MM
    for top in tops:
        on = np.hypot(*(at - np.array(top[:2])[:, None, None])) < RADIUS_MM + 0.5
        dark = np.where(on[..., None], whole, dark)
    return np.asarray(dark, np.uint8)


def test_a_shadow_is_no_token() -> None:
    tokens = [seen("yes", TOP, 1.0), seen("no", UNDER, 0.3)]
    table, colours = scene(with_shadow(), tokens)
    assert without_shadows(CardSearch(small_prints()), table, colours, tokens) == tokens[:1]


def test_a_token_half_beneath_another_stays() -> None:
    tokens = [seen("yes", TOP, 1.0), seen("no", UNDER, 0.3)]
    table, colours = scene(laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)]), tokens)
    assert without_shadows(CardSearch(small_prints()), table, colours, tokens) == tokens


def test_what_a_token_beneath_explains_in_shade_is_no_second_one_of_its_kind() -> None:
    """A third lies on it and throws its shadow there: less of the token seems to be seen than of what is none."""
    beneath, none, over = (107.0, 110.0, 0.0), (118.0, 110.0, 0.0), (128.0, 110.0, 0.0)
    pieces = [("yes", (60.0, 40.0, 0.0)), ("yes", beneath), ("no", over)]
    picture = laid([("p-1", CARD)], pieces)
    away = np.hypot(*(np.indices(picture.shape[:2])[::-1] / PX_PER_MM - np.array(over[:2])[:, None, None]))
    shade = (away > RADIUS_MM) & (away < RADIUS_MM + 4.0)
    picture = np.where(shade[..., None], np.round(0.5 * picture), picture).astype(np.uint8)
    tokens = [seen("yes", (60.0, 40.0, 0.0), 1.0), seen("no", over, 1.0), seen("yes", none, 0.3)]
    tokens.append(replace(seen("yes", beneath, 0.25), alike=0.95))
    found = compared_with_scene(CardSearch(small_prints()), *scene(picture, tokens), tokens)
    assert found[2].over_scene is not None
    assert found[2].over_scene < 0.0


def test_what_too_little_spoke_for_is_a_token_if_shade_explains_it_much_worse() -> None:
    search, top, poor = (
        CardSearch(small_prints()),
        [seen("yes", TOP, 1.0)],
        replace(seen("no", UNDER, 0.4), alike=0.6, rim=0.3),
    )
    assert not is_token(poor)
    shadow = over_scene(search, *scene(with_shadow(), top), poor)
    token = over_scene(search, *scene(laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)]), top), poor)
    assert (is_token(shadow), is_token(token)) == (False, True)
    assert over_scene(search, *scene(with_shadow(), []), poor) is poor


def test_a_patch_in_shade_hides_no_token_and_a_crescent_of_one_may() -> None:
    search, top, patch = CardSearch(small_prints()), [seen("yes", TOP, 1.0)], np.array([123.0, 122.0])
    outline = [np.array([[80.0, 65.0], [140.0, 65.0], [140.0, 155.0], [80.0, 155.0]])]
    shadow, token = with_shadow(), laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)])
    assert not may_hide_a_token(search, *scene(shadow, top), patch, outline)
    assert may_hide_a_token(search, *scene(token, top), patch, outline)
    assert not may_hide_a_token(search, *scene(token, top), patch, [outline[0] + 100.0])
    assert may_hide_a_token(search, *scene(shadow, []), patch, outline)


def test_what_may_be_a_shadow_is_asked_about_and_a_token_half_beneath_another_is_not() -> None:
    search, tokens = CardSearch(small_prints()), [seen("yes", TOP, 1.0), seen("no", UNDER, 0.3)]
    well_seen = replace(tokens[1], alike=0.99, margin=0.4, rim=1.0)
    pictures = with_shadow(), laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)])
    doubts = []
    for picture in pictures:
        top, under = compared_with_scene(search, *scene(picture, tokens), [tokens[0], well_seen])
        assert top is tokens[0]
        doubts.append(is_doubtful(under))
    assert not is_doubtful(well_seen)
    assert doubts == [True, False]


def test_of_little_it_is_told_how_much_may_be_the_sides_of_what_lies_above() -> None:
    """Seen askew, from the side on which it is open; of one of which more is seen nothing is asked."""
    token, picture = seen("no", UNDER, 0.25), laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)])
    told = []
    for visible, eye in ((0.25, (160.0, 170.0)), (0.25, (60.0, 60.0)), (0.5, (160.0, 170.0))):
        tokens = [seen("yes", TOP, 1.0), replace(token, visible=visible)]
        table, colours = scene(picture, tokens)
        camera = TableView(1.0, np.zeros(2), 0.0, np.eye(3), -np.array([*eye, -30.0]))
        askew = replace(table, camera=camera)
        told.append(compared_with_scene(CardSearch(small_prints()), askew, colours, tokens)[1].on_sides)
    towards, away, more = told
    assert towards is not None
    assert towards > 0.2
    assert away == 0.0
    assert more is None


def test_a_token_in_a_reflection_of_its_own_is_no_shadow() -> None:
    """It is paled, and the tokens that show their colours are not."""
    tokens = [seen("yes", TOP, 1.0), seen("no", (60.0, 40.0, 0.0), 1.0), seen("no", UNDER, 0.3)]
    pieces = [("no", (60.0, 40.0, 0.0)), ("no", UNDER), ("yes", TOP)]
    picture = laid([("p-1", CARD)], pieces)
    away = np.indices(picture.shape[:2])[::-1] / PX_PER_MM
    on = [np.hypot(*(away - np.array(place[:2])[:, None, None])) < RADIUS_MM + 0.5 for place in (UNDER, TOP)]
    paled = np.where((on[0] & ~on[1])[..., None], np.round(0.5 * picture + 58.0), picture).astype(np.uint8)
    search = CardSearch(small_prints())
    assert compared_with_scene(search, *scene(paled, tokens), tokens)[2].over_scene is None
    shadow = with_shadow()
    shadow[: round(70 * PX_PER_MM)] = picture[: round(70 * PX_PER_MM)]
    there = compared_with_scene(search, *scene(shadow, tokens), tokens)[2]
    assert there.over_scene is not None
    assert there.over_scene < 0.0


@pytest.mark.parametrize(("contrast", "veil"), [(0.45, 40.0), (0.4, 60.0)])
def test_a_dull_grey_token_on_white_paper_is_no_shadow_where_its_print_is_seen(contrast: float, veil: float) -> None:
    """White paper in shade has all of its greys, and whole tokens show none of its kind."""
    tokens = [seen("yes", TOP, 1.0), seen("no", (60.0, 40.0, 0.0), 1.0), seen("back", UNDER, 0.5)]
    picture = laid([("p-1", CARD)], [("no", (60.0, 40.0, 0.0)), ("back", UNDER), ("yes", TOP)])
    away = np.indices(picture.shape[:2])[::-1] / PX_PER_MM
    on = [np.hypot(*(away - np.array(place[:2])[:, None, None])) < RADIUS_MM + 0.5 for place in (UNDER, TOP)]
    dull = np.where((on[0] & ~on[1])[..., None], np.round(contrast * picture + veil), picture).astype(np.uint8)
    shadow = with_shadow()
    shadow[: round(70 * PX_PER_MM)] = picture[: round(70 * PX_PER_MM)]
    search = CardSearch(small_prints())
    assert compared_with_scene(search, *scene(dull, tokens), tokens)[2].over_scene is None
    told = compared_with_scene(search, *scene(shadow, tokens), tokens)[2].over_scene
    assert told is not None
    assert told < 0.0


@pytest.mark.parametrize(("odds", "told"), [(6.0, None), (2.0, 0.0), (-2.0, -1.0)])
def test_that_shade_has_a_tokens_grey_says_nothing_where_its_print_rather_tells_of_it(
    monkeypatch: pytest.MonkeyPatch, odds: float, told: float | None
) -> None:
    tokens = [seen("yes", TOP, 1.0), seen("no", (60.0, 40.0, 0.0), 1.0), seen("back", UNDER, 0.5)]
    monkeypatch.setattr(shaded_scene, "is_plain_in_a_shine", lambda *_: False)
    monkeypatch.setattr(shaded_scene, "print_odds", lambda *_: odds)
    monkeypatch.setattr(shaded_scene, "lead_over_scene", lambda *_: -1.0)
    search = CardSearch(small_prints())
    assert compared_with_scene(search, *scene(with_shadow(), tokens), tokens)[2].over_scene == told


def test_a_shadow_beside_a_token_is_explained_by_paper_in_a_shade_as_smooth_as_a_tokens() -> None:
    """A token half beneath it explains more than that."""
    search, tokens = CardSearch(small_prints()), [seen("yes", TOP, 1.0), seen("back", UNDER, 0.4)]
    shadow = smooth_lead(search, *scene(with_shadow(), tokens), tokens[1], tokens)
    picture = laid([("p-1", CARD)], [("back", UNDER), ("yes", TOP)])
    token = smooth_lead(search, *scene(picture, tokens), tokens[1], tokens)
    assert shadow is not None
    assert token is not None
    assert shadow < 0.0 < token
    covered = [seen("yes", UNDER, 1.0), tokens[1]]
    assert smooth_lead(search, *scene(picture, covered), tokens[1], covered) is None


LAMP = np.array([5.0, 4.0])
LONE = (95.0, 82.0, 0.0), (126.0, 82.0, 0.0)


def in_the_lamps_light(kind: str | None) -> NDArray[np.uint8]:
    """Tokens that throw hard shadows on a card, a lone pair of them and one above; a token beneath that, if any."""
    under = (TOP[0] + 8.0, TOP[1] + 7.0, 1.0)
    low = laid([("p-1", CARD)], [(kind, under)] if kind else [])
    at = np.indices(low.shape[:2])[::-1] / PX_PER_MM
    tops = [*LONE, (TOP[0], TOP[1], 0.0)]
    for top in tops:
        shadow = np.zeros(low.shape[:2], bool)
        for share in np.linspace(0.0, 1.0, 9):
            shadow |= np.hypot(*(at - (np.array(top[:2]) + share * LAMP)[:, None, None])) < RADIUS_MM
        low = np.where(shadow[..., None], np.round(low * 0.55), low)
    whole = laid([("p-1", CARD)], [("yes", top) for top in tops])
    for top in tops:
        low = np.where((np.hypot(*(at - np.array(top[:2])[:, None, None])) < RADIUS_MM)[..., None], whole, low)
    return np.asarray(low, np.uint8)


def test_where_the_lamps_shadow_is_known_paper_in_it_is_no_grey_token_and_a_grey_token_is_one() -> None:
    """In a shade of its own each would be as good as the other."""
    tops = [seen("yes", place, 1.0) for place in (*LONE, TOP)]
    back = seen("back", (TOP[0] + 8.0, TOP[1] + 7.0, 1.0), 0.4)
    tokens, search = [*tops, back], CardSearch(small_prints())
    shadow = lead_in_cast_shadows(search, *scene(in_the_lamps_light(None), tokens), back, tokens)
    token = lead_in_cast_shadows(search, *scene(in_the_lamps_light("back"), tokens), back, tokens)
    assert shadow is not None
    assert token is not None
    assert shadow < 0.0 < token
    told = compared_with_scene(search, *scene(in_the_lamps_light(None), tokens), tokens)[-1].over_scene
    assert told is not None
    assert told < 0.0
    assert without_shadows(search, *scene(in_the_lamps_light(None), tokens), tokens) == tops
    assert without_shadows(search, *scene(in_the_lamps_light("back"), tokens), tokens) == tokens


def test_a_grey_token_that_the_lamps_shadow_misses_is_none_of_its_paper_where_its_print_is_seen() -> None:
    """It lies higher than the shadow was thought to fall: as bright as paper is in that shadow, but striped."""
    under = (TOP[0] + 8.0, TOP[1] + 7.0, 1.0)
    tops = [seen("yes", place, 1.0) for place in (*LONE, TOP)]
    back = seen("back", under, 0.4)
    tokens, search = [*tops, back], CardSearch(small_prints())
    lit = laid([("p-1", CARD)], [("back", under), *(("yes", place) for place in (*LONE, TOP))])
    away = np.indices(lit.shape[:2])[::-1] / PX_PER_MM
    on, covered = (np.hypot(*(away - np.array(at[:2])[:, None, None])) < RADIUS_MM for at in (under, TOP))
    picture = np.where((on & ~covered)[..., None], lit, in_the_lamps_light(None))
    cast = lead_in_cast_shadows(search, *scene(picture, tokens), back, tokens)
    assert cast is not None
    assert cast < -10.0
    assert without_shadows(search, *scene(picture, tokens), tokens) == tokens
    assert compared_with_scene(search, *scene(picture, tokens), tokens)[-1].over_scene is None


def test_without_a_plain_shadow_none_is_known() -> None:
    tokens = [*(seen("yes", place, 1.0) for place in (*LONE, TOP)), seen("back", UNDER, 0.4)]
    picture = laid([("p-1", CARD)], [("back", UNDER), *(("yes", place) for place in (*LONE, TOP))])
    assert lead_in_cast_shadows(CardSearch(small_prints()), *scene(picture, tokens), tokens[-1], tokens) is None


def test_what_was_not_counted_is_hardly_a_token_where_shade_explains_it() -> None:
    """Whatever kind it looked like: where a token lies that was not counted it stays a doubt."""
    search, top = CardSearch(small_prints()), [seen("yes", TOP, 1.0)]
    doubtful = [(seen(kind, UNDER, 0.3), 0.4) for kind in ("back", "yes")]
    shadow = but_for_shades(search, *scene(with_shadow(), top), doubtful)
    token = but_for_shades(search, *scene(laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)]), top), doubtful)
    assert max(chance for _, chance in shadow) < 0.05
    assert min(chance for _, chance in token) > 0.3
    assert but_for_shades(search, *scene(with_shadow(), []), doubtful) == doubtful


def test_what_too_little_spoke_for_may_be_a_token_where_smooth_shade_explains_it_worse() -> None:
    """A plain face hardly correlates; and neither does a shadow."""
    search, top = CardSearch(small_prints()), [seen("yes", TOP, 1.0)]
    poor = replace(seen("no", UNDER, 0.3), alike=0.6, margin=0.05, rim=0.3)
    shadow, token = with_shadow(), laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)])
    assert not is_token(poor)
    assert but_for_shades(search, *scene(shadow, top), [(poor, 0.001)]) == [(poor, 0.001)]
    assert but_for_shades(search, *scene(token, top), [(poor, 0.001)])[0][1] > 0.5
    apart = replace(poor, alike=0.3, margin=0.0, rim=0.0)
    assert but_for_shades(search, *scene(token, top), [(apart, 0.0)]) == [(apart, 0.0)]


def test_what_a_stack_leaves_unclear_is_likelier_a_token_where_it_explains_more_than_smooth_shade() -> None:
    search, top = CardSearch(small_prints()), [seen("yes", TOP, 1.0)]
    unclear = replace(seen("no", UNDER, 0.3), over_stack=0.9)
    token, likely = with_smooth_lead(
        search, *scene(laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)]), top), unclear, 0.3
    )
    assert likely > 0.9
    assert token.over_stack is not None
    assert token.over_stack > 2.0
    shadow, unlikely = with_smooth_lead(search, *scene(with_shadow(), top), unclear, 0.3)
    assert unlikely < 0.1
    assert shadow.over_stack == unclear.over_stack


def test_without_a_whole_token_nothing_is_compared() -> None:
    tokens = [seen("no", UNDER, 0.3)]
    assert compared_with_scene(CardSearch(small_prints()), *scene(with_shadow(), tokens), tokens) == tokens


def test_a_circle_is_a_shadow_only_where_no_kind_explains_it() -> None:
    search, top = CardSearch(small_prints()), [seen("yes", TOP, 1.0)]
    middle = np.array(UNDER[:2])
    assert is_shadow(search, *scene(with_shadow(), top), middle)
    assert not is_shadow(search, *scene(laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)]), top), middle)


def test_a_rim_beneath_a_token_is_a_tokens_if_shade_explains_no_more_than_one_does() -> None:
    search, top = CardSearch(small_prints()), [seen("yes", TOP, 1.0)]
    middle, token = np.array(UNDER[:2]), laid([("p-1", CARD)], [("back", UNDER), ("yes", TOP)])
    assert may_be_covered(search, *scene(token, top), middle)
    assert not may_be_covered(search, *scene(with_shadow(), top), middle)
    assert not may_be_covered(search, *scene(token, []), middle)  # nothing shows how tokens look
    assert not may_be_covered(search, *scene(token, top), np.array(TOP[:2]))  # all of it is covered


def test_a_rim_is_a_shadows_where_lone_tokens_elsewhere_tell_that_a_token_throws_it_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though a token explains a little more there; not where it explains much more, nor where its neighbour is the only
    one that would tell of the lamp."""
    monkeypatch.setattr(shaded_scene, "best_smooth_lead", lambda *_: 0.1)
    search, tops = CardSearch(small_prints()), [seen("yes", place, 1.0) for place in (*LONE, TOP)]
    there, aside = np.array(TOP[:2]) + LAMP, np.array(TOP[:2]) + 2.5 * LAMP
    known = scene(in_the_lamps_light(None), tops)
    assert is_shadow(search, *known, there)
    assert not may_be_covered(search, *known, there)
    assert token_lead(search, *known, there) == -math.inf
    assert not is_shadow(search, *known, aside)
    assert may_be_covered(search, *known, aside)
    assert token_lead(search, *known, aside) == 0.1
    alone = scene(in_the_lamps_light(None), tops[-1:])
    assert not is_shadow(search, *alone, there)
    monkeypatch.setattr(shaded_scene, "best_smooth_lead", lambda *_: 0.5)
    assert not is_shadow(search, *known, there)
    assert may_be_covered(search, *known, there)


def test_a_strip_between_two_tokens_is_their_shadow_or_may_be_a_token_beneath_them() -> None:
    """A grey one, too, though white paper in a shade is as grey: it is asked about."""
    tops, under = ((100.0, 112.0, 0.0), (128.0, 112.0, 0.0)), (114.0, 119.0, 0.3)
    search, known = CardSearch(small_prints()), [seen("yes", top, 1.0) for top in tops]
    middle = np.array(under[:2])
    assert token_lead(search, *scene(with_shadow(tops, under), known), middle) < MAY_BE
    for kind in ("no", "back"):
        picture = laid([("p-1", CARD)], [(kind, under), *(("yes", top) for top in tops)])
        assert token_lead(search, *scene(picture, known), middle) > MAY_BE, kind
    unknown = token_lead(search, *scene(with_shadow(tops, under), []), middle)  # nothing shows how tokens look
    assert MAY_BE < unknown < LIKELY


@pytest.mark.parametrize("lamp", [1.0, 0.25])
def test_shadows_are_told_from_tokens_on_a_dim_table_too(lamp: float) -> None:
    """What differs shrinks with the light, and the camera's noise does not."""
    tops, under = ((100.0, 112.0, 0.0), (128.0, 112.0, 0.0)), (114.0, 119.0, 0.3)
    search, known = CardSearch(small_prints()), [seen("yes", top, 1.0) for top in tops]
    middle = np.array(under[:2])
    for picture, there in (
        (with_shadow(tops, under), False),
        (laid([("p-1", CARD)], [("no", under), *(("yes", top) for top in tops)]), True),
    ):
        noise = np.random.default_rng(4).normal(0.0, 4.0, picture.shape)
        dim = np.clip(np.round(picture * lamp + noise), 0, 255).astype(np.uint8)
        table, _ = scene(dim, known)
        table = replace(table, cards=[replace(card, light=lit(lamp)) for card in table.cards])
        colours = TokenColours(
            DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM), table.view, light(lamp), known
        )
        assert (token_lead(search, table, colours, middle) > LIKELY) == there
        assert (token_lead(search, table, colours, middle) > MAY_BE) == there
        assert is_shadow(search, table, colours, middle) != there


def test_a_circle_that_other_tokens_cover_is_none() -> None:
    """Its rim is theirs, and nothing is seen that could tell."""
    tops = [(110.0 + x, 110.0 + y, 0.0) for x, y in ((-6.0, 0.0), (6.0, 0.0), (0.0, 7.0), (0.0, -7.0))]
    known = [seen("yes", top, 1.0) for top in tops]
    table, colours = scene(laid([("p-1", CARD)], [("yes", top) for top in tops]), known)
    search, middle = CardSearch(small_prints()), np.array([110.0, 110.0])
    assert is_shadow(search, table, colours, middle)
    assert token_lead(search, table, colours, middle) < MAY_BE


def lit(lamp: float) -> PrintLight:
    """Plain light of a lamp so bright."""
    return replace(PLAIN, gain=PLAIN.gain * lamp)


def light(lamp: float) -> Light:
    """The same of tokens."""

    def at(mm: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        gain, offset = plain_light(mm)
        return gain * lamp, offset

    return at


def test_without_a_whole_token_nothing_is_taken_away() -> None:
    tokens = [seen("no", UNDER, 0.3)]
    table, colours = scene(with_shadow(), tokens)
    assert without_shadows(CardSearch(small_prints()), table, colours, tokens) == tokens


def test_what_lay_beneath_one_that_is_none_is_seen_whole() -> None:
    """Beneath one that stays it is seen as before."""
    view = view_of(laid([("p-1", CARD)], [("no", UNDER)]))
    search = DiscSearch(DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    below, above = seen("no", UNDER, 0.3), seen("yes", TOP, 1.0)
    (again,) = uncovered(search, view, plain_light, [below], [above])
    assert again.visible > 0.95
    assert uncovered(search, view, plain_light, [above, below], []) == [above, below]


def test_colours_speak_for_a_token_in_a_shadow_and_for_no_shadow() -> None:
    tops = (TOP, (60.0, 40.0, 0.0))
    tokens = [seen("yes", top, 1.0) for top in tops] + [seen("no", (240.0, 60.0, 0.0), 1.0)]
    there = seen("no", UNDER, 0.3)
    apart = [("no", (240.0, 60.0, 0.0)), ("yes", tops[1])]
    picture = laid([("p-1", CARD)], [*apart, ("no", UNDER), ("yes", TOP)])
    on = np.hypot(*(np.indices(picture.shape[:2])[::-1] / PX_PER_MM - np.array(TOP[:2])[:, None, None])) < RADIUS_MM
    shaded = np.where(on[..., None], picture, np.round(picture * 0.55)).astype(np.uint8)
    table, colours = scene(shaded, tokens)
    search = CardSearch(small_prints())
    assert colours_speak(search, table, colours, there)
    assert not colours_speak(search, table, colours, replace(there, kind=0))
    table, colours = scene(with_shadow(tops), tokens[:2])
    assert not colours_speak(search, table, colours, there)


def test_on_the_cloth_nothing_is_compared_with_the_scene() -> None:
    tokens = [seen("yes", TOP, 1.0), seen("no", (240.0, 60.0, 0.0), 0.5), seen("no", UNDER, 0.3)]
    table, colours = scene(laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP), ("no", (240.0, 60.0, 0.0))]), tokens)
    _, cloth, card = compared_with_scene(CardSearch(small_prints()), table, colours, tokens)
    assert cloth.over_scene is None
    assert card.over_scene is not None


def test_a_token_is_not_counted_twice_where_it_lies_and_a_little_beside() -> None:
    """In a stack's shadow a circle half a radius beside the true one was taken for one more, surely."""
    picture = laid([("p-1", CARD)], [("no", UNDER), ("yes", TOP)])
    true = replace(seen("no", UNDER, 0.21), alike=0.94)
    beside = replace(seen("no", (UNDER[0] - 4.0, UNDER[1] - 1.0, UNDER[2]), 0.42), alike=0.59)
    tokens = [seen("yes", TOP, 1.0), beside, true]
    table, colours = scene(picture, tokens)
    _, doubled, left = compared_with_scene(CardSearch(small_prints()), table, colours, tokens)
    assert doubled.over_scene is not None
    assert left.over_scene is not None
    assert doubled.over_scene < 3.0
    assert left.over_scene > 10.0


def test_the_cloth_beside_a_card_says_nothing_for_a_token() -> None:
    """A dark cloth had the colour of the tokens' backs: a corner of it beside a card was surely one."""
    search, top, at_edge = CardSearch(small_prints()), (130.0, 110.0, 0.0), (139.0, 110.0, 0.0)
    tokens = [seen("yes", top, 1.0), seen("no", at_edge, 0.5)]
    card, alone = laid([("p-1", CARD)]), laid([("p-1", CARD)], [("yes", top)])
    of_that_colour = laid([("p-1", CARD)], [("no", at_edge), ("yes", top)])
    table, colours = scene(np.where(card == laid([]), of_that_colour, alone).astype(np.uint8), tokens)
    _, found = compared_with_scene(search, table, colours, tokens)
    assert found.over_scene is not None, "a reflection of its own would be no reason to doubt it"
    assert found.over_scene < 3.0


def test_pale_paper_of_a_tokens_hue_is_no_token() -> None:
    """A plain face is one colour: the bare pink corner of a card was surely a plain crimson token."""
    picture = laid([("p-1", CARD)], [("no", (90.0, 100.0, 0.0)), ("yes", (220.0, 60.0, 0.0))])
    middles = np.indices(picture.shape[:2])[::-1] / PX_PER_MM
    pale = np.hypot(*(middles - np.array([120.0, 135.0])[:, None, None])) < RADIUS_MM + 1.0
    no = np.array(TOKENS["no"])
    tinted = np.where(pale[..., None], np.round(215 + 0.15 * (no - no.mean())), picture).astype(np.uint8)
    true, false = seen("no", (90.0, 100.0, 0.0), 1.0), seen("no", (120.0, 135.0, 0.0), 1.0)
    plain = replace(true, margin=0.3)
    tokens = [replace(plain, lead=0.06), replace(false, lead=0.01), seen("yes", (220.0, 60.0, 0.0), 1.0)]
    table, colours = scene(tinted, tokens)
    kept = without_shadows(CardSearch(small_prints()), table, colours, tokens)
    assert kept == [tokens[0], tokens[2]]
    leading = [tokens[0], replace(false, lead=0.4), tokens[2]]  # no print
    table, colours = scene(tinted, leading)
    assert without_shadows(CardSearch(small_prints()), table, colours, leading) == leading


@pytest.mark.parametrize(("aside", "asked"), [(4.0, False), (13.0, True)])
def test_in_a_crescent_too_thin_for_any_token_nothing_is_told(aside: float, asked: bool) -> None:
    """Along a token's rim lie its side and its shadow: as much of that was asked about as of a token beneath it."""
    tops = ((100.0, 112.0, 0.0), (128.0, 112.0, 0.0))
    under = (tops[1][0] - 1.0, tops[1][1] + aside, 0.3)
    known = [seen("yes", top, 1.0) for top in tops]
    picture = laid([("p-1", CARD)], [("no", under), *(("yes", top) for top in tops)])
    lead = token_lead(CardSearch(small_prints()), *scene(picture, known), np.array(under[:2]))
    assert (lead > MAY_BE) is asked
    assert np.isfinite(lead) == asked
