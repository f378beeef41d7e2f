"""Measures the table from one picture: where the fiducials lie, and where among them the tray is.

1. All fiducials lie in one plane and have one size. The plane's pose and each fiducial's place and turn in it are found
   together, by least squares over all corners in pixels.
2. The tray's inner size and its wall are known. Seen from straight above, floor and wall, wall and rim, rim and table
   part along rectangles; where the picture changes most across all their sides, the tray is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.errors import CannotDo
from arena_cam.domain.table import Arena, Fiducials
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.picture.markers import SeenMarker, find_markers
from arena_cam.vision.setup.messages import SurveyRefusal

FEWEST_FIDUCIALS = 3  # two serve for a frame, but one of them may be covered
MOST_STEPS = 30
NUDGE = 1e-5  # for derivatives by difference: radians and mm, far below what a picture shows, far above rounding
CONVERGED = 1e-7

SIDE_SAMPLES = 24
EDGE_REACH_PX = 3.0  # to either side of a marker's side: within its quiet zone and its border

GAMMA = 2.2  # of nearly every picture

# The tray is sought in two rounds: (pixels per mm, reach from the first guess in mm).
ROUNDS = ((1.0, 40.0), (4.0, 2.0))
LEAST_EDGE = 1.0  # grey levels, mean of a whole side: noise gives a tenth of that, a texture across it not much more
FEWEST_EDGES = 8  # of twelve; a dark wall in its own shadow may hide a few
WORST_FIT_PX = 1.0  # of the fiducials' corners; flat markers fit to a fifth of that


@dataclass(frozen=True, eq=False)
class Survey:
    """What was measured: the fiducials in the world frame, and the reprojection error of their corners in pixels.

    `turned_deg` says how far each fiducial is turned against the tray; they should lie straight. `edge_levels` is how
    far the picture changes, in grey levels, across the tray's edges: floor to wall, wall to rim, rim to table, for each
    left, right, upper, lower.
    """

    fiducials: Fiducials
    camera: Camera
    reprojection_px: float
    turned_deg: dict[int, float]
    edge_levels: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class _Plane:
    """A camera over a plane of fiducials: `places` (N, 3) are x, y in mm and turn in radians; the first is 0, 0, 0."""

    rvec: Array
    tvec: Array
    places: Array

    @staticmethod
    def from_vector(vector: Array) -> _Plane:
        return _Plane(vector[:3], vector[3:6], np.vstack([np.zeros(3), vector[6:].reshape(-1, 3)]))

    def to_vector(self) -> Array:
        return np.concatenate([self.rvec, self.tvec, self.places[1:].reshape(-1)])


def survey_arena(
    image_bgr: Image, K: Array, dist: Array, arena: Arena, dictionary: str, size_mm: float, z_mm: float
) -> Survey:
    """Measures fiducials of `dictionary`, `size_mm` wide, their surface at `z_mm`, round the empty `arena`.

    `image_bgr` is (H, W, 3). Raises CannotDo, saying what to change, where it does not show enough.
    """
    laid = _lay_out(image_bgr, K, dist, dictionary, size_mm, z_mm)
    camera, edges = _find_tray(image_bgr, laid.camera, arena)
    return laid.in_world(camera, edges)


def survey_fiducials(image_bgr: Image, K: Array, dist: Array, dictionary: str, size_mm: float, z_mm: float) -> Survey:
    """As `survey_arena`, without an arena: the world's origin is amid the fiducials, and no edges are looked for."""
    laid = _lay_out(image_bgr, K, dist, dictionary, size_mm, z_mm)
    return laid.in_world(laid.camera, np.zeros(0))


