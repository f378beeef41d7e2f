"""The place of a chessboard corner, to some hundredths of a pixel, by fitting a model of how such a corner looks.

Where two straight edges cross and the squares take turns, a blurred picture shows

    I(p) = mean + contrast * S(u / blur) * S(v / blur),    S(x) = erf(x / sqrt 2)

with u, v the distances in pixels of p from the two edges and `blur` the standard deviation of the point spread. The
seven parameters (crossing, mean, contrast, blur, direction of each edge) are found by Gauss-Newton on all pixels of a
window. cv2.cornerSubPix, the usual way, needs a round window and is off by several times more where a ChArUco board's
markers come close: the window here is a parallelogram that follows the board and stays clear of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array

MOST_STEPS = 20
LONGEST_STEP_PX = 0.5  # Gauss-Newton is trusted no further than the blurred edge is wide
CONVERGED_PX = 1e-3
FARTHEST_PX = 2.0  # a fit that ends farther from where it began has found something else
BLUR_PX = (0.3, 4.0)
FEWEST_PIXELS = 40  # some six for each parameter


def fit_corner(grey: NDArray[np.uint8], start_px: Array, px_per_mm: Array, reach_mm: float) -> Array | None:
    """The corner (2,) near `start_px` (2,) in a grey picture (H, W), or None where the model does not fit.

    `px_per_mm` (2, 2) takes a step on the board in mm to one in the picture in pixels; the window reaches `reach_mm`
    from the corner along both sides of the board.
    """
    pixels, values = _window(grey, start_px, px_per_mm, reach_mm)
    if len(values) < FEWEST_PIXELS:
        return None
    directions = np.arctan2(px_per_mm[1], px_per_mm[0])
    model = np.array([*start_px, 0.0, 0.0, 1.0, *directions])
    model[2:4] = _mean_and_contrast(model, pixels, values)
    for _ in range(MOST_STEPS):
        predicted, jacobian = _corner_model(model, pixels)
        try:  # the normal equations: seven columns of like scale, in a hundredth of the time that lstsq takes
            step = np.linalg.solve(jacobian.T @ jacobian, jacobian.T @ (values - predicted))
        except np.linalg.LinAlgError:
            return None
        step[[0, 1, 4]] = np.clip(step[[0, 1, 4]], -LONGEST_STEP_PX, LONGEST_STEP_PX)
        model += step
        model[4] = np.clip(model[4], *BLUR_PX)
        if np.abs(model[:2] - start_px).max() > FARTHEST_PX:
            return None
        if np.abs(step[:2]).max() < CONVERGED_PX:
            return model[:2].copy()
    return None


def _window(grey: NDArray[np.uint8], centre_px: Array, px_per_mm: Array, reach_mm: float) -> tuple[Array, Array]:
    """Pixels (N, 2) and their grey values (N,) within the parallelogram; none if it leaves the picture."""
    half = int(np.ceil(np.abs(px_per_mm).sum(axis=1).max() * reach_mm)) + 1
    x, y = (int(v) for v in np.rint(centre_px))
    if x < half or y < half or x + half >= grey.shape[1] or y + half >= grey.shape[0]:
        return np.empty((0, 2)), np.empty(0)
    rows, columns = np.mgrid[y - half : y + half + 1, x - half : x + half + 1]
    pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    on_board = (pixels - centre_px) @ np.linalg.inv(px_per_mm).T
    inside = np.abs(on_board).max(axis=1) <= reach_mm
    values = grey[y - half : y + half + 1, x - half : x + half + 1].ravel()[inside]
    return pixels[inside], values.astype(np.float64)


def _step(x: Array) -> Array:
    """erf(x / sqrt 2), to 2e-4, by the tanh that is known from neural networks' GELU (Hendrycks and Gimpel, 2016)."""
    return np.asarray(np.tanh(np.sqrt(2.0 / np.pi) * x * (1.0 + 0.044715 * x * x)))


def _step_slope(x: Array) -> Array:
    return np.asarray(np.sqrt(2.0 / np.pi) * np.exp(-0.5 * x * x))


def _distances(model: Array, pixels: Array) -> tuple[Array, Array, Array]:
    """Offsets (N, 2) from the crossing, the two edges' normals (2, 2) as columns, distances (N, 2) in units of blur."""
    normals = np.array([-np.sin(model[5:7]), np.cos(model[5:7])])
    offsets = pixels - model[:2]
    return offsets, normals, offsets @ normals / model[4]


def _mean_and_contrast(model: Array, pixels: Array, values: Array) -> Array:
    scaled = _distances(model, pixels)[2]
    pattern = np.column_stack([np.ones(len(values)), _step(scaled[:, 0]) * _step(scaled[:, 1])])
    return np.asarray(np.linalg.lstsq(pattern, values, rcond=None)[0])


def _corner_model(model: Array, pixels: Array) -> tuple[Array, Array]:
    """Grey values (N,) that the model predicts, and their derivative (N, 7) by its parameters."""
    mean, contrast, blur = model[2:5]
    offsets, normals, scaled = _distances(model, pixels)
    steps, slopes = _step(scaled), _step_slope(scaled)
    by_u = contrast / blur * slopes[:, 0] * steps[:, 1]
    by_v = contrast / blur * slopes[:, 1] * steps[:, 0]
    along = np.array([np.cos(model[5:7]), np.sin(model[5:7])])  # a turned edge moves its pixels by their place along it
    jacobian = np.empty((len(pixels), 7))
    jacobian[:, 0:2] = -np.outer(by_u, normals[:, 0]) - np.outer(by_v, normals[:, 1])
    jacobian[:, 2] = 1.0
    jacobian[:, 3] = steps[:, 0] * steps[:, 1]
    jacobian[:, 4] = -by_u * scaled[:, 0] - by_v * scaled[:, 1]
    jacobian[:, 5:7] = -(offsets @ along) * np.column_stack([by_u, by_v])
    return mean + contrast * jacobian[:, 3], jacobian
