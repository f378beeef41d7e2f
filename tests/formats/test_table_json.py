"""table.json: what is read, and that what cannot be used is said in the file's own words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena_cam.domain.errors import BadTable
from arena_cam.formats.table_json import read_table, table_to_json

TABLE: dict[str, Any] = {
    "image_size": [960, 540],
    "K": [[700.0, 0.0, 480.0], [0.0, 701.0, 270.0], [0.0, 0.0, 1.0]],
    "dist": [-0.05, 0.02, 0.001, 0.0005, 0.01],
    "arena": {"inner_mm": [280, 260], "wall_height_mm": 15, "wall_thickness_mm": 6, "table_z_mm": -1},
    "fiducials": {
        "dictionary": "DICT_5X5_50",
        "size_mm": 28,
        "centres_mm": {"0": [-170, 170], "1": [170, 170], "2": [170, -170], "3": [-170, -170]},
    },
    "empty": "empty.jpg",
    "deck": "printed",
}


def written(folder: Path, content: object) -> Path:
    file = folder / "table.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def changed(*path: str | int, to: object) -> dict[str, Any]:
    """TABLE with the value at `path` replaced."""
    table = json.loads(json.dumps(TABLE))
    part = table
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return dict(table)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, TABLE))
    assert (table.image_size, table.arena.inner_mm, table.fiducials.z_mm) == ((960, 540), (280.0, 260.0), -1.0)
    assert table.empty == tmp_path / "empty.jpg"
    assert read_table(written(tmp_path, table_to_json(table))) == table


def test_terms_of_the_lens_that_are_nought_may_be_left_out_or_be_there(tmp_path: Path) -> None:
    short = read_table(written(tmp_path, changed("dist", to=[-0.05, 0.02, 0.0, 0.0])))
    long = read_table(written(tmp_path, changed("dist", to=[-0.05, 0.02, 0, 0, 0, 0, 0, 0])))
    assert short.dist == long.dist == (-0.05, 0.02, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ([1], "must be an object"),
        ({"image_size": [960, 540]}, "arena is missing"),
        (changed("K", to=None), "K is missing"),
        (changed("K", to="x"), "K must be a 3 x 3 matrix"),
        (changed("K", to=[[1, 2], [3, 4]]), "K must be a 3 x 3 matrix"),
        (changed("K", 0, 0, to="1e3"), 'K must be a number, not "1e3"'),
        (changed("K", 0, 0, to=-700), "positive focal lengths"),
        (changed("K", 0, 2, to=99999), "principal point 99999, 270 is far outside the picture"),
        (json.dumps(TABLE).replace("701.0", "NaN"), "K is nan"),
        (changed("K", 1, 1, to=10**400), "K is 1000000000"),
        (changed("image_size", to=[960]), "image_size must be a list of 2 numbers"),
        (changed("image_size", to=[True, 540]), "image_size must be a number, not true"),
        (changed("dist", to=[0.1] * 8), "dist has 8 numbers"),
        (changed("dist", to=0.1), "dist must be a list"),
        (changed("arena", to=[280, 280]), "arena must be an object"),
        (changed("arena", "inner_mm", to=[280]), "arena.inner_mm must be a list of 2 numbers"),
        (changed("arena", "wall_height_mm", to=None), "arena.wall_height_mm is missing"),
        (changed("fiducials", "centres_mm", to={"a": [0, 0], "1": [9, 9]}), "'a', which is no marker's number"),
        (changed("fiducials", "centres_mm", to={"0": [0, 0]}), "fewer than two fiducials"),
        (
            changed("fiducials", "centres_mm", to={"1": [0, 0], "50": [99, 9]}),
            "the marker 50, which is not in DICT_5X5_50",
        ),
        (changed("fiducials", "centres_mm", "1", to=[-170, 171]), "the markers 0 and 1 lie on each other"),
        (changed("fiducials", "dictionary", to=5), "must be a name such as DICT_5X5_50"),
        (changed("empty", to=5), "empty must be a text"),
        (changed("deck", to=5), "deck must be a text"),
    ],
)
def test_what_cannot_be_used_is_said_with_what_to_do(tmp_path: Path, content: object, what: str) -> None:
    with pytest.raises(BadTable) as refused:
        read_table(written(tmp_path, content))
    message = str(refused.value)
    assert what in message
    assert message.endswith("make it anew with arena-cam calibrate")
    assert "\n" not in message
    assert len(message) < 500


def test_a_table_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="arena-cam calibrate"):
        read_table(tmp_path / "table.json")
