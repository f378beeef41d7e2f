"""Of all faces the one that lies there leaves least unexplained, in any light."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.printed.print_light import PrintLight
from arena_cam.vision.tokens.cards.lit_faces import face_costs, face_light, kind_costs, lit_at, lit_face, tolerance
from arena_cam.vision.tokens.view.set_prints import CardGrid
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


def test_some_cells_are_lit_as_in_the_whole_face() -> None:
    grid = small_prints().cards(1.0)
    light = PrintLight(np.array([[0.7, 0.002, -0.001]] * 3), np.array([[9.0, 0.1, 0.05]] * 3))
    cells = np.array([[0, 0], [59, 89], [20, 31], [20, 32]])
    whole = lit_face(grid, 1, light, SIZE_MM)
    assert (lit_at(grid, 1, light, SIZE_MM, cells) == whole[cells[:, 1], cells[:, 0]]).all()


def test_a_reflection_that_pales_words_is_found() -> None:
    grid = small_prints().cards(1.0)
    patch = (0.3 * grid.faces[1] + np.array([110.0, 105.0, 100.0])).astype(np.float32)
    patch[:30, :40] = (40.0, 160.0, 60.0)  # a token
    light = face_light(grid, 1, patch, grid.mask, SIZE_MM)
    assert np.allclose(light.gain[:, 0], 0.3, atol=0.15)


def test_a_reflection_on_dark_paper_is_found_by_its_light_words() -> None:
    grid = _on_paper([(40.0, 45.0, 42.0)])
    patch = (0.45 * grid.faces[0] + 110.0).astype(np.float32)
    light = face_light(grid, 0, patch, grid.mask, SIZE_MM)
    assert np.allclose(light.gain[:, 0], 0.45, atol=0.1)
    assert np.abs(lit_face(grid, 0, light, SIZE_MM) - patch)[grid.ink[0]].mean() < tolerance(light) / 2


def test_paper_of_another_colour_is_no_light() -> None:
    """Both have the same words: only the colour of what is between them tells them apart."""
    grid = _on_paper([(60.0, 25.0, 50.0), (25.0, 60.0, 30.0)])
    patch = (0.7 * grid.faces[1] + 8.0).astype(np.float32)
    costs = kind_costs(grid, np.array([0, 1]), np.array([0, 1]), patch, grid.mask, SIZE_MM)
    assert costs[1] < 0.1 * costs[0]
    assert costs[0] > 0.1 * np.count_nonzero(grid.mask)


def _on_paper(colours: list[tuple[float, float, float]]) -> CardGrid:
    """Cards of dark paper with the same light words."""
    grid = small_prints().cards(1.0)
    words = np.zeros(grid.mask.shape, bool)
    words[30:34, 10:50], words[40:44, 15:45] = True, True
    faces = np.stack([np.where(words[..., None], 240.0, np.array(colour)) for colour in colours]).astype(np.float32)
    return CardGrid(1.0, faces, grid.mask, np.stack([words & grid.mask] * len(colours)))


def test_a_veil_of_one_colour_is_none() -> None:
    """A face of another kind would need red to be lit many times as strongly as blue."""
    grid = _on_paper([(40.0, 45.0, 42.0)])
    tinted = np.array([0.25, 0.5, 0.9])
    patch = (tinted * grid.faces[0] + 110.0).astype(np.float32)
    light = face_light(grid, 0, patch, grid.mask, SIZE_MM)
    assert light.gain[:, 0].max() < 2.0 * light.gain[:, 0].min()