@dataclass(frozen=True, eq=False)
class _LaidOut:
    """Fiducials in their plane, and the camera in a world whose origin is amid them."""

    markers: list[SeenMarker]
    plane: _Plane
    camera: Camera
    reprojection_px: float
    dictionary: str
    size_mm: float
    z_mm: float

    def in_world(self, camera: Camera, edges: Array) -> Survey:
        """Takes the fiducials' places from their plane to the world, by way of the camera, which knows both."""
        of_plane = Camera(camera.K, camera.dist, self.plane.rvec, self.plane.tvec)
        corners = _on_plane(self.plane.places, self.size_mm)
        in_world = {
            marker.id: (of_plane.to_camera(four) - camera.tvec) @ camera.R
            for marker, four in zip(self.markers, corners, strict=True)
        }
        centres = {number: (float(c[:, 0].mean()), float(c[:, 1].mean())) for number, c in sorted(in_world.items())}
        turned = {n: float(np.degrees(np.arctan2(*(four[1] - four[0])[1::-1]))) for n, four in in_world.items()}
        fiducials = Fiducials(self.dictionary, self.size_mm, centres, self.z_mm)
        return Survey(fiducials, camera, self.reprojection_px, turned, tuple(float(edge) for edge in edges))


def _lay_out(image_bgr: Image, K: Array, dist: Array, dictionary: str, size_mm: float, z_mm: float) -> _LaidOut:
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    markers = find_markers(grey, dictionary)
    if len({marker.id for marker in markers}) < max(FEWEST_FIDUCIALS, len(markers)):
        seen = ", ".join(str(marker.id) for marker in sorted(markers, key=lambda m: m.id)) or "none"
        raise CannotDo(
            SurveyRefusal.TOO_FEW_FIDUCIALS(seen=seen, least=FEWEST_FIDUCIALS, dictionary=dictionary),
        )
    corners = np.array([_sharpened(grey, marker) for marker in markers])
    plane, error_px = _fit_plane(corners, K, dist, size_mm)
    if error_px > WORST_FIT_PX:
        raise CannotDo(
            SurveyRefusal.NOT_IN_ONE_PLANE(error_px=round(error_px, 1)),
        )
    camera = _middle_of(plane, z_mm, K, dist)
    return _LaidOut(markers, plane, camera, error_px, dictionary, size_mm, z_mm)


def _sharpened(grey: Image, marker: SeenMarker) -> Array:
    """The corners (4, 2) where the marker's four sides meet.

    Blur rounds a corner off and every finder of corners then puts it too far in, by half a pixel in 50: one per cent of
    the table's size. The middle of a blurred straight side stays where it is.
    """
    corners = marker.corners_px
    sides = [_side_line(grey, corners[i], corners[(i + 1) % 4]) for i in range(4)]
    meet = [np.cross(sides[i - 1], sides[i]) for i in range(4)]
    return np.array([point[:2] / point[2] for point in meet])


def _side_line(grey: Image, start: Array, end: Array) -> Array:
    """The line (a, b, c), a x + b y + c = 0, along which dark turns to light between two corners of a marker."""
    along = end - start
    normal = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    spots = start + np.linspace(0.15, 0.85, SIDE_SAMPLES)[:, None] * along
    depths = np.arange(-EDGE_REACH_PX, EDGE_REACH_PX + 0.01, 0.25)
    at = (spots[:, None] + depths[None, :, None] * normal).astype(np.float32)
    # Light is what a lens blurs, and a picture holds its root: measured there, every dark square would seem smaller.
    profile = np.asarray(cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR) / 255.0, np.float64) ** GAMMA
    slope = np.maximum(np.diff(profile, axis=1), 0.0)
    middle = (slope * (depths[1:] + depths[:-1]) / 2).sum(axis=1) / np.maximum(slope.sum(axis=1), 1e-9)
    edge = spots + middle[:, None] * normal
    a, b, x, y = (float(v) for v in cv2.fitLine(edge.astype(np.float32), cv2.DIST_HUBER, 0, 0.001, 0.001).reshape(4))
    return np.array([b, -a, a * y - b * x])


def _square(size_mm: float) -> Array:
    half = size_mm / 2.0
    return np.array([[-half, half], [half, half], [half, -half], [-half, -half]])


def _on_plane(places: Array, size_mm: float) -> Array:
    """Corners (N, 4, 3) in the plane's frame, y up, of fiducials at `places`."""
    cos, sin = np.cos(places[:, 2]), np.sin(places[:, 2])
    turn = np.array([[cos, -sin], [sin, cos]]).transpose(2, 0, 1)
    flat = np.einsum("nij,kj->nki", turn, _square(size_mm)) + places[:, None, :2]
    return np.concatenate([flat, np.zeros((*flat.shape[:2], 1))], axis=2)


