"""Tiles that lie on one table are hexagons of one size on one plane: fitted together, each has but a place and a turn.

Six lines fitted to a tile's own sides follow a shadow, a printed line or the table's grain by a millimetre, and the
tile is then straightened askew. Together the tiles have four times as many sides as unknowns, so that sides which
follow something else are found out (iteratively reweighted least squares).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

LEAST_TILES = 4  # of fewer the plane's eight numbers are told by little more than themselves
# Rounds: of a width and in pixels at least, how far from where a side was its edge is looked for (standard deviation);
# and by how much of a width a side is off that counts half. First the outlines as they were seen are believed.
ROUNDS = ((0.012, 2.0, 0.008), (0.005, 1.2, 0.004), (0.005, 1.2, 0.004))
FIRST_STRANGE = 0.1  # nearly least squares: a hexagon that is seen too small would turn
STEPS = 10  # of Gauss and Newton in each round
HALVES, SAMPLES = ((0.12, 0.5), (0.5, 0.88)), 32  # of a side
WHOLE = (0.12, 0.88)
FINER = 4  # steps a pixel
LEAST_SLOPE = 2.0  # grey levels a pixel
# A line along the rim shows edges on both of its sides. Tiles end at the outer one, however faint.
RIM, EDGE_SEEN = (-0.01, 0.03), 0.2  # of a width, where it is looked for; of the strongest edge
OF_SIX = 2  # in the order of the six directions' edges: up to three may be a shadow's
# What is ground but darker is a shadow: by such a share, and alike in all channels. Black ink is darker still.
SHADOW, SHADOW_HUE = (0.3, 0.97), 0.06
CURVE_SD, SLANT_SD = 0.1, 1.0  # of a lens's bend, at a picture's side from its middle, and of a plane's slant


def fitted_together(image_bgr: Image, corners: Floats, unit: Floats) -> Floats:
    """Corners (N, 6, 2) in pixels of a photograph (h, w, 3), of hexagons seen about there: as one plane has them.

    `unit` (6, 2): the hexagon 1 wide, in the order of the corners. A few are given back as they are.
    """
    if len(corners) < LEAST_TILES:
        return corners
    plane = _Plane.about(corners, unit, image_bgr.shape)
    plane = plane.fitted(_Sides(_halves(corners), _normals(corners)), FIRST_STRANGE)
    for share, least_px, strange in ROUNDS:
        plane = _grown(image_bgr, plane)
        reach_px = max(share * plane.width_px, least_px)
        plane = plane.fitted(_by_edges(image_bgr, plane.corners(), reach_px), strange)
    return _grown(image_bgr, plane).corners()


@dataclass(frozen=True, eq=False)
class _Sides:
    """Where the halves of hexagons' sides are seen: points (N, 6, 2, 2) in pixels, nan where none is.

    `normal` (N, 6, 2): of each side, outwards.
    """

    points: Floats
    normal: Floats


@dataclass(frozen=True, eq=False)
class _Plane:
    """A table seen by a lens, and hexagons on it: `places` (N, 3) are their middles and turns (rad), in widths.

    `view` (9,): an affinity row by row, the shares by which its scale falls along x and y, and the lens's bend.
    `unit`, `grown`: the hexagon 1 wide and a factor of its size. `middle`, `half`: the picture's, in pixels.
    """

    view: Floats
    places: Floats
    unit: Floats
    middle: Floats
    half: float
    grown: float = 1.0

    @classmethod
    def about(cls, corners: Floats, unit: Floats, shape: tuple[int, ...]) -> _Plane:
        middles = corners.mean(axis=1)
        away = np.median(corners - middles[:, None], axis=0)
        linear = np.linalg.lstsq(unit, away, rcond=None)[0].T
        middle = np.array([shape[1] - 1, shape[0] - 1]) / 2
        places = np.column_stack([np.linalg.solve(linear, (middles - middle).T).T, np.zeros(len(corners))])
        view = np.array([*linear[0], 0.0, *linear[1], 0.0, 0.0, 0.0, 0.0])
        return cls(view, places, unit, middle, max(shape[:2]) / 2)

    @property
    def width_px(self) -> float:
        return float(np.sqrt(abs(self.view[0] * self.view[4] - self.view[1] * self.view[3])))

    def corners(self) -> Floats:
        return self._seen(self.view, self.places)

    def _seen(self, view: Floats, places: Floats) -> Floats:
        c, s = np.cos(places[:, 2])[:, None], np.sin(places[:, 2])[:, None]
        x, y = self.grown * self.unit[:, 0][None], self.grown * self.unit[:, 1][None]
        at = np.stack([c * x - s * y + places[:, :1], s * x + c * y + places[:, 1:2]], axis=2)
        reach = self.half / self.width_px
        depth = 1.0 + (at @ view[6:8]) / reach
        flat = (at @ np.array([view[0:2], view[3:5]]).T + view[[2, 5]]) / depth[..., None]
        bent = 1.0 + view[8] * np.einsum("nkc,nkc->nk", flat, flat) / self.half**2
        return np.asarray(flat * bent[..., None] + self.middle)

    def fitted(self, sides: _Sides, strange: float) -> _Plane:
        """The plane whose hexagons' sides lie best where they are seen; one `strange` widths off counts half."""
        free = np.concatenate([self.view, self.places.ravel()])
        scale = np.ones(len(free))
        scale[[0, 1, 2, 3, 4, 5]] = self.width_px
        hold = np.full(len(free), 1e-6)
        # The view's shift and turn are the places' own: held. A slant and a bend are small beforehand.
        hold[[2, 5, 11]], hold[[6, 7]], hold[8] = 1e4, SLANT_SD**-2, CURVE_SD**-2
        start = free.copy()
        for _ in range(STEPS):
            off = self._off(free, sides)
            weight = np.where(np.isfinite(off), 1.0 / (1.0 + (off / strange) ** 2), 0.0)
            slope = np.nan_to_num(self._slopes(free, sides, scale))
            normal = (slope * weight[:, None]).T @ slope / strange**2 + np.diag(hold)
            right = (slope * weight[:, None]).T @ np.nan_to_num(off) / strange**2 + hold * (free - start) / scale
            free = free - np.linalg.solve(normal, right) * scale
        return _Plane(free[:9], free[9:].reshape(-1, 3), self.unit, self.middle, self.half, self.grown)

    def _slopes(self, free: Floats, sides: _Sides, scale: Floats) -> Floats:
        """How the distances (M, F) change with each number."""
        before, columns = self._off(free, sides), []
        for k, each in enumerate(scale):
            moved = free.copy()
            moved[k] += 1e-5 * each
            columns.append((self._off(moved, sides) - before) / 1e-5)
        return np.column_stack(columns)

    def _off(self, free: Floats, sides: _Sides) -> Floats:
        """How far in widths the halves' middles are from where they are seen, (M,)."""
        middles = _halves(self._seen(free[:9], free[9:].reshape(-1, 3)))
        return np.asarray(np.einsum("nkhc,nkc->nkh", middles - sides.points, sides.normal) / self.width_px).ravel()


