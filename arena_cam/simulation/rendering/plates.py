"""Draws flat things (cards, paper, hands) into a linear picture through the lens, with their soft shadows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.rendering.background import Ground, kept_rays
from arena_cam.simulation.rendering.lighting import Light

Image32 = NDArray[np.float32]

# Texture pixels per picture pixel: with bilinear reading this blurs about as much as a sensor's pixel does.
TEXTURE_OVERSAMPLING = 1.5
# A moving thing's shadow is drawn so many times smaller: it lies some centimetres below it and is soft.
QUICK_COARSENESS = 4


@dataclass(frozen=True, eq=False)
class Plate:
    """A flat thing: linear albedo `colour` (h, w, 3) over its size in mm; `alpha` (h, w) or a rounded outline.

    `outlines_mm` are convex polygons (N, 2) in the plate's frame that throw its shadow.
    """

    width_mm: float
    height_mm: float
    colour: Image32
    corner_radius_mm: float = 0.0
    alpha: Image32 | None = None
    outlines_mm: tuple[Array, ...] = ()
    gloss: float = 0.0
    curl_mm: float = 0.0
    curl_axis: int = 1

    def lift_mm(self, x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.floating]:
        """The height of the bent plate over its middle's plane at (x, y): a parabola, `curl_mm` at the two ends.

        It bends along x (`curl_axis` 0) or y (1); positive: the ends stand up.
        """
        along, half = (x, self.width_mm / 2) if self.curl_axis == 0 else (y, self.height_mm / 2)
        return self.curl_mm * (along / half) ** 2

    def reduced(self, px_per_mm: float) -> Plate:
        """The same plate with its colours at the scale at which the camera sees them."""
        scale = px_per_mm * TEXTURE_OVERSAMPLING
        size = (max(2, round(self.width_mm * scale)), max(2, round(self.height_mm * scale)))
        how = cv2.INTER_AREA if size[0] < self.colour.shape[1] else cv2.INTER_LINEAR
        return replace(self, colour=np.asarray(cv2.resize(self.colour, size, interpolation=how), np.float32))


@dataclass(frozen=True)
class Box:
    """A part of the picture in whole pixels, the ends not included."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def empty(self) -> bool:
        return self.x1 <= self.x0 or self.y1 <= self.y0

    def slices(self) -> tuple[slice, slice]:
        return slice(self.y0, self.y1), slice(self.x0, self.x1)

    def grown(self, by: int, size_px: tuple[int, int]) -> Box:
        return Box(
            max(self.x0 - by, 0), max(self.y0 - by, 0), min(self.x1 + by, size_px[0]), min(self.y1 + by, size_px[1])
        )

    def joined(self, other: Box) -> Box:
        if self.empty or other.empty:
            return other if self.empty else self
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


NOTHING = Box(0, 0, 0, 0)


def box_of(points_px: Array, size_px: tuple[int, int], margin: int) -> Box:
    """The box round points (N, 2), grown by `margin` and cut to the picture."""
    points = np.nan_to_num(points_px, nan=-1e4, posinf=1e6, neginf=-1e6)
    low, high = np.floor(points.min(axis=0)).astype(int), np.ceil(points.max(axis=0)).astype(int) + 1
    return Box(int(low[0]), int(low[1]), int(high[0]), int(high[1])).grown(margin, size_px)