def _residuals(vector: Array, corners_px: Array, K: Array, dist: Array, size_mm: float) -> Array:
    plane = _Plane.from_vector(vector)
    camera = Camera(K, dist, plane.rvec, plane.tvec)
    return (camera.project(_on_plane(plane.places, size_mm).reshape(-1, 3)) - corners_px.reshape(-1, 2)).reshape(-1)


def _fit_plane(corners_px: Array, K: Array, dist: Array, size_mm: float) -> tuple[_Plane, float]:
    """Gauss-Newton from each of the two poses that one small square allows; the better end is the plane."""
    solutions = cv2.solvePnPGeneric(
        np.column_stack([_square(size_mm), np.zeros(4)]), corners_px[0], K, dist, flags=cv2.SOLVEPNP_IPPE_SQUARE
    )
    best: tuple[float, Array] | None = None
    for rvec, tvec in zip(solutions[1], solutions[2], strict=True):
        pose = Camera(K, dist, np.asarray(rvec, np.float64).reshape(3), np.asarray(tvec, np.float64).reshape(3))
        end = _descend(_start(pose, corners_px), corners_px, K, dist, size_mm)
        residuals = _residuals(end, corners_px, K, dist, size_mm)
        error_px = float(np.sqrt((residuals**2).sum() / (len(residuals) / 2)))
        if np.isfinite(error_px) and (best is None or error_px < best[0]):
            best = error_px, end
    if best is None:
        raise CannotDo(SurveyRefusal.NO_PLANE())
    return _Plane.from_vector(best[1]), best[0]


def _start(pose: Camera, corners_px: Array) -> Array:
    """Each fiducial where its corners' rays meet the first one's plane."""
    flat = np.array([pose.to_plane(corners)[:, :2] for corners in corners_px])
    along = flat[:, 1] - flat[:, 0]
    turns = np.arctan2(along[:, 1], along[:, 0])
    places = np.column_stack([flat.mean(axis=1), turns])
    return _Plane(pose.rvec, pose.tvec, places).to_vector()


def _descend(vector: Array, corners_px: Array, K: Array, dist: Array, size_mm: float) -> Array:
    for _ in range(MOST_STEPS):
        residuals = _residuals(vector, corners_px, K, dist, size_mm)
        nudged = vector + NUDGE * np.eye(len(vector))
        slopes = [(_residuals(v, corners_px, K, dist, size_mm) - residuals) / NUDGE for v in nudged]
        step, *_ = np.linalg.lstsq(np.array(slopes).T, -residuals, rcond=None)
        vector = vector + step
        if not np.isfinite(step).all() or np.abs(step).max() < CONVERGED:
            break
    return vector


def _moved(camera: Camera, x_mm: float, y_mm: float, turn_rad: float, z_mm: float) -> Camera:
    """`camera` in a world whose origin is at x, y, z of the old one, and whose axes are turned counter-clockwise."""
    turn = cv2.Rodrigues(np.array([0.0, 0.0, turn_rad]))[0]
    rotation = camera.R @ turn
    tvec = camera.R @ np.array([x_mm, y_mm, z_mm]) + camera.tvec
    return Camera(camera.K, camera.dist, np.asarray(cv2.Rodrigues(rotation)[0], np.float64).reshape(3), tvec)


def _middle_of(plane: _Plane, z_mm: float, K: Array, dist: Array) -> Camera:
    """The camera in a world with its origin amid the fiducials at the floor's height, its axes the mean of theirs."""
    camera = Camera(K, dist, plane.rvec, plane.tvec)
    x, y = (plane.places[:, :2].max(axis=0) + plane.places[:, :2].min(axis=0)) / 2.0
    turn = float(np.arctan2(np.sin(plane.places[:, 2]).sum(), np.cos(plane.places[:, 2]).sum()))
    return _moved(camera, float(x), float(y), turn, -z_mm)