def _halves(corners: Floats) -> Floats:
    """The middles (N, 6, 2, 2) of each half of each side of hexagons (N, 6, 2)."""
    shares = np.mean(HALVES, axis=1)[:, None]
    return np.asarray((1 - shares) * corners[:, :, None] + shares * np.roll(corners, -1, axis=1)[:, :, None])


def _normals(corners: Floats) -> Floats:
    """Of each side (N, 6, 2) the direction outwards."""
    along = np.roll(corners, -1, axis=1) - corners
    normal = np.stack([along[..., 1], -along[..., 0]], axis=2) / np.linalg.norm(along, axis=2, keepdims=True)
    outwards = np.einsum("nkc,nkc->nk", normal, corners - corners.mean(axis=1, keepdims=True))
    return np.asarray(normal * np.sign(outwards)[..., None])


def _by_edges(image_bgr: Image, corners: Floats, reach_px: float) -> _Sides:
    """The strongest edge near each half of each side, of edges about as strong the nearest."""
    normal, points = _normals(corners), _halves(corners)
    span = math.ceil((2 * reach_px + 1) * FINER)
    steps = np.arange(-span, span + 1) / FINER
    likely = np.exp(-0.5 * (steps / reach_px) ** 2)
    for n, each in enumerate(corners):
        for h, half in enumerate(HALVES):
            slope = _slopes(_profiles(image_bgr, each, normal[n], steps, half)) * likely
            out = np.where(slope.max(axis=1) > LEAST_SLOPE, steps[slope.argmax(axis=1)], np.nan)
            points[n, :, h] += out[:, None] * normal[n]
    return _Sides(points, normal)


