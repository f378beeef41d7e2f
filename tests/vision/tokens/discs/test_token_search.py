"""Tokens side by side, in stacks and beneath others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs import token_search
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.rims import Edges
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import DiscSearch, SeenDisc
from arena_cam.vision.tokens.discs.token_trust import is_token
from arena_cam.vision.tokens.view.top_view import TopView
from vision.tokens.scenes import (
    PX_PER_MM,
    RADIUS_MM,
    TOKENS,
    Place,
    laid,
    plain_light,
    small_prints,
    small_set,
    view_of,
)


def found(tokens: list[tuple[str, Place]]) -> list[SeenDisc]:
    images = [np.asarray(cv2.imread(str(disc.image), -1), np.uint8) for disc in small_set().tokens]
    view = view_of(laid([("p-1", (110.0, 110.0, 0.0))], tokens))
    search = DiscSearch(DiscPrints(images, RADIUS_MM))
    return [disc for disc in search.search(view, Edges(view), plain_light) if is_token(disc)]


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        [("yes", (100.0, 90.0, 0.4)), ("no", (120.0, 130.0, 2.0)), ("back", (220.0, 60.0, 0.0))],
        [("no", (110.0, 100.0, 0.2)), ("yes", (121.0, 106.0, 1.2))],
        [("yes", (110.0, 100.0, 0.2)), ("back", (123.0, 100.0, 0.0)), ("no", (116.0, 112.0, 3.0))],
        [("no", (140.0, 110.0, 0.2))],
    ],
    ids=["none", "apart", "stacked", "three", "over the edge"],
)
def test_each_token_is_found_where_it_lies(tokens: list[tuple[str, Place]]) -> None:
    discs = found(tokens)
    seen = sorted((list(TOKENS)[disc.kind], *np.round(disc.middle / 3.0).astype(int).tolist()) for disc in discs)
    true = sorted((kind, round(x / 3.0), round(y / 3.0)) for kind, (x, y, _) in tokens)
    assert [each[0] for each in seen] == [each[0] for each in true]
    for disc in discs:
        assert min(float(np.hypot(disc.middle[0] - x, disc.middle[1] - y)) for _, (x, y, _) in tokens) < 1.2


def test_a_token_in_half_a_shadow_is_found_by_its_colours_in_shade() -> None:
    whole: list[tuple[str, Place]] = [("yes", (60.0, 60.0, 0.0)), ("no", (240.0, 60.0, 0.0))]
    picture = laid([("p-1", (110.0, 110.0, 0.0))], [*whole, ("no", (150.0, 110.0, 0.4))])
    half = slice(round(110.0 * PX_PER_MM), round(123.0 * PX_PER_MM))
    picture[half] = np.round(picture[half] * 0.3).astype(np.uint8)
    view, prints = view_of(picture), DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM)
    search, edges = DiscSearch(prints), Edges(view)

    def in_shade(disc: SeenDisc, known: Sequence[SeenDisc]) -> float:
        return TokenColours(prints, view, plain_light, known).in_shade(disc)

    def of_another_colour(disc: SeenDisc, known: Sequence[SeenDisc]) -> float:
        return TokenColours(prints, view, plain_light, known).in_shade(replace(disc, kind=0))

    assert len(search.search(view, edges, plain_light)) == 2
    assert len(search.search(view, edges, plain_light, (), of_another_colour)) == 2
    *_, shaded = search.search(view, edges, plain_light, (), in_shade)
    assert (list(TOKENS)[shaded.kind], shaded.explained > 0.8) == ("no", True)
    assert np.linalg.norm(shaded.middle - (150.0, 110.0)) < 1.0


@pytest.mark.parametrize(("share", "found"), [(0.85, 2), (0.95, 3)])
def test_a_token_that_leads_over_the_next_kind_by_little_is_found_if_nearly_all_of_it_is_as_printed_in_shade(
    share: float, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two kinds with one sign the one that lay half beneath another was neither counted nor asked about."""
    monkeypatch.setattr(token_search, "SHADED_AHEAD", 1.0)  # no lead is as great
    whole: list[tuple[str, Place]] = [("yes", (60.0, 60.0, 0.0)), ("no", (240.0, 60.0, 0.0))]
    picture = laid([("p-1", (110.0, 110.0, 0.0))], [*whole, ("no", (150.0, 110.0, 0.4))])
    half = slice(round(110.0 * PX_PER_MM), round(123.0 * PX_PER_MM))
    picture[half] = np.round(picture[half] * 0.3).astype(np.uint8)
    view, prints = view_of(picture), DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM)
    seen = DiscSearch(prints).search(view, Edges(view), plain_light, (), lambda *_: share)
    assert len(seen) == found


