"""Reads and writes table.json: what calibration knows of one camera over one arena."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from arena_cam.domain.errors import BadInput, BadTable
from arena_cam.domain.table import Arena, Fiducials, Matrix3, Table


def read_table(file: Path | str) -> Table:
    """The table in `file`. Raises BadTable, saying what is wrong and what to do, if it cannot be used."""
    file = Path(file)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadTable(f"{file}: cannot be read ({error.strerror}); make one with arena-cam calibrate") from None
    except ValueError as error:
        raise BadTable(f"{file}: is not JSON ({error}); make it anew with arena-cam calibrate") from None
    try:
        return _table(data, file)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"key {error} is missing" if isinstance(error, KeyError) else str(error)
        raise BadTable(f"{file}: {what}; make it anew with arena-cam calibrate") from None


def _number(value: Any, what: str, low: float, high: float) -> float:
    number = float(value)
    if not (math.isfinite(number) and low <= number <= high):
        raise ValueError(f"{what} is {value}, it must lie between {low:g} and {high:g}")
    return number


def _table(data: dict[str, Any], file: Path) -> Table:
    width, height = (int(_number(v, "image_size", 16, 20000)) for v in data["image_size"])
    rows = [[_number(v, "K", -1e6, 1e6) for v in row] for row in data["K"]]
    if [len(row) for row in rows] != [3, 3, 3] or rows[0][0] <= 0 or rows[1][1] <= 0:
        raise ValueError("K is not a 3 x 3 camera matrix with positive focal lengths")
    matrix: Matrix3 = tuple(tuple(row) for row in rows)  # type: ignore[assignment]  # the lengths were checked above
    arena, fiducials = data["arena"], data["fiducials"]
    inner = [_number(v, "arena.inner_mm", 50, 5000) for v in arena["inner_mm"]]
    centres = {
        int(k): (_number(x, "fiducials.centres_mm", -5000, 5000), _number(y, "fiducials.centres_mm", -5000, 5000))
        for k, (x, y) in fiducials["centres_mm"].items()
    }
    if len(centres) < 2:
        raise ValueError("fiducials.centres_mm names fewer than two fiducials")
    table_z = _number(arena.get("table_z_mm", 0.0), "arena.table_z_mm", -200, 200)
    return Table(
        image_size=(width, height),
        K=matrix,
        dist=tuple(_number(v, "dist", -1e3, 1e3) for v in data["dist"]),
        arena=Arena(
            inner_mm=(inner[0], inner[1]),
            wall_height_mm=_number(arena["wall_height_mm"], "arena.wall_height_mm", 0, 500),
            wall_thickness_mm=_number(arena["wall_thickness_mm"], "arena.wall_thickness_mm", 0, 500),
            table_z_mm=table_z,
        ),
        fiducials=Fiducials(
            dictionary=str(fiducials["dictionary"]),
            size_mm=_number(fiducials["size_mm"], "fiducials.size_mm", 1, 500),
            centres_mm=centres,
            z_mm=_number(fiducials.get("z_mm", table_z), "fiducials.z_mm", -200, 200),
        ),
        empty=file.parent / data["empty"] if data.get("empty") else None,
        deck=data.get("deck"),
    )


def read_camera(file: Path | str) -> dict[str, Any]:
    """The camera's part of a table.json or of a file in calibration/: image_size, K, dist, calibration if there.

    Raises BadInput if it has none.
    """
    file = Path(file)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        kept = {key: data[key] for key in ("image_size", "K", "dist", "calibration") if key in data}
        rows = [[float(v) for v in row] for row in kept["K"]]
        if [len(row) for row in rows] != [3, 3, 3] or len(kept["dist"]) != 5 or len(kept["image_size"]) != 2:
            raise ValueError("K is no 3 x 3 matrix, or dist and image_size have not 5 and 2 numbers")
    except OSError as error:
        raise BadInput(
            f"{file}: cannot be read ({error.strerror}); give a file of calibration/ or a table.json"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{file}: holds no camera ({error}); make one with arena-cam calibrate VIEWS") from None
    return kept


def table_to_json(table: Table) -> dict[str, Any]:
    """`table` as the object that table.json holds."""
    arena, fiducials = table.arena, table.fiducials
    out: dict[str, Any] = {
        "image_size": list(table.image_size),
        "K": [list(row) for row in table.K],
        "dist": list(table.dist),
        "arena": {
            "inner_mm": list(arena.inner_mm),
            "wall_height_mm": arena.wall_height_mm,
            "wall_thickness_mm": arena.wall_thickness_mm,
            "table_z_mm": arena.table_z_mm,
        },
        "fiducials": {
            "dictionary": fiducials.dictionary,
            "size_mm": fiducials.size_mm,
            "centres_mm": {str(k): list(v) for k, v in fiducials.centres_mm.items()},
            "z_mm": fiducials.z_mm,
        },
    }
    if table.empty is not None:
        out["empty"] = table.empty.name
    if table.deck is not None:
        out["deck"] = table.deck
    return out
