"""From a guess to a fitted card: coarse to fine alignment from every way a card could rest there, and how much of the
face the picture really shows."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.alignment import (
    FLAT_MOTION,
    Alignment,
    FacePoints,
    Pyramid,
    align,
    choose_points,
    sample,
)
from arena_cam.vision.deck_faces import DeckFaces
from arena_cam.vision.markers import SeenMarker

Array = NDArray[np.float64]

FINE_PX_PER_MM = 2.0
COARSE_PX_PER_MM = 1.0
# A start is a physical hypothesis (flat, or leaning on a wall): alignment may correct its height and tilt by what
# contact leaves open. The prior hardly touches a card in full view, whose pixels determine both a hundred times better.
# What lies mostly under other cards is held closer to its start: its few pixels determine little, and cards above press
# it flat.
# Standard deviations: 4 mm and 0.08 rad; 1 mm and 0.025 rad.
_START_PRIOR = np.diag([0.0, 0.0, 4.0**-2, 0.08**-2, 0.08**-2, 0.0])
_COVERED_PRIOR = np.diag([0.0, 0.0, 1.0, 0.025**-2, 0.025**-2, 0.0])
_COVERED_BELOW = 0.6  # share of alignment points in view


def _prior(weights: Array | None) -> tuple[Array, Array]:
    covered = weights is not None and float(weights.mean()) < _COVERED_BELOW
    return (_COVERED_PRIOR if covered else _START_PRIOR), np.zeros(6)


@dataclass(frozen=True, eq=False)
class Scene:
    """What every fit of one frame needs: the picture (colour and grey pyramid), the camera over it, the faces.

    `markers` are all markers of the deck's dictionaries that the picture shows, on cards or not.
    `believed` are faces that surely lay at these poses a moment ago.
    `fine_level` is the pyramid's level whose scale is nearest to FINE_PX_PER_MM; `bgr` is the picture at that level.
    """

    pyramid: Pyramid
    bgr: NDArray[np.float32]
    camera: Camera
    faces: DeckFaces
    arena: Arena
    fine_level: int
    points: PointStore
    markers: tuple[SeenMarker, ...] = ()
    believed: tuple[tuple[int, CardPose], ...] = ()

    def sample_bgr(self, pixels: Array) -> Array:
        """Colours (N, 3) at frame pixels (N, 2), NaN outside the picture."""
        return sample(self.bgr, pixels / 2.0**self.fine_level)


class PointStore:
    """The alignment points of every face, chosen once at each scale."""

    def __init__(self, faces: DeckFaces) -> None:
        self._faces = faces
        self._points: dict[tuple[int, float], FacePoints] = {}

    def points(self, face: int, px_per_mm: float) -> FacePoints:
        key = (face, px_per_mm)
        if key not in self._points:
            grid = self._faces.grid(px_per_mm)
            most = 2000 if px_per_mm >= FINE_PX_PER_MM else 900
            self._points[key] = choose_points(grid.grey[face], grid.mask, grid.x_mm, grid.y_mm, px_per_mm, most)
        return self._points[key]


@dataclass(frozen=True, eq=False)
class Fit:
    """A face aligned with the picture.

    `uncovered` (0..1) is the share of the face's tiles that lie in the picture and that no other known card claims, and
    `explained` (0..1) the share of those that look as the face does. `evidence` sums, over these tiles, by how many
    nats the face explains the picture better than a patch of even grey; `tiles` (rows, columns) holds it tile by tile,
    and `shown` (rows, columns) is true where the picture shows the face."""

    face: int
    alignment: Alignment
    explained: float
    evidence: float
    tiles: Array
    shown: NDArray[np.bool_]
    uncovered: float

    @property
    def pose(self) -> CardPose:
        return self.alignment.pose


def fit_coarse(scene: Scene, face: int, start: CardPose, claims: Claims | None = None) -> Fit:
    """The best alignment at the coarse scale, from flat and, where that leaves much open, from leaning on a wall.

    What `claims` says is covered by other cards has no say.
    """
    points = scene.points.points(face, COARSE_PX_PER_MM)
    level = scene.fine_level + 1

    def run(pose: CardPose) -> Fit:
        weights = _uncovered_weights(scene, points, pose, claims)
        near = align(
            scene.pyramid,
            level,
            scene.camera,
            points,
            pose,
            motion=FLAT_MOTION,
            weights=weights,
            iterations=8,
            converged_px=0.1,
        )
        weights = _uncovered_weights(scene, points, near.pose, claims)
        free = align(
            scene.pyramid,
            level,
            scene.camera,
            points,
            near.pose,
            prior=_prior(weights),
            weights=weights,
            iterations=8,
            converged_px=0.05,
        )
        first, second = measure(scene, face, near, claims), measure(scene, face, free, claims)
        return second if second.evidence >= first.evidence else first

    best = run(start)
    if (best.explained > 0.8 and _rests_flat(best.pose)) or best.evidence < _WORTH_LEANING:
        return best
    for lean in _leaning_starts(scene, best.pose if best.explained > 0.5 else start):
        fit = run(lean)
        # cards mostly lie flat: a leaning pose has to explain more, not as much by another route
        ahead = _FLAT_FIRST if _rests_flat(best.pose) else 1.0
        if fit.evidence * fit.explained > ahead * best.evidence * best.explained:
            best = fit
    return best


_FLAT_FIRST = 1.25
# Even a steep card, taken for a flat one, shows a third of its face where it is thought to be; guesses of nothing do
# not.
_WORTH_LEANING = -10.0


def _rests_flat(pose: CardPose) -> bool:
    """True where the aligned pose is that of a card on the floor or on others: no need to try leaning ones."""
    return pose.tilt_deg < 2.5 and abs(pose.centre_mm[2]) < 5.0


def fit_fine(scene: Scene, face: int, start: CardPose, claims: Claims | None = None) -> Fit:
    """The alignment at the fine scale from a coarse one."""
    points = scene.points.points(face, FINE_PX_PER_MM)
    weights = _uncovered_weights(scene, points, start, claims)
    found = align(scene.pyramid, scene.fine_level, scene.camera, points, start, prior=_prior(weights), weights=weights)
    return measure(scene, face, found, claims)


def _uncovered_weights(scene: Scene, points: FacePoints, pose: CardPose, claims: Claims | None) -> Array | None:
    if claims is None or not claims.any:
        return None
    weights = 1.0 - claims.at(scene.camera.project(pose.points(points.x_mm, points.y_mm)))
    return weights if weights.sum() > 40 else None


class Claims:
    """Which pixels are known to show a card: a mask at a quarter of the picture's size each way."""

    STEP = 4

    def __init__(self, width_px: int, height_px: int) -> None:
        self.mask: NDArray[np.uint8] = np.zeros((height_px // self.STEP + 1, width_px // self.STEP + 1), np.uint8)
        self.any = False

    def add_polygon(self, pixels: Array) -> None:
        """Claims a convex polygon given by its corners (N, 2) in frame pixels."""
        at = np.round(pixels / self.STEP * 16).astype(np.int32)
        cv2.fillConvexPoly(self.mask, at, (1,), shift=4)
        self.any = True

    def add_tiles(self, scene: Scene, fit: Fit) -> None:
        """Claims the tiles in which the picture shows the fitted face: all of the card where it is in full view."""
        if fit.explained > 0.93 and fit.uncovered > 0.97:
            half_x, half_y = scene.faces.deck.width_mm / 2 + 0.7, scene.faces.deck.height_mm / 2 + 0.7
            corners = fit.pose.points(np.array([-1, 1, 1, -1]) * half_x, np.array([1, 1, -1, -1]) * half_y)
            self.add_polygon(scene.camera.project(corners))
            return
        rows, columns = fit.shown.shape
        deck = scene.faces.deck
        gx, gy = np.meshgrid(
            (np.arange(columns + 1) / columns - 0.5) * deck.width_mm,
            (0.5 - np.arange(rows + 1) / rows) * deck.height_mm,
        )
        nodes = scene.camera.project(fit.pose.points(gx.ravel(), gy.ravel())).reshape(rows + 1, columns + 1, 2)
        for r, c in zip(*np.nonzero(fit.shown), strict=True):
            self.add_polygon(np.array([nodes[r, c], nodes[r, c + 1], nodes[r + 1, c + 1], nodes[r + 1, c]]))

    def at(self, pixels: Array) -> Array:
        """1.0 where a pixel (N, 2) is claimed, else 0.0."""
        x = np.clip(np.round(pixels[:, 0] / self.STEP).astype(np.intp), 0, self.mask.shape[1] - 1)
        y = np.clip(np.round(pixels[:, 1] / self.STEP).astype(np.intp), 0, self.mask.shape[0] - 1)
        return self.mask[y, x].astype(np.float64)


def _leaning_starts(scene: Scene, flat: CardPose) -> list[CardPose]:
    """Poses that lean on a wall, for each wall that the card reaches or nearly reaches.

    Its outer border is raised with the inner one on the floor, or, for a card that lies mostly outside, its inner
    border with the outer on the table.
    """
    deck, arena = scene.faces.deck, scene.arena
    corners = flat.corners(deck.width_mm, deck.height_mm)
    starts = []
    for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        wall = arena.inner_mm[axis] / 2
        across = sign * corners[:, axis]
        reach, low = float(across.max()), float(across.min())
        if reach < wall - 12.0 or low > wall + arena.wall_thickness_mm + 5.0:
            continue
        starts.append(_raised(scene, flat, axis, sign, reach - low, arena.wall_height_mm, max(wall - low, 12.0)))
        if sign * flat.centre_mm[axis] > wall - 5.0:
            outer = wall + arena.wall_thickness_mm
            height = arena.wall_height_mm - arena.table_z_mm
            starts.append(_raised(scene, flat, axis, -sign, reach - low, height, max(reach - outer, 12.0)))
    return starts


def _raised(
    scene: Scene, flat: CardPose, axis: int, sign: float, extent: float, wall_height: float, run: float
) -> CardPose:
    """`flat` turned about the horizontal axis along a wall, so that its side towards `sign` goes up by the slope of
    `wall_height` over `run`, and kept at its pixel: a raised card appears farther from the point under the camera."""
    rise = float(np.arctan2(wall_height, min(run, extent)))
    axis_vector = np.zeros(3)
    axis_vector[1 - axis] = (-1.0 if axis == 0 else 1.0) * sign * rise
    turn = cv2.Rodrigues(axis_vector)[0]
    centre = flat.centre_mm.copy()
    centre[2] = np.sin(rise) * extent / 2
    ray = scene.camera.centre_mm - flat.centre_mm
    centre[:2] = flat.centre_mm[:2] + ray[:2] * (centre[2] - flat.centre_mm[2]) / ray[2]
    return CardPose(turn @ flat.R, centre)


_TILE_MM = 8.0
# A tile speaks with about this many independent pixels: neighbouring residuals are alike because of blur and light.
_TILE_SAMPLES = 8.0


def measure(scene: Scene, face: int, alignment: Alignment, claims: Claims | None = None) -> Fit:
    """How much of the face the picture shows, tile by tile, at the coarse scale."""
    grid = scene.faces.grid(COARSE_PX_PER_MM)
    pose, deck = alignment.pose, scene.faces.deck
    x, y = grid.x_mm.ravel().astype(np.float64), grid.y_mm.ravel().astype(np.float64)
    pixels = scene.camera.project(pose.points(x, y))
    seen = sample(scene.pyramid.levels[scene.fine_level + 1], pixels / 2.0 ** (scene.fine_level + 1))
    good = np.isfinite(seen) & grid.mask.ravel()
    if claims is not None and claims.any:
        good &= claims.at(pixels) == 0.0
    seen = np.where(good, seen, 0.0)
    value = grid.grey[face].ravel().astype(np.float64)
    residual, _ = robust_residual(value, x / 45.0, y / 45.0, seen, good)
    columns, rows = int(deck.width_mm / _TILE_MM), int(deck.height_mm / _TILE_MM)
    c = np.minimum(((x / deck.width_mm + 0.5) * columns).astype(int), columns - 1)
    r = np.minimum(((0.5 - y / deck.height_mm) * rows).astype(int), rows - 1)
    tile = r * columns + c
    n = np.bincount(tile, good, rows * columns)
    enough = n > 20

    def mean(a: Array) -> Array:
        return np.asarray(np.bincount(tile, a * good, rows * columns) / np.maximum(n, 1.0))

    middle = mean(seen)
    spread = mean(seen**2) - middle**2
    model_spread = mean(value**2) - mean(value) ** 2
    off = mean(np.minimum(residual**2, 60.0**2))
    floor = 6.0**2  # variance of a good fit: noise, print against picture, leftover shading (grey levels squared)
    gain_in_nats = 0.5 * _TILE_SAMPLES * np.log((spread + floor) / (off + floor))
    # even tiles say little either way unless their grey is wrong
    explained = enough & ((off < 0.4 * spread + floor) | (off < 1.5 * floor))
    nats = np.where(enough, np.clip(gain_in_nats, -2.0, 8.0), 0.0)
    nats = np.where((model_spread < 30.0) & (nats > 0), 0.0, nats)
    share = float(explained.sum() / max(1, enough.sum()))
    shape = (rows, columns)
    return Fit(
        face, alignment, share, float(nats.sum()), nats.reshape(shape), explained.reshape(shape), float(enough.mean())
    )


def robust_residual(value: Array, x: Array, y: Array, seen: Array, good: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Residual (N,) of the picture against a face under linear gain and offset, fitted to the part that agrees."""
    one = np.ones_like(value)
    basis = np.stack([value, value * x, value * y, one, x, y], axis=1)
    weights = good.astype(np.float64)
    residual: Array = seen
    solution: Array = np.zeros(6)
    for round_ in range(4):
        weighted = basis * weights[:, None]
        normal = weighted.T @ basis
        normal[np.diag_indices_from(normal)] += 1e-3 + np.diag(normal) * np.array([0, 0.02, 0.02, 0, 0.02, 0.02])
        solution = np.asarray(np.linalg.solve(normal, weighted.T @ seen), dtype=np.float64)
        residual = seen - basis @ solution
        if round_ == 3:
            break
        scale = max(4.0, 1.4826 * float(np.median(np.abs(residual[good]))) if good.any() else 4.0)
        weights = good / (1.0 + (residual / (1.5 * scale)) ** 2) ** 2
    return residual, solution
