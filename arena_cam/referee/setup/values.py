"""The figures of a set-up: the lengths that a person may type, and what was measured, as pages are told."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import Refused
from arena_cam.domain.table import Table
from arena_cam.referee.setup.files import Lens
from arena_cam.referee.setup.interface import LensResult, MeasuredArena
from arena_cam.referee.setup.messages import SetupRefusal
from arena_cam.vision.setup.survey import LEAST_EDGE, Survey

MOST_TURNED_DEG = 1.5  # half a millimetre at the corner of a fiducial of 28 mm


def lens_result(lens: Lens) -> LensResult:
    """The camera chosen, and how well it is known."""
    choice, camera = lens.choice(), lens.camera
    calibration = camera.get("calibration") or {}
    views = calibration.get("views")
    return {
        "id": choice["id"],
        "kind": choice["kind"],
        "name": choice["name"],
        "focal_px": choice["focal_px"],
        "centre_px": [round(float(camera["K"][0][2]), 1), round(float(camera["K"][1][2]), 1)],
        "reprojection_px": choice["reprojection_px"],
        "sd": {
            k: round(float(v), 3) for k, v in (calibration.get("sd") or {}).items() if k in ("fx", "fy", "cx", "cy")
        },
        "views": len(views) if views is not None else None,
    }


def measured_arena(survey: Survey, table: Table, things: int) -> MeasuredArena:
    """What was measured, rounded to what a person may want to know."""
    arena = table.arena
    return {
        "inner_mm": list(arena.inner_mm),
        "wall_mm": [arena.wall_height_mm, arena.wall_thickness_mm],
        "floor_mm": -arena.table_z_mm,
        "fiducial_mm": table.fiducials.size_mm,
        "fiducials": list(table.fiducials.centres_mm),
        "reprojection_px": round(survey.reprojection_px, 2),
        "turned": {str(n): round(deg, 1) for n, deg in survey.turned_deg.items() if abs(deg) > MOST_TURNED_DEG},
        "height_mm": round(float(survey.camera.centre_mm[2])),
        "px_mm": round(survey.camera.px_per_mm(np.zeros(3)), 2),
        "edges": sum(edge >= LEAST_EDGE for edge in survey.edge_levels),
        "things": things,
    }


def length(value: Any, what: str, limits: tuple[float, float]) -> float:
    """A length as typed. Raises Refused `bad_argument` outside of what can be."""
    low, high = limits
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not (math.isfinite(value) and low <= value <= high)
    ):
        raise Refused("bad_argument", SetupRefusal.BAD_LENGTH(name=what, low=f"{low:g}", high=f"{high:g}"))
    return float(value)


def lengths(args: Mapping[str, Any], what: str, *limits: tuple[float, float]) -> list[float]:
    """As many lengths as there are limits. Raises Refused `bad_argument` for anything else."""
    values = args.get(what)
    if not isinstance(values, list | tuple) or len(values) != len(limits):
        raise Refused("bad_argument", ArgumentRefusal.LENGTHS(name=what, count=len(limits)))
    return [length(value, what, limit) for value, limit in zip(values, limits, strict=True)]
