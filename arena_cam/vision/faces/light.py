"""The light on a card: a gain and an offset that vary slowly, fitted plainly or robustly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.face_points import HALF_CARD_MM, light_basis
from arena_cam.vision.kernels.overlap_calls import lights_of
from arena_cam.vision.picture.robust import MAD_TO_SD, robust_scale

# Slopes of gain and offset are held back: light changes slowly over a card. A little less where a pose is still off.
LIGHT_RIDGE = np.array([0.0, 0.02, 0.02, 0.0, 0.02, 0.02])
PLAIN_RIDGE = LIGHT_RIDGE / 2.0
OF_MEAN, FLAT = 1e-6, 1e-9  # and plainly, where nothing tells a light: of what tells the others, and at least
ROUNDS = 4  # of reweighting
_FLAT = 1e-3  # where nothing is asked, no light
_LEAST_SCALE = 4.0  # grey levels: noise, and print against picture
# The gain of grey levels is 0.3 to 1.05 of a card's own, by how much haze lies over it (standard deviation); a dozen
# points see as one. A single point of ink on white paper says ten times as much.
_GAIN_SD, _ALIKE_POINTS = 0.3, 12.0
_HELD = _ALIKE_POINTS * (_LEAST_SCALE / _GAIN_SD) ** 2
_RULES = np.array([*LIGHT_RIDGE, _FLAT, _LEAST_SCALE, MAD_TO_SD, _HELD])  # as the compiled twin has them
# Where less than this share of the tiles is shown another light may show more: what is off by more than FAR_OFF (grey
# levels squared) is off altogether.
CLEAR, FAR_OFF, FEWEST = 0.75, 20.0**2, 40


def light_of_a_part(basis: Array, seen: Array, weight: Array | None, than: Array) -> Array | None:
    """The light of that half of the card under which more of the whole card agrees with the face than under another
    light (`than`); None if there is no such half. A hand over part of a card pulls the light of the whole card towards
    its own."""
    best = float(np.minimum((seen - than @ basis) ** 2, FAR_OFF).mean())
    found = None
    for axis in (1, 2):
        place = basis[3 + axis]
        for part in (place < 0.0, place > 0.0):
            few = part if weight is None else part & (weight > 0.0)
            if few.sum() < FEWEST:
                continue
            some = basis[:, few]
            light = _fitted(some, some, seen[few])
            off = np.minimum((seen - light @ basis) ** 2, FAR_OFF)
            mean = float(off.mean() if weight is None else (off * weight).mean())
            if mean < best:
                best, found = mean, light
    return found


def _fitted(weighted: Array, basis: Array, seen: Array) -> Array:
    """The light (6,) that brings a face to the picture by weighted least squares; `weighted` is `basis` times that."""
    normal = weighted @ basis.T
    normal.flat[:: len(normal) + 1] += _FLAT + np.diag(normal) * LIGHT_RIDGE
    return np.asarray(np.linalg.solve(normal, weighted @ seen), dtype=np.float64)


def robust_light(basis: Array, seen: Array, weight: Array | None, start: Array | None = None) -> Array:
    """Gain, offset and their slopes (6,) that bring a face to the picture `seen` (N,), fitted to the part that agrees
    with what was found before, at first with `start` (6,): else with the light of all of it.

    `basis` (6, N) is what they multiply; `weight` (N,) is 0 where the picture is not to be asked, None is nowhere.
    """
    agree = weight if start is None else _agreeing(basis, seen, weight, start)
    light: Array = np.zeros(len(basis)) if start is None else start
    for round_ in range(ROUNDS):
        if agree is not None and not agree.any():
            break
        light = _fitted(basis if agree is None else basis * agree, basis, seen)
        if round_ < ROUNDS - 1:
            agree = _agreeing(basis, seen, weight, light)
    return light


def _agreeing(basis: Array, seen: Array, weight: Array | None, light: Array) -> Array:
    """How well each point (N,) agrees with a light, relative to the median residual."""
    residual = seen - light @ basis
    if weight is not None and not (weight > 0).any():
        return np.zeros(len(seen))
    scale = robust_scale(residual, weight, _LEAST_SCALE)
    residual *= 1.0 / (1.5 * scale)
    residual *= residual
    residual += 1.0
    residual *= residual
    return np.asarray(1.0 / residual if weight is None else weight / residual)


def robust_lights(faces: NDArray[np.float32], places: Array, seen: Array, weight: Array, usual: Array) -> Array:
    """`robust_light` for several pictures of one face at once, as its colours are: (C, 6) for values (C, N) at `places`
    (3, N) that are `seen` (C, N), with a gain that is `usual` (C,) where hardly any print tells it.

    Of a nearly blank card one small figure tells gain from offset. Where another card hid one of two, not yet known to
    lie over it, either was an outlier beside the other, the gain was 0, and paper was all that the card could show:
    that no figure was seen there did not tell who lies on top."""
    x, y = places[:2] / HALF_CARD_MM
    compiled = lights_of(faces, (x, y), seen, weight, usual, _RULES, ROUNDS)
    return _lights_in_numpy(faces, places, seen, weight, usual) if compiled is None else compiled


def _lights_in_numpy(faces: NDArray[np.float32], places: Array, seen: Array, weight: Array, usual: Array) -> Array:
    basis = np.stack([light_basis(value, places) for value in faces.astype(np.float64)])
    agree = np.broadcast_to(weight, seen.shape)
    asked = weight > 0
    light: Array = np.zeros((len(faces), 6))
    for round_ in range(ROUNDS):
        weighted = basis * agree[:, None, :]
        normal = weighted @ basis.transpose(0, 2, 1)
        diagonal = np.einsum("cii->ci", normal)
        diagonal += _FLAT + diagonal * LIGHT_RIDGE
        diagonal[:, 0] += _HELD
        right = weighted @ seen[:, :, None]
        right[:, 0, 0] += _HELD * usual
        light = np.asarray(np.linalg.solve(normal, right)[:, :, 0], dtype=np.float64)
        if round_ == ROUNDS - 1 or not asked.any():
            break
        residual = seen - (light[:, None, :] @ basis)[:, 0]
        off = np.abs(residual[:, asked])
        half = off.shape[1] // 2
        off.partition(half, axis=1)
        scale = np.maximum(_LEAST_SCALE, MAD_TO_SD * off[:, half])
        residual *= (1.0 / (1.5 * scale))[:, None]
        agree = weight / (1.0 + residual * residual) ** 2
    return light


def lit_face(faces: NDArray[np.floating], places: Array, light: Array) -> Array:
    """How values (C, N) of a face at `places` (3, N) look in `light` (C, 6): (C, N)."""
    plane = np.stack([np.ones(places.shape[1]), places[0] / HALF_CARD_MM, places[1] / HALF_CARD_MM])
    return np.asarray(faces * (light[:, :3] @ plane) + light[:, 3:] @ plane, dtype=np.float64)


def plain_residual(basis: Array, seen: Array, weights: Array) -> float:
    """The mean square (grey levels squared) that the light of a `basis` (k, N) leaves of a picture `seen` (N,) where
    `weights` (N,) are not 0, without rejecting outliers."""
    off = seen - plain_light(basis, seen, weights) @ basis
    return float((weights * off) @ off / max(float(weights.sum()), 1.0))


def plain_light(basis: Array, seen: Array, weights: Array | None) -> Array:
    """Gain and offset with their slopes (6,), or the offset and its slopes alone (3,), that bring a face to the
    picture, without rejecting outliers."""
    weighted = basis if weights is None else basis * weights
    normal = weighted @ basis.T
    diagonal = np.diag(normal)
    normal = normal + np.diag(diagonal.mean() * OF_MEAN + PLAIN_RIDGE[-len(basis) :] * diagonal + FLAT)
    return np.asarray(np.linalg.solve(normal, weighted @ seen))
