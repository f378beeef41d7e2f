"""Reads and writes table.json: what calibration knows of one camera over one arena."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

from arena_cam.domain.errors import BadInput, BadTable
from arena_cam.domain.table import Arena, Fiducials, Matrix3, Table
from arena_cam.formats.checked_values import MOST_SHOWN, given, markers_in, number, numbers, object_, part
from arena_cam.formats.messages import FileTrouble, TableTrouble, ValueTrouble


def read_table(file: Path | str) -> Table:
    """The table in `file`. Raises BadTable, saying what is wrong and what to do, if it cannot be used."""
    file = Path(file)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadTable(TableTrouble.TABLE_NOT_READ(text=error.strerror), about=file) from None
    except (ValueError, RecursionError) as error:
        raise BadTable(TableTrouble.TABLE_NOT_JSON(text=str(error)), about=file) from None
    try:
        return _table(object_(data, ""), file)
    except BadInput as error:
        raise BadTable(TableTrouble.TABLE_NEEDS(why=error.said), about=file) from None


def _table(data: dict[str, Any], file: Path) -> Table:
    width, height = (int(v) for v in numbers(part(data, "image_size"), "image_size", 2, 16, 20000))
    walls = object_(part(data, "arena"), "arena")
    inner = numbers(part(walls, "inner_mm", "arena."), "arena.inner_mm", 2, 50, 5000)
    table_z = number(given(walls, "table_z_mm", 0.0), "arena.table_z_mm", -200, 200)
    empty, deck = data.get("empty"), data.get("deck")
    for key, value in (("empty", empty), ("deck", deck)):
        if not isinstance(value, str | None):
            raise BadInput(ValueTrouble.ANY_TEXT(place=key))
    return Table(
        image_size=(width, height),
        K=_camera_matrix(part(data, "K"), width, height),
        dist=_distortion(part(data, "dist")),
        arena=Arena(
            inner_mm=(inner[0], inner[1]),
            wall_height_mm=number(part(walls, "wall_height_mm", "arena."), "arena.wall_height_mm", 0, 500),
            wall_thickness_mm=number(part(walls, "wall_thickness_mm", "arena."), "arena.wall_thickness_mm", 0, 500),
            table_z_mm=table_z,
        ),
        fiducials=_fiducials(object_(part(data, "fiducials"), "fiducials"), table_z),
        empty=file.parent / empty if empty else None,
        deck=deck,
    )


def _camera_matrix(value: Any, width: int, height: int) -> Matrix3:
    if not isinstance(value, list) or len(value) != 3:
        raise BadInput(ValueTrouble.NO_MATRIX(place="K"))
    rows = [numbers(row, "K", 3, -1e6, 1e6) for row in value]
    if rows[0][0] <= 0 or rows[1][1] <= 0:
        raise BadInput(ValueTrouble.FOCAL_LENGTHS(place="K"))
    # A picture cut out of a larger one may have it outside; further away than a picture's size it is a slip.
    for centre, size in ((rows[0][2], width), (rows[1][2], height)):
        if not -size <= centre <= 2 * size:
            raise BadInput(ValueTrouble.PRINCIPAL_POINT(place="K", x=f"{rows[0][2]:g}", y=f"{rows[1][2]:g}"))
    return tuple(tuple(row) for row in rows)  # type: ignore[return-value]  # the lengths were checked above


def _distortion(value: Any) -> tuple[float, ...]:
    """k1, k2, p1, p2, k3. Terms of richer lens models cannot be left out without a word."""
    if not isinstance(value, list):
        raise BadInput(ValueTrouble.NO_NUMBERS(place="dist", count=5))
    dist = [number(v, "dist", -1e3, 1e3) for v in value]
    if any(dist[5:]):
        raise BadInput(ValueTrouble.RICHER_LENS(place="dist", count=len(dist)))
    return tuple(dist + [0.0] * 5)[:5]


def _fiducials(data: dict[str, Any], table_z: float) -> Fiducials:
    what = "fiducials.centres_mm"
    centres: dict[int, tuple[float, float]] = {}
    for key, place in object_(part(data, "centres_mm", "fiducials."), what).items():
        if not (key.isascii() and key.isdigit() and len(key) <= 4):
            raise BadInput(ValueTrouble.NO_MARKER(place=what, given=repr(key[:MOST_SHOWN])))
        x, y = numbers(place, what, 2, -5000, 5000)
        centres[int(key)] = (x, y)
    if len(centres) < 2:
        raise BadInput(ValueTrouble.FEW_FIDUCIALS(place=what))
    size = number(part(data, "size_mm", "fiducials."), "fiducials.size_mm", 1, 500)
    for (one, a), (other, b) in combinations(centres.items(), 2):
        if math.dist(a, b) < size:
            raise BadInput(ValueTrouble.MARKERS_MEET(place=what, one=one, other=other))
    dictionary = part(data, "dictionary", "fiducials.")
    if not isinstance(dictionary, str):
        raise BadInput(ValueTrouble.DICTIONARY_NAME(place="fiducials.dictionary"))
    if max(centres) >= markers_in(dictionary):
        raise BadInput(
            ValueTrouble.NOT_IN_DICTIONARY(place=what, marker=max(centres), dictionary=dictionary[:MOST_SHOWN])
        )
    z = number(given(data, "z_mm", table_z), "fiducials.z_mm", -200, 200)
    return Fiducials(dictionary=dictionary, size_mm=size, centres_mm=centres, z_mm=z)


def _check_camera(data: dict[str, Any]) -> None:
    """Raises BadInput where the intrinsics are not what a camera can have."""
    numbers(part(data, "image_size"), "image_size", 2, 16, 20000)
    rows = part(data, "K")
    if not isinstance(rows, list) or len(rows) != 3:
        raise BadInput(ValueTrouble.NO_MATRIX(place="K"))
    for row in rows:
        numbers(row, "K", 3, -1e6, 1e6)
    numbers(part(data, "dist"), "dist", 5, -1e6, 1e6)
    object_(data.get("calibration") or {}, "calibration")


def read_camera(file: Path | str) -> dict[str, Any]:
    """The camera's part of a table.json or of a file in calibration/: image_size, K, dist, calibration if there.

    Raises BadInput if it has none.
    """
    file = Path(file)
    try:
        data = object_(json.loads(file.read_text(encoding="utf-8")), "")
        kept: dict[str, Any] = {key: data[key] for key in ("image_size", "K", "dist", "calibration") if key in data}
        _check_camera(kept)
    except OSError as error:
        raise BadInput(TableTrouble.CAMERA_NOT_READ(text=error.strerror), about=file) from None
    except BadInput as error:
        raise BadInput(TableTrouble.NO_CAMERA(why=error.said), about=file) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(FileTrouble.IS_NOT_JSON(text=str(error)), about=file) from None
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
