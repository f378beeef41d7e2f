"""The camera's extrinsics in every frame, from the fiducials round the arena.

Detected corners give a first pose; blur rounds corners inwards, so the pose is then refined by aligning the fiducials'
known print with the picture, all of them at once, in the six parameters of the pose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.lies import TablePose
from arena_cam.domain.table import Table
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.face_points import FacePoints, mixture
from arena_cam.vision.kernels.fiducial_calls import prints_seen
from arena_cam.vision.picture.markers import SeenMarker, dictionary_named, find_markers, find_markers_near
from arena_cam.vision.picture.robust import MAD_TO_SD, median, medians, percentiles
from arena_cam.vision.picture.sampling import sample_at

# A pose from two or more fiducials whose corners miss by more than this is no pose: something was misread or moved.
_MAX_REPROJECTION_PX = 4.0
# Corners of fiducials are found to half a pixel: a camera that seems to have moved by less may not have.
_STILL_PX = 1.0


@dataclass(frozen=True, eq=False)
class SeenTable:
    """The camera as this frame shows it, the pose in plain numbers, and where the fiducials' paper lies."""

    camera: Camera
    pose: TablePose
    fiducial_outlines_px: tuple[Array, ...]


class TablePoseFinder:
    """Finds the table's pose in pictures of one camera.

    A picture's pose follows from the picture and `reference` alone, whatever was looked at before: the reference is the
    table as set-up saw it, near which fiducials are looked for first and from which refining starts. `held` is the last
    pose found, for a caller to fall back on while too few fiducials are in view.
    """

    def __init__(self, table: Table, reference: SeenTable | None = None) -> None:
        """Raises BadInput if the table's dictionary does not exist."""
        self.reference = reference
        self.table = table
        self._K = np.array(table.K, np.float64)
        self._dist = np.zeros(5)
        self._dist[: min(5, len(table.dist))] = table.dist[:5]
        self._print = _FiducialPrint(table)
        self._ids = list(table.fiducials.centres_mm)
        self.held: SeenTable | None = None
        self.contradicted = False
        """Whether the fiducials that were looked at last contradict each other, so that most of them must be wrong."""

    def find(
        self, grey: NDArray[np.uint8], exact: NDArray[np.float32] | None = None, *, refine: bool = True
    ) -> SeenTable | None:
        """The table in a grey picture (H, W), or None where fewer than two fiducials can be trusted. `exact` is the
        same picture in floats, where the caller has it."""
        seen = self._fiducials(grey)
        posed = self._pose_from(seen)
        self.contradicted = posed is None and len(seen) > 2
        if posed is None:
            return None
        rvec, tvec, kept = posed
        camera = Camera(self._K, self._dist, rvec, tvec)
        if refine:
            picture = grey.astype(np.float32) if exact is None else exact
            camera = self._print.refine(picture, camera, self._start_from(camera), [m.id for m in kept])
        error = self._reprojection(camera, kept)
        pose = TablePose(
            (float(camera.rvec[0]), float(camera.rvec[1]), float(camera.rvec[2])),
            (float(camera.tvec[0]), float(camera.tvec[1]), float(camera.tvec[2])),
            error,
            tuple(sorted(m.id for m in kept)),
        )
        self.held = SeenTable(camera, pose, self.outlines(camera))
        return self.held

    def _start_from(self, camera: Camera) -> Camera:
        """Where refining begins: at the reference, if the camera still stands there, else at what corners say."""
        if self.reference is None:
            return camera
        reference = self.reference.camera
        now, before = (c.project(np.concatenate([*map(self._corners, self._ids)])) for c in (camera, reference))
        return reference if np.abs(now - before).max() < _STILL_PX else camera

    def _fiducials(self, grey: NDArray[np.uint8]) -> list[SeenMarker]:
        """The table's fiducials in view: where the reference has them, or, if one is missing there, anywhere."""
        fiducials, reference = self.table.fiducials, self.reference
        found: dict[int, SeenMarker] = {}
        if reference is not None:
            near = find_markers_near(grey, fiducials.dictionary, reference.fiducial_outlines_px)
            found = {m.id: m for m in near if m.id in fiducials.centres_mm}
        if reference is None or not found.keys() >= set(reference.pose.fiducials):
            found |= {m.id: m for m in find_markers(grey, fiducials.dictionary) if m.id in fiducials.centres_mm}
        return list(found.values())

    def outlines(self, camera: Camera) -> tuple[Array, ...]:
        """Pixels (4, 2) of every fiducial's paper, its white rim of an eighth included, seen or not."""
        half = self.table.fiducials.size_mm * 0.625
        return tuple(camera.project(self._corners(number, half)) for number in self.table.fiducials.centres_mm)

    def _corners(self, number: int, half: float | None = None) -> Array:
        x, y = self.table.fiducials.centres_mm[number]
        h = self.table.fiducials.size_mm / 2 if half is None else half
        z = self.table.fiducials.z_mm
        return np.array([[x - h, y + h, z], [x + h, y + h, z], [x + h, y - h, z], [x - h, y - h, z]])

    def _pose_from(self, seen: list[SeenMarker]) -> tuple[Array, Array, list[SeenMarker]] | None:
        """Pose by perspective-n-point, without a fiducial that contradicts the others; None where no majority of them
        agrees: any two fiducials make some pose, even by the description of another table."""
        fewest = max(2, len(seen) // 2 + 1)
        while len(seen) >= fewest:
            world = np.concatenate([self._corners(m.id) for m in seen])
            pixels = np.concatenate([m.corners_px for m in seen])
            done, rvec, tvec = cv2.solvePnP(world, pixels, self._K, self._dist, flags=cv2.SOLVEPNP_SQPNP)
            if done:
                rvec, tvec = cv2.solvePnPRefineLM(world, pixels, self._K, self._dist, rvec, tvec)
                camera = self._camera(rvec, tvec)
                if self._reprojection(camera, seen) <= _MAX_REPROJECTION_PX and camera.centre_mm[2] > 0:
                    return camera.rvec, camera.tvec, seen
            if len(seen) == fewest:
                return None
            seen = self._without_the_odd_one(seen)
        return None

    def _without_the_odd_one(self, seen: list[SeenMarker]) -> list[SeenMarker]:
        def error_without(left_out: SeenMarker) -> float:
            rest = [m for m in seen if m is not left_out]
            world = np.concatenate([self._corners(m.id) for m in rest])
            pixels = np.concatenate([m.corners_px for m in rest])
            done, rvec, tvec = cv2.solvePnP(world, pixels, self._K, self._dist, flags=cv2.SOLVEPNP_SQPNP)
            camera = self._camera(rvec, tvec)
            return self._reprojection(camera, rest) if done else np.inf

        odd = min(seen, key=error_without)
        return [m for m in seen if m is not odd]

    def _camera(self, rvec: NDArray[Any], tvec: NDArray[Any]) -> Camera:
        as_floats = (np.asarray(v, dtype=np.float64).reshape(3) for v in (rvec, tvec))
        return Camera(self._K, self._dist, *as_floats)

    def _reprojection(self, camera: Camera, seen: list[SeenMarker]) -> float:
        off = np.concatenate([camera.project(self._corners(m.id)) - m.corners_px for m in seen])
        return float(np.sqrt((off**2).sum(axis=1).mean()))


_LEAST_IN_VIEW = 0.9  # of a fiducial's points: what lies on its paper hides more
_LEAST_SCALE = 3.0  # grey levels: noise


@dataclass(frozen=True, eq=False)
class _Prints:
    """The points of several fiducials after one another, those of number k from `bounds[k]` to `bounds[k + 1]`: as
    FacePoints has them, and the first two rows of `motion`, the `slopes` (2, N), by themselves."""

    bounds: NDArray[np.int64]
    places: Array
    value: Array
    motion: Array
    slopes: Array

    @staticmethod
    def of(prints: list[FacePoints]) -> _Prints:
        places = np.concatenate([p.places for p in prints], axis=1)
        motion = np.concatenate([p.motion for p in prints], axis=1)
        bounds = np.cumsum([0, *(len(p.value) for p in prints)]).astype(np.int64)
        value = np.concatenate([p.value for p in prints])
        return _Prints(bounds, places, value, motion, np.ascontiguousarray(motion[:2]))


class _FiducialPrint:
    """The fiducials' known print as points with value and slope, for photometric refinement of the pose."""

    _POINTS_A_SIDE = 40

    def __init__(self, table: Table) -> None:
        self._table = table
        dictionary = dictionary_named(table.fiducials.dictionary)
        modules = dictionary.markerSize + 2
        self._faces: dict[int, FacePoints] = {}
        self._last: tuple[list[int], _Prints] | None = None  # the same fiducials are in view in most frames
        n = self._POINTS_A_SIDE
        size = table.fiducials.size_mm
        # the print with one module of white round it
        span = size * (modules + 2) / modules
        step = span / n
        axis = (np.arange(n) + 0.5) * step - span / 2
        x, y = np.meshgrid(axis, -axis)
        for number in table.fiducials.centres_mm:
            if number >= dictionary.bytesList.shape[0]:
                continue
            print_ = cv2.aruco.generateImageMarker(dictionary, number, modules * 8)
            picture = np.full(((modules + 2) * 8,) * 2, 255, np.uint8)
            picture[8:-8, 8:-8] = print_
            value = cv2.resize(picture, (n, n), interpolation=cv2.INTER_AREA).astype(np.float32)
            value = np.asarray(cv2.GaussianBlur(value, (0, 0), 0.8), dtype=np.float32)
            slope_x = cv2.Sobel(value, cv2.CV_32F, 1, 0, ksize=3) / 8.0 / step
            slope_y = -cv2.Sobel(value, cv2.CV_32F, 0, 1, ksize=3) / 8.0 / step
            # the outermost ring may be cut off by the paper's edge
            inner = np.zeros((n, n), bool)
            inner[1:-1, 1:-1] = True
            steep = inner & (np.hypot(slope_x, slope_y) * step > 4.0)
            cx, cy = table.fiducials.centres_mm[number]
            at = (a[steep].astype(np.float64) for a in (x + cx, y + cy, value, slope_x, slope_y))
            self._faces[number] = FacePoints.of(*at)

    def refine(self, picture: NDArray[np.float32], camera: Camera, start: Camera, numbers: list[int]) -> Camera:
        """The camera with its pose refined on the fiducials `numbers`, from `start`; unchanged where that leads
        away."""
        numbers = [n for n in numbers if n in self._faces]
        if not numbers:
            return camera
        sheet = CardPose(np.eye(3), np.array([0.0, 0.0, self._table.fiducials.z_mm]))
        if self._last is None or self._last[0] != numbers:
            self._last = numbers, _Prints.of([self._faces[n] for n in numbers])
        prints = self._last[1]
        now = start
        for _ in range(6):
            normal, right = self._look(picture, now, sheet, prints)
            if not normal.any():
                return camera
            step = np.linalg.solve(normal + 1e-9 * np.trace(normal) * np.eye(6), right)
            # the sheet turns about its own origin, below the world's
            step[:3] -= np.cross(step[3:], sheet.centre_mm)
            now = _camera_moved(now, step)
            if np.abs(step[:3]).max() < 0.003 and np.abs(step[3:]).max() < 1e-5:
                break
        # a refinement that walks off by more than corners can be wrong is not believed
        moved = np.linalg.norm(now.project(np.zeros((1, 3))) - camera.project(np.zeros((1, 3))))
        return now if np.isfinite(moved) and moved < 3.0 else camera

    def _look(
        self, picture: NDArray[np.float32], camera: Camera, sheet: CardPose, prints: _Prints
    ) -> tuple[Array, Array]:
        """The normal equations (6, 6) and (6,) of a step of the world, from all prints together."""
        points = prints.places, prints.value, prints.slopes
        height_mm = float(sheet.centre_mm[2])
        found = prints_seen(picture, camera, height_mm, prints.bounds, points, _LEAST_IN_VIEW, _LEAST_SCALE)
        if found is not None:
            return found
        normal, right = np.zeros((6, 6)), np.zeros(6)
        seen = sample_at(picture, camera.project_plane(sheet.plane, prints.places))
        by_pose = prints.motion.T @ mixture(camera, sheet)
        for first, end in zip(prints.bounds, prints.bounds[1:], strict=False):
            part, good = seen[first:end], np.isfinite(seen[first:end])
            if good.mean() < _LEAST_IN_VIEW:
                continue
            part = np.where(good, part, 0.0)
            design, residual = self._linearised(prints.value[first:end], by_pose[first:end], part, good)
            normal += design.T @ design
            right -= design.T @ residual
        return normal, right

    @staticmethod
    def _linearised(value: Array, by_pose: Array, seen: Array, good: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Design (N, 6) and residual (N,) of one fiducial, robustly weighted, gain and offset eliminated."""
        weight = good.astype(np.float64)
        gain, offset = _line(value, seen, weight)
        residual = (seen - gain * value - offset) * good
        design = by_pose * gain
        scale = max(_LEAST_SCALE, MAD_TO_SD * median(np.abs(residual)))
        weight = good / (1.0 + (residual / (2.0 * scale)) ** 2)
        # what gain and offset could explain of the design is taken out of it
        share = weight / weight.sum()
        centred = value - share @ value
        design = design - share @ design
        design -= np.outer(centred, (share * centred) @ design / ((share * centred) @ centred))
        root = np.sqrt(weight) / scale
        return design * root[:, None], residual * root


def _line(value: Array, seen: Array, weight: Array) -> tuple[float, float]:
    """Gain and offset of the weighted regression of what is seen on the print."""
    share = weight / weight.sum()
    middle, level = float(share @ value), float(share @ seen)
    centred = (value - middle) * share
    gain = float(centred @ seen) / max(float(centred @ value), 1e-9)
    return gain, level - gain * middle


def _camera_moved(camera: Camera, step: Array) -> Camera:
    """The camera as if the world had moved by a shift (mm) and a rotation vector (rad), world axes about the origin."""
    turn = cv2.Rodrigues(step[3:])[0]
    R = camera.R @ turn
    rvec = np.asarray(cv2.Rodrigues(R)[0], dtype=np.float64).reshape(3)
    return Camera(camera.K, camera.dist, rvec, camera.R @ step[:3] + camera.tvec)


def white_of_paper(bgr: NDArray[np.uint8], seen: SeenTable) -> tuple[Array, Array]:
    """The light on the table as the fiducials' paper shows it (blue, green, red): its colour, green = 1, by the spread
    of white and black in grey levels; and the share of full light that the paper sends, a level of 255 being full and
    light the square of levels. Black is taken off: what it sends is haze. Ones where no fiducial tells."""
    ratios, shares = [], []
    for outline in seen.fiducial_outlines_px:
        x0, y0 = np.floor(outline.min(axis=0)).astype(int)
        x1, y1 = np.ceil(outline.max(axis=0)).astype(int)
        patch = bgr[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)].reshape(-1, 3)
        if len(patch) < 100:
            continue
        light, dark = percentiles(patch, (85.0, 10.0))
        spread = light - dark
        if spread.min() > 15.0:
            ratios.append(spread / spread[1])
            shares.append((light**2 - dark**2) / 255.0**2)
    if not ratios:
        return np.ones(3), np.ones(3)
    return medians(np.array(ratios)), medians(np.array(shares))
