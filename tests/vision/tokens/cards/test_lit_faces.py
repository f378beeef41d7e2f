"""Of all faces the one that lies there leaves least unexplained, in any light."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.tokens.cards.lit_faces import face_costs, face_light, lit_face, tolerance
from vision.tokens.scenes import SIZE_MM, small_prints


def test_the_right_face_costs_least_and_its_light_is_found() -> None:
    grid = small_prints().cards(1.0)
    patch = (0.6 * grid.faces[1] + np.array([20.0, 15.0, 10.0])).astype(np.float32)
    light = face_light(grid, 1, patch, grid.mask, SIZE_MM)
    assert np.allclose(light.gain[:, 0], 0.6, atol=0.05)
    faces = np.arange(len(grid.faces))
    costs = face_costs(grid, faces, light, patch, grid.mask, SIZE_MM)
    assert costs.argmin() == 1
    assert costs[1] < 0.1 * np.sort(costs)[1]
    assert np.abs(lit_face(grid, 1, light, SIZE_MM) - patch)[grid.mask].max() < tolerance(light)


def test_a_reflection_that_pales_words_is_found() -> None:
    grid = small_prints().cards(1.0)
    patch = (0.3 * grid.faces[1] + np.array([110.0, 105.0, 100.0])).astype(np.float32)
    patch[:30, :40] = (40.0, 160.0, 60.0)  # a token
    light = face_light(grid, 1, patch, grid.mask, SIZE_MM)
    assert np.allclose(light.gain[:, 0], 0.3, atol=0.1)
