"""A patch in a token's colour that no token and no print explains is seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from arena_cam.vision.printed.print_light import light_of
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.lit_discs import CURVE
from arena_cam.vision.tokens.discs.sides import Sides
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.left_over import Leftovers
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion
from vision.tokens.scenes import PX_PER_MM, RADIUS_MM, TOKENS, Place, laid, small_prints, small_set, view_of

STRAIGHT_DOWN = Sides(np.array([110.0, 110.0]), 1e6)


def card_in(view: TopView, name: str, place: Place) -> LaidCard:
    prints = small_prints()
    search, face = CardSearch(prints), prints.names.index(name)
    return search.looked_at(view, rigid_motion(np.array(place)), face, 9, Claims(view, prints.size_mm))


def token_at(x: float, y: float) -> SeenDisc:
    return SeenDisc(0, np.array([x, y]), RADIUS_MM, 1.0, 1.0, 1.0, 0.5, 1.0)


def left_over(tokens: list[tuple[str, Place]], known: list[SeenDisc]) -> float:
    card = ("p-1", (110.0, 110.0, 0.0))
    view = view_of(laid([card], tokens))
    images = small_prints().disc_images[: len(small_set().tokens)]
    leftovers = Leftovers(small_prints(), DiscPrints(images, RADIUS_MM))
    return sum(patch.share for patch in leftovers.patches(leftovers.ground(view, [card_in(view, *card)]), known))


def test_nothing_is_left_of_a_card_and_known_tokens() -> None:
    assert left_over([], []) == 0.0
    assert left_over([("no", (110.0, 120.0, 0.3))], [token_at(110.0, 120.0)]) == 0.0


def test_a_token_that_was_not_found_is_left_over() -> None:
    assert left_over([("no", (110.0, 120.0, 0.3))], []) > 0.3


def test_so_is_what_is_seen_of_one_beneath_another() -> None:
    tokens = [("no", (110.0, 120.0, 0.3)), ("yes", (118.0, 126.0, 0.0))]
    assert left_over(tokens, [token_at(118.0, 126.0)]) > 0.03


def test_so_is_one_that_lies_half_beside_the_card() -> None:
    assert left_over([("no", (143.0, 110.0, 0.3))], []) > 0.1


def test_one_beneath_two_others_is_seen_between_them() -> None:
    above = [("yes", (100.0, 112.0, 0.0)), ("yes", (128.0, 112.0, 0.0))]
    known = [token_at(x, y) for _, (x, y, _) in above]
    card = ("p-1", (110.0, 110.0, 0.0))
    leftovers = Leftovers(small_prints(), DiscPrints(small_prints().disc_images[: len(small_set().tokens)], RADIUS_MM))
    for beneath, is_one in (([], False), ([("no", (114.0, 119.0, 0.3))], True)):
        view = view_of(laid([card], [*beneath, *above]))
        ground = leftovers.ground(view, [card_in(view, *card)])
        assert bool(leftovers.between(ground, STRAIGHT_DOWN, known, [])) is is_one
        assert not leftovers.between(ground, STRAIGHT_DOWN, known[:1], [])


def test_the_side_of_a_known_token_is_neither_a_patch_nor_a_strip() -> None:
    """Of a colour that its face has not, as of a green disc of red cardboard, seen askew from below in the picture. It
    is one where the camera looks straight down."""
    card = ("p-1", (110.0, 110.0, 0.0))
    known = [token_at(x, 112.0) for x in (99.0, 125.0)]
    picture = laid([card])
    for token in known:
        foot = tuple(round(each * PX_PER_MM) for each in token.middle + np.array([0.0, 5.0]))
        cv2.circle(picture, foot, round(RADIUS_MM * PX_PER_MM), TOKENS["no"], -1)
    top = laid([card], [("yes", (*token.middle, 0.0)) for token in known])
    at = np.indices(picture.shape[:2])[::-1] / PX_PER_MM
    on = [np.hypot(*(at - token.middle[:, None, None])) < RADIUS_MM for token in known]
    view = view_of(np.where(np.any(on, axis=0)[..., None], top, picture).astype(np.uint8))
    leftovers = Leftovers(small_prints(), DiscPrints(small_prints().disc_images[: len(small_set().tokens)], RADIUS_MM))
    ground = leftovers.ground(view, [card_in(view, *card)])
    askew = Sides(np.array([110.0, 2110.0]), 1000.0)
    for sides, is_left in ((STRAIGHT_DOWN, True), (askew, False)):
        assert bool(leftovers.patches(ground, known, sides)) is is_left
        assert bool(leftovers.between(ground, sides, known, [])) is is_left


def test_a_grey_rim_beneath_a_token_is_seen() -> None:
    """Grey, as a shadow may be: so coarse a print leaves more unexplained than a card does."""
    card, at, above = ("p-1", (110.0, 110.0, 0.0)), (119.0, 122.0), token_at(110.0, 114.0)
    leftovers = Leftovers(small_prints(), DiscPrints(small_prints().disc_images[: len(small_set().tokens)], RADIUS_MM))
    sides = Sides(np.array([110.0, 110.0]), 1000.0)
    for darker in (0, 90):
        picture, rim = laid([card]), np.zeros_like(laid([card]))
        centre = tuple(round(each * PX_PER_MM) for each in at)
        cv2.circle(rim, centre, round(RADIUS_MM * PX_PER_MM), (darker,) * 3, -1, cv2.LINE_AA)
        picture -= np.minimum(rim, picture)
        top = laid([card], [("yes", (110.0, 114.0, 0.0))])
        on = np.hypot(*(np.indices(picture.shape[:2])[::-1] / PX_PER_MM - above.middle[:, None, None])) < RADIUS_MM
        view = view_of(np.where(on[..., None], top, picture).astype(np.uint8))
        ground = leftovers.ground(view, [card_in(view, *card)])
        found = leftovers.covered(ground, sides, [above], [])
        assert bool(found) is bool(darker)
        assert all(np.linalg.norm(middle - at) < 0.25 * RADIUS_MM for middle in found[:1])
        assert leftovers.covered(ground, sides, [], []) == []


def test_a_black_token_is_darker_than_any_shadow() -> None:
    """On white paper; a grey as light as a shadow may be tells nothing."""
    card, at = ("p-1", (110.0, 110.0, 0.0)), (110.0, 122.0)
    for grey, is_left in ((30, True), (150, False)):
        disc = np.full((576, 3), grey, np.float64).reshape(1, 9, 64, 3)
        prints = DiscPrints(small_prints().disc_images[:1], RADIUS_MM)
        prints.polar = disc.astype(np.float32)
        picture = laid([card])
        cv2.circle(
            picture, tuple(round(each * PX_PER_MM) for each in at), round(RADIUS_MM * PX_PER_MM), (grey,) * 3, -1
        )
        view = view_of(picture)
        leftovers = Leftovers(small_prints(), prints)
        assert bool(leftovers.patches(leftovers.ground(view, [card_in(view, *card)]), [])) is is_left


def beside_a_card(colour: tuple[int, int, int], known: list[SeenDisc]) -> bool:
    """Whether a round patch of 5 mm radius on the table, which touches no card, is left over. Tokens have black prints
    and red faces."""
    card: tuple[str, Place] = ("p-1", (110.0, 110.0, 0.0))
    prints = DiscPrints(small_prints().disc_images[: len(small_set().tokens)], RADIUS_MM)
    prints.polar = np.concatenate([prints.polar, np.full_like(prints.polar[:1], 30.0)])
    leftovers = Leftovers(small_prints(), prints)
    picture = laid([card])
    cv2.circle(picture, (round(146 * PX_PER_MM), round(110 * PX_PER_MM)), round(5 * PX_PER_MM), colour, -1)
    view = view_of(picture)
    return bool(leftovers.patches(leftovers.ground(view, [card_in(view, *card)]), known))


def test_a_shadow_beside_a_card_is_no_dark_token() -> None:
    """The table beside a card may be as dark, in a shadow, and is not red."""
    for colour, is_left in (((30, 30, 30), False), ((50, 50, 210), True)):
        assert beside_a_card(colour, [token_at(141.0, 127.0)]) is is_left


def test_what_lies_beside_a_card_is_cloth_where_the_cloth_has_larger_patches_elsewhere() -> None:
    card: tuple[str, Place] = ("p-1", (110.0, 110.0, 0.0))
    leftovers = Leftovers(small_prints(), DiscPrints(small_prints().disc_images[: len(small_set().tokens)], RADIUS_MM))
    for elsewhere_mm, is_left in ((0, True), (3, True), (7, False)):
        picture = laid([card])
        for middle, radius_mm in (((146, 110), 5), ((168, 60), elsewhere_mm)):
            at = tuple(round(each * PX_PER_MM) for each in middle)
            cv2.circle(picture, at, round(radius_mm * PX_PER_MM), TOKENS["no"], -1)
        view = view_of(picture)
        ground = leftovers.ground(view, [card_in(view, *card)])
        assert bool(leftovers.patches(ground, [token_at(141.0, 127.0)])) is is_left


def test_what_lies_wholly_beside_a_card_and_beneath_nothing_is_no_token_on_it() -> None:
    assert not beside_a_card((50, 50, 210), [])


def test_a_small_patch_on_a_card_is_a_token_only_beside_another_piece() -> None:
    """What hides the rest of it lies there."""
    card: tuple[str, Place] = ("p-1", (110.0, 110.0, 0.0))
    leftovers = Leftovers(small_prints(), DiscPrints(small_prints().disc_images[: len(small_set().tokens)], RADIUS_MM))
    at = tuple(round(each * PX_PER_MM) for each in (124.0, 146.0))
    for radius, known, is_left in ((3, [], False), (3, [token_at(112.0, 136.0)], True), (6, [], True)):
        picture = laid([card])
        cv2.circle(picture, at, round(radius * PX_PER_MM), TOKENS["no"], -1)
        view = view_of(picture)
        ground = leftovers.ground(view, [card_in(view, *card)])
        assert bool(leftovers.patches(ground, known)) is is_left


def test_what_is_no_print_is_left_over_in_any_colour() -> None:
    card: tuple[str, Place] = ("p-1", (110.0, 110.0, 0.0))
    picture = laid([card])
    cv2.circle(picture, (round(110 * PX_PER_MM), round(122 * PX_PER_MM)), round(6 * PX_PER_MM), (150, 60, 20), -1)
    view = view_of(picture)
    leftovers = Leftovers(small_prints(), DiscPrints(small_prints().disc_images[: len(small_set().tokens)], RADIUS_MM))
    ground = leftovers.ground(view, [card_in(view, *card)])
    assert leftovers.patches(ground, []) == []
    (patch,) = leftovers.unprinted(ground, [])
    assert np.linalg.norm(patch.middle - (110.0, 122.0)) < 1.5
    assert leftovers.unprinted(ground, [token_at(110.0, 122.0)]) == []


def test_strong_colours_that_a_reflection_pales_are_print() -> None:
    """The light that pale print tells is 28 grey levels too dark for a colour's darkest channel; a token that is not
    paled is left over all the same."""
    place, at = (110.0, 110.0, 0.0), (110.0, 125.0)
    leftovers = Leftovers(small_prints(), DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    pale, white = (255.0 * (0.6 * (each / 255.0) ** CURVE + 0.4) ** (1.0 / CURVE) for each in (180.0, 255.0))
    gain = (white - pale) / 75.0
    told = light_of(np.tile([gain, 0.0, 0.0, white - 255.0 * gain, 0.0, 0.0], (3, 1)))
    card = laid([("n-1", place)])
    paled = np.asarray(255.0 * (0.6 * (card / 255.0) ** CURVE + 0.4) ** (1.0 / CURVE), np.uint8)
    away = np.hypot(*(np.indices(card.shape[:2])[::-1] / PX_PER_MM - np.array(at)[:, None, None]))
    token = np.asarray(laid([("n-1", place)], [("no", (*at, 0.3))]) * 0.8, np.uint8)
    for picture, is_left in ((paled, False), (np.where((away < RADIUS_MM)[..., None], token, paled), True)):
        view = view_of(picture)
        ground = leftovers.ground(view, [replace(card_in(view, "n-1", place), light=told)])
        assert bool(leftovers.unprinted(ground, [])) is is_left


def test_a_band_is_print_whatever_veil_pale_words_tell_of() -> None:
    """Words that blur has paled tell of a light in which a strong colour would be pale, too."""
    place = (110.0, 110.0, 0.0)
    leftovers = Leftovers(small_prints(), DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    told = light_of(np.tile([0.6, 0.0, 0.0, 102.0, 0.0, 0.0], (3, 1)))
    view = view_of(laid([("n-1", place)]))
    ground = leftovers.ground(view, [replace(card_in(view, "n-1", place), light=told)])
    assert leftovers.unprinted(ground, []) == []


def test_print_is_told_from_a_token_and_what_lies_beside_the_card_tells_nothing() -> None:
    card = ("p-1", (110.0, 110.0, 0.1))
    view = view_of(laid([card], [("no", (112.0, 95.0, 0.3)), ("yes", (112.0, 130.0, 0.3))]))
    images = small_prints().disc_images[: len(small_set().tokens)]
    leftovers = Leftovers(small_prints(), DiscPrints(images, RADIUS_MM))
    ground = leftovers.ground(view, [card_in(view, *card)])
    places = np.array([[112.0, 95.0], [112.0, 130.0], [130.0, 95.0], [200.0, 200.0]])
    assert leftovers.printed(ground, [])(places).tolist() == [False, False, False, True]
    assert leftovers.printed(ground, [token_at(112.0, 95.0)])(places).tolist() == [True, False, True, True]