def _grown(image_bgr: Image, plane: _Plane) -> _Plane:
    """The plane with its hexagons as large as the outermost edge that all have and that is no shadow's."""
    corners = plane.corners()
    width = float(np.median(np.linalg.norm(corners[:, 0] - corners[:, 3], axis=1)))
    steps = np.arange(math.floor(RIM[0] * width * FINER), math.ceil(RIM[1] * width * FINER) + 1) / FINER
    both = zip(corners, _normals(corners), strict=True)
    profiles = np.stack([_profiles(image_bgr, each, normal, steps) for each, normal in both])  # (N, 6, S, 3)
    out = np.sort([_outermost(profiles[:, k], steps) for k in range(6)])[OF_SIX]
    apothem = float(np.linalg.norm(plane.unit[1] + plane.unit[2])) / 2
    return replace(plane, grown=plane.grown + out / width / apothem)


def _profiles(
    image_bgr: Image, corners: Floats, normal: Floats, steps: Floats, part: tuple[float, float] = WHOLE
) -> Floats:
    """The colour (6, S, 3) at each step in pixels outwards, as the mean along a part of each side."""
    after = np.roll(corners, -1, axis=0)
    shares = np.linspace(*part, SAMPLES)[:, None]
    at = (1 - shares) * corners[:, None] + shares * after[:, None]
    at = at[:, :, None] + steps[:, None] * normal[:, None, None]
    x, y = (np.asarray(at[..., k], np.float32).reshape(6 * SAMPLES, -1) for k in (0, 1))
    seen = cv2.remap(image_bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(6, SAMPLES, len(steps), 3).mean(axis=1), np.float64)


def _slopes(profiles: Floats) -> Floats:
    """How steeply colour changes (N, S) along profiles (N, S, 3), within a pixel; 0 at the ends."""
    half = FINER // 2
    slope = np.zeros(profiles.shape[:2])
    slope[:, half:-half] = np.abs(profiles[:, 2 * half :] - profiles[:, : -2 * half]).max(axis=2)
    return slope


def _outermost(profiles: Floats, steps: Floats) -> float:
    """Where along a direction's profiles (N, S, 3) the outermost edge is that is no shadow's; 0 where there is none."""
    slope = np.median(_slopes(profiles), axis=0)
    peaks = 1 + np.flatnonzero((slope[1:-1] >= slope[:-2]) & (slope[1:-1] > slope[2:]))
    peaks = peaks[slope[peaks] > EDGE_SEEN * slope.max()][::-1]
    usual = np.median(profiles, axis=0)
    for place, inner in zip(peaks, [*peaks[1:], None], strict=True):
        if inner is None or not _is_shadow(usual[(place + inner) // 2], usual[min(place + 2 * FINER, len(steps) - 1)]):
            return float(steps[place])
    return 0.0


def _is_shadow(colour: Floats, ground: Floats) -> bool:
    """Whether a colour (3,) is the ground's (3,), but darker."""
    share = float(colour @ ground) / max(float(ground @ ground), 1.0)
    unlike = float(np.linalg.norm(colour - share * ground)) / max(float(np.linalg.norm(ground)), 1.0)
    return SHADOW[0] < share < SHADOW[1] and unlike < SHADOW_HUE
