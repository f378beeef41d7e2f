"""Where a card's edge really runs, to a fraction of a pixel: colour profiles across the outline, and a robust fit to
them.

A card's outline is a curve in the picture that a few parameters move: a homography and a lens's distortion for a
photograph, two shifts and a turn on a measured table. Along its straight sides (the rounded corners are left out) the
picture is sampled across the edge; where the colour changes tells how far the curve is off there; Gauss-Newton with
Tukey's weights moves the parameters. Colours are made linear before: light is what a lens blurs, and in the picture's
own values every edge would seem shifted to its dark side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.picture.linear_light import Linear
from arena_cam.vision.picture.robust import MAD_TO_SD, TUKEY

SAMPLES_A_SIDE = 96
CORNER_SHARE = 0.11  # of a side at each end: corners of cards are rounded by up to a tenth of the short side
STEP_PX = 0.5
_CLEAR = 0.4  # of the strongest step, to the eye
_CLEAR_OF_PX = 3.0  # an outline's own blur
_TEXTURE_FROM_PX = 5.0, 14.0  # outside the outline: the nearest, and the middle of where texture is measured
_SURE_STEP = 6.0  # standard errors: of the hundreds of places looked at none is taken for an edge by chance
_NUDGE = 1e-6
# What noise and JPEG leave of a step (share of the light there, a sample) once it is smoothed along the side; and how
# much more than the background's own texture a step must be to be an edge.
FAINT, _OVER_TEXTURE = 0.012, 2.5


@dataclass(frozen=True, eq=False)
class Traced:
    """An outline fitted to a picture. `parameters` are the model's; `offsets_px` (4, N) how far the edge found lies
    outside the curve, NaN where there is none; `width_px` the edges' median width from a tenth to nine tenths."""

    parameters: Array
    offsets_px: Array
    width_px: float

    def support(self, within_px: float) -> Array:
        """Share of each side (4,) along which an edge was found within that distance."""
        with np.errstate(invalid="ignore"):
            return np.asarray((np.abs(self.offsets_px) < within_px).mean(axis=1))

    @property
    def rms_px(self) -> float:
        """Root mean square of the offsets that are no outliers; infinite where there are none."""
        found = self.offsets_px[np.isfinite(self.offsets_px)]
        if not len(found):
            return float("inf")
        kept = found[np.abs(found) <= 3.0 * max(0.1, MAD_TO_SD * float(np.median(np.abs(found))))]
        return float(np.sqrt((kept**2).mean()))


def side_points(samples: int = SAMPLES_A_SIDE) -> Array:
    """Places (4, samples, 2) along the four sides, as shares of width and height from the top-left corner,
    clockwise."""
    t = np.linspace(CORNER_SHARE, 1.0 - CORNER_SHARE, samples)
    zero, one = np.zeros(samples), np.ones(samples)
    return np.stack(
        [
            np.stack([t, zero], axis=1),
            np.stack([one, t], axis=1),
            np.stack([1.0 - t, one], axis=1),
            np.stack([zero, 1.0 - t], axis=1),
        ]
    )


def fit_outline(
    light: Linear,
    start: Array,
    curve: Callable[[Array, Array], Array],
    prior: Array,
    reaches_px: tuple[float, ...],
    faintest: float = FAINT,
) -> Traced:
    """Fits `curve` to the edges of a picture of linear light (H, W, 3).

    `curve(parameters, shares)` takes places (N, 2) on the card, as shares of width and height, to pixels (N, 2).
    `prior` (k,) are standard deviations that hold parameters to where they start (infinite: free). The edge is looked
    for within `reaches_px` of the curve, one round after another; in all but the last the outermost clear edge counts,
    for a card may have a frame printed close inside its edge. A step weaker than `faintest` is none.
    """
    shares = side_points()
    flat = shares.reshape(-1, 2)
    parameters = start.astype(np.float64).copy()
    offsets = np.full(shares.shape[:2], np.nan)
    texture = np.full((4, 1), faintest)
    for number, reach in enumerate(reaches_px):
        last = number == len(reaches_px) - 1
        for _ in range(4 if last else 2):
            points = curve(parameters, flat).reshape(shares.shape)
            outward = _outward(points)
            profiles = _profiles(light, points, outward, reach)
            if number == 0:
                texture = np.maximum(faintest, _OVER_TEXTURE * _texture(light, points, outward))
            offsets = profiles.edges(texture, outermost=not last)
            step = _step(parameters, start, curve, flat, outward.reshape(-1, 2), offsets.ravel(), prior)
            parameters = parameters + step
            moved = curve(parameters, flat) - points.reshape(-1, 2)
            if not np.isfinite(moved).all():
                return Traced(start, np.full(offsets.shape, np.nan), float("inf"))
            if np.abs(moved).max() < 0.01:
                break
    points = curve(parameters, flat).reshape(shares.shape)
    outward = _outward(points)
    offsets = _profiles(light, points, outward, reaches_px[-1]).edges(texture, outermost=False)
    return Traced(parameters, offsets, _width_px(light, points, outward))


