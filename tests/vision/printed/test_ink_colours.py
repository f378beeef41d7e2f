"""One map of colours for all pieces of a picture: what others show of an ink tells how it looks on the next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.ink_colours import fit_ink_colours, mapped

Grey = NDArray[np.float32]

INKS = np.array([[240, 240, 240], [130, 130, 30], [125, 120, 115], [40, 40, 200], [60, 160, 50], [170, 60, 220]], float)
TEAL, GREY = 1, 2
DULL = np.array([[0.75, 0.15, 0.1], [0.1, 0.8, 0.1], [0.1, 0.15, 0.75]])  # a camera that mixes its channels
NO_GAIN = np.ones((1, 3), np.float32)


def _piece(inks: list[int], seed: int) -> Grey:
    rng = np.random.default_rng(seed)
    return np.asarray(INKS[rng.choice([0, *inks], 4000)], np.float32)


def _seen(piece: Grey, brightness: float = 1.0, offset: float = 0.0) -> Grey:
    return np.asarray(piece @ DULL.T * brightness + offset, np.float32)


def _off(prints: Grey, seen: Grey) -> float:
    """How much the contrasts differ, but for one brightness."""
    a, b = prints - prints.mean(axis=0), seen - seen.mean(axis=0)
    return float(np.abs(b - a * float((a * b).sum() / (a * a).sum())).mean())


def test_what_others_show_of_an_ink_tells_how_it_looks() -> None:
    shown = [[TEAL, 3], [GREY, 4], [TEAL, 5], [GREY, 3], [TEAL, 4], [GREY, 5]]
    pieces = np.stack([_piece(inks, k) for k, inks in enumerate(shown)])
    seen = np.stack([_seen(p, 1.0 - 0.1 * k, 8.0 * k) for k, p in enumerate(pieces)])
    inks = fit_ink_colours(pieces, seen, np.repeat(NO_GAIN, len(shown), axis=0))
    told = mapped(pieces[0], inks.but_one[0])
    assert _off(told, seen[0]) < 0.4 * _off(pieces[0], seen[0])


def test_a_wrong_name_does_not_make_itself_fit() -> None:
    """A piece of teal taken for one of grey: the others know how grey looks."""
    right = np.stack([_piece([GREY, 3], 1), _piece([GREY, 4], 2), _piece([GREY, 5], 3), _piece([TEAL, 3], 4)])
    seen = _seen(right)
    said = right.copy()
    said[3][(said[3] == INKS[TEAL]).all(axis=1)] = INKS[GREY]
    inks = fit_ink_colours(said, seen, np.repeat(NO_GAIN, 4, axis=0))
    as_said, as_it_is = (_off(mapped(each[3], inks.but_one[3]), seen[3]) for each in (said, right))
    assert as_said > 1.5 * as_it_is


def test_nothing_to_fit_leaves_print_as_it_is() -> None:
    empty = np.zeros((0, 400, 3), np.float32)
    inks = fit_ink_colours(empty, empty, np.zeros((0, 3), np.float32))
    assert np.array_equal(mapped(_piece([TEAL], 1), inks.all), _piece([TEAL], 1))
    assert inks.but_one.shape == (0, 9, 3)


def test_a_colourless_map_needs_no_change() -> None:
    pieces = np.stack([_piece([TEAL, 3], 1), _piece([GREY, 4], 2)])
    inks = fit_ink_colours(pieces, pieces * np.float32(0.7), np.full((2, 3), 0.7, np.float32))
    assert np.abs(mapped(pieces, inks.all) - pieces).max() < 1.0


def test_a_print_is_moved_by_its_channels_their_products_and_squares() -> None:
    """Each term by itself, worked out for one pixel by hand."""
    pixel = np.array([[[51.0, 102.0, 204.0]]], np.float32)  # -0.3, -0.1 and 0.3 about the middle
    terms = [-0.3, -0.1, 0.3, 0.03, -0.03, -0.09, 0.09, 0.01, 0.09]
    for k, term in enumerate(terms):
        map_ = np.zeros((9, 3), np.float32)
        map_[k, 1] = 1.0
        assert np.abs(mapped(pixel, map_) - pixel - [0.0, 255.0 * term, 0.0]).max() < 1e-3
