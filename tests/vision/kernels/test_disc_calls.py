"""Round prints are compared in the Fourier domain as the twin in numpy compares them turn by turn."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import numpy as np
import pytest

from arena_cam.vision.kernels.disc_calls import DiscSpectra, disc_likeness
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.tokens.discs.covered_rims import covered_rims
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.rims import Edges
from arena_cam.vision.tokens.discs.token_search import DiscSearch, SeenDisc
from arena_cam.vision.tokens.view.top_view import TopView
from vision.tokens.scenes import RADIUS_MM, laid, plain_light, small_prints, view_of

ABOVE = SeenDisc(0, np.array([168.0, 99.0]), RADIUS_MM, 0.9, 0.9, 1.0, 0.3, 1.0)


def tokens() -> DiscPrints:
    return DiscPrints(small_prints().disc_images[:3], RADIUS_MM)


def scene() -> TopView:
    return view_of(laid([("p-1", (150.0, 110.0, 0.3))], [("no", (160.0, 95.0, 0.4)), ("yes", (168.0, 99.0, 2.0))]))


@pytest.mark.parametrize("thinned", [False, True])
@pytest.mark.parametrize("covered", [False, True])
def test_prints_are_as_alike_in_the_same_turns(library: ctypes.CDLL, *, thinned: bool, covered: bool) -> None:
    prints = tokens().thinned() if thinned else tokens()
    at = np.array([160.0, 95.0]) + np.random.default_rng(1).uniform(-3, 3, (9, 2))
    light = np.full((9, 3), 0.9), np.full((9, 3), 4.0)
    seen, free = prints.lit_samples(scene(), light, at, [(ABOVE.middle, RADIUS_MM)] if covered else [])
    assert bool(free.all()) is not covered
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(prints.likeness(seen, free))
    assert found[0].alike == pytest.approx(found[1].alike, abs=1e-5)
    assert np.array_equal(found[0].turn, found[1].turn)
    assert int(found[0].alike.max(axis=0).argmax()) == 1


def test_more_kinds_than_are_compared_at_once(library: ctypes.CDLL) -> None:
    rng = np.random.default_rng(3)
    prints = tokens()
    prints.polar = rng.uniform(0, 255, (11, *prints.polar.shape[1:])).astype(np.float32)
    prints.turn_prints()
    with computing_with(library):
        found = prints.likeness(np.roll(prints.polar, 5, axis=2), np.ones((11, *prints.polar.shape[1:3]), bool))
    assert np.array_equal(found.alike.argmax(axis=1), np.arange(11))
    assert (np.diag(found.turn) == 5).all()
    assert np.diag(found.alike) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(
    "known", [[], [ABOVE], [replace(ABOVE, middle=np.array([164.5, 97.0]))]], ids=["open", "half covered", "more"]
)
def test_the_likeliest_disc_is_the_same(library: ctypes.CDLL, known: list[SeenDisc]) -> None:
    search, found = DiscSearch(tokens()), []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(search.tried(scene(), plain_light, np.array([159.0, 95.5]), 0.5, known))
    compiled, twin = found
    assert compiled is not None
    assert twin is not None
    assert compiled.kind == twin.kind == 1
    assert compiled.middle == pytest.approx(twin.middle)
    for name in ("alike", "explained", "visible", "margin"):
        assert getattr(compiled, name) == pytest.approx(getattr(twin, name), abs=0.004), name


def test_several_places_are_tried_at_once_as_each_alone(library: ctypes.CDLL) -> None:
    search, known = DiscSearch(tokens()), [ABOVE, replace(ABOVE, middle=np.array([60.0, 60.0]))]
    at = np.array([[159.0, 95.5], ABOVE.middle, [30.0, 40.0], [62.0, 70.0], [161.0, 93.0]])
    for with_what in (library, None):
        with computing_with(with_what):
            found = search.tried_all(scene(), plain_light, at, [0.5] * len(at), known)
            alone = [search.tried(scene(), plain_light, each, 0.5, known) for each in at]
        assert [each is None for each in found] == [each is None for each in alone]
        for one, other in zip(found, alone, strict=True):
            if one is not None and other is not None:
                assert (one.kind, one.alike, one.explained) == (other.kind, other.alike, other.explained)
                assert (one.middle == other.middle).all()
        assert found[0] is not None
        assert found[1] is None


def test_of_what_others_cover_nothing_is_told(library: ctypes.CDLL) -> None:
    with computing_with(library):
        assert DiscSearch(tokens()).tried(scene(), plain_light, ABOVE.middle, 0.5, [ABOVE]) is None


def test_without_a_library_numpy_does() -> None:
    prints = tokens()
    spectra = DiscSpectra.of(prints.polar, prints.area)
    with computing_with(None):
        assert disc_likeness(spectra, prints.polar, np.ones(prints.polar.shape[:3], bool), 1.0) is None


def test_edges_and_their_votes_are_the_twins(library: ctypes.CDLL) -> None:
    found, view = [], scene()
    view.steepest()  # kept: both have the same slopes
    for with_what in (library, None):
        with computing_with(with_what):
            seen = Edges(view)
            found.append((seen.found, *seen.circles(RADIUS_MM)))
    assert len(found[0][1])
    assert all((compiled == twin).all() for compiled, twin in zip(*found, strict=True))


def test_a_picture_without_edges_has_no_votes(library: ctypes.CDLL) -> None:
    with computing_with(library):
        assert Edges(scene(), least_slope=1e6).found.shape == (0, 5)
        assert len(Edges(scene(), least_slope=1e6).circles(RADIUS_MM)[0]) == 0


def test_rims_beneath_tokens_are_as_strong_as_the_twins_say(library: ctypes.CDLL) -> None:
    rng = np.random.default_rng(5)
    view = TopView(
        rng.normal(0.0, 9.0, (120, 140, 3)).astype(np.float32), rng.random((120, 140)) > 0.3, np.array([-5.0, 3.0]), 2.0
    )
    token = replace(ABOVE, middle=np.array([30.0, 30.0]))
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(covered_rims(view, [token], np.zeros((120, 140), bool), -10.0))
    assert len(found[0]) > 5
    for (place, strength), (twin_place, twin_strength) in zip(*found, strict=True):
        assert (place == twin_place).all()
        assert abs(strength - twin_strength) < 1e-9
