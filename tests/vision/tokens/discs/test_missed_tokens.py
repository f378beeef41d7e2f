"""Tokens that were missed are found where something is left over, leaning ones too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs import missed_tokens, token_trust
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.missed_tokens import Patch, SecondLook, joined
from arena_cam.vision.tokens.discs.rims import Edges
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import DiscSearch, SeenDisc
from vision.tokens.scenes import RADIUS_MM, TOKENS, Place, laid, plain_light, small_prints, view_of

MIDDLE = np.array([150.0, 110.0])


def looked(picture: NDArray[np.uint8], patches: list[Patch]) -> list[SeenDisc]:
    view = view_of(picture)
    images = small_prints().disc_images[: len(TOKENS)]
    look = SecondLook(DiscPrints(images, RADIUS_MM))
    return look.search(view, Edges(view), [plain_light], [], patches)


def with_token(kind: str) -> NDArray[np.uint8]:
    place: Place = (150.0, 110.0, 0.4)
    return laid([("p-1", (110.0, 110.0, 0.0))], [(kind, place)])


def everywhere_tried(disc: SeenDisc) -> Callable[..., list[SeenDisc]]:
    """A search's `tried_all` that ends with that disc wherever it begins."""

    def tried_all(*asked: object) -> list[SeenDisc]:
        middles = asked[3]
        assert isinstance(middles, np.ndarray)
        return [disc] * len(middles)

    return tried_all


def test_a_token_is_found_at_the_patch_that_it_left() -> None:
    (token,) = looked(with_token("no"), [Patch(MIDDLE + 2.0, 0.5)])
    assert list(TOKENS)[token.kind] == "no"
    assert np.linalg.norm(token.middle - MIDDLE) < 1.0


def test_a_leaning_one_is_found_as_an_ellipse() -> None:
    squeeze = np.array([[0.78, 0.0, 0.22 * 450.0], [0.0, 1.0, 0.0]])
    picture = with_token("yes")
    leaning = np.asarray(cv2.warpAffine(picture, squeeze, picture.shape[1::-1]), np.uint8)
    (token,) = looked(leaning, [Patch(MIDDLE, 0.5)])
    assert list(TOKENS)[token.kind] == "yes"
    assert np.linalg.norm(token.middle - MIDDLE) < 2.0


def test_nothing_is_found_without_a_patch_or_without_a_token() -> None:
    assert looked(with_token("no"), []) == []
    assert looked(laid([]), [Patch(MIDDLE, 0.5)]) == []


