"""The light on a card is found though a part of it shows something else."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.faces.face_points import light_basis
from arena_cam.vision.faces.light import lit_face, plain_light, plain_residual, robust_light, robust_lights

RNG = np.random.default_rng(5)
X, Y = (axis.ravel() for axis in np.meshgrid(np.linspace(-30.0, 30.0, 30), np.linspace(-42.0, 42.0, 40)))
PLACES = np.stack([X, Y, np.ones_like(X)])
FACE = RNG.uniform(20.0, 235.0, X.size)
BASIS = light_basis(FACE, PLACES)
LIGHTS = {
    "as printed": np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    "dim and hazy": np.array([0.6, 0.0, 0.0, 35.0, 0.0, 0.0]),
    "from the left": np.array([0.8, -0.2, 0.05, 5.0, 4.0, 0.0]),
}


@pytest.mark.parametrize("light", LIGHTS.values(), ids=list(LIGHTS))
def test_the_light_is_found_to_a_grey_level(light: np.ndarray) -> None:
    found = robust_light(BASIS, light @ BASIS, None)
    assert np.abs(found @ BASIS - light @ BASIS).max() < 2.0


@pytest.mark.parametrize("light", LIGHTS.values(), ids=list(LIGHTS))
def test_a_fifth_of_the_card_under_a_hand_changes_little(light: np.ndarray) -> None:
    covered = Y < -26.0
    seen = np.where(covered, 110.0, light @ BASIS)
    plain = np.linalg.lstsq(BASIS.T, seen, rcond=None)[0]
    off = [np.abs(found @ BASIS - light @ BASIS)[~covered].mean() for found in (robust_light(BASIS, seen, None), plain)]
    assert off[0] < 2.0
    assert off[0] < 0.4 * off[1]


def test_what_is_not_to_be_asked_is_not_asked() -> None:
    light = LIGHTS["dim and hazy"]
    seen = np.where(X > 0, 255.0 - FACE, light @ BASIS)
    found = robust_light(BASIS, seen, (X <= 0).astype(float))
    assert np.abs(found - light)[[0, 3]].max() < np.array([0.02, 2.0]).max()


def test_nothing_to_ask_gives_no_light() -> None:
    assert np.array_equal(robust_light(BASIS, FACE, np.zeros_like(FACE)), np.zeros(6))


def test_a_start_decides_which_part_is_believed() -> None:
    """Half of the card in one light, half in another: what agrees with the start wins."""
    bright, dark = LIGHTS["as printed"], np.array([0.4, 0.0, 0.0, 0.0, 0.0, 0.0])
    seen = np.where(X > 0, bright @ BASIS, dark @ BASIS)
    for start, part in ((bright, X > 0), (dark, X <= 0)):
        found = robust_light(BASIS, seen, None, start)
        assert np.abs(found @ BASIS - seen)[part].mean() < np.abs(found @ BASIS - seen)[~part].mean()


def test_all_colours_at_once_are_as_one_by_one() -> None:
    face = RNG.uniform(20.0, 235.0, (3, X.size))
    seen = np.stack([light @ light_basis(value, PLACES) for light, value in zip(LIGHTS.values(), face, strict=True)])
    seen[:, Y < -25.0] = 100.0
    weight = (X > -20.0).astype(float)
    together = robust_lights(face.astype(np.float32), PLACES, seen, weight, np.full(3, 0.9))
    for colour in range(3):
        alone = robust_light(light_basis(face[colour].astype(np.float32).astype(float), PLACES), seen[colour], weight)
        assert np.abs(together[colour] - alone).max() < 0.1  # whatever gain is usual: much print tells its own


def test_a_face_is_lit_as_its_basis_says() -> None:
    lit = lit_face(FACE[None], PLACES, LIGHTS["from the left"][None])
    assert np.allclose(lit[0], LIGHTS["from the left"] @ BASIS)


def test_what_the_light_of_a_basis_leaves_is_the_mean_square() -> None:
    places = np.stack([np.linspace(-30, 30, 50), np.zeros(50), np.ones(50)])
    basis = light_basis(np.linspace(0, 200, 50) ** 1.1, places)
    assert plain_residual(basis, 0.7 * basis[0] + 12.0, np.ones(50)) < 0.1
    weights = np.r_[np.ones(49), 0.0]
    seen = np.r_[0.7 * basis[0, :49] + 12.0, 999.0]
    assert plain_residual(basis, seen, weights) < 0.1


def test_a_plain_light_takes_nothing_for_an_outlier() -> None:
    seen = FACE.copy()
    seen[Y < -26.0] += 50.0
    assert abs(plain_light(BASIS, seen, None)[3]) > abs(robust_light(BASIS, seen, None)[3])


@pytest.mark.parametrize("hidden", [0, 1])
def test_one_of_two_figures_on_blank_paper_that_is_not_seen_takes_no_contrast_from_the_other(hidden: int) -> None:
    """White paper hides one of them: half a contrast is seen of both by least squares, and then neither was."""
    face = np.full((3, X.size), 245.0)
    figures = [np.hypot(X - x, Y + x) < 3.0 for x in (-24.0, 24.0)]
    face[:, figures[hidden]] = 235.0  # what is blurred of its rim is no outlier, and there is more of it
    for figure in figures:
        face[:, np.flatnonzero(figure)[:2]] = 60.0
    seen = 0.7 * face
    seen[:, figures[hidden]] = 0.7 * 245.0
    light = robust_lights(face.astype(np.float32), PLACES, seen, np.ones(X.size), np.full(3, 0.65))
    assert light[:, 0] == pytest.approx(0.67, abs=0.05)
    assert np.abs(lit_face(np.full((3, X.size), 60.0), PLACES, light) - 42.0).max() < 15.0
