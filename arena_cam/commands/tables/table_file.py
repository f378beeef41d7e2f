"""Reads table.json for a command, and says on stderr what in it is amiss but does no harm."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from arena_cam.domain.table import Table
from arena_cam.formats.table_json import read_table

WITHOUT_EMPTY = 'put it back beside table.json, calibrate the arena anew, or take "empty" out of table.json'


def table_for(command: str, file: Path) -> Table:
    """The table in `file`, for `arena-cam COMMAND`; a picture of the empty arena that is gone is told, and left out.

    Raises BadTable if the table cannot be used.
    """
    table = read_table(file)
    if not lacks_empty(table):
        return table
    print(
        f"arena-cam {command}: warning: {table.empty}: the picture of the empty arena that {file} names is not there; "
        f"going on without it; {WITHOUT_EMPTY}",
        file=sys.stderr,
        flush=True,
    )
    return replace(table, empty=None)


def lacks_empty(table: Table) -> bool:
    """Whether the table names a picture of the empty arena that is not there."""
    return table.empty is not None and not table.empty.is_file()
