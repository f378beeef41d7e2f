"""Whether the sides of an outline part a card from what lies round it, where both are known."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.straightening import Pixels
from arena_cam.vision.deck_learning.surroundings import Parting, parting, where_it_begins
from arena_cam.vision.picture.linear_light import Linear
from vision.small import HEIGHT_MM, WIDTH_MM

SCALE, MARGIN_MM = 4.0, 22.0  # px/mm; of ground round the card
WHITE, FELT, PANEL = (0.8, 0.8, 0.8), (0.05, 0.12, 0.06), (0.5, 0.1, 0.1)


def outline(left_mm: float = 0.0, top_mm: float = 0.0, right_mm: float = 0.0, bottom_mm: float = 0.0) -> Pixels:
    """The card's outline, each side moved outwards by so much."""

    def pixels(shares: Array) -> Array:
        size = (WIDTH_MM + left_mm + right_mm, HEIGHT_MM + top_mm + bottom_mm)
        return np.asarray((shares * size + MARGIN_MM - (left_mm, top_mm)) * SCALE - 0.5)

    return pixels


def scene(
    card: tuple[float, float, float] = WHITE,
    ground: tuple[float, float, float] = FELT,
    *,
    frame_mm: float = 5.0,
    noise: float = 0.003,
) -> Linear:
    """A card with a printed panel within a frame of its own colour, on a plain ground."""
    height, width = (round((side + 2 * MARGIN_MM) * SCALE) for side in (HEIGHT_MM, WIDTH_MM))
    light = np.empty((height, width, 3), np.float32)
    light[:] = ground
    for within, colour in ((0.0, card), (frame_mm, PANEL)):
        edge = round((MARGIN_MM + within) * SCALE)
        light[edge : height - edge, edge : width - edge] = colour
    return np.asarray(light + np.random.default_rng(0).normal(0, noise, light.shape), np.float32)


def parted(light: Linear, pixels: Pixels) -> Parting:
    return parting(light, pixels, WIDTH_MM, HEIGHT_MM)


@pytest.mark.parametrize(("card", "ground"), [(WHITE, FELT), (FELT, WHITE), (WHITE, (0.6, 0.6, 0.7))])
def test_the_true_outline_parts_the_card_from_its_ground(
    card: tuple[float, float, float], ground: tuple[float, float, float]
) -> None:
    found = parted(scene(card, ground), outline())
    assert found.clear > 0.9
    assert found.covered > 0.9
    assert (found.within < 0.1).all()
    assert (found.beyond > 0.9).all()


def test_an_outline_on_an_even_ground_parts_nothing() -> None:
    assert parted(scene(FELT, FELT, frame_mm=30.0), outline()).clear < 0.1


@pytest.mark.parametrize("side", range(4))
def test_one_side_along_something_on_the_ground_is_found_out(side: int) -> None:
    moved = [0.0, 0.0, 0.0, 0.0]
    moved[side] = 5.0  # left, top, right, bottom
    found = parted(scene(), outline(*moved))
    assert found.clear < 0.1
    assert int(np.nanargmax(found.within)) == (3, 0, 1, 2)[side]


def test_round_an_outline_along_the_printed_frame_lies_more_than_the_frames_colour() -> None:
    found = parted(scene(frame_mm=3.0), outline(-3.0, -3.0, -3.0, -3.0))
    assert found.covered < 0.3


@pytest.mark.parametrize(
    "ends", [(slice(88, None), slice(None)), (slice(None), slice(None, 340))], ids=["top", "right"]
)
def test_a_side_at_the_end_of_the_picture_has_no_say(ends: tuple[slice, slice]) -> None:
    light = scene()[ends]
    top = ends[0].start or 0

    def pixels(shares: Array) -> Array:
        return np.asarray(outline()(shares) - (0.0, top))

    found = parted(np.ascontiguousarray(light), pixels)
    assert np.isnan(found.within).sum() == 1
    assert found.clear > 0.9


def test_a_card_that_fills_the_picture_is_judged_by_its_edges_alone() -> None:
    edge = round(MARGIN_MM * SCALE)
    light = np.ascontiguousarray(scene()[edge:-edge, edge:-edge])

    def pixels(shares: Array) -> Array:
        return np.asarray(outline()(shares) - edge)

    found = parted(light, pixels)
    assert np.isnan(found.within).all()
    assert (found.clear, found.covered) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("within", "beyond", "clear"),
    [
        ([0, 0, 0, 0], [1, 1, 1, 1], 1.0),
        ([0, 0.3, 0, 0], [1, 1, 1, 1], 0.7),
        ([0, 0, 0, 0], [1, 1, 0.2, 1], 0.2),
        ([0, np.nan, 0, 0.1], [1, np.nan, 1, 1], 0.9),
    ],
)
def test_the_worst_side_decides(within: list[float], beyond: list[float], clear: float) -> None:
    assert Parting(np.array(within), np.array(beyond), 1.0).clear == pytest.approx(clear)


def test_the_ground_begins_at_the_true_outline() -> None:
    assert where_it_begins(scene(), outline(), WIDTH_MM, HEIGHT_MM) is None


@pytest.mark.parametrize("inwards", [(5.0, 5.0, 5.0, 5.0), (0.0, 4.0, 0.0, 0.0), (3.0, 2.0, 5.0, 4.0)])
def test_from_a_printed_frame_the_outline_moves_out_to_the_ground(inwards: tuple[float, ...]) -> None:
    inner = outline(*(-each for each in inwards))
    found = where_it_begins(scene(), inner, WIDTH_MM, HEIGHT_MM)
    assert found is not None
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    assert np.abs(inner(found) - outline()(square)).max() < 0.5 * SCALE


def test_where_the_card_never_ends_the_ground_begins_nowhere() -> None:
    striped = scene(frame_mm=30.0)
    striped[: round(13.0 * SCALE)] = PANEL  # another ground above, beyond 9 mm of the card's own colour
    striped[round(13.0 * SCALE) : round(30.0 * SCALE)] = WHITE
    assert where_it_begins(striped, outline(), WIDTH_MM, HEIGHT_MM) is None
