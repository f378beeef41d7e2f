"""What is compiled for cards seen from above answers as its twin in numpy does."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import numpy as np
import pytest

from arena_cam.vision.kernels.card_calls import FromAbove, coloured, disc_samples
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.tokens.cards.card_rims import SeenSlopes, rim_points, rim_share, tried_outlines
from arena_cam.vision.tokens.cards.face_alignment import AFFINE, RIGID, Hidden, HiddenPixels, Plan, aligned, slopes
from arena_cam.vision.tokens.cards.lit_faces import explained, face_light, kind_costs
from arena_cam.vision.tokens.cards.outline_search import sums_of_sides
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.left_over import _as_printed
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion
from vision.tokens.scenes import RADIUS_MM, SIZE_MM, laid, small_prints, view_of

PLACE = np.array([150.0, 110.0, 0.3])
BESIDE = np.array([1.2, -0.8, 0.02])


class Piece:
    middle, radius_mm = np.array([160.0, 95.0]), 12.0


def cut(view: TopView) -> TopView:
    """The view where the photograph ends amid the card."""
    inside = view.inside.copy()
    inside[:, round(float(view.at(PLACE[None, :2])[0, 0])) :] = False
    return replace(view, inside=inside)


@pytest.mark.parametrize("px_per_mm", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("freedom", [RIGID, AFFINE])
@pytest.mark.parametrize("hidden_by", ["nothing", "table", "pixels", "border"])
def test_a_card_is_laid_on_its_picture_the_same(
    library: ctypes.CDLL, samples_exactly: bool, px_per_mm: float, freedom: int, hidden_by: str
) -> None:
    view = view_of(laid([("p-1", (150.0, 110.0, 0.3))], [("no", (160.0, 95.0, 0.0))]))
    view = cut(view) if hidden_by == "border" else view
    grid = small_prints().cards(px_per_mm)
    covered: list[Piece] = [Piece()] if hidden_by == "table" else []
    hidden: Hidden = Claims(view, SIZE_MM, (), covered)
    if hidden_by == "pixels":
        hidden = HiddenPixels(np.indices(grid.mask.shape)[0] > 30 * px_per_mm)
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            plan, start = Plan(freedom, 5, wide=True), rigid_motion(PLACE + BESIDE)
            found.append(aligned(view, grid, slopes(grid, 0, SIZE_MM), SIZE_MM, start, plan, hidden))
    assert found[0] == pytest.approx(found[1], abs=2e-4 if samples_exactly else 0.05 / px_per_mm)
    assert np.abs(found[0] - rigid_motion(PLACE + BESIDE)).max() > 0.5


def seen_card(light: str) -> tuple[np.ndarray, np.ndarray]:
    """The first card as it is seen in a light, with a token on it, and which of it is open."""
    grid = small_prints().cards(1.0)
    view = view_of(laid([("p-1", (150.0, 110.0, 0.3))], [("no", (160.0, 95.0, 0.0))]))
    patch, _ = view.patch(rigid_motion(PLACE), SIZE_MM, 1.0)
    across = np.linspace(0.9, 1.1, patch.shape[1])[:, None].astype(np.float32)
    by, veil = {"plain": (0.8, 5.0), "veiled": (0.3, 130.0), "dark": (0.3, 2.0)}[light]
    mask = grid.mask.copy()
    mask[:12, :20] = False
    return np.asarray(patch * across * np.float32(by) + np.float32(veil), np.float32), mask


@pytest.mark.parametrize("light", ["plain", "veiled", "dark"])
@pytest.mark.parametrize("face", [0, 2])
def test_the_light_on_a_card_and_what_it_explains_are_the_same(library: ctypes.CDLL, light: str, face: int) -> None:
    grid, (patch, mask) = small_prints().cards(1.0), seen_card(light)
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            there = face_light(grid, face, patch, mask, SIZE_MM)
            found.append((there, *explained(grid, face, there, patch, mask, SIZE_MM)))
    assert found[0][0].flat == pytest.approx(found[1][0].flat, abs=1e-4)
    assert np.count_nonzero(found[0][1] != found[1][1]) <= 2  # at the border of what is explained
    assert found[0][2] == pytest.approx(found[1][2], abs=2)
    if face == 0:
        assert (found[0][0].offset[:, 0].min() > 60.0) == (light == "veiled")
        assert found[0][2][0] > 0.7 * found[0][2][2]


def test_hardly_a_pixel_tells_no_light(library: ctypes.CDLL) -> None:
    grid, (patch, mask) = small_prints().cards(1.0), seen_card("dark")
    mask[:-2] = False
    with computing_with(library):
        assert face_light(grid, 0, patch, mask, SIZE_MM).gain[:, 0] == pytest.approx(1.0)


@pytest.mark.parametrize("thinned", [(4, 1), (13, 3)])
def test_faces_cost_the_same(library: ctypes.CDLL, thinned: tuple[int, int]) -> None:
    prints, (patch, mask) = small_prints(), seen_card("plain")
    faces = np.array([2, 0, 4, 3, 1])
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(kind_costs(prints.cards(1.0), faces, prints.kinds, patch, mask, SIZE_MM, thinned))
    assert found[0] == pytest.approx(found[1], rel=1e-3)
    assert int(found[0].argmin()) == 1


def test_discs_are_sampled_the_same(library: ctypes.CDLL, samples_exactly: bool) -> None:
    """At the border of the picture, too, in their own light, and where others lie on them."""
    prints = DiscPrints(small_prints().disc_images[:3], RADIUS_MM)
    view = cut(view_of(laid([("p-1", (150.0, 110.0, 0.3))], [("no", (160.0, 95.0, 0.0))])))
    at = np.array([[160.0, 95.0], [140.0, 90.0], [6.0, 9.0], [150.0, 110.0]])
    light = np.array([[0.9, 0.8, 0.7]] * 4), np.array([[3.0, 4.0, 5.0]] * 4)
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(prints.lit_samples(view, light, at, [(np.array([140.0, 98.0]), 9.0)]))
    seen, free = (np.stack(each) for each in zip(*found, strict=True))
    assert seen[0] == pytest.approx(seen[1], abs=0.02 if samples_exactly else 8.0)
    assert np.count_nonzero(free[0] != free[1]) <= 2  # at the rim of what lies on it
    assert free[0].mean(axis=(1, 2)) == pytest.approx([0.0, 0.5, 0.8, 0.4], abs=0.1)


def test_pixels_in_a_token_s_colour_are_the_same(library: ctypes.CDLL) -> None:
    rng = np.random.default_rng(4)
    colours = np.array([[70, 160, 50], [50, 50, 210]], np.float32)
    pixels = colours[rng.integers(0, 2, (30, 40))] * rng.uniform(0.3, 1.5, (30, 40, 1)) + rng.normal(0, 9, (30, 40, 3))
    with computing_with(library):
        found = coloured(np.asarray(pixels, np.float32), colours, (0.5, 1.25), 20.0)
    bright = np.clip(pixels @ colours.T / np.square(colours).sum(axis=1), 0.5, 1.25)
    off = np.abs(pixels[:, :, None] - bright[..., None] * colours).max(axis=3)
    assert found is not None
    assert np.array_equal(found, (off < 20.0).any(axis=2))
    assert 0.4 < found.mean() < 0.95


@pytest.mark.parametrize("shape", [(40, 53), (3, 3)])
def test_the_steepest_channel_is_the_same(library: ctypes.CDLL, shape: tuple[int, int]) -> None:
    pixels = np.random.default_rng(6).uniform(0, 255, (*shape, 3)).astype(np.float32)
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(TopView(pixels, np.ones(shape, bool), np.zeros(2), 2.0).steepest())
    for compiled, twin in zip(*found, strict=True):
        assert compiled == pytest.approx(twin, abs=1e-3)


@pytest.mark.parametrize("borders", [False, True])
def test_outlines_are_tried_the_same(library: ctypes.CDLL, borders: bool) -> None:
    rng = np.random.default_rng(7)
    along, down = (rng.normal(0, 20, (300, 260)).astype(np.float32) for _ in range(2))
    inside, free = rng.random((300, 260)) < 0.9, rng.random((170, 140)) < 0.8
    seen = SeenSlopes(along, down, np.array([-4.0, 3.0]), 2.0, inside if borders else None)
    points, ways = rim_points(SIZE_MM, 3.0)
    shifts = np.array([[0.0, 0.0], [0.3, 9.0], [-70.0, 31.0], [-900.0, 0.0]])
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(tried_outlines(seen, (points + np.array([60.0, 80.0]), ways), shifts, free, np.zeros(2)))
    assert np.array_equal(found[0].count, found[1].count)
    assert found[0].clear == pytest.approx(found[1].clear, abs=1e-9)
    assert found[0].steep == pytest.approx(found[1].steep, abs=1e-9)
    assert 0 < found[0].count[2] < found[0].count[0] < len(points)
    assert found[0].count[3] == 0


@pytest.mark.parametrize("hidden_mm", [0, 150, 290])
def test_a_rim_changes_the_same(library: ctypes.CDLL, hidden_mm: int) -> None:
    view = cut(view_of(laid([("p-1", (150.0, 110.0, 0.3))], [("no", (160.0, 95.0, 0.0))])))
    free = np.ones((220, 300), bool)
    free[:, :hidden_mm] = False
    for place in (PLACE, PLACE + np.array([-90.0, 60.0, 0.4])):
        found = []
        for with_what in (library, None):
            with computing_with(with_what):
                found.append(rim_share(view, rigid_motion(place), rim_points(SIZE_MM, 3.0), free, np.zeros(2)))
        assert found[0] == pytest.approx(found[1], abs=1e-12)
    assert (found[0] == 1.0) == (hidden_mm > 0)


@pytest.mark.parametrize("size", [(28, 44), (29, 45)])
@pytest.mark.parametrize("has", ["slopes", "free", "both"])
def test_sums_along_sides_are_the_same(library: ctypes.CDLL, size: tuple[int, int], has: str) -> None:
    rng, within = np.random.default_rng(3), 20
    shape = 2 * (within + size[1] // 2) + 3, 2 * (within + size[0] // 2) + 3
    slopes = rng.normal(0.0, 20.0, (*shape, 2)).astype(np.float32) if has != "free" else None
    free = rng.random(shape).astype(np.float32) if has != "slopes" else None
    linear = rigid_motion(np.array([0.0, 0.0, 0.7]))[:, :2]
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(sums_of_sides(slopes, free, linear, size, within))
    assert found[0].shape == (2 * within + 1,) * 2
    assert np.abs(found[0] - found[1]).max() < 1e-4


def test_print_is_seen_the_same(library: ctypes.CDLL) -> None:
    """Of two cards on a picture, the second half in shade and nearer to some of what is seen."""
    rng = np.random.default_rng(8)
    seen = rng.uniform(40.0, 220.0, (30, 41, 3)).astype(np.float32)
    cards = []
    for box in ((slice(2, 20), slice(3, 30)), (slice(10, 30), slice(11, 41))):
        lit = seen[box] + rng.normal(0.0, 9.0, seen[box].shape).astype(np.float32)
        lit[:, :9] /= np.float32(0.6)
        cards.append((box, np.ascontiguousarray(lit), rng.uniform(size=lit.shape[:2]) > 0.2))
    found = []
    for with_what in (library, None):
        nearest = np.full(seen.shape[:2], np.inf, np.float32), np.zeros_like(seen)
        with computing_with(with_what):
            told = [_as_printed(seen, box, (lit, there), 12.0, nearest) for box, lit, there in cards]
        found.append((*told, *nearest))
    for compiled, twin in zip(*found, strict=True):
        assert compiled == pytest.approx(twin, abs=1e-4)
    assert 0.2 < found[0][0].mean() < 0.9


def test_without_a_library_numpy_does() -> None:
    view = view_of(laid([]))
    seen = FromAbove(view.pixels, view.inside, view.origin_mm, view.px_per_mm)
    with computing_with(None):
        assert disc_samples(seen, np.zeros((1, 2)), np.zeros((1, 2)), np.ones((1, 6)), np.zeros((0, 3))) is None
