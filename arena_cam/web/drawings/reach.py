"""A card's reach over the arena's inner boundary, drawn to scale beside the limits that decide the ruling.

The drawing's frame: millimetres, x outwards across the wall (0 on the inner boundary), y along the wall, which runs
through the card's farthest point.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Point = tuple[float, float]

ALLOWED_MM = 4.0  # so far a leaning card may reach over the boundary (docs: the landings); a thinner wall allows less
BOUNDARY_SD_MM = 0.8  # a tray's inner size is measured by hand, and so is what reaches over its wall
NEAR_MM = 15.0  # a card that stays farther inside is not drawn: nothing is to be decided at the wall
SHOWN_INSIDE_MM, SHOWN_OUTSIDE_MM, SHOWN_ALONG_MM = 44.0, 22.0, 20.0
STEPS = 12  # points across a card where the most inward one is sought


@dataclass(frozen=True)
class Reach:
    """The measurements at the wall.

    reach_mm: how far the card reaches over the inner boundary, negative inside; sd_mm: its standard deviation.
    inside_mm: how far its most inward point lies inside, negative if the card lies wholly outside. A leaning card may
    reach over by up to `allowed_mm`; beyond `over_mm` nobody would argue that it lies on the edge; between, people are
    asked. card: the outline as an SVG polygon's points. wall_mm: the wall's thickness.
    """

    reach_mm: float
    inside_mm: float
    sd_mm: float
    allowed_mm: float
    over_mm: float
    wall_mm: float
    card: str
    view_box: str


def reach_of(lie: Mapping[str, Any], table: Mapping[str, Any] | None, corner_radius_mm: float) -> Reach | None:
    """The reach of a saved lie; None without a calibrated table, or where the card lies far from every wall."""
    corners = [(float(x), float(y)) for x, y, *_ in lie.get("corners_mm") or ()]
    if not table or len(corners) != len("four"):
        return None
    half_x, half_y = (side / 2 for side in table["arena"]["inner_mm"])
    wall = float(table["arena"]["wall_thickness_mm"])
    reach, side, place = max(_reaches(corners, (half_x, half_y), corner_radius_mm))
    inside = _inside(corners, (half_x, half_y))
    if reach < -NEAR_MM:
        return None
    outline = [_across(corner, side, (half_x, half_y)) for corner in corners]
    right = wall + SHOWN_OUTSIDE_MM
    return Reach(
        reach_mm=reach,
        inside_mm=inside,
        sd_mm=BOUNDARY_SD_MM,
        allowed_mm=min(ALLOWED_MM, wall),
        over_mm=wall + ALLOWED_MM,
        wall_mm=wall,
        card=" ".join(f"{x:.1f},{y - place:.1f}" for x, y in outline),
        view_box=f"{-SHOWN_INSIDE_MM:g} {-SHOWN_ALONG_MM:g} {SHOWN_INSIDE_MM + right:g} {2 * SHOWN_ALONG_MM:g}",
    )


# Each side of the arena as the outward direction (x, y) across it.
SIDES: tuple[Point, ...] = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


def _reaches(corners: Sequence[Point], half: Point, radius: float) -> list[tuple[float, Point, float]]:
    """(reach in mm, side, place along it) of the farthest point at each side, round corners considered."""
    found = []
    for side in SIDES:
        across = [_across(centre, side, half) for centre in _corner_centres(corners, radius)]
        farthest = max(across)
        found.append((farthest[0] + radius, side, farthest[1]))
    return found


def _across(point: Point, side: Point, half: Point) -> Point:
    """A point of the world frame in the drawing's: mm beyond the boundary of `side`, and along it."""
    out = point[0] * side[0] + point[1] * side[1]
    limit = half[0] if side[0] else half[1]
    return out - limit, point[1] * side[0] - point[0] * side[1]


def _corner_centres(corners: Sequence[Point], radius: float) -> list[Point]:
    """The middles of the arcs that round the four corners."""
    centres = []
    for index, (x, y) in enumerate(corners):
        for near in (corners[index - 1], corners[(index + 1) % len(corners)]):
            dx, dy = near[0] - corners[index][0], near[1] - corners[index][1]
            length = math.hypot(dx, dy) or 1.0
            x, y = x + radius * dx / length, y + radius * dy / length
        centres.append((x, y))
    return centres


def _inside(corners: Sequence[Point], half: Point) -> float:
    """The distance inside the boundary of the most inward of points all over the card; negative: all lie outside."""
    (ax, ay), (bx, by), _, (dx, dy) = corners
    shares = [step / (STEPS - 1) for step in range(STEPS)]
    points = ((ax + u * (bx - ax) + v * (dx - ax), ay + u * (by - ay) + v * (dy - ay)) for u in shares for v in shares)
    return max(min(half[0] - abs(x), half[1] - abs(y)) for x, y in points)
