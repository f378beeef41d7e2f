"""Notices that the tray was pushed: it no longer lies where it lay among its fiducials.

The fiducials tell where the camera is, and the table's measurements where the tray lies among them. Pushed along the
table, the tray takes its walls with it, and every landing near a wall would be judged by a wall that is elsewhere. So
the walls' profile, how grey levels change from floor over rim to table, is remembered at eight places, two a side; in
later pictures it is looked for near each place (normalised cross-correlation of the slopes, which light does not
change), and the displacements of all places together give the tray's shift and turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.lies import TablePose
from arena_cam.domain.table import Table
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.picture.robust import medians

STEP_MM = 0.5  # along a profile: as fine as pictures of two pixels a millimetre are
TEMPLATE_MM = 9.0  # to either side of the rim: the wall's face within, its shadow outside
SEARCH_MM = 24.0  # a tray pushed farther lies over its fiducials
SAMPLES = 40  # across a profile; their median is no card's
# A place shows the wall if its profile is like the one remembered; a card or a sleeve over it is not.
LEAST_CORRELATION = 0.8
LEAST_CONTRAST = 1.5  # grey levels, root mean square of a profile's slopes over 1 mm
# Places that contradict the others by more than this are not believed; so many must agree.
AGREE_MM = 1.0
FEWEST_PLACES = 5
SMOOTHING = np.array([0.06, 0.24, 0.40, 0.24, 0.06])  # a Gaussian of one step


@dataclass(frozen=True, slots=True)
class TrayShift:
    """The tray's displacement from its first place: along x and y in mm, and counter-clockwise in degrees."""

    x_mm: float
    y_mm: float
    turn_deg: float

    @property
    def far_mm(self) -> float:
        return float(np.hypot(self.x_mm, self.y_mm))


class TrayPlace:
    """Where the tray lies among its fiducials. The first picture that shows it says where it belongs."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._places = _places(table)
        self._reference: Array | None = None

    def look(self, image_bgr: Image, pose: TablePose) -> TrayShift | None:
        """How far the tray has moved in a picture (H, W, 3); None if that cannot be measured."""
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        slopes = self._slopes(grey, pose)
        if self._reference is None:
            self._reference = slopes
            return TrayShift(0.0, 0.0, 0.0)
        moved = np.array([_displacement(before, now) for before, now in zip(self._reference, slopes, strict=True)])
        return self._rigid(moved)

    def _slopes(self, grey: Image, pose: TablePose) -> Array:
        """Slopes of the walls' profiles, from inside outwards: (8, N), grey levels per mm."""
        camera = Camera(
            np.array(self._table.K, np.float64),
            np.array((*self._table.dist, 0.0, 0.0, 0.0, 0.0, 0.0)[:5], np.float64),
            np.array(pose.rvec, np.float64),
            np.array(pose.tvec, np.float64),
        )
        reach = TEMPLATE_MM + SEARCH_MM
        across = np.arange(-reach, reach + STEP_MM / 2, STEP_MM)
        profiles = []
        for place in self._places:
            along = np.linspace(-place.half_mm, place.half_mm, SAMPLES)
            side = np.array([-place.normal[1], place.normal[0]])
            xy = place.centre_mm + along[:, None, None] * side + across[None, :, None] * place.normal
            world = np.concatenate([xy, np.full((*xy.shape[:2], 1), self._table.arena.wall_height_mm)], axis=2)
            pixels = camera.project(world.reshape(-1, 3)).reshape(*xy.shape).astype(np.float32)
            seen = cv2.remap(grey, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            profiles.append(np.gradient(medians(seen.astype(np.float64)), STEP_MM))
        # noise of single steps is smoothed along each profile, not from one to the next
        return np.asarray(cv2.sepFilter2D(np.array(profiles), -1, SMOOTHING, np.ones(1)), np.float64)

    def _rigid(self, moved: Array) -> TrayShift | None:
        """The shift and turn that explain how far each place moved outwards (8,); NaN where that is not known."""
        normals = np.array([place.normal for place in self._places])
        centres = np.array([place.centre_mm for place in self._places])
        turning = centres[:, 0] * normals[:, 1] - centres[:, 1] * normals[:, 0]
        design = np.column_stack([normals, turning])
        believed = np.isfinite(moved)
        while believed.sum() >= FEWEST_PLACES:
            if np.linalg.matrix_rank(design[believed], tol=1e-6) < 3:
                return None
            found = np.linalg.lstsq(design[believed], moved[believed], rcond=None)[0]
            off = np.abs(np.where(believed, np.nan_to_num(moved) - design @ found, 0.0))
            if off.max() <= AGREE_MM:
                return TrayShift(float(found[0]), float(found[1]), float(np.degrees(found[2])))
            believed[int(off.argmax())] = False
        return None


@dataclass(frozen=True, eq=False)
class _Place:
    """A stretch of wall: its middle on the rim, the direction outwards (2,), and half its length."""

    centre_mm: Array
    normal: Array
    half_mm: float


def _places(table: Table) -> list[_Place]:
    arena = table.arena
    half = np.array(arena.inner_mm) / 2
    places = []
    for axis in (0, 1):
        for sign in (-1.0, 1.0):
            normal = np.zeros(2)
            normal[axis] = sign
            length = half[1 - axis]
            for middle in (-0.47, 0.47):
                centre = normal * (half[axis] + arena.wall_thickness_mm / 2)
                centre[1 - axis] = middle * length
                places.append(_Place(centre, normal, 0.38 * float(length)))
    return places


def _displacement(before: Array, now: Array) -> float:
    """How far outwards the wall lies in `now` against `before`, mm; NaN where it is not seen."""
    middle, half = len(before) // 2, round(TEMPLATE_MM / STEP_MM)
    template = before[middle - half : middle + half + 1].astype(np.float32)
    if np.sqrt((template**2).mean()) < LEAST_CONTRAST:
        return np.nan
    likeness = cv2.matchTemplate(now.astype(np.float32)[None], template[None], cv2.TM_CCORR_NORMED)[0]
    best = int(likeness.argmax())
    if likeness[best] < LEAST_CORRELATION or best in (0, len(likeness) - 1):
        return np.nan
    low, high, right = (float(likeness[best + k]) for k in (-1, 0, 1))
    curve = low - 2.0 * high + right
    finer = 0.5 * (low - right) / curve if curve < 0 else 0.0
    return (best - (middle - half) + finer) * STEP_MM
