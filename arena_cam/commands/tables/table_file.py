"""Reads table.json for a command, and says on stderr what in it is amiss but does no harm."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from arena_cam.commands.tables.messages import WithoutEmpty
from arena_cam.domain.table import Table
from arena_cam.formats.table_json import read_table
from arena_cam.formats.wording import told


def table_for(command: str, file: Path, language: str = "en") -> Table:
    """The table in `file`, for `arena-cam COMMAND`.

    Where the picture of the empty arena is gone, stderr says so in `language`, and the table has none.

    Raises BadTable if the table cannot be used.
    """
    table = read_table(file)
    if not lacks_empty(table):
        return table
    warning = WithoutEmpty.GOING_ON(file=str(file), why=WithoutEmpty.REMEDY())
    print(f"arena-cam {command}: warning: {table.empty}: {told(warning, language)}", file=sys.stderr, flush=True)
    return replace(table, empty=None)


def lacks_empty(table: Table) -> bool:
    """Whether the table names a picture of the empty arena that is not there."""
    return table.empty is not None and not table.empty.is_file()
