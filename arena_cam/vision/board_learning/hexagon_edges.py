"""Hexagons of one size found by their six sides alone, on any ground: where a side is as grey as the ground, five tell.

A generalised Hough transform: for each of a hexagon's three directions of sides the slope of the picture across them is
kept, as a share of what is strong there; a hexagon's middle is where the slopes along its six sides add up. Its size is
the one at which the best places are the best (Ballard, Generalizing the Hough transform, Pattern Recognition 13, 1981).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Image = NDArray[np.uint8]

COARSE_PX, SMALL_PX = 320, 640  # longest side of the picture in which sizes are looked for, then places
WIDTHS = 0.05 * 1.035 ** np.arange(56)  # of the longest side: 0.05 to 0.33; a step is a pixel of a side's place
STRONG = 2.5  # of the picture's median slope: half as strong as an edge can be
GIVE_PX = 1.0  # standard deviation of where a side may lie beside its place: turned by 12 degrees it is still seen
LIKELIEST = 5  # tiles that a photograph shows at least; by them the size is told
LEAST_SCORE = 0.72  # of the likeliest tiles' score
NEARLY = 0.97  # of what the likeliest size's places stand out by
APART = 0.86  # of a width: tiles lie a finger apart
REACH = 0.07  # of a width, across a side, in which its line is looked for
ALONG = (0.1, 0.9)
SAMPLES = 40


def by_edges(image_bgr: Image, unit: Floats) -> list[Floats]:
    """Corners (6, 2) in pixels of a photograph (h, w, 3), in the order of those of `unit` (6, 2), a hexagon 1 wide that
    lies as the tiles do. Best first; their size is sought in a smaller picture, then again in a larger."""
    coarse = _Looking.at(image_bgr, COARSE_PX, unit)
    likely = np.array([coarse.likeliest(unit * width) for width in WIDTHS])
    if likely.max() <= 0.0:
        return []
    # What is printed on a tile is smaller than the tile: the largest that is nearly as likely.
    chosen = int(np.flatnonzero(likely > NEARLY * likely.max()).max())
    fine = _Looking.at(image_bgr, SMALL_PX, unit)
    near = WIDTHS[chosen] * np.linspace(0.95, 1.05, 7)
    return fine.hexagons(max((unit * width for width in near), key=fine.likeliest))


def refined(image_bgr: Image, corners: Floats, reach: float = REACH) -> Floats | None:
    """Corners (n, 2) where lines meet that are fitted to the strongest slopes near each side of a polygon, within
    `reach` of its width from it; None where one is not seen."""
    width = float(np.linalg.norm(corners[0] - corners[len(corners) // 2]))
    lines = []
    for a, b in pairwise([*corners, corners[0]]):
        line = _line(image_bgr, a, b, reach * width)
        if line is None:
            return None
        lines.append(line)
    met = [np.cross(lines[k - 1], line) for k, line in enumerate(lines)]
    if any(abs(point[2]) < 1e-6 for point in met):
        return None
    return np.array([point[:2] / point[2] for point in met])


@dataclass(frozen=True, eq=False)
class _Looking:
    """A photograph reduced by `factor`, in which a hexagon of known direction is looked for.

    `shares`: for each of its sides the slope of the picture across it (h, w), from 0 to 1 where an edge is strong.
    """

    factor: float
    shares: tuple[Grey, ...]

    @classmethod
    def at(cls, image_bgr: Image, longest_px: int, unit: Floats) -> _Looking:
        factor = min(1.0, longest_px / max(image_bgr.shape[:2]))
        small = cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), (0, 0), 0.8).astype(np.float32)
        x, y = (np.asarray(cv2.Sobel(lab, cv2.CV_32F, dx, 1 - dx, ksize=3), np.float32) for dx in (1, 0))
        usual = STRONG * max(float(np.median(np.hypot(x, y).max(axis=2))), 2.0)
        return cls(factor, tuple(_share(x, y, normal, usual) for normal in _normals(unit)))

    @property
    def longest(self) -> int:
        return int(max(self.shares[0].shape))

    def scores(self, shape: Floats) -> Grey:
        """For each pixel (h, w) as its middle: the mean share of edge along the best five of a hexagon's six sides.

        `shape` (6, 2): its corners about the middle, in shares of the longest side.
        """
        corners = shape * self.longest
        sides = [
            cv2.filter2D(share, cv2.CV_32F, _stroke(a, b, corners))
            for share, (a, b) in zip(self.shares, pairwise([*corners, corners[0]]), strict=True)
        ]
        worst = np.minimum.reduce(sides)
        return np.asarray((np.add.reduce(sides) - worst) / (len(sides) - 1), np.float32)

    def likeliest(self, shape: Floats) -> float:
        """By how many standard deviations of all places the likeliest tiles stand out; 0 where fewer have room.

        A small shape has many places and few pixels in each: the best of them are good by chance.
        """
        score = self.scores(shape)
        found = _peaks(score, shape * self.longest, 0.0, LIKELIEST)
        if len(found) < LIKELIEST:
            return 0.0
        best = float(np.mean([_at(score, place) for place in found]))
        return (best - float(score.mean())) / max(float(score.std()), 1e-6)

    def hexagons(self, shape: Floats) -> list[Floats]:
        """Corners (6, 2) in pixels of the whole photograph, best first."""
        score, corners = self.scores(shape), shape * self.longest
        best = _peaks(score, corners, 0.0, LIKELIEST)
        least = LEAST_SCORE * float(np.mean([_at(score, place) for place in best]))
        return [(corners + at + 0.5) / self.factor - 0.5 for at in _peaks(score, corners, least)]


def side_steps(image_bgr: Image, corners: Floats) -> Floats:
    """For each side (6,) of a hexagon (6, 2) the step in colour from its one side to its other, in grey levels.

    A vein of marble or a line of a cloth has the ground on both sides.
    """
    width = float(np.linalg.norm(corners[0] - corners[len(corners) // 2]))
    steps = []
    for a, b in pairwise([*corners, corners[0]]):
        along = (b - a) / np.linalg.norm(b - a)
        normal = np.array([-along[1], along[0]])
        middle = a + np.linspace(0.15, 0.85, SAMPLES)[:, None] * (b - a)
        sides = []
        for way in (-1, 1):
            at = middle + way * np.linspace(0.02, 0.05, 4)[:, None, None] * width * normal
            x, y = (np.asarray(at[..., k], np.float32) for k in (0, 1))
            sides.append(np.median(cv2.remap(image_bgr, x, y, cv2.INTER_LINEAR).reshape(-1, 3), axis=0))
        steps.append(float(np.linalg.norm(sides[1] - sides[0])))
    return np.array(steps)


def _normals(polygon: Floats) -> list[Floats]:
    """For each side the direction (2,) across it."""
    return [np.array([a[1] - b[1], b[0] - a[0]]) / np.linalg.norm(b - a) for a, b in pairwise([*polygon, polygon[0]])]


def _share(along_x: Grey, along_y: Grey, normal: Floats, usual: float) -> Grey:
    """Slope (h, w) across a line, of the channel that has most, as a share: a half at the `usual` one."""
    across = along_x * np.float32(normal[0]) + along_y * np.float32(normal[1])
    most = np.maximum.reduce([np.abs(across[:, :, k]) for k in range(3)]) ** 2
    return np.asarray(most / (most + usual**2), np.float32)


def _stroke(a: Floats, b: Floats, corners: Floats) -> Grey:
    """A side as a kernel about the hexagon's middle, its sum 1; the side's ends are left out."""
    half = int(np.ceil(np.abs(corners).max())) + 4
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    ends = [np.round(((1 - share) * a + share * b + half) * 16).astype(int) for share in ALONG]
    cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), 1.0, 1, cv2.LINE_AA, 4)
    blurred = np.asarray(cv2.GaussianBlur(kernel, (0, 0), GIVE_PX))
    return np.asarray(blurred / blurred.sum(), np.float32)


def _peaks(score: Grey, corners: Floats, least: float, most: int = 60) -> list[Floats]:
    """Middles (2,) of hexagons that do not overlap, best first."""
    width = float(np.linalg.norm(corners[0] - corners[3]))
    left = score.copy()
    margin = np.abs(corners).max(axis=0).astype(int)
    left[: margin[1]], left[-margin[1] :], left[:, : margin[0]], left[:, -margin[0] :] = 0, 0, 0, 0
    found: list[Floats] = []
    while len(found) < most:
        _, highest, _, (x, y) = cv2.minMaxLoc(left)
        if highest <= least:
            break
        found.append(np.array([x, y], np.float64))
        cv2.circle(left, (int(x), int(y)), round(APART * width), 0.0, -1)
    return found


def _at(score: Grey, place: Floats) -> float:
    return float(score[int(place[1]), int(place[0])])


def _line(image_bgr: Image, a: Floats, b: Floats, reach: float) -> Floats | None:
    """The line (3,), homogeneous, of the strongest slope across a side from `a` to `b`; None where hardly any is."""
    along = (b - a) / np.linalg.norm(b - a)
    normal = np.array([-along[1], along[0]])
    steps = np.arange(-round(reach), round(reach) + 1)
    shares = np.linspace(*ALONG, SAMPLES)
    at = a + shares[:, None, None] * (b - a) + steps[None, :, None] * normal
    x, y = (np.asarray(at[..., k], np.float32) for k in (0, 1))
    seen = cv2.remap(image_bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    slope = np.abs(np.gradient(cv2.GaussianBlur(seen, (5, 1), 1.0), axis=1)).max(axis=2)
    # One line for all: the offset and turn under which most slope lies, then each sample's own strongest near it.
    length, limit = float(np.linalg.norm(b - a)), np.median(slope.max(axis=1))
    best, offset, turned = 0.0, 0.0, 0.0
    for turn in np.linspace(-0.05, 0.05, 11):
        columns = np.round(steps[None, :] + ((shares - 0.5) * length * turn)[:, None]).astype(int) + len(steps) // 2
        inside = np.clip(columns, 0, len(steps) - 1)
        total = np.minimum(np.take_along_axis(slope, inside, axis=1), limit).mean(axis=0)
        k = int(total.argmax())
        if total[k] > best:
            best, offset, turned = float(total[k]), float(steps[k]), float(turn)
    if best < 1.0:
        return None
    near = offset + (shares - 0.5) * length * turned
    away = np.abs(steps[None, :] - near[:, None])
    place = np.where(away <= 2.0, slope, -1.0).argmax(axis=1)
    strong = np.take_along_axis(slope, place[:, None], axis=1)[:, 0] > 0.5 * best
    if np.count_nonzero(strong) < SAMPLES // 4:
        return None
    points = at[np.arange(SAMPLES), place][strong].astype(np.float32)
    dx, dy, px, py = (float(v) for v in cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel())
    return np.array([-dy, dx, dy * px - dx * py])
