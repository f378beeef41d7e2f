"""Discs beside cards are told by colour and rim; what is round and unknown is kept as such."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.owner_search import OwnerSearch, RoundThing, beside, but_for_soft_rims, is_clear
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.top_view import TopView
from vision.tokens.scenes import plain_light

RADIUS_MM, PX_PER_MM = 10.0, 2.0
COLOURS = {"white": (246, 246, 242), "black": (36, 34, 40), "red": (48, 44, 200), "yellow": (30, 190, 240)}
Colour = tuple[int, int, int]


def search() -> OwnerSearch:
    plain = [np.full((100, 100, 3), colour, np.uint8) for colour in COLOURS.values()]
    return OwnerSearch(DiscPrints(plain, RADIUS_MM))


def table(cloth: Colour, disc: Colour | None, *, soft: float = 0.6, side: Colour | None = None) -> TopView:
    """A cloth of one colour with some grain, and a disc, with a side if it is told, in the middle of 120 mm by 120
    mm."""
    pixels = np.full((240, 240, 3), cloth, np.uint8)
    if disc is not None:
        if side is not None:
            cv2.circle(pixels, (120, 120), round(RADIUS_MM * PX_PER_MM) + 1, side, -1, cv2.LINE_AA)
        cv2.circle(pixels, (120, 120), round(RADIUS_MM * PX_PER_MM), disc, -1, cv2.LINE_AA)
    soft_pixels = cv2.GaussianBlur(pixels, (0, 0), soft).astype(np.float32)
    grain = np.random.default_rng(5).normal(0.0, 2.0, pixels.shape)
    pixels_f = np.asarray(soft_pixels + grain, np.float32)
    return TopView(pixels_f, np.ones((240, 240), bool), np.zeros(2), PX_PER_MM)


def everywhere(view: TopView) -> NDArray[np.bool_]:
    return np.ones(view.inside.shape, bool)


@pytest.mark.parametrize(
    ("colour", "cloth"),
    [("white", (205, 208, 210)), ("black", (62, 64, 70)), ("red", (90, 90, 90)), ("yellow", (60, 120, 70))],
)
def test_a_plain_disc_is_told_by_its_colour(colour: str, cloth: Colour) -> None:
    view = table(cloth, COLOURS[colour])
    (thing,) = search().search(view, [plain_light], everywhere(view))
    assert thing.disc is not None
    assert list(COLOURS)[thing.disc.kind] == colour
    assert is_clear(thing.disc)
    assert np.linalg.norm(thing.middle - 60.0) < 1.0


@pytest.mark.parametrize(
    ("colour", "seen"), [("red", (134, 135, 213)), ("yellow", (137, 200, 235)), ("black", (97, 96, 97))]
)
def test_a_disc_that_a_reflection_has_paled_is_told(colour: str, seen: Colour) -> None:
    view = table((90, 50, 30), seen)
    (thing,) = search().search(view, [plain_light], everywhere(view))
    assert thing.disc is not None
    assert list(COLOURS)[thing.disc.kind] == colour
    assert is_clear(thing.disc)


def test_a_disc_that_is_unknown_in_its_cards_light_is_looked_at_in_another() -> None:
    """A dark card said that green is lit far more strongly than blue and red."""

    def green_light(mm: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.tile([0.5, 1.0, 0.55], (len(mm), 1)), np.zeros((len(mm), 3))

    view = table((90, 90, 90), COLOURS["white"])
    (alone,) = search().search(view, [green_light], everywhere(view))
    assert alone.disc is None
    (thing,) = search().search(view, [green_light, plain_light], everywhere(view))
    assert thing.disc is not None
    assert list(COLOURS)[thing.disc.kind] == "white"


@pytest.mark.parametrize(("soft", "is_known"), [(0.6, True), (4.0, False)])
def test_what_ends_less_sharply_than_tokens_do_is_no_known_disc(soft: float, is_known: bool) -> None:
    """A vein of marble that closes to a ring fades into the stone. Where all of a picture is as soft, a disc is."""
    view, sharp = table((150, 150, 150), COLOURS["black"], soft=soft), table((150, 150, 150), COLOURS["red"])
    disc = SeenDisc(1, np.array([60.0, 60.0]), RADIUS_MM, 0.9, 0.9, 1.0, 1.0, 1.0)
    both = TopView(np.hstack([view.pixels, sharp.pixels]), np.ones((240, 480), bool), np.zeros(2), PX_PER_MM)
    token, thing = replace(disc, middle=np.array([180.0, 60.0])), RoundThing(disc.middle, RADIUS_MM, disc, rim=0.9)
    (told,) = but_for_soft_rims(both, [thing], [token])
    assert (told.disc is not None) == is_known
    assert but_for_soft_rims(both, [thing], []) == [thing]
    whole = replace(thing, rim=1.0)  # as no vein has it
    assert but_for_soft_rims(both, [whole], [token]) == [whole]
    assert but_for_soft_rims(view, [thing], [disc]) == [thing]


def test_an_unknown_round_thing_is_no_disc_and_is_kept() -> None:
    view = table((120, 120, 120), (200, 60, 90))
    (thing,) = search().search(view, [plain_light], everywhere(view))
    assert thing.disc is None


def test_a_thing_is_told_with_its_rim_and_whether_that_may_be_faint() -> None:
    (dark,) = search().search(table((62, 64, 70), COLOURS["black"]), [plain_light], everywhere(table((0, 0, 0), None)))
    (red,) = search().search(table((90, 90, 90), COLOURS["red"]), [plain_light], everywhere(table((0, 0, 0), None)))
    assert (dark.is_dark, red.is_dark) == (True, False)
    assert min(dark.rim, red.rim) > 0.85


def test_a_dark_disc_on_a_bright_cloth_has_no_faint_rim() -> None:
    view = table((180, 180, 180), COLOURS["black"])
    (thing,) = search().search(view, [plain_light], everywhere(view))
    assert not thing.is_dark


def test_of_a_whole_rim_less_of_the_face_need_be_as_printed() -> None:
    whole = SeenDisc(0, np.zeros(2), RADIUS_MM, 0.7, 0.7, 1.0, 1.0, 1.0)
    assert is_clear(whole)
    assert not is_clear(replace(whole, rim=0.9))
    assert not is_clear(replace(whole, explained=0.6))


def test_soft_blobs_and_empty_cloth_are_nothing() -> None:
    for view in (table((205, 208, 210), None), table((205, 208, 210), (150, 152, 156), soft=14.0)):
        assert not search().search(view, [plain_light], everywhere(view))


def test_discs_are_looked_for_in_reach_of_cards_and_not_on_them() -> None:
    view = table((90, 90, 90), None)
    card = np.array([[10.0, 10.0], [50.0, 10.0], [50.0, 60.0], [10.0, 60.0]])
    reach = beside(view, [card], 20.0)
    on, near, far = ((30.0, 30.0), (60.0, 30.0), (75.0, 30.0))
    assert [bool(reach[int(y * 2), int(x * 2)]) for x, y in (on, near, far)] == [False, True, False]


@pytest.mark.parametrize(("cloth", "spread", "is_told"), [(50.0, 12.0, False), (58.0, 16.0, True)])
def test_a_dark_disc_on_grain_is_told_where_it_is_darker_than_the_grain_all_round(
    cloth: float, spread: float, is_told: bool
) -> None:
    """Half of the points of any circle on the cloth are edges of its grain. Of neighbours seen as one few are, and the
    disc's rim still is, if it is darker than the cloth by more than grain; else something round is asked about."""
    rng = np.random.default_rng(5)
    grain = cv2.GaussianBlur(rng.normal(0.0, 1.0, (240, 240, 1)).astype(np.float32), (0, 0), 2.0)
    pixels = np.repeat(cloth + spread * (grain / grain.std())[..., None], 3, axis=2).astype(np.float32)
    empty = TopView(pixels.copy(), np.ones((240, 240), bool), np.zeros(2), PX_PER_MM)
    cv2.circle(pixels, (120, 120), round(RADIUS_MM * PX_PER_MM), COLOURS["black"], -1)
    soft = cv2.GaussianBlur(pixels, (0, 0), 0.6) + rng.normal(0.0, 2.0, pixels.shape)
    view = TopView(np.asarray(soft, np.float32), np.ones((240, 240), bool), np.zeros(2), PX_PER_MM)
    (thing,) = search().search(view, [plain_light], everywhere(view))
    assert np.linalg.norm(thing.middle - 60.0) < 1.5
    assert (thing.disc is not None and is_clear(thing.disc)) == is_told
    assert not search().search(empty, [plain_light], everywhere(empty))


def test_a_black_disc_on_dark_wood_in_dim_light_is_told() -> None:
    """It differs from the wood by ten grey levels: on so calm a cloth that is as much of a rim as more elsewhere."""

    def dim(mm: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.full((len(mm), 3), 0.5), np.zeros((len(mm), 3))

    view = table((21, 31, 44), (29, 30, 34), side=(9, 10, 12))
    (thing,) = search().search(view, [dim], everywhere(view))
    assert thing.disc is not None
    assert list(COLOURS)[thing.disc.kind] == "black"
    assert is_clear(thing.disc)
    assert thing.rim > 0.85
    assert not search().search(table((21, 31, 44), None), [dim], everywhere(view))