def _find_tray(image_bgr: Image, camera: Camera, arena: Arena) -> tuple[Camera, Array]:
    """The camera in the world whose origin is the middle of the tray's floor, and its edges (12,) in grey levels."""
    edges: Array = np.zeros(12)
    for px_per_mm, reach_mm in ROUNDS:
        _, (x_mm, y_mm), edges = _best_place(image_bgr, camera, arena, px_per_mm, reach_mm)
        camera = _moved(camera, x_mm, y_mm, 0, 0)
    if (edges >= LEAST_EDGE).sum() < FEWEST_EDGES:
        raise CannotDo(
            SurveyRefusal.TRAY_UNSEEN(size_mm=f"{arena.inner_mm[0]:g} x {arena.inner_mm[1]:g}"),
        )
    return camera, edges


def _best_place(
    image_bgr: Image, camera: Camera, arena: Arena, px_per_mm: float, reach_mm: float
) -> tuple[float, tuple[float, float], Array]:
    """How well the tray fits where it fits best, that place in mm, and its edges there, in grey levels.

    Twelve edges are looked at: floor to wall, wall to rim, rim to table, each on four sides.
    """
    (width, depth), rim = arena.inner_mm, 2 * arena.wall_thickness_mm
    half_x, half_y = (side / 2 + rim / 2 + reach_mm + 4 for side in arena.inner_mm)
    floor = from_above(image_bgr, camera, half_x, half_y, px_per_mm, 0.0)
    top = from_above(image_bgr, camera, half_x, half_y, px_per_mm, arena.wall_height_mm)
    reach = int(reach_mm * px_per_mm)
    edges = np.concatenate(
        [
            _edges(floor, width, depth, px_per_mm, reach),
            _edges(top, width, depth, px_per_mm, reach),
            _edges(top, width + rim, depth + rim, px_per_mm, reach),
        ]
    )
    fit = np.log1p(edges).sum(axis=0)  # the logarithm: many fair edges are better than a few strong ones
    row, column = np.unravel_index(int(fit.argmax()), fit.shape)
    place = ((int(column) - reach) / px_per_mm, (reach - int(row)) / px_per_mm)
    return float(fit.max()), place, edges[:, row, column]


def _edges(seen: Image, width_mm: float, depth_mm: float, px_per_mm: float, reach: int) -> Array:
    """The mean step across each side of a rectangle, (4, R, R), with its middle moved by -reach to reach both ways."""
    across = cv2.blur(cv2.Sobel(seen, cv2.CV_32F, 1, 0, ksize=3) / 4, (1, int(depth_mm * px_per_mm)))
    down = cv2.blur(cv2.Sobel(seen, cv2.CV_32F, 0, 1, ksize=3) / 4, (int(width_mm * px_per_mm), 1))
    # In all colours: green felt and dark wood are of one lightness. And a pixel to either side: the tray's size was
    # measured with a ruler, and its sides are not all quite straight.
    across, down = (
        np.asarray(cv2.dilate(np.sqrt((step**2).mean(axis=2)), np.ones((3, 3), np.uint8))) for step in (across, down)
    )
    rows, columns = (side // 2 for side in seen.shape[:2])
    half_x, half_y = round(width_mm / 2 * px_per_mm), round(depth_mm / 2 * px_per_mm)
    sides = ((across, -half_x, 0), (across, half_x, 0), (down, 0, -half_y), (down, 0, half_y))
    return np.array(
        [
            step[rows + y - reach : rows + y + reach + 1, columns + x - reach : columns + x + reach + 1]
            for step, x, y in sides
        ],
        np.float64,
    )


def from_above(
    image: Image, camera: Camera, half_x_mm: float, half_y_mm: float, px_per_mm: float, z_mm: float
) -> Image:
    """The plane at height `z_mm` as a picture from straight above, its middle pixel at x = y = 0."""
    x = np.arange(-int(half_x_mm * px_per_mm), int(half_x_mm * px_per_mm) + 1) / px_per_mm
    y = np.arange(-int(half_y_mm * px_per_mm), int(half_y_mm * px_per_mm) + 1)[::-1] / px_per_mm
    plane = np.diag([1.0, 1.0, z_mm])  # its origin is (0, 0, z)
    places = np.stack([*(each.ravel() for each in np.meshgrid(x, y)), np.ones(len(x) * len(y))])
    columns, rows = camera.project_plane(plane, places).astype(np.float32).reshape(2, len(y), len(x))
    return np.asarray(cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