class Painter:
    """Draws plates for one camera over one arena under one light."""

    def __init__(
        self, camera: Camera, size_px: tuple[int, int], arena: Arena, light: Light, ground: NDArray[np.uint8]
    ) -> None:
        self.camera, self.size_px, self.arena, self.light = camera, size_px, arena, light
        self._ground = ground
        self._rays = kept_rays(camera, size_px)

    def lit(self, plate: Plate, pose: CardPose) -> Image32:
        """The plate's colours under the light where it is, gloss included."""
        columns, rows = 6, 8
        x, y = np.meshgrid(
            (np.arange(columns) + 0.5) / columns * plate.width_mm - plate.width_mm / 2,
            plate.height_mm / 2 - (np.arange(rows) + 0.5) / rows * plate.height_mm,
        )
        points = pose.points(x.ravel(), y.ravel())
        normal = self._normals(plate, pose, x.ravel(), y.ravel())
        light = self.light.on(points, normal).reshape(rows, columns, 3).astype(np.float32)
        size = plate.colour.shape[1], plate.colour.shape[0]
        out = plate.colour * cv2.resize(light, size, interpolation=cv2.INTER_LINEAR)
        if plate.gloss:
            shine = self._shine(points, normal).reshape(rows, columns, 3).astype(np.float32)
            out += plate.gloss * cv2.resize(shine, size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(out, np.float32)

    @staticmethod
    def _normals(plate: Plate, pose: CardPose, x: Array, y: Array) -> Array:
        """Normals (N, 3), or one (3,) for a plate that is not bent, on the side that is up."""
        upward = 1.0 if pose.R[2, 2] > 0 else -1.0
        if not plate.curl_mm:
            return upward * pose.R[:, 2]
        along, half = (x, plate.width_mm / 2) if plate.curl_axis == 0 else (y, plate.height_mm / 2)
        slope = 2.0 * plate.curl_mm * along / half**2
        normals = pose.R[:, 2] - np.outer(slope, pose.R[:, plate.curl_axis])
        return np.asarray(upward * normals / np.linalg.norm(normals, axis=1, keepdims=True))

    def _shine(self, points: Array, normal: Array) -> Array:
        """Light mirrored by a satin varnish: Blinn's half vector, exponent 60 (a lobe of about 10 degrees)."""
        to_eye = self.camera.centre_mm - points
        to_eye /= np.linalg.norm(to_eye, axis=1, keepdims=True)
        total = np.zeros((len(points), 3))
        for lamp, weight in zip(self.light.points, self.light.weights, strict=True):
            half = (lamp - points) / np.linalg.norm(lamp - points, axis=1, keepdims=True) + to_eye
            half /= np.linalg.norm(half, axis=1, keepdims=True)
            total += np.outer(np.clip((half * normal).sum(axis=1), 0.0, 1.0) ** 60, weight * 8.0)
        return total

    def draw(
        self,
        canvas: Image32,
        plate: Plate,
        pose: CardPose,
        *,
        blur_px: tuple[float, float] = (0.0, 0.0),
        behind_tray: bool = False,
    ) -> Box:
        """Draws the plate into `canvas` (h, w, 3) and returns the box that changed.

        `blur_px` is how far it moves (x, y) while the shutter is open. `behind_tray`: it lies outside and low, so the
        tray hides what is behind its walls.
        """
        length = float(np.hypot(*blur_px))
        outline = pose.corners(plate.width_mm, plate.height_mm)
        if np.any(self.camera.to_camera(outline)[:, 2] < 20.0):  # closer to the lens than anything is drawn
            return NOTHING
        box = box_of(self.camera.project(outline), self.size_px, 2 + int(np.ceil(length / 2 + abs(plate.curl_mm))))
        if box.empty:
            return NOTHING
        colour, alpha = self._layer(plate, pose, box)
        colour = _times(colour, alpha)
        if length > 0.7:
            kernel = _line_kernel(blur_px)
            colour = np.asarray(cv2.filter2D(colour, -1, kernel), np.float32)
            alpha = np.asarray(cv2.filter2D(alpha, -1, kernel), np.float32)
        if behind_tray:
            seen = np.asarray(self._ground[box.slices()] == Ground.TABLE, np.float32)
            colour, alpha = _times(colour, seen), alpha * seen
        region = canvas[box.slices()]
        cv2.add(_times(region, 1.0 - alpha), colour, dst=region)
        return box

    def _layer(self, plate: Plate, pose: CardPose, box: Box) -> tuple[Image32, Image32]:
        """Lit colours and coverage of the pixels in `box`: every ray is met with the plate's plane."""
        x, y = self._local(plate, pose, box)
        height, width = plate.colour.shape[:2]
        u = (x + plate.width_mm / 2) * (width / plate.width_mm) - 0.5
        v = (plate.height_mm / 2 - y) * (height / plate.height_mm) - 0.5
        lit = cv2.remap(self.lit(plate, pose), u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        colour = np.asarray(lit, np.float32)
        if plate.alpha is not None:
            alpha = cv2.remap(plate.alpha, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
            return colour, np.asarray(alpha, np.float32)
        return colour, _coverage(x, y, plate, self._pixel_mm(x, y))

    def covers(self, plate: Plate, pose: CardPose) -> NDArray[np.bool_]:
        """The pixels (h, w) that the plate hides."""
        hidden = np.zeros(self._ground.shape, bool)
        outline = self.camera.project(pose.corners(plate.width_mm, plate.height_mm))
        box = box_of(outline, self.size_px, 2)
        if not box.empty:
            hidden[box.slices()] = self._layer(plate, pose, box)[1] > 0.5
        return hidden

    def _local(self, plate: Plate, pose: CardPose, box: Box) -> tuple[Image32, Image32]:
        """Coordinates in the plate's frame, mm, where the box's rays meet its plane."""
        across = self._rays[box.slices()] @ pose.R.astype(np.float32)
        start = ((self.camera.centre_mm - pose.centre_mm) @ pose.R).astype(np.float32)
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = -start[2] / across[:, :, 2]
        x = start[0] + reach * across[:, :, 0]
        y = start[1] + reach * across[:, :, 1]
        if plate.curl_mm:
            # The ray goes on from the middle's plane to the bent sheet; two steps leave less than 0.01 mm.
            steps = across[:, :, :2] / across[:, :, 2:]
            flat_x, flat_y = x, y
            for _ in range(2):
                lift = np.clip(plate.lift_mm(x, y), -10.0, 10.0).astype(np.float32)
                x, y = flat_x + lift * steps[:, :, 0], flat_y + lift * steps[:, :, 1]
        away = ~(reach > 0)
        x[away] = y[away] = 1e6
        return x, y

    @staticmethod
    def _pixel_mm(x: Image32, y: Image32) -> float:
        """The mm on the plate that a pixel covers, in the middle of the box."""
        if min(x.shape) < 3:
            return 0.5
        r, c = x.shape[0] // 2, x.shape[1] // 2
        dx = np.hypot(x[r, c] - x[r, c - 1], y[r, c] - y[r, c - 1])
        dy = np.hypot(x[r, c] - x[r - 1, c], y[r, c] - y[r - 1, c])
        return float(np.clip(np.sqrt(dx * dy), 0.05, 10.0))

    def cast(self, canvas: Image32, plate: Plate, pose: CardPose, *, quick: bool = False) -> Box:
        """Darkens `canvas` by the plate's shadow on what is there already, and returns the box that changed.

        Each lamp point throws the outline onto the floor, the wall tops and the table; many of them make it soft.
        `quick` takes fewer points, a coarser drawing and the floor's height for all, for what moves and is high up.
        """
        outlines = plate.outlines_mm or (_rounded_outline(plate),)
        solids = [
            pose.points(outline[:, 0], outline[:, 1])
            + np.outer(plate.lift_mm(outline[:, 0], outline[:, 1]), pose.R[:, 2])
            for outline in outlines
        ]
        levels = {Ground.FLOOR: 0.0, Ground.TOP: self.arena.wall_height_mm, Ground.TABLE: self.arena.table_z_mm}
        if quick:
            return self._cast_on(canvas, solids, None, 0.0, quick=True)
        changed = NOTHING
        for kind, level in levels.items():
            changed = changed.joined(self._cast_on(canvas, solids, kind, level, quick=False))
        return changed

    def _cast_on(self, canvas: Image32, solids: list[Array], kind: Ground | None, level: float, *, quick: bool) -> Box:
        groups = self.light.quick_groups if quick else self.light.groups
        points = np.concatenate([self.light.points[group] for group in groups])
        pixels = [self._thrown_px(solid, points, level) for solid in solids]
        box = box_of(np.concatenate([p.reshape(-1, 2) for p in pixels]), self.size_px, 2)
        if box.empty:
            return NOTHING
        here = None if kind is None else self._receives(kind, box)
        if here is not None and not here.any():
            return NOTHING
        coarse = QUICK_COARSENESS if quick else 1
        shape = (-(-(box.y1 - box.y0) // coarse), -(-(box.x1 - box.x0) // coarse))
        # 16ths of a drawing's pixel, measured from the box's corner.
        moved = [((p + 0.5 - [box.x0, box.y0]) / coarse - 0.5) * 16 for p in pixels]
        polygons = [np.clip(m, -1e6, 1e6).astype(np.int32) for m in moved]
        middle = np.array([*np.concatenate(solids)[:, :2].mean(axis=0), level])
        shares = self.light.shares_at(middle)
        left = np.ones((*shape, 3), np.float32)
        stencil, total = np.empty(shape, np.uint8), np.empty(shape, np.float32)
        first = 0
        for group in groups:
            total[:] = 0
            for k in range(first, first + len(group)):
                stencil[:] = 0
                for polygon in polygons:
                    cv2.fillConvexPoly(stencil, polygon[k], 255, cv2.LINE_AA, 4)
                cv2.accumulate(stencil, total)
            first += len(group)
            whole = shares[self.light.group_of(group)].sum(axis=0)
            left -= total[:, :, None] * (whole / (255.0 * len(group))).astype(np.float32)
        region = canvas[box.slices()]
        if coarse > 1:
            size = (shape[1] * coarse, shape[0] * coarse)
            wide = cv2.resize(left, size, interpolation=cv2.INTER_LINEAR)
            left = np.asarray(wide[: region.shape[0], : region.shape[1]], np.float32)
        if here is not None:
            left[~here] = 1.0
        cv2.multiply(region, left, dst=region)
        return box

    def _thrown_px(self, solid: Array, lamps: Array, level: float) -> Array:
        """The shadows, in pixels (S, N, 2), of points (N, 3) on the plane at `level` by lamp points (S, 3)."""
        height = np.clip(solid[:, 2] - level, 0.0, None)
        reach = height / (lamps[:, 2:] - level - height)
        thrown = solid[None, :, :2] + reach[:, :, None] * (solid[None, :, :2] - lamps[:, None, :2])
        flat = np.column_stack([thrown.reshape(-1, 2), np.full(thrown.shape[0] * thrown.shape[1], level)])
        return self.camera.project(flat).reshape(thrown.shape)

    def _receives(self, kind: Ground, box: Box) -> NDArray[np.bool_]:
        ground = self._ground[box.slices()]
        if kind is Ground.FLOOR:
            return np.asarray((ground == Ground.FLOOR) | (ground >= Ground.FACE_X))
        return np.asarray(ground == kind)


def _rounded_outline(plate: Plate) -> Array:
    """The plate's outline, (12, 2), with its corners cut twice."""
    w, h, r = plate.width_mm / 2, plate.height_mm / 2, plate.corner_radius_mm
    k = 0.293 * r  # 1 - cos 45 degrees
    corner = [(-w, h - r), (-w + k, h - k), (-w + r, h)]
    top = corner + [(-x, y) for x, y in reversed(corner)]
    return np.array(top + [(x, -y) for x, y in reversed(top)])


def _coverage(x: Image32, y: Image32, plate: Plate, pixel_mm: float) -> Image32:
    """The share of each pixel that a plate with rounded corners covers, from the distance to its outline."""
    r = plate.corner_radius_mm
    dx = np.abs(x) - (plate.width_mm / 2 - r)
    dy = np.abs(y) - (plate.height_mm / 2 - r)
    outside = np.hypot(np.maximum(dx, 0.0), np.maximum(dy, 0.0)) + np.minimum(np.maximum(dx, dy), 0.0) - r
    return np.clip(0.5 - outside / pixel_mm, 0.0, 1.0).astype(np.float32)


def _times(colour: Image32, share: Image32) -> Image32:
    """Colours (h, w, 3) times a share (h, w): numpy takes four times as long over an axis of three."""
    return np.asarray(cv2.multiply(colour, cv2.merge((share, share, share))), np.float32)


def _line_kernel(shift_px: tuple[float, float]) -> Image32:
    """A kernel that smears along a straight line of that length and direction."""
    length = int(np.ceil(np.hypot(*shift_px))) | 1
    size = length + 2
    kernel = np.zeros((size, size), np.float32)
    middle = (size - 1) / 2
    for t in np.linspace(-0.5, 0.5, 2 * size):
        kernel[round(middle + t * shift_px[1]), round(middle + t * shift_px[0])] += 1.0
    return np.asarray(kernel / kernel.sum(), np.float32)
