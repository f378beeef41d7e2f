"""Where the plane is that cards lie in, and how large it is seen: from right angles and whole sides of cards.

The lens is taken for a pinhole of usual width. A plane is its normal; where a picture shows it, corners of cards must
be right angles there, whole sides of cards one of two lengths, and no side longer than a card. How many are, counts
(a Hough transform over the normal's two angles and the scale), and the best are brought to their optimum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.kernels.plane_calls import plane_support
from arena_cam.vision.planes.outline_corners import Corners

# Telephones' main lenses and the Pi's cameras have a focal length of 0.7 to 1 times the picture's longer side.
USUAL_FOCAL = 0.85
# What corners and sides found in a picture are off by, standard deviations: degrees, and a share of the length.
_ANGLE_SD_DEG, _LENGTH_SD = 2.5, 0.025
_FARTHEST_MM = 420.0  # from the middle of the cards: players reach no farther, and a wider view takes longer
_LONGEST = 1.1  # of a card's height, a side
_TILT_SD_DEG = 25.0  # of a camera that is held or stands over a table; 45 is still seen
_TILTS_DEG, _TURNS = (0.0, 9.0, 18.0, 27.0, 36.0, 45.0), 12
_REFINED, _KEPT = 6, 4
_WHOLE_SIDE = 1.5  # what a whole side says, where a right angle says 1
# A card is at least so large: a smaller one shows no index. Nor is it much larger than the picture.
_LEAST_PX_PER_MM, _MOST_OF_PICTURE = 0.75, 0.7
_ALIKE_DEG, _ALIKE_SCALE = 6.0, 0.06
_NEXT_SCALE = 1.015  # a scale is tried where it is by so much larger than the one before


@dataclass(frozen=True, eq=False)
class CardPlane:
    """A plane n X = 1 in the camera's frame: `normal` (3,) in 1 / mm; `support` is how much speaks for it."""

    normal: Array
    support: float

    @property
    def distance_mm(self) -> float:
        return 1.0 / float(np.linalg.norm(self.normal))

    @property
    def tilt_deg(self) -> float:
        """Between the plane's normal and the optical axis."""
        return math.degrees(math.acos(min(1.0, float(self.normal[2]) * self.distance_mm)))


def pinhole(size_px: tuple[int, int], focal: float = USUAL_FOCAL) -> Array:
    """K (3, 3) of a pinhole over a picture (width, height); `focal` in its longer sides."""
    f = focal * max(size_px)
    return np.array([[f, 0.0, (size_px[0] - 1) / 2], [0.0, f, (size_px[1] - 1) / 2], [0.0, 0.0, 1.0]])


def most_support(corners: Corners) -> float:
    """What no plane in which the corners are those of cards has more support than."""
    return len(corners.at) + _WHOLE_SIDE * len(corners.whole)


def find_planes(corners: Corners, K: Array, card_mm: tuple[float, float]) -> list[CardPlane]:
    """Planes in which the corners are those of cards of `card_mm` (width, height), the best supported first."""
    evidence = _Evidence(corners, K, card_mm)
    starts = evidence.starts()
    if not len(starts):
        return []
    order = np.argsort(-evidence.support(starts))
    tried: list[Array] = []
    for p in starts[order]:
        if not any(_alike(p, t) for t in tried):
            tried.append(p)
        if len(tried) == _REFINED:
            break
    best, support = evidence.climbed(np.array(tried))
    planes: list[CardPlane] = []
    for n in np.argsort(-support):
        a, b, c = best[n]
        plane = CardPlane(np.array([a, b, 1.0]) * math.exp(c), float(support[n]))
        if all(_differ(plane, other) for other in planes):
            planes.append(plane)
    return planes[:_KEPT]


def camera_over(plane: CardPlane, K: Array, dist: Array, middle_px: Array) -> Camera:
    """The camera in a world whose floor is the plane, z towards the camera, the origin seen at `middle_px` (2,), and y
    up in the picture as nearly as can be."""
    normal = plane.normal / np.linalg.norm(plane.normal)
    ray = np.array([*((middle_px - K[:2, 2]) / np.diag(K)[:2]), 1.0])
    origin = ray / float(plane.normal @ ray)
    up = -normal  # towards the camera
    x = np.array([1.0, 0.0, 0.0]) - up[0] * up
    x /= np.linalg.norm(x)
    R = np.stack([x, np.cross(up, x), up], axis=1)
    return Camera(K, dist, np.asarray(cv2.Rodrigues(R)[0], np.float64).ravel(), origin)


def _alike(p: Array, q: Array) -> bool:
    return bool(abs(p[2] - q[2]) < _ALIKE_SCALE and np.hypot(*(p[:2] - q[:2])) < 0.12)


def _differ(a: CardPlane, b: CardPlane) -> bool:
    turn = math.degrees(math.acos(min(1.0, float(a.normal @ b.normal) * a.distance_mm * b.distance_mm)))
    return turn > _ALIKE_DEG or abs(math.log(a.distance_mm / b.distance_mm)) > _ALIKE_SCALE


