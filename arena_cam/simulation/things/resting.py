"""The rest of a stiff card on the cards and walls beneath it, computed from the geometry of its supports.

A rigid sheet that is free to fall and held sideways by friction ends where its middle is lowest without passing through
anything. With its place seen from above held fixed, that is a linear programme in the three numbers of its plane
z = a + b x + c y: lowest height at the middle, not below any support. Its dual says that the middle lies inside the
triangle of contact points, which is the condition of static equilibrium. Supports are flat convex patches (floor, wall
tops, table, cards that lie already), so only the corners of their overlaps with the card can touch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose

CARD_THICKNESS_MM = 0.3
# Points of the outline on each rounded corner: three keep the chord within 0.06 mm of a 3 mm arc.
ARC_POINTS = 3
TOUCH_MM = 0.02  # nearer than this is contact: a fifteenth of a card


@dataclass(frozen=True, eq=False)
class Support:
    """A flat patch that can carry a card: a convex polygon (N, 2) seen from above, and its plane (a, b, c)."""

    name: str
    polygon: Array
    plane: Array


@dataclass(frozen=True, eq=False)
class Rest:
    """A card at rest: the pose of its upper face and the names of the supports that it touches."""

    pose: CardPose
    supports: tuple[str, ...]

    @property
    def tilt_deg(self) -> float:
        return self.pose.tilt_deg


@dataclass(frozen=True)
class CardSize:
    """The outline of every card of a deck, mm."""

    width_mm: float
    height_mm: float
    corner_radius_mm: float

    def outline(self) -> Array:
        """The rounded outline in the card's frame, (4 * ARC_POINTS, 2), clockwise from the top left, y up."""
        r = self.corner_radius_mm
        points = []
        for sx, sy, start in ((-1, 1, 180.0), (1, 1, 90.0), (1, -1, 0.0), (-1, -1, -90.0)):
            for k in range(ARC_POINTS):
                a = math.radians(start - 90.0 * k / (ARC_POINTS - 1))
                points.append(
                    (
                        sx * (self.width_mm / 2 - r) + r * math.cos(a),
                        sy * (self.height_mm / 2 - r) + r * math.sin(a),
                    )
                )
        return np.array(points)


def outline_mm(pose: CardPose, size: CardSize) -> Array:
    """The card's rounded outline in the world, (N, 3)."""
    local = size.outline()
    return pose.points(local[:, 0], local[:, 1])


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> Array:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def tray_supports(arena: Arena, reach_mm: float = 1500.0) -> list[Support]:
    """Floor, the four wall tops and the table round the tray, out to `reach_mm`."""
    ix, iy = arena.inner_mm[0] / 2, arena.inner_mm[1] / 2
    ox, oy = ix + arena.wall_thickness_mm, iy + arena.wall_thickness_mm
    far, top = reach_mm, np.array([arena.wall_height_mm, 0.0, 0.0])
    table = np.array([arena.table_z_mm, 0.0, 0.0])
    return [
        Support("floor", _rectangle(-ix, -iy, ix, iy), np.zeros(3)),
        Support("wall", _rectangle(-ox, iy, ox, oy), top),
        Support("wall", _rectangle(-ox, -oy, ox, -iy), top),
        Support("wall", _rectangle(ix, -iy, ox, iy), top),
        Support("wall", _rectangle(-ox, -iy, -ix, iy), top),
        Support("table", _rectangle(-far, oy, far, far), table),
        Support("table", _rectangle(-far, -far, far, -oy), table),
        Support("table", _rectangle(ox, -oy, far, oy), table),
        Support("table", _rectangle(-far, -oy, -ox, oy), table),
    ]


def card_support(name: str, pose: CardPose, size: CardSize) -> Support:
    """The upper face of a card that lies already."""
    outline = outline_mm(pose, size)
    n = pose.R[:, 2]
    slope = -n[:2] / n[2]
    height = pose.centre_mm[2] - slope @ pose.centre_mm[:2]
    return Support(name, np.asarray(outline[::-1, :2]), np.array([height, slope[0], slope[1]]))


def clip_convex(subject: Array, window: Array) -> Array:
    """The overlap of two convex polygons (N, 2), (M, 2), the window counterclockwise (Sutherland and Hodgman, 1974)."""
    points = [tuple(p) for p in subject]
    for k in range(len(window)):
        (ax, ay), (bx, by) = window[k], window[(k + 1) % len(window)]
        ex, ey = bx - ax, by - ay
        kept: list[tuple[float, float]] = []
        for i, p in enumerate(points):
            q = points[i - 1]
            dp = ex * (p[1] - ay) - ey * (p[0] - ax)
            dq = ex * (q[1] - ay) - ey * (q[0] - ax)
            if (dp >= 0) != (dq >= 0):
                t = dq / (dq - dp)
                kept.append((q[0] + t * (p[0] - q[0]), q[1] + t * (p[1] - q[1])))
            if dp >= 0:
                kept.append((float(p[0]), float(p[1])))
        points = kept
        if not points:
            break
    return np.array(points, np.float64).reshape(-1, 2)


