"""Round prints' colours are compared by compiled code as by the twins in numpy."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from arena_cam.vision.kernels.colour_calls import shaded, token_light
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.tokens.discs import token_colours
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.lit_discs import LitDiscs
from arena_cam.vision.tokens.discs.shades import MISTAKE, off_shaded
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.top_view import TopView
from vision.tokens.scenes import RADIUS_MM, laid, plain_light, small_prints, view_of

SHADES = np.geomspace(0.35, 1.15, 14)


def scene() -> TopView:
    rng = np.random.default_rng(11)
    view = view_of(laid([("p-1", (150.0, 110.0, 0.3))], [("no", (160.0, 95.0, 0.4)), ("yes", (168.0, 99.0, 2.0))]))
    noisy = np.clip(view.pixels + rng.normal(0.0, 6.0, view.pixels.shape), 0.0, 255.0).astype(np.float32)
    return TopView(noisy, view.inside, view.origin_mm, view.px_per_mm)


@pytest.mark.parametrize("aside_mm", [(0.0, 0.0), (1.3, -0.8), (6.0, 3.0)])
def test_prints_fit_as_well_in_the_same_light(library: ctypes.CDLL, aside_mm: tuple[float, float]) -> None:
    lit, found = LitDiscs(DiscPrints(small_prints().disc_images, RADIUS_MM)), []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(lit.fits(scene(), plain_light, np.array([160.0, 95.0]) + aside_mm))
    compiled, twin = found
    assert compiled.middle == pytest.approx(twin.middle)
    for name in ("shares", "costs", "details", "gloss"):
        assert getattr(compiled, name) == pytest.approx(getattr(twin, name), rel=1e-4, abs=2e-3), name
    assert compiled.visible == pytest.approx(twin.visible)


def test_colours_differ_by_as_much_in_the_best_shade(library: ctypes.CDLL) -> None:
    rng = np.random.default_rng(2)
    seen, printed = rng.uniform(0, 255, (2, 500, 3))
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(off_shaded(seen, printed, SHADES))
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert 0.0 < found[0].min() < found[0].max() == MISTAKE


def test_whole_tokens_tell_the_same_light(library: ctypes.CDLL) -> None:
    prints = DiscPrints(small_prints().disc_images[:3], RADIUS_MM)
    tokens = [
        SeenDisc(kind, np.array(at), RADIUS_MM, 0.9, 0.9, 1.0, 0.5, 0.8)
        for kind, at in ((1, (160.0, 95.0)), (0, (168.0, 99.0)))
    ]
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            colours = token_colours.TokenColours(prints, scene(), plain_light, tokens)
            found.append(np.concatenate(colours.light(np.array([150.0, 90.0]), 0)))
    assert found[0] == pytest.approx(found[1], abs=1e-6)


def test_what_lies_in_a_shadow_counts_little(library: ctypes.CDLL) -> None:
    rng = np.random.default_rng(3)
    prints, weights, tint = rng.uniform(0, 255, (900, 3)), rng.uniform(0.1, 1.0, 900), np.array([0.9, 1.0, 1.1])
    seen = prints * [0.6, 0.7, 0.8] + 20.0 * tint + rng.normal(0.0, 4.0, prints.shape)
    seen[::5] *= 0.5
    with computing_with(library):
        light = token_light(prints.T, seen.T, weights, tint, np.array([0.7, 300.0, 12.0, 6]))
    assert light is not None
    assert light[:3] == pytest.approx([0.6, 0.7, 0.8], abs=0.02)
    assert 255.0 * light[3] == pytest.approx(20.0, abs=3.0)


def test_without_a_library_numpy_does() -> None:
    with computing_with(None):
        assert shaded(np.zeros((2, 3)), np.zeros((2, 3)), SHADES, 40.0) is None