def test_a_crescent_that_another_token_leaves_tells_the_token_beneath() -> None:
    stack: list[tuple[str, Place]] = [("no", (150.0, 110.0, 0.4)), ("yes", (162.0, 110.0, 0.4))]
    view = view_of(laid([("p-1", (150.0, 110.0, 0.0))], stack))
    look = SecondLook(DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    top = SeenDisc(list(TOKENS).index("yes"), np.array([162.0, 110.0]), RADIUS_MM, 1.0, 1.0, 1.0, 0.3, 1.0)
    (token,) = look.within(Edges(view), [plain_light], [top], [Patch(MIDDLE - np.array([6.0, 0.0]), 0.4)])
    assert list(TOKENS)[token.kind] == "no"
    assert np.linalg.norm(token.middle - MIDDLE) < 1.0


def test_a_token_is_found_all_over_a_card_without_a_circle_of_edges() -> None:
    picture = laid([("p-1", (150.0, 110.0, 0.0))], [("no", (150.0, 110.0, 0.4))])
    view = view_of(picture)
    look = SecondLook(DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    outline = np.array([[120.0, 65.0], [180.0, 65.0], [180.0, 155.0], [120.0, 155.0]])
    no_edges = Edges(view, least_slope=1e6)
    (token,) = look.all_over(view, no_edges, plain_light, [], [outline])
    assert (list(TOKENS)[token.kind], token.rim) == ("no", 0.1)
    assert np.linalg.norm(token.middle - MIDDLE) < 1.0
    assert look.all_over(view, no_edges, plain_light, [], []) == []
    assert look.all_over(view, no_edges, plain_light, [], [outline], everywhere) == []


def everywhere(places: NDArray[np.float64]) -> NDArray[np.bool_]:
    """As if what is seen at the places (N, 2) were print."""
    return np.ones(len(places), bool)


def test_a_token_beneath_another_is_found_on_a_ground_of_its_colour_without_a_circle_of_edges() -> None:
    stack: list[tuple[str, Place]] = [("no", (150.0, 76.0, 0.4)), ("yes", (162.0, 76.0, 0.4))]
    picture = laid([("n-1", (150.0, 110.0, 0.0))], stack)
    view = view_of(picture)
    look = SecondLook(DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    yes, apart = (
        SeenDisc(0, np.array([x, y]), RADIUS_MM, 1.0, 1.0, 1.0, 0.3, 1.0) for x, y in ((162.0, 76.0), (150.0, 130.0))
    )
    no_edges = Edges(view, least_slope=1e6)
    (token,) = look.beneath(no_edges, plain_light, [yes, apart], [yes, apart])
    assert list(TOKENS)[token.kind] == "no"
    assert np.linalg.norm(token.middle - (150.0, 76.0)) < 1.0
    assert look.beneath(no_edges, plain_light, [yes, token], [yes]) == []
    assert look.beneath(no_edges, plain_light, [], []) == []
    assert look.beneath(no_edges, plain_light, [yes], [yes], is_print=everywhere) == []


@pytest.mark.parametrize("said", [True, False])
def test_a_plain_face_beneath_a_token_counts_if_other_evidence_speaks_for_it(
    said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is as printed, and correlates little: next to nothing is printed there."""
    plain = SeenDisc(2, np.array([150.0, 76.0]), RADIUS_MM, 0.61, 0.9, 0.58, 0.21, missed_tokens.UNSEEN_RIM)
    monkeypatch.setattr(DiscSearch, "tried_all", everywhere_tried(plain))
    view = view_of(laid([("n-1", (150.0, 110.0, 0.0))]))
    look = SecondLook(DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    top = SeenDisc(0, np.array([162.0, 76.0]), RADIUS_MM, 1.0, 1.0, 1.0, 0.3, 1.0)
    no_edges = Edges(view, least_slope=1e6)
    found = look.beneath(no_edges, plain_light, [top], [top], lambda disc: said and disc is plain)
    assert [token.alike for token in found] == [0.61] * said


@pytest.mark.parametrize(("visible", "whole"), [(0.21, False), (0.6, True)])
def test_a_whole_rim_speaks_for_no_token_that_others_cover(
    visible: float, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = SeenDisc(1, np.array([100.0, 80.0]), RADIUS_MM, 0.75, 0.85, visible, 0.26, missed_tokens.WHOLE)
    monkeypatch.setattr(DiscSearch, "tried_all", everywhere_tried(seen))
    look = SecondLook(DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    (disc,) = look.at_rims(view_of(laid([])), [plain_light], [], [np.array([100.0, 80.0])])
    assert (disc.rim == missed_tokens.WHOLE) is whole
    assert token_trust.is_doubtful(disc) is not whole


def test_a_token_in_a_shadow_has_the_rim_that_is_seen_if_its_colours_speak_for_its_kind() -> None:
    places: list[tuple[str, Place]] = [
        ("yes", (60.0, 60.0, 0.0)),
        ("back", (60.0, 150.0, 0.0)),
        ("no", (240.0, 60.0, 0.0)),
        ("no", (150.0, 110.0, 0.4)),
    ]
    picture = laid([], places)
    picture[300:420] = np.round(picture[300:420] * 0.5).astype(np.uint8)
    view = view_of(picture)
    prints = DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM)
    whole = [SeenDisc(list(TOKENS).index(n), np.array(p[:2]), RADIUS_MM, 0.95, 1.0, 1.0, 0.4, 1.0) for n, p in places]
    shaded = SeenDisc(1, MIDDLE, RADIUS_MM, 0.6, 0.5, 0.6, 0.2, missed_tokens.UNSEEN_RIM)
    colours = TokenColours(prints, view, plain_light, [*whole[:3], shaded])
    of_kind, of_another, covered = missed_tokens.with_rims(
        Edges(view), colours, [shaded, replace(shaded, kind=0), replace(shaded, visible=0.25)]
    )
    assert of_kind.rim > 0.6
    assert of_another.rim == covered.rim == missed_tokens.UNSEEN_RIM


def test_a_crescent_that_is_not_seen_as_printed_is_found_if_other_evidence_speaks_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crescent = SeenDisc(1, MIDDLE, RADIUS_MM, 0.7, 0.4, 0.4, 0.3, missed_tokens.UNSEEN_RIM)
    monkeypatch.setattr(DiscSearch, "tried_all", everywhere_tried(crescent))
    view = view_of(laid([("p-1", (150.0, 110.0, 0.0))]))
    look = SecondLook(DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    patches = [Patch(MIDDLE, 0.3)]
    assert look.within(Edges(view), [plain_light], [], patches) == []
    (found,) = look.within(Edges(view), [plain_light], [], patches, lambda disc: disc is crescent)
    assert (found.kind, found.rim < 0.5) == (1, True)


@pytest.mark.parametrize(("visible", "alike", "found"), [(0.25, 0.95, True), (0.25, 0.7, False), (0.35, 0.7, True)])
def test_of_a_smaller_crescent_a_better_correlation_tells_as_much(
    visible: float, alike: float, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    crescent = SeenDisc(1, MIDDLE, RADIUS_MM, alike, 1.0, visible, 0.3, missed_tokens.UNSEEN_RIM)
    monkeypatch.setattr(DiscSearch, "tried_all", everywhere_tried(crescent))
    monkeypatch.setattr(missed_tokens, "LEAST_STRENGTH", 0.4)
    view = view_of(laid([("p-1", (150.0, 110.0, 0.0))]))
    look = SecondLook(DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))
    assert bool(look.within(Edges(view), [plain_light], [], [Patch(MIDDLE, 0.3)])) is found


def test_a_token_that_was_laid_aside_and_what_that_left_of_it_are_one() -> None:
    top, under, lower = (162.0, 110.0, 0.4), (150.0, 110.0, 0.4), (151.0, 118.5, 2.0)
    search = DiscSearch(DiscPrints(small_prints().disc_images[: len(TOKENS)], RADIUS_MM))

    def seen(kind: str, at: tuple[float, ...], visible: float) -> SeenDisc:
        return SeenDisc(list(TOKENS).index(kind), np.array(at[:2]), RADIUS_MM, 0.93, 0.95, visible, 0.5, 0.4)

    above, aside, rest = seen("yes", top, 1.0), seen("no", (154.0, 106.0), 0.2), seen("no", (149.0, 112.5), 0.2)
    alone = view_of(laid([("p-1", (150.0, 110.0, 0.0))], [("no", under), ("yes", top)]))
    first, one = joined(search, alone, plain_light, [above, aside, rest])
    assert first is above
    assert np.linalg.norm(one.middle - np.array(under[:2])) < 1.5
    assert one.visible > 0.45
    both = view_of(laid([("p-1", (150.0, 110.0, 0.0))], [("no", lower), ("no", under), ("yes", top)]))
    two = [above, seen("no", under, 0.49), seen("no", lower, 0.35)]
    assert joined(search, both, plain_light, two) == two
    assert joined(search, alone, plain_light, [above]) == [above]
