"""How well faces explain the pixels at one place, against each other and against blank paper.

For a face, each colour of the patch is fitted as gain times the face plus offset and a linear fall-off of light. What
is left is measured in standard deviations and capped: a covered part costs every face the same and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.planes.picture import Homography, Picture, scale_px_per_mm
from arena_cam.vision.planes.plane_alignment import Templates

# Print and light that the fit does not model, in grey levels of a face as bright as the deck's picture; in dimmer light
# they are dimmer too, down to where the camera's noise takes over.
_SIGMA = 14.0
_DIMMEST = 0.4
# Edges may be off by this part of a grid cell more than anything flat: blur and alignment are not perfect.
_EDGE_CELLS = 0.7
_CAP = 9.0  # three standard deviations: beyond, something else is seen there
# Each colour's gain against the ratio of the brightness of photograph and face: light and white balance change print
# and paper alike; a veil or blur lowers contrast. Red never turns into black that way, nor print into paper.
_GAIN_RANGE = (0.6, 1.25)
# What rounding to whole grey levels leaves of an even patch: a twelfth for each of three colours. Less is no print.
_LEAST_VARIANCE = 3 / 12


@dataclass(frozen=True, eq=False)
class Fit:
    """One face at one place: `cost` (H, W) in halved squared standard deviations, capped; `gain` as
    print had it before it was held in range, against the gain of the paper."""

    face: int
    cost: NDArray[np.float32]
    gain: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """Faces at one place, best first. `nats_per_cell` turns sums of cost over the grid into log-likelihoods."""

    fits: tuple[Fit, ...]
    blank: NDArray[np.float32]
    inside: NDArray[np.bool_]
    nats_per_cell: float

    def evidence(self, place: int = 0) -> NDArray[np.float32]:
        """Log-likelihood (H, W) of the fit at `place` against blank paper."""
        return np.asarray((self.blank - self.fits[place].cost) * self.nats_per_cell * self.inside, np.float32)

    def margin(self, place: int) -> float:
        """Log-likelihood of the best fit against the one at `place`."""
        return float(((self.fits[place].cost - self.fits[0].cost) * self.inside).sum() * self.nats_per_cell)


def rank_faces(
    patch: NDArray[np.float32], weights: NDArray[np.float32], stack: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Weighted zero-mean normalised correlation (faces,) of the patch with each face, all three colours together."""
    w = (weights / max(float(weights.sum()), 1e-6)).reshape(-1, 1)
    pixels = patch.reshape(-1, 3)
    pixels = pixels - (pixels * w).sum(axis=0)  # each colour has its own mean: white balance does not count
    faces = stack.reshape(len(stack), -1, 3)
    cross = faces.reshape(len(faces), -1) @ (pixels * w).ravel()
    sums = np.einsum("fnk,n->fk", faces, w.ravel(), optimize=True)
    squares = np.einsum("fnk,fnk,n->f", faces, faces, w.ravel(), optimize=True)
    variance = np.maximum(squares - (sums**2).sum(axis=1), 1e-6)
    return np.asarray(cross / np.sqrt(variance * max(float((pixels**2 * w).sum()), _LEAST_VARIANCE)), np.float32)


def compare(
    picture: Picture,
    px_from_mm: Homography,
    templates: Templates,
    weights: NDArray[np.float32],
    faces: list[int],
    blur: float,
) -> Comparison:
    """The `faces` at one place, best first; `weights` (H, W) say where the card is seen, to start from."""
    grid = templates.grid
    patch, inside = picture.patch(px_from_mm, grid)
    inside &= grid.mask
    x, y = grid.x_mm / templates.unit_mm, grid.y_mm / templates.unit_mm
    plane = np.stack([np.ones_like(x), x, y], axis=-1).reshape(-1, 3)
    if (weights * inside).sum() < 1e-3 * inside.sum():
        weights = np.ones_like(weights)
    start = (weights * inside).ravel()
    there = (weights > 0.5 * weights.max()) & inside
    if not there.any():
        there = inside
    paper = templates.stack(blur)[faces[0]]
    light = float(np.median(patch[there])) / max(float(np.median(paper[there])), 1.0)
    sigma = _SIGMA * min(max(light, _DIMMEST), 1.2)
    blank = _cost(patch, None, plane, start, np.zeros(grid.mask.shape, np.float32), sigma)[0]
    fits = []
    for face in faces:
        template = templates.template(face, blur)
        cost, gain = _cost(patch, template.bgr, plane, start, template.edge, sigma)
        fits.append(Fit(face, cost, gain))
    fits.sort(key=lambda fit: float((fit.cost * inside).sum()))
    ratio = scale_px_per_mm(px_from_mm) / grid.px_per_mm
    # Neighbouring cells share their noise: through the camera's blur, and where the photograph has fewer pixels.
    return Comparison(tuple(fits), blank, inside, 0.25 * min(1.0, ratio * ratio))


def _cost(
    patch: NDArray[np.float32],
    face: NDArray[np.float32] | None,
    plane: NDArray[np.float32],
    weights: NDArray[np.float32],
    edge: NDArray[np.float32],
    sigma: float,
) -> tuple[NDArray[np.float32], float]:
    shape = patch.shape[:2]
    pixels = patch.reshape(-1, 3)
    variance = sigma**2 + (_EDGE_CELLS * edge.ravel()) ** 2
    w = weights / (1 + edge.ravel() ** 2 / sigma**2)
    gain = 0.0
    for _ in range(3):
        left, gain = _left(pixels, face, plane, w)
        squared = (left**2).sum(axis=1) / variance / 1.5  # three colours share most of their noise
        w = weights / (1 + edge.ravel() ** 2 / sigma**2) / (1 + squared / 2) ** 2
    cost = 0.5 * np.minimum(squared, _CAP)
    return cost.reshape(shape).astype(np.float32), gain


def _left(
    pixels: NDArray[np.float32], face: NDArray[np.float32] | None, plane: NDArray[np.float32], w: NDArray[np.float32]
) -> tuple[NDArray[np.float32], float]:
    """What a weighted fit leaves of `pixels` (N, 3), and the free gain against that of the light."""
    weighted = plane * w[:, None]
    normal = weighted.T @ plane + 1e-3 * np.eye(3)
    of_pixels = np.linalg.solve(normal, weighted.T @ pixels)
    left = pixels - plane @ of_pixels
    if face is None:
        return left, 0.0
    colours = face.reshape(-1, 3)
    shape = colours - plane @ np.linalg.solve(normal, weighted.T @ colours)
    power = (shape**2 * w[:, None]).sum(axis=0)
    gains = (shape * left * w[:, None]).sum(axis=0) / np.maximum(power, 1e-3)
    there = w >= 0.5 * w.max()
    light = np.median(pixels[there], axis=0) / np.maximum(np.median(colours[there], axis=0), 8.0)
    middle = float((gains / np.maximum(light, 1e-3) * power).sum() / max(power.sum(), 1e-3))
    gains = np.clip(gains, _GAIN_RANGE[0] * light, _GAIN_RANGE[1] * light)
    return left - shape * gains, middle