class _Evidence:
    """Corners and sides as rays. A plane is (a, b, log c): the normal (a, b, 1) times c."""

    def __init__(self, corners: Corners, K: Array, card_mm: tuple[float, float]) -> None:
        def rays(points: Array) -> Array:
            flat = (points - K[:2, 2]) / np.diag(K)[:2]
            return np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], axis=-1)

        self.at, self.before, self.after = rays(corners.at), rays(corners.before), rays(corners.after)
        self.whole, self.sides = rays(corners.whole), rays(corners.sides)
        self.card = np.array(card_mm)

        focal = float(K[0, 0])
        # the normal's length in 1 / mm: scale of the picture over the focal length
        self.least, self.most = (
            _LEAST_PX_PER_MM / focal,
            _MOST_OF_PICTURE * 2 * float(K[0, 2] + K[1, 2]) / focal / card_mm[1],
        )

    def starts(self) -> Array:
        """Planes (M, 3) of all directions and scales at which some whole side is as long as a card's."""
        tilts = [(t, 2 * math.pi * k / _TURNS) for t in _TILTS_DEG[1:] for k in range(_TURNS)]
        slopes = [math.tan(math.radians(tilt)) * np.array([math.cos(way), math.sin(way)]) for tilt, way in tilts]
        slopes = [np.zeros(2), *slopes]
        normals = np.column_stack([np.array(slopes), np.ones(len(slopes))])
        on = self.whole / (normals @ self.whole.reshape(-1, 3).T).reshape(len(normals), *self.whole.shape[:2], 1)
        lengths = np.linalg.norm(on[:, :, 1] - on[:, :, 0], axis=2)
        sorted_scales = np.sort((lengths[:, None] / self.card[:, None]).reshape(len(slopes), -1), axis=1)
        inside = (sorted_scales > self.least) & (sorted_scales < self.most)
        taken, last = np.zeros_like(inside), np.zeros(len(slopes))
        for column, scale in enumerate(sorted_scales.T):
            taken[:, column] = inside[:, column] & (scale > _NEXT_SCALE * last)
            last = np.where(taken[:, column], scale, last)
        logs = np.array([math.log(scale) for scale in sorted_scales[taken].tolist()])
        return np.column_stack([normals[np.nonzero(taken)[0], :2], logs])

    def support(self, planes: Array) -> Array:
        """How much of the evidence fits each plane (M, 3), less what speaks against one so steep: (M,)."""
        total = plane_support(planes, (self.at, self.before, self.after), self.whole, self._rules)
        total = self.fitting(planes) if total is None else total
        tilt = np.degrees(np.arctan(np.hypot(planes[:, 0], planes[:, 1])))
        outside = (planes[:, 2] < math.log(self.least)) | (planes[:, 2] > math.log(self.most))
        return np.asarray(total - 0.5 * (tilt / _TILT_SD_DEG) ** 2 - 10.0 * outside)

    @property
    def _rules(self) -> Array:
        return np.array([*self.card, _LONGEST * self.card[1], _ANGLE_SD_DEG, _LENGTH_SD, _WHOLE_SIDE])

    def fitting(self, planes: Array) -> Array:
        """How much of the evidence fits each plane (M, 3): (M,)."""
        normal = np.column_stack([planes[:, :2], np.ones(len(planes))])
        scale = np.exp(planes[:, 2])[:, None]

        def on(rays: Array) -> Array:
            """(M, N, 3): where rays (N, 3) meet the planes, in mm."""
            return np.asarray(rays / ((normal @ rays.T) * scale)[..., None])

        at, before, after = on(self.at), on(self.before), on(self.after)
        d, e = before - at, after - at
        d_mm, e_mm = np.linalg.norm(d, axis=2), np.linalg.norm(e, axis=2)
        cosine = (d * e).sum(axis=2) / np.maximum(d_mm * e_mm, 1e-9)
        off = np.degrees(np.arcsin(np.clip(cosine, -1.0, 1.0))) / _ANGLE_SD_DEG
        longest = _LONGEST * self.card[1]
        total = (np.exp(-0.5 * off**2) * ((d_mm < longest) & (e_mm < longest))).sum(axis=1)
        if len(self.whole):
            whole = np.linalg.norm(on(self.whole[:, 1]) - on(self.whole[:, 0]), axis=2)
            misfit = np.abs(whole[..., None] / self.card - 1.0).min(axis=2) / _LENGTH_SD
            total = total + _WHOLE_SIDE * np.exp(-0.5 * misfit**2).sum(axis=1)
        return np.asarray(total)

    def climbed(self, planes: Array) -> tuple[Array, Array]:
        """Better planes near `planes` (M, 3) by a pattern search, and their support (M,)."""
        best, at = planes.copy(), self.support(planes)
        step = np.array([0.06, 0.06, 0.03])
        ways = np.concatenate([np.eye(3), -np.eye(3), [[1, 0, -0.5], [-1, 0, 0.5], [0, 1, -0.5], [0, -1, 0.5]]])
        for _ in range(18):
            around = best[:, None] + ways * step
            value = self.support(around.reshape(-1, 3)).reshape(len(best), len(ways))
            way = value.argmax(axis=1)
            rows = np.arange(len(best))
            better = value[rows, way] > at + 1e-9
            best[better], at[better] = around[rows, way][better], value[rows, way][better]
            if not better.any():
                step = step / 2
        return best, at


def reach_of_picture(camera: Camera, image_size: tuple[int, int]) -> tuple[float, float]:
    """How far the picture shows the floor from the world's origin: half its width and height (mm)."""
    width, height = image_size
    rim = np.array([[x, y] for x in (0, width / 2, width - 1) for y in (0, height / 2, height - 1)], np.float64)
    on = camera.to_plane(rim)
    # above the horizon rays meet the plane behind the camera
    ahead = camera.to_camera(on)[:, 2] > 0
    if not ahead.all():
        return _FARTHEST_MM, _FARTHEST_MM
    x, y = np.minimum(np.abs(on[:, :2]).max(axis=0), _FARTHEST_MM)
    return float(x), float(y)