def _pose_on(plane: Array, x_mm: float, y_mm: float, angle_deg: float) -> CardPose:
    """The pose whose middle is above (x, y) on the plane and whose right-hand side points along `angle_deg`."""
    n = np.array([-plane[1], -plane[2], 1.0])
    n /= np.linalg.norm(n)
    a = math.radians(angle_deg)
    right = np.array([math.cos(a), math.sin(a), 0.0])
    right -= n * (right @ n)
    right /= np.linalg.norm(right)
    z = plane[0] + plane[1] * x_mm + plane[2] * y_mm
    return CardPose(np.column_stack([right, np.cross(n, right), n]), np.array([x_mm, y_mm, z]))


def _lowest_plane(points: Array, middle: Array) -> Array:
    """The plane (a, b, c), lowest above `middle` (2,), that is nowhere below `points` (N, 3).

    Grows an active set: solve over a few points, add the one that sticks out most, until none does.
    """
    active = _corners_round(points, middle)
    for _ in range(len(points)):
        plane = _best_triple(points[active], middle)
        above = points[:, 2] - (plane[0] + points[:, :2] @ plane[1:])
        worst = int(np.argmax(above))
        if above[worst] < 1e-7 or worst in active:
            return plane
        active.append(worst)
    return plane


def _corners_round(points: Array, middle: Array) -> list[int]:
    """Indices of points in all directions round the middle, so that it lies inside their hull."""
    around = points[:, :2] - middle
    angles = np.radians(np.arange(0.0, 360.0, 45.0))
    reach = around @ np.stack([np.cos(angles), np.sin(angles)])
    return sorted({int(i) for i in np.argmax(reach, axis=0)})


def _best_triple(points: Array, middle: Array) -> Array:
    """Of the planes through three of `points` round the middle, the highest there: no point is above it.

    A card that balances on two opposite corners has its middle on the line between two contacts; then every third
    point gives the same height, and the plane that no point sticks out of is taken, the gentlest if there are several.
    """
    triples = np.array(list(combinations(range(len(points)), 3)))
    p = points[triples]
    edges = p[:, :, :2] - middle
    cross = edges[:, [1, 2, 0], 0] * edges[:, [2, 0, 1], 1] - edges[:, [1, 2, 0], 1] * edges[:, [2, 0, 1], 0]
    area = cross.sum(axis=1)
    good = np.abs(area) > 1e-3
    p, weights = p[good], cross[good] / area[good][:, None]
    heights = np.where(np.all(weights >= -1e-7, axis=1), (weights * p[:, :, 2]).sum(axis=1), -np.inf)
    tied = p[heights > heights.max() - 1e-6]
    bases = np.concatenate([np.ones((len(tied), 3, 1)), tied[:, :, :2]], axis=2)
    planes = np.linalg.solve(bases, tied[:, :, 2:])[:, :, 0]
    above = (points[:, 2] - planes[:, :1] - planes[:, 1:] @ points[:, :2].T).max(axis=1)
    steep = np.hypot(planes[:, 1], planes[:, 2])
    return np.asarray(planes[np.lexsort((steep, np.maximum(above, 1e-6)))[0]])


def rest(x_mm: float, y_mm: float, angle_deg: float, supports: list[Support], size: CardSize) -> Rest:
    """The final place of a card whose middle comes down at (x, y), turned by `angle_deg`, on `supports`.

    The card's outline seen from above shrinks as it tilts, so plane and outline are found in turns until they agree.
    """
    plane = np.zeros(3)
    middle = np.array([x_mm, y_mm])
    points, names = np.zeros((0, 3)), [""]
    for _ in range(12):
        outline = outline_mm(_pose_on(plane, x_mm, y_mm, angle_deg), size)[::-1, :2]
        points, names = _contacts(outline, supports)
        found = _lowest_plane(points, middle)
        change = float(np.max(np.abs((found - plane) * [1.0, 100.0, 100.0])))
        plane = found
        if change < 1e-4:
            break
    gap = plane[0] + points[:, :2] @ plane[1:] - points[:, 2]
    touched = tuple(dict.fromkeys(name for name, g in zip(names, gap, strict=True) if g < TOUCH_MM))
    pose = _pose_on(plane, x_mm, y_mm, angle_deg)
    return Rest(CardPose(pose.R, pose.centre_mm + CARD_THICKNESS_MM * pose.R[:, 2]), touched)


def _contacts(outline: Array, supports: list[Support]) -> tuple[Array, list[str]]:
    """All points (N, 3) where the card above `outline` could touch a support, with the supports' names."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    points, names = [], []
    for support in supports:
        if np.any(support.polygon.max(axis=0) < low) or np.any(support.polygon.min(axis=0) > high):
            continue
        overlap = clip_convex(outline, support.polygon)
        if len(overlap) >= 3:
            heights = support.plane[0] + overlap @ support.plane[1:]
            points.append(np.column_stack([overlap, heights]))
            names += [support.name] * len(overlap)
    return np.concatenate(points), names
