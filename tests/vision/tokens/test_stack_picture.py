"""A token that lies between others is found by what they leave unexplained; nothing is found where all is explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.kernels.library import compiled, computing_with
from arena_cam.vision.printed.print_light import PLAIN
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import DiscSearch, SeenDisc
from arena_cam.vision.tokens.discs.token_trust import LITTLE
from arena_cam.vision.tokens.stack_picture import StackPicture, StackSearch, compared_with_stack
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import RADIUS_MM, SIZE_MM, TOKENS, Place, laid, plain_light, small_prints, view_of

CAMERA = TableView(1.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))
CARD = (110.0, 110.0, 0.0)
LOWEST, UPPER, WHOLE = (112.0, 118.0, 0.3), (104.0, 128.0, 1.0), (125.0, 100.0, 0.0)


def seen(kind: str, place: Place, visible: float, explained: float) -> SeenDisc:
    return SeenDisc(list(TOKENS).index(kind), np.array(place[:2]), RADIUS_MM, 0.9, explained, visible, 0.5, 0.8)


def scene_of(
    picture: NDArray[np.uint8], tokens: list[SeenDisc]
) -> tuple[tuple[CardSearch, SeenTable, TokenColours], DiscPrints]:
    view, prints = view_of(picture), small_prints()
    card = LaidCard(rigid_motion(np.array(CARD)), 0, PLAIN, np.ones((90, 60), bool), 1.0, 1.0, 9)
    discs = DiscPrints(prints.disc_images[: len(TOKENS)], RADIUS_MM)
    return (CardSearch(prints), SeenTable(CAMERA, view, [card]), TokenColours(discs, view, plain_light, tokens)), discs


OUTLINE = np.array(CARD[:2]) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(SIZE_MM) / 2


def further(
    picture: NDArray[np.uint8], tokens: list[SeenDisc], circles: Sequence[Place]
) -> tuple[list[SeenDisc], list[tuple[SeenDisc, float]]]:
    scene, discs = scene_of(picture, tokens)
    found = np.array([place[:2] for place in circles]), np.full(len(circles), 0.5)
    return StackSearch(scene, DiscSearch(discs), found, [OUTLINE]).further(tokens, [])


def hidden(picture: NDArray[np.uint8], tokens: list[SeenDisc]) -> SeenDisc | None:
    """What the picture hides beneath the tokens where no circle of edges tells of it."""
    scene, discs = scene_of(picture, tokens)
    no_circles = np.zeros((0, 2)), np.zeros(0)
    return StackSearch(scene, DiscSearch(discs), no_circles, [OUTLINE]).hidden(tokens, [], [OUTLINE])


def test_a_token_upon_one_that_was_taken_for_the_upper_is_found_and_the_other_lies_beneath_it() -> None:
    picture = laid([("p-1", CARD)], [("no", LOWEST), ("no", UPPER), ("yes", WHOLE)])
    tokens = [seen("yes", WHOLE, 1.0, 1.0), seen("no", LOWEST, 0.9, 0.6)]
    found, unclear = further(picture, tokens, [UPPER])
    assert not unclear
    assert sorted(each.kind for each in found) == [0, 1, 1]
    upper = next(each for each in found if np.linalg.norm(each.middle - UPPER[:2]) < 1.0)
    lowest = next(each for each in found if np.linalg.norm(each.middle - LOWEST[:2]) < 1.5)
    assert upper.visible > 0.9 > 0.8 > lowest.visible
    assert upper.over_stack is not None
    assert upper.over_stack > 4.0
    assert lowest.over_stack is None


def test_what_is_compiled_compares_as_the_twin_does() -> None:
    """On cards and cloth, beneath tokens and alone, of kinds that are said and of the likeliest."""
    picture = laid([("p-1", CARD)], [("no", LOWEST), ("no", UPPER), ("yes", WHOLE)])
    tokens = [seen("yes", WHOLE, 1.0, 1.0), seen("no", LOWEST, 0.9, 0.6)]
    scene, discs = scene_of(picture, tokens)
    outline = np.array(CARD[:2]) + np.array([[-30.0, -45.0], [30.0, 45.0]])
    places = np.array([UPPER[:2], UPPER[:2], (141.0, 150.0), (128.0, 139.0)])
    above = [[], tokens, tokens[:1], tokens[1:]]
    for kinds in (None, [0, 1, 1, 0]):
        found = []
        for with_what in (compiled(), None):
            with computing_with(with_what):
                found.append(StackPicture(scene, discs, tokens, outline).nats(discs, places, above, kinds))
        assert found[0] == pytest.approx(found[1], rel=1e-6, abs=1e-6)
        assert np.ptp(found[0]) > 1.0


def test_nothing_is_found_where_all_is_explained() -> None:
    picture = laid([("p-1", CARD)], [("no", LOWEST), ("yes", WHOLE)])
    tokens = [seen("yes", WHOLE, 1.0, 1.0), seen("no", LOWEST, 0.8, 1.0)]
    assert further(picture, tokens, [UPPER]) == (tokens, [])


def test_a_token_of_which_too_little_is_seen_to_be_counted_is_unclear() -> None:
    """It explains what lies between two others, whose sides would not: it may not be missed surely."""
    lowest, left, right = (110.0, 110.0, 0.4), (96.0, 112.0, 0.0), (124.0, 108.0, 1.0)
    picture = laid([("p-1", CARD)], [("no", lowest), ("yes", left), ("yes", right)])
    tokens = [replace(seen("yes", place, 1.0, 1.0), alike=0.99) for place in (left, right)]
    found, unclear = further(picture, tokens, [lowest])
    assert found == tokens
    ((token, chance),) = unclear
    assert (token.kind, chance) == (list(TOKENS).index("no"), 0.5)
    assert token.visible < LITTLE


@pytest.mark.parametrize(
    ("kind", "upper", "turn", "left", "right", "circle"),
    [
        ("yes", "back", 4.35, (120.4, 105.2, 0.0), (105.8, 124.8, 1.0), (110.6, 112.5, 0.0)),
        ("no", "no", 1.86, (119.2, 101.0, 0.0), (108.9, 123.7, 1.0), (111.0, 112.5, 0.0)),
        ("yes", "back", 3.05, (120.6, 104.3, 0.0), (106.8, 123.9, 1.0), (111.1, 112.9, 0.0)),
    ],
)
def test_a_crescent_is_explained_by_its_own_kind_where_another_correlates_better_about_a_circle_that_lies_aside(
    kind: str, upper: str, turn: float, left: Place, right: Place, circle: Place
) -> None:
    lowest = (110.0, 110.0, turn)
    picture = laid([("p-1", CARD)], [(kind, lowest), (upper, left), (upper, right)])
    tokens = [replace(seen(upper, place, 1.0, 1.0), alike=0.99) for place in (left, right)]
    _, ((token, chance),) = further(picture, tokens, [circle])
    assert (token.kind, chance) == (list(TOKENS).index(kind), 0.5)
    assert np.linalg.norm(token.middle - lowest[:2]) < 0.6
    assert token.alike > 0.98


def test_what_the_cards_explain_worst_may_be_a_token_though_no_circle_tells_of_it() -> None:
    lowest, left, right = (110.0, 118.0, 0.4), (94.0, 121.0, 0.0), (126.0, 115.0, 1.0)
    picture = laid([("p-1", CARD)], [("no", lowest), ("back", left), ("back", right)])
    tokens = [replace(seen("back", place, 1.0, 1.0), alike=0.99) for place in (left, right)]
    token = hidden(picture, tokens)
    assert token is not None
    assert token.kind == list(TOKENS).index("no")
    assert np.linalg.norm(token.middle - lowest[:2]) < 1.0
    assert token.alike > 0.9
    assert hidden(picture, [*tokens, replace(seen("no", lowest, 0.3, 1.0), alike=0.99)]) is None


def test_cards_without_a_further_token_hide_none() -> None:
    left, right = (94.0, 121.0, 0.0), (126.0, 115.0, 1.0)
    tokens = [replace(seen("back", place, 1.0, 1.0), alike=0.99) for place in (left, right)]
    assert hidden(laid([("p-1", CARD)], [("back", left), ("back", right)]), tokens) is None
    assert hidden(laid([("p-1", CARD)]), []) is None


def test_a_half_seen_token_is_compared_with_its_absence() -> None:
    picture = laid([("p-1", CARD)], [("no", LOWEST), ("yes", WHOLE)])
    whole = replace(seen("yes", WHOLE, 1.0, 1.0), alike=0.99)
    for place, least, most in ((LOWEST, 4.0, 99.0), (UPPER, -99.0, 0.0)):
        half = replace(seen("no", place, 0.5, 0.7), alike=0.6, rim=0.3, margin=0.1)
        scene, discs = scene_of(picture, [whole, half])
        compared = compared_with_stack(scene, DiscSearch(discs), [whole, half])
        assert compared[0] is whole
        assert compared[1].over_stack is not None
        assert least < compared[1].over_stack < most


def test_a_token_that_nothing_covers_and_that_may_be_none_is_compared_with_its_absence_too() -> None:
    picture = laid([("p-1", CARD)], [("no", LOWEST), ("yes", WHOLE)])
    whole = replace(seen("yes", WHOLE, 1.0, 1.0), alike=0.99)
    poor = replace(seen("no", LOWEST, 0.85, 0.7), alike=0.6, rim=0.3, margin=0.1)
    scene, discs = scene_of(picture, [whole, poor])
    _, compared = compared_with_stack(scene, DiscSearch(discs), [whole, poor])
    assert compared.over_stack is not None
    assert compared.over_stack > 4.0


def test_of_so_little_as_a_side_shows_a_stack_says_nothing() -> None:
    little = replace(seen("no", LOWEST, 0.25, 0.7), alike=0.6, rim=0.3, margin=0.1)
    whole = replace(seen("yes", WHOLE, 1.0, 1.0), alike=0.99)
    scene, discs = scene_of(laid([("p-1", CARD)], [("no", LOWEST), ("yes", WHOLE)]), [whole, little])
    assert compared_with_stack(scene, DiscSearch(discs), [whole, little]) == [whole, little]