def plain_print(word: str, colour: tuple[int, int, int]) -> NDArray[np.uint8]:
    """A token's print: a word on one colour."""
    image = np.full((144, 144, 3), colour, np.uint8)
    cv2.putText(image, word, (40, 84), cv2.FONT_HERSHEY_DUPLEX, 1.2, (240, 240, 240), 3)
    return image


def stack_of(images: Sequence[NDArray[np.uint8]], tokens: Sequence[tuple[int, float, float]]) -> TopView:
    """Upright tokens (which image, x mm, y mm) on paper, bottom to top, with thin dark sides."""
    picture = np.full((660, 900, 3), 200, np.uint8)
    side = round(2 * RADIUS_MM * PX_PER_MM)
    inside = np.hypot(*(np.indices((side, side)) - (side - 1) / 2)) < side / 2
    for kind, x, y in tokens:
        left, top = round(x * PX_PER_MM) - side // 2, round(y * PX_PER_MM) - side // 2
        part = picture[top : top + side, left : left + side]
        part[inside] = cv2.resize(images[kind], (side, side), interpolation=cv2.INTER_AREA)[inside]
        cv2.circle(picture, (left + side // 2, top + side // 2), side // 2, (60, 90, 25), 1, cv2.LINE_AA)
    return view_of(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8))


def test_of_tokens_in_one_colour_the_upper_one_is_taken_first() -> None:
    """The lower one of two seems whole, as what covers it looks the same, and the upper one is covered by others: taken
    last it may be left with so little that it is none."""
    images = [plain_print("NO", (110, 160, 50)), plain_print("YES", (50, 60, 170))]
    tokens = [(0, 96.6, 127.5), (0, 112.3, 115.0), (0, 96.0, 101.7), (1, 123.8, 101.7)]
    view = stack_of(images, tokens)
    discs = DiscSearch(DiscPrints(images, RADIUS_MM)).search(view, Edges(view), plain_light)
    near = [min(range(4), key=lambda k: math.dist(tokens[k][1:], disc.middle)) for disc in discs if is_token(disc)]
    assert sorted(near) == [0, 1, 2, 3]
    assert near.index(1) < near.index(0)


def test_of_two_in_one_colour_whose_rims_hardly_tell_the_one_better_as_printed_is_taken_first() -> None:
    """Taken first, the lower one would leave so little of the upper one, half beneath a third, that this were none."""
    images = [plain_print("NO", (66, 96, 32)), plain_print("YES", (50, 60, 170))]
    cv2.circle(images[0], (72, 72), 52, (240, 240, 240), 6)
    tokens = [(0, 110.0, 110.0), (0, 98.5, 121.7), (0, 93.5, 128.7)]
    view = stack_of(images, tokens)
    discs = DiscSearch(DiscPrints(images, RADIUS_MM)).search(view, Edges(view), plain_light)
    near = [min(range(3), key=lambda k: math.dist(tokens[k][1:], disc.middle)) for disc in discs if is_token(disc)]
    assert near == [2, 1, 0]


def test_circles_on_cards_are_tried_before_those_of_a_check_cloth() -> None:
    images = [np.asarray(cv2.imread(str(disc.image), -1), np.uint8) for disc in small_set().tokens]
    picture = laid([("p-1", (110.0, 110.0, 0.0))], [("yes", (100.0, 90.0, 0.4))])
    cloth = picture.copy()
    for x in range(480, 900, 30):  # rings all over the cloth beside the card
        for y in range(20, 660, 30):
            cv2.circle(cloth, (x, y), 36, (250, 250, 250), 1)
    view, search = view_of(cloth), DiscSearch(DiscPrints(images, RADIUS_MM))
    card = np.array([[80.0, 65.0], [140.0, 65.0], [140.0, 155.0], [80.0, 155.0]])
    discs = [disc for disc in search.search(view, Edges(view), plain_light, [card]) if is_token(disc)]
    assert any(np.linalg.norm(disc.middle - (100.0, 90.0)) < 1.2 for disc in discs)


def test_on_further_cards_only_their_own_discs_are_looked_for() -> None:
    view = view_of(laid([], [("yes", (60.0, 80.0, 0.3)), ("no", (150.0, 80.0, 0.0)), ("back", (240.0, 80.0, 0.0))]))
    images = [np.asarray(cv2.imread(str(disc.image), -1), np.uint8) for disc in small_set().tokens]
    search, edges = DiscSearch(DiscPrints(images, RADIUS_MM)), Edges(view)
    known = [disc for disc in search.search(view, edges, plain_light) if disc.middle[0] < 100.0]
    card = np.array([[130.0, 40.0], [190.0, 40.0], [190.0, 130.0], [130.0, 130.0]])
    found = search.further(view, edges, plain_light, [card], known)
    assert found[:1] == known
    assert [list(TOKENS)[disc.kind] for disc in found] == ["yes", "no"]


def test_what_cannot_be_as_alike_as_asked_is_not_looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    search, looks, at = DiscSearch(DiscPrints(small_prints().disc_images[:3], RADIUS_MM)), [], np.array([110.0, 110.0])

    def best_of(prints: DiscPrints, *_: object) -> list[SeenDisc]:
        looks.append(prints)
        return [SeenDisc(0, at, RADIUS_MM, 0.58, 0.9, 1.0, 0.3, 0.5)]

    monkeypatch.setattr(search, "_best_of", best_of)
    view = view_of(laid([]))
    assert search.tried(view, plain_light, at, 0.5, [], 0.75) is not None
    assert len(looks) == 1
    search.tried(view, plain_light, at, 0.5, [], 0.7)
    assert len(looks) == 3


def test_of_two_in_one_colour_and_in_shade_the_one_that_covers_the_other_is_taken_first() -> None:
    """The lower one seemed whole but for shade, and was taken first: too little of the upper one was left to count."""
    upper, lower = np.array([100.0, 110.0]), np.array([100.0, 100.0])
    image = plain_print("NO", (150, 110, 70))
    cv2.circle(image, (72, 72), 56, (240, 240, 240), 5)
    view, search = stack_of([image], [(0, *lower), (0, *upper)]), DiscSearch(DiscPrints([image], RADIUS_MM))
    below, above = (search.tried(view, plain_light, at, 0.5, []) for at in (lower, upper))
    assert below is not None
    assert above is not None
    seems_whole = replace(below, rim=0.7, explained=0.6)  # shade on both
    half_seen = replace(above, visible=0.45, rim=0.3, explained=0.6)  # others lie on it
    taken = search.best_in_shade((view, plain_light), [seems_whole, half_seen], [], lambda *_: 0.95)
    assert taken is not None
    assert math.dist(taken.middle, upper) < 1.0
    alone = search.best_in_shade((view, plain_light), [seems_whole], [], lambda *_: 0.95)
    assert alone is not None
    assert math.dist(alone.middle, lower) < 1.0


def test_of_a_rim_that_others_cover_in_part_the_open_part_speaks() -> None:
    disc = SeenDisc(0, np.zeros(2), RADIUS_MM, 0.7, 0.6, 0.5, 0.3, 0.3)
    assert token_search.open_rim(disc, []) == 1.0
    beside = replace(disc, middle=np.array([RADIUS_MM, 0.0]))  # covers a third of the rim
    assert abs(token_search.open_rim(disc, [beside]) - 2 / 3) < 0.04
