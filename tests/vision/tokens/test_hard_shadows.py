"""A token half in a hard shadow is told by its print in two lights; paper half in one is no token."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.vision.tokens.card_lights import white_of
from arena_cam.vision.tokens.cards.card_search import CardSearch
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.hard_shadows import ShadowedTokens, in_two_lights
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion
from vision.tokens.scenes import PX_PER_MM, RADIUS_MM, TOKENS, Place, laid, small_prints, view_of

CARD: tuple[str, Place] = ("p-1", (110.0, 110.0, 0.0))
MIDDLE = np.array([110.0, 122.0])


def tokens() -> DiscPrints:
    return DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM)


def half_in_shadow(kind: str | None, left: float = 0.45) -> TopView:
    """A token of that kind, or bare card, on the left half of which a shadow lies that leaves so much of the light."""
    picture = laid([CARD], [(kind, (*MIDDLE, 0.3))] if kind else [])
    x = np.arange(picture.shape[1]) / PX_PER_MM
    return view_of(np.asarray(picture * np.where(x < MIDDLE[0] - 1.0, left, 1.0)[None, :, None], np.uint8))


def colours_of(view: TopView) -> TokenColours:
    prints = small_prints()
    face = prints.names.index(CARD[0])
    lit = view_of(laid([CARD]))
    card = CardSearch(prints).looked_at(lit, rigid_motion(np.array(CARD[1])), face, 9, Claims(lit, prints.size_mm))
    return TokenColours(tokens(), view, white_of([card]), [])


@pytest.mark.parametrize("kind", ["yes", "no", "back"])
def test_a_token_half_in_a_hard_shadow_is_found_about_its_place(kind: str) -> None:
    (found,) = ShadowedTokens(tokens().thinned()).about(
        colours_of(half_in_shadow(kind)), [MIDDLE + np.array([2.5, -2.5])]
    )
    assert list(TOKENS)[found.kind] == kind
    assert np.linalg.norm(found.middle - MIDDLE) < 1.0


def test_a_card_half_in_a_shadow_is_no_token() -> None:
    assert ShadowedTokens(tokens().thinned()).about(colours_of(half_in_shadow(None)), [MIDDLE]) == []


def test_in_one_light_nothing_is_changed() -> None:
    prints = tokens().thinned()
    told = in_two_lights(prints, prints.turned(1, 3), np.ones(prints.area.shape, bool))
    assert (told.kind, told.is_plain) == (1, True)
    assert told.alike > 0.99


def test_a_doubtful_token_is_seen_better_in_two_lights_and_no_shade_speaks_against_it() -> None:
    colours, shadowed = colours_of(half_in_shadow("back")), ShadowedTokens(tokens().thinned())
    token = SeenDisc(list(TOKENS).index("back"), MIDDLE, RADIUS_MM, 0.5, 0.5, 1.0, 0.1, 0.5, lead=0.1, over_scene=-1.0)
    relit = shadowed.relit(colours, token)
    assert relit.alike > 0.8
    assert relit.lead is not None
    assert relit.lead > 0.3
    assert shadowed.relit(colours, replace(token, kind=0)).alike == 0.5
    half_seen = replace(token, visible=0.5)
    both = [half_seen, replace(half_seen, kind=0)]
    kept, other = shadowed.but_for_scene(colours, both, lambda _: 0.3)
    assert kept.over_scene is None
    assert other.over_scene == -1.0
    assert shadowed.but_for_scene(colours, both, lambda _: None)[0].over_scene is None  # nothing tells


def test_what_cards_in_a_smooth_shade_explain_better_may_be_a_shadow_however_plain_it_is_in_two_lights() -> None:
    colours, shadowed = colours_of(half_in_shadow("back")), ShadowedTokens(tokens().thinned())
    token = SeenDisc(list(TOKENS).index("back"), MIDDLE, RADIUS_MM, 0.5, 0.5, 0.5, 0.1, 0.5, over_scene=-1.0)
    assert shadowed.but_for_scene(colours, [token], lambda _: -0.1) == [token]