def _width_px(light: Linear, points: Array, outward: Array) -> float:
    """The sides' median width from a tenth to nine tenths of the step across them."""
    side = float(np.linalg.norm(points[0, -1] - points[0, 0]))
    # bounded, for a guess that was no card's may have been led anywhere
    profiles = _profiles(light, points, outward, float(np.clip(0.03 * side, 5.0, 80.0)))
    end = max(1, round(1.0 / STEP_PX))
    step = np.linalg.norm(
        profiles.colours[:, :, :end].mean(axis=2) - profiles.colours[:, :, -end:].mean(axis=2), axis=2
    )
    middle = np.abs(profiles.depths_px) <= 2.0
    steepest = profiles.strength[:, :, middle].max(axis=2) / STEP_PX
    return float(np.median(0.8 * step / np.maximum(steepest, 1e-9)))


def steps_outside(light: Linear, rings: Array) -> list[int | None]:
    """For each of a card's sides which of the outlines round it runs along an edge, None where none does.

    `rings` (4, N, D, 2) are the points of D outlines, one outside the other, half a pixel apart. Each side's colours
    are averaged, so that a white card's edge shows on white paper.
    """
    rows = rings.reshape(-1, rings.shape[2], 2).astype(np.float32)
    colours = cv2.remap(light, rows[..., 0], rows[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = np.asarray(colours, np.float64).reshape(4, -1, rings.shape[2], 3)
    slope = np.diff(colours, axis=2) / (0.04 + colours.mean(axis=(1, 2, 3), keepdims=True))
    first = round(_CLEAR_OF_PX / STEP_PX)
    slope = slope[:, :, first:]
    mean = slope.mean(axis=1)
    # Of the points along a side some five in a row see the same grain or vein; an edge is there for all of them.
    error = slope.std(axis=1) / np.sqrt(slope.shape[1] / 5)
    sure = (np.abs(mean) > 0.25 * FAINT) & (np.abs(mean) > _SURE_STEP * error)
    strength = np.where(sure, np.abs(mean), 0.0).max(axis=2)
    at = [int(side.argmax()) if side.max() > 0.0 else -1 for side in strength]
    return [first + k if k > 2 else None for k in at]  # at the very beginning it is still the outline's own blur


def _outward(points: Array) -> Array:
    """Unit normals (4, N, 2) that point out of the outline."""
    along = np.gradient(points, axis=1)
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
    middle = points.reshape(-1, 2).mean(axis=0)
    inward = ((points - middle) * normal).sum(axis=-1).mean(axis=1) < 0
    normal[inward] *= -1.0
    return np.asarray(normal)


@dataclass(frozen=True, eq=False)
class _Profiles:
    """Colours across the outline, `colours` (4, N, D + 1, 3) in units of their level, and their steps: `strength` and,
    smoothed, `smooth` (4, N, D), `depths_px` (D,) from outside in; `to_the_eye` is smooth, too, in steps as an eye
    weighs them; `seen` (4, N) is false where the outline leaves the picture."""

    colours: Array
    strength: Array
    smooth: Array
    to_the_eye: Array
    depths_px: Array
    seen: NDArray[np.bool_]

    def edges(self, faintest: Array, *, outermost: bool) -> Array:
        """How far outside each point (4, N) the edge lies, NaN where there is none."""
        most = self.smooth.max(axis=2, keepdims=True)
        peak = self.smooth.argmax(axis=2)
        if outermost:
            # The first peak from outside that is no mere trifle beside the strongest. A red frame on a black table is a
            # clear edge, though white within it gives ten times as much light: hence the eye's measure.
            falling = np.diff(self.to_the_eye, axis=2, append=-1.0) <= 0
            clear = self.to_the_eye >= _CLEAR * self.to_the_eye.max(axis=2, keepdims=True)
            first = clear & falling & (self.smooth >= faintest[..., None])
            peak = np.where(first.any(axis=2), first.argmax(axis=2), peak)
        near = np.abs(np.arange(self.smooth.shape[2]) - peak[..., None]) <= round(2.0 / STEP_PX)
        weight = np.where(near, self.strength, 0.0)
        total = weight.sum(axis=2)
        offsets = (weight * self.depths_px).sum(axis=2) / np.maximum(total, 1e-9)
        offsets[(most[..., 0] < faintest) | ~self.seen] = np.nan
        return np.asarray(offsets, np.float64)


def _texture(light: Linear, points: Array, outward: Array) -> Array:
    """The strength that steps usually have outside the outline, for each side (4, 1)."""
    beyond = _profiles(
        light, points + _TEXTURE_FROM_PX[1] * outward, outward, _TEXTURE_FROM_PX[1] - _TEXTURE_FROM_PX[0]
    )
    return np.asarray(np.median(beyond.smooth, axis=(1, 2))[:, None])


def _profiles(light: Linear, points: Array, outward: Array, reach_px: float) -> _Profiles:
    depths = np.arange(reach_px, -reach_px - 1e-9, -STEP_PX)
    at = points[:, :, None] + depths[:, None] * outward[:, :, None]
    rows = at.reshape(-1, len(depths), 2).astype(np.float32)
    colours = cv2.remap(light, rows[..., 0], rows[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = np.asarray(colours, np.float64).reshape(4, -1, len(depths), 3)
    # Three neighbours along the side, and below a Gaussian of a pixel across it: less noise, the edge where it was.
    padded = np.pad(colours, ((0, 0), (1, 1), (0, 0), (0, 0)), mode="edge")
    colours = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3.0
    # A dark card on a dark table differs by little light but by a large ratio: steps count in units of the level there.
    # The same unit along the whole profile, or the dark end of a step would count for more and pull the edge there.
    level = 0.04 + colours.mean(axis=(2, 3), keepdims=True)
    slope = np.diff(colours, axis=2) / level
    strength = np.sqrt((slope**2).sum(axis=3))
    eye = np.sqrt((np.diff(np.cbrt(np.maximum(colours, 0.0)), axis=2) ** 2).sum(axis=3))
    height, width = light.shape[:2]
    seen = np.asarray((points >= 0.0).all(axis=2) & (points <= (width - 1, height - 1)).all(axis=2), np.bool_)
    return _Profiles(
        colours / level, strength, _smoothed(strength), _smoothed(eye), (depths[1:] + depths[:-1]) / 2, seen
    )


def _smoothed(strength: Array) -> Array:
    """Blurred by a pixel along the profiles."""
    flat = strength.reshape(-1, strength.shape[2])
    blurred = np.asarray(cv2.GaussianBlur(flat, (7, 1), 1.0 / STEP_PX, sigmaY=1e-3), np.float64)
    return blurred.reshape(strength.shape)


def _step(
    parameters: Array,
    start: Array,
    curve: Callable[[Array, Array], Array],
    shares: Array,
    outward: Array,
    offsets: Array,
    prior: Array,
) -> Array:
    """One robust Gauss-Newton step of the parameters (k,) that takes the curve to the edges."""
    good = np.isfinite(offsets)
    if good.sum() < 4 * len(parameters):
        return np.zeros_like(parameters)
    here = curve(parameters, shares)
    scale_of = np.maximum(np.abs(parameters), 1e-2)
    columns = []
    for k in range(len(parameters)):
        nudged = parameters.copy()
        nudged[k] += _NUDGE * scale_of[k]
        columns.append(((curve(nudged, shares) - here) * outward).sum(axis=1) / (_NUDGE * scale_of[k]))
    design = np.stack(columns, axis=1)[good]
    wanted = offsets[good]
    weight = np.ones(len(wanted))
    step = np.zeros_like(parameters)
    for _ in range(6):
        root = np.sqrt(weight)[:, None]
        left = np.vstack([design * root, np.diag(1.0 / prior)])
        right = np.concatenate([wanted * root[:, 0], (start - parameters) / prior])
        unit = np.maximum(np.linalg.norm(left, axis=0), 1e-12)
        step = np.linalg.lstsq(left / unit, right, rcond=None)[0] / unit
        residual = wanted - design @ step
        scale = max(0.3, MAD_TO_SD * float(np.median(np.abs(residual))))
        u = np.clip(np.abs(residual) / (TUKEY * scale), 0.0, 1.0)
        weight = (1.0 - u * u) ** 2
    return step
