"""Whether two cards overlap, or touch at all, from their outlines alone."""

from __future__ import annotations

import math

from arena_cam.domain.lies import Landing, Lie, Point2, Point3
from arena_cam.geometry.outlines import depth

# Corners are measured to a few tenths of a millimetre, or to a pixel or two where there are no millimetres: what
# overlaps by as little as that a person would argue about, and it is asked about; what does not overlap is not.
GRAZING_MM = 0.0
GRAZING_PX = 4.0
# How deep two cards reach into each other is measured to this (a standard deviation). Of 173 pairs within 6 mm of each
# other, on pictures of 38 tables, flat ones in view scatter by 0.05 mm, covered ones by 0.11, leaning ones by 0.15; and
# a deck's size is given to a tenth of a millimetre.
_DEPTH_SD_MM, _VAGUE_DEPTH_SD_MM, _MUCH_IN_VIEW = 0.08, 0.15, 0.6


def more_than_graze(a: Lie, b: Lie, corner_radius_mm: float) -> bool:
    """Whether two cards with rounded corners overlap by more than grazing, seen from above (in the picture where
    nothing is known but that)."""
    if a.corners_mm is not None and b.corners_mm is not None:
        return depth(_from_above(a.corners_mm), _from_above(b.corners_mm), corner_radius_mm) > GRAZING_MM
    return depth(a.corners_px, b.corners_px) > GRAZING_PX


def contact_probability(a: Lie, b: Lie, corner_radius_mm: float) -> float:
    """How likely two cards with rounded corners overlap at all, seen from above, as well as they are placed."""
    if a.corners_mm is None or b.corners_mm is None:
        return float(more_than_graze(a, b, corner_radius_mm))
    deep_mm = depth(_from_above(a.corners_mm), _from_above(b.corners_mm), corner_radius_mm)
    plain = all(lie.landing is Landing.FLAT and lie.visible_fraction > _MUCH_IN_VIEW for lie in (a, b))
    sd_mm = _DEPTH_SD_MM if plain else _VAGUE_DEPTH_SD_MM
    return 0.5 * math.erfc(-deep_mm / (sd_mm * math.sqrt(2.0)))


def _from_above(corners_mm: tuple[Point3, ...]) -> tuple[Point2, ...]:
    return tuple((x, y) for x, y, _ in corners_mm)
