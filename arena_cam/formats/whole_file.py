"""Writes a file so that it is never half there, whatever happens to the power or to the room on the disk."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_whole(file: Path, content: bytes | memoryview) -> None:
    """Puts `content` in place of what `file` held: written beside, then renamed. Where it cannot be written, what was
    there stays, nothing is left beside it, and OSError is raised."""
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())  # some file systems find out only now that there is no room
        part.replace(file)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise
