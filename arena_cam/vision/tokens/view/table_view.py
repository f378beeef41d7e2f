"""Where the table is in a photograph: a pinhole with one radial term over the plane that the cards lie in.

The table's frame: mm, x right and y down as a card's own picture has them, z away from the camera. It is fitted to
keypoints of several cards at once: each card lies flat at a place and a turn of its own, all share the camera.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels import vote_calls

Floats = NDArray[np.float64]

USUAL_FOCAL, FOCAL_SD = 0.85, 0.12  # in the picture's longer sides; natural logarithm
RADIAL_SD = 0.02  # telephones' pictures come nearly straight
PIXEL_SD, HUBER = 0.8, 2.0
STEPS = 8
STEEPEST_DEG = 55.0  # photographs of a table are taken from above: 45 degrees is expected at most
AS_FAR_PX = 3.0  # of a print: farther off it fits no less
MOST_OFF_PX = 2.0  # of a card's keypoints: the view is fitted to some pixels at first, to half of one in the end


@dataclass(frozen=True, eq=False)
class TableView:
    """The camera: `focal` and `middle` (2,) in px, `radial` k1, and the table's rotation (3, 3) and place (3,) mm."""

    focal: float
    middle: Floats
    radial: float
    rotation: Floats
    place: Floats

    def to_px(self, table_mm: Floats, above_mm: float = 0.0) -> Floats:
        """Pixels (N, 2) of points (N, 2) of the table, `above_mm` over it."""
        at = table_mm @ self.rotation[:, :2].T + self.place - above_mm * self.rotation[:, 2]
        flat = at[:, :2] / at[:, 2:3]
        r2 = _squared(flat)
        return np.asarray(flat * (1.0 + self.radial * r2) * self.focal + self.middle)

    def to_mm(self, px: Floats) -> Floats:
        """Points (N, 2) of the table that are seen at pixels (N, 2)."""
        bent = (px - self.middle) / self.focal
        flat = bent.copy()
        for _ in range(4):
            flat = bent / (1.0 + self.radial * _squared(flat))
        rays = np.column_stack([flat, np.ones(len(flat))])
        back, origin = rays @ self.rotation, self.rotation.T @ self.place
        return np.asarray(back[:, :2] * (origin[2] / back[:, 2:3]) - origin[:2])

    def px_per_mm(self, table_mm: Floats) -> Floats:
        """The linear map (N, 2, 2) from mm of the table to pixels about each of points (N, 2)."""
        steps = [self.to_px(table_mm + d) - self.to_px(table_mm - d) for d in np.eye(2) * 0.5]
        return np.stack(steps, axis=2)

    @property
    def flat(self) -> Floats:
        """(16,): focal length, middle, radial term, rotation row by row, place: as compiled code takes a view."""
        return np.concatenate([(self.focal, *self.middle, self.radial), self.rotation.ravel(), self.place])

    @property
    def eye_mm(self) -> Floats:
        """(3,): where the camera is, in the table's frame; z is negative."""
        return np.asarray(-self.rotation.T @ self.place)

    @property
    def tilt_deg(self) -> float:
        """Between the optical axis and the table's normal."""
        return math.degrees(math.acos(min(1.0, abs(float(self.rotation[2, 2])))))

    def shifted(self, origin_mm: Floats, turn: float) -> TableView:
        """The same view with the table's origin at `origin_mm` (2,) and its x turned by `turn` (rad)."""
        place = self.place + self.rotation[:, :2] @ origin_mm
        return TableView(self.focal, self.middle, self.radial, self.rotation @ _turned(turn), place)


@dataclass(frozen=True, eq=False)
class SeenPrint:
    """Keypoints of one card: `mm` (N, 2) from its middle, `px` (N, 2) where they are seen."""

    mm: Floats
    px: Floats

    def seen_at(self, view: TableView) -> Floats:
        """(2, 3): the affine motion of the card's mm to the table's that explains where they are seen."""
        columns = np.column_stack([self.mm, np.ones(len(self.mm))])
        return np.asarray(np.linalg.lstsq(columns, view.to_mm(self.px), rcond=None)[0].T)


NOTHING_SEEN = SeenPrint(np.zeros((0, 2)), np.zeros((0, 2)))


def fit_table(
    prints: Sequence[SeenPrint], size_px: tuple[int, int], start: TableView | None = None
) -> TableView | None:
    """The view in which the prints lie flat; None if there are none. The first print's frame is the table's.

    A print that fits no view of the others is left out: keypoints of some other print made it up.
    """
    if not prints:
        return start
    starts = (
        [(prints, start)]
        if start
        else [
            (chosen, view)
            for first, lasts in ((0, (4, 2, 1)), (1, (3,)))
            for chosen, view in product(
                _different([prints[first:last] for last in lasts]), _starts(prints[first:], size_px)
            )
        ]
    )
    fits = [_Fit(chosen, size_px).climb(view) for chosen, view in starts]
    fits = [view for view in fits if view.tilt_deg < STEEPEST_DEG] or fits
    view = max(fits, key=lambda view: _fitting(view, prints))
    for _ in range(2):
        kept = [each for each, off in zip(prints, offs_px(view, prints), strict=True) if off < MOST_OFF_PX]
        view = _Fit(kept, size_px).climb(view) if kept else view
    return view


def _different(parts: Sequence[Sequence[SeenPrint]]) -> list[Sequence[SeenPrint]]:
    """The beginnings of a list but for those that are as long as one before them."""
    return [part for k, part in enumerate(parts) if len(part) not in map(len, parts[:k])]


def _fitting(view: TableView, prints: Sequence[SeenPrint]) -> tuple[int, float]:
    """How many keypoints the prints have that fit a view, and, for views which the same prints fit, how well: where the
    climb to one of them ended early it is a worse one."""
    counts, off = np.array([len(each.mm) for each in prints]), offs_px(view, prints)
    fits = off < MOST_OFF_PX
    return int(counts[fits].sum()), -float((counts * off)[fits].sum())


def best_fit(views: Sequence[TableView | None], prints: Sequence[SeenPrint]) -> TableView | None:
    """The view that shows the prints best."""
    known = [view for view in views if view is not None]
    return min(known, key=lambda view: float(np.minimum(offs_px(view, prints), AS_FAR_PX).sum()), default=None)


def off_px(view: TableView, seen: SeenPrint) -> float:
    """The median distance (px) between keypoints and where a flat print of true size would show them."""
    return float(offs_px(view, [seen])[0])


def offs_px(view: TableView, prints: Sequence[SeenPrint]) -> Floats:
    """The same of each of some prints (N,): their pixels are taken to the table and back all at once."""
    mm, px = (np.concatenate(each) for each in ([p.mm for p in prints], [p.px for p in prints]))
    ends = np.cumsum([len(each.px) for each in prints])
    compiled = vote_calls.offs_px(view.flat, mm, px, ends)
    if compiled is not None:
        return compiled
    at = np.split(view.to_mm(px), ends[:-1])
    there = [placed(each.mm, rigid(each.mm, on_table)) for each, on_table in zip(prints, at, strict=True)]
    off = view.to_px(np.concatenate(there)) - px
    return np.array([np.median(each) for each in np.split(np.sqrt((off * off).sum(axis=1)), ends[:-1])])


def _starts(prints: Sequence[SeenPrint], size_px: tuple[int, int]) -> list[TableView]:
    """Views from the first print's affinity: tilted one way or the other, which it does not tell."""
    if not prints:
        return []
    first = prints[0]
    columns = np.column_stack([first.mm, np.ones(len(first.mm))])
    fitted = np.linalg.lstsq(columns, first.px, rcond=None)[0]
    affine, at = fitted[:2].T, fitted[2]
    largest = float(np.linalg.svd(affine, compute_uv=False)[0])
    middle = (np.array(size_px) - 1) / 2
    focal = USUAL_FOCAL * max(size_px)
    depth = focal / max(largest, 1e-3)
    part = affine / (largest * 1.0001)
    views = []
    for sign in (1.0, -1.0):
        z1 = sign * math.sqrt(max(1.0 - float(part[:, 0] @ part[:, 0]), 0.0))
        z2 = math.sqrt(max(1.0 - float(part[:, 1] @ part[:, 1]), 0.0))
        z2 = -math.copysign(z2, float(part[:, 0] @ part[:, 1]) * sign) if z1 else z2 * sign
        a, b = np.array([*part[:, 0], z1]), np.array([*part[:, 1], z2])
        u, _, v = np.linalg.svd(np.stack([a, b, np.cross(a, b)], axis=1))
        place = np.array([*((at - middle) / focal), 1.0]) * depth
        views.append(TableView(focal, middle, 0.0, u @ v, place))
    return views


class _Fit:
    """Levenberg-Marquardt over rotation vector, place, focal length, radial term, and each further card's place."""

    def __init__(self, prints: Sequence[SeenPrint], size_px: tuple[int, int]) -> None:
        self.prints = prints
        self.middle = (np.array(size_px) - 1) / 2
        self.usual = USUAL_FOCAL * max(size_px)
        self.mm = np.concatenate([p.mm for p in prints])
        self.px = np.concatenate([p.px for p in prints])
        self.which = np.repeat(np.arange(len(prints)), [len(p.mm) for p in prints])

    def climb(self, start: TableView) -> TableView:
        p = self._parameters(start)
        rules = np.array([self.usual, *self.middle, FOCAL_SD, RADIAL_SD, PIXEL_SD, HUBER, STEPS])
        compiled = vote_calls.climbed(self.mm, self.px, self.which, p, rules)
        if compiled is not None:
            return self._view(compiled)
        steps = np.concatenate([np.full(3, 1e-5), np.full(3, 1e-2), [1e-4, 1e-4], np.full(len(p) - 8, 1e-3)])
        damping, here = 1e-3, self._residuals(p)
        cost = self._cost(here)
        for _ in range(STEPS):
            weight = np.minimum(1.0, HUBER / np.maximum(np.abs(here), 1e-9))
            weight[-2:] = 1.0
            jacobian = self._jacobian(p, steps, here)
            normal = (jacobian * weight[:, None]).T @ jacobian
            slope = (jacobian * weight[:, None]).T @ here
            diagonal = np.diag(normal).copy() + 1e-9
            for _ in range(4):
                change = -np.linalg.solve(normal + np.diag(diagonal * damping), slope)
                there = self._residuals(p + change)
                if self._cost(there) < cost:
                    break
                damping *= 8.0
            gain = cost - self._cost(there)
            if gain <= 0:
                break
            p, here, cost, damping = p + change, there, cost - gain, damping * 0.2
            if gain < 1e-4 * cost:
                break
        return self._view(p)

    def _jacobian(self, p: Floats, steps: Floats, here: Floats) -> Floats:
        """(R, P): how the residuals change. A card's place moves its own keypoints alone, so all cards are moved at
        once: eleven differences whatever their number."""
        movable = bool(self.which.any())  # the first card's place is the table's
        moved = np.tile(p, (11 if movable else 8, 1))
        for k in range(8):
            moved[k, k] += steps[k]
        for k in range(3 if movable else 0):
            moved[8 + k, 8 + k :: 3] += steps[8 + k]
        change = (self._residuals_of(moved) - here) / steps[: len(moved), None]
        jacobian = np.zeros((len(here), len(p)))
        jacobian[:, :8] = change[:8].T
        card = np.repeat(self.which, 2) - 1
        points = np.flatnonzero(card >= 0)
        for k in range(3 if movable else 0):
            jacobian[points, 8 + 3 * card[points] + k] = change[8 + k, points]
        return jacobian

    def _parameters(self, start: TableView) -> Floats:
        first = places_of(start, self.prints[:1])[0]
        start = start.shifted(first[:2], float(first[2]))
        places = places_of(start, self.prints[1:])
        turn = np.asarray(cv2.Rodrigues(start.rotation)[0], np.float64).ravel()
        return np.concatenate([turn, start.place, [math.log(start.focal / self.usual), start.radial], *places])

    def _view(self, p: Floats) -> TableView:
        rotation = np.asarray(cv2.Rodrigues(p[:3])[0], np.float64)
        return TableView(self.usual * math.exp(p[6]), self.middle, float(p[7]), rotation, p[3:6])

    def _residuals(self, p: Floats) -> Floats:
        return np.asarray(self._residuals_of(p[None])[0])

    def _residuals_of(self, p: Floats) -> Floats:
        """(M, R): the residuals for each of M rows of parameters."""
        rotation = np.stack([np.asarray(cv2.Rodrigues(row[:3])[0], np.float64) for row in p])
        places = np.concatenate([np.zeros((len(p), 1, 3)), p[:, 8:].reshape(len(p), -1, 3)], axis=1)
        c, s = np.cos(places[..., 2])[:, self.which], np.sin(places[..., 2])[:, self.which]
        x = places[:, self.which, 0] + c * self.mm[:, 0] - s * self.mm[:, 1]
        y = places[:, self.which, 1] + s * self.mm[:, 0] + c * self.mm[:, 1]
        away = [x * rotation[:, k, :1] + y * rotation[:, k, 1:2] + p[:, 3 + k, None] for k in range(3)]
        u, v = away[0] / away[2], away[1] / away[2]
        bent = (1.0 + p[:, 7:8] * (u * u + v * v)) * (self.usual * np.exp(p[:, 6:7]))
        off = np.stack([u * bent + self.middle[0], v * bent + self.middle[1]], axis=2) - self.px
        held = p[:, 6:8] / np.array([FOCAL_SD, RADIAL_SD])
        return np.hstack([off.reshape(len(p), -1) / PIXEL_SD, held])

    @staticmethod
    def _cost(residual: Floats) -> float:
        """What residuals cost; the last two say how usual the lens is, and have no bound: a wrong match is likely, a
        lens of half the usual focal length is not."""
        size = np.abs(residual)
        each = np.where(size < HUBER, 0.5 * size * size, HUBER * (size - 0.5 * HUBER))
        each[-2:] = 0.5 * size[-2:] * size[-2:]
        return float(each.sum())


def placed(mm: Floats, places: Floats) -> Floats:
    """Points (N, 2) of card frames on the table; `places` (N, 3) or (3,): x, y (mm), turn (rad) of the cards."""
    turn = places[..., 2]
    return _turned_about(mm, places[..., 0], places[..., 1], np.cos(turn), np.sin(turn))


def places_of(view: TableView, prints: Sequence[SeenPrint]) -> Floats:
    """(N, 3): the places of prints that lie flat, as their keypoints are seen."""
    if not prints:
        return np.zeros((0, 3))
    ends = np.cumsum([len(each.mm) for each in prints])
    mm, px = (np.concatenate(each) for each in ([p.mm for p in prints], [p.px for p in prints]))
    compiled = vote_calls.places_of(view.flat, view.rotation.T @ view.place, mm, px, ends)
    if compiled is not None:
        return compiled
    return np.array([rigid(each.mm, view.to_mm(each.px)) for each in prints])


def _turned_about(mm: Floats, x: Floats, y: Floats, c: Floats, s: Floats) -> Floats:
    """Points (N, 2) turned by the angles of cosines `c` and sines `s`, then moved to x, y; each (N,) or a number."""
    out = np.empty_like(mm)
    out[:, 0] = x + c * mm[:, 0] - s * mm[:, 1]
    out[:, 1] = y + s * mm[:, 0] + c * mm[:, 1]
    return out


def rigid(mm: Floats, table_mm: Floats) -> Floats:
    """x, y, turn (3,) of the rigid motion nearest to taking `mm` (N, 2) to `table_mm` (N, 2)."""
    middle, table_middle = mm.sum(axis=0) / len(mm), table_mm.sum(axis=0) / len(table_mm)
    a, b = mm - middle, table_mm - table_middle
    turn = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    c, s = math.cos(turn), math.sin(turn)
    shift = table_middle - np.array([[c, -s], [s, c]]) @ middle
    return np.array([*shift, turn])


def _squared(points: Floats) -> Floats:
    """(N, 1): the squared distance of points (N, 2) from the middle; numpy takes ten times as long over such rows."""
    x, y = points[:, :1], points[:, 1:]
    return np.asarray(x * x + y * y)


def _turned(turn: float) -> Floats:
    c, s = math.cos(turn), math.sin(turn)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
