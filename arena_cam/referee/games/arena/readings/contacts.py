"""Whether two cards overlap, or touch at all, from their outlines alone."""

from __future__ import annotations

from arena_cam.domain.lies import Landing, Lie
from arena_cam.geometry import outlines
from arena_cam.geometry.outlines import PLAINLY_IN_VIEW, depth, from_above

# Corners are measured to a few tenths of a millimetre, or to a pixel or two where there are no millimetres: what
# overlaps by as little as that a person would argue about, and it is asked about; what does not overlap is not.
GRAZING_MM = 0.0
GRAZING_PX = 4.0


def more_than_graze(a: Lie, b: Lie, corner_radius_mm: float) -> bool:
    """Whether two cards with rounded corners overlap by more than grazing, seen from above (in the picture where
    nothing is known but that)."""
    if a.corners_mm is not None and b.corners_mm is not None:
        return depth(from_above(a.corners_mm), from_above(b.corners_mm), corner_radius_mm) > GRAZING_MM
    return depth(a.corners_px, b.corners_px) > GRAZING_PX


def contact_probability(a: Lie, b: Lie, corner_radius_mm: float) -> float:
    """The probability that two cards with rounded corners overlap at all, seen from above, given how well they are
    placed."""
    if a.corners_mm is None or b.corners_mm is None:
        return float(more_than_graze(a, b, corner_radius_mm))
    plain = all(lie.landing is Landing.FLAT and lie.visible_fraction > PLAINLY_IN_VIEW for lie in (a, b))
    return outlines.contact_probability(from_above(a.corners_mm), from_above(b.corners_mm), corner_radius_mm, plain)
