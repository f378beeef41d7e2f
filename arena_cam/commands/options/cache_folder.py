"""Where what can be made again is kept between two starts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from arena_cam.vision.faces.picture_cache import PictureCache

ENVIRONMENT = "ARENA_CAM_CACHE"
OFF = "off"


def picture_cache() -> PictureCache | None:
    """In the folder $ARENA_CAM_CACHE, else ~/.cache/arena-cam; None where that says "off", or nobody has a home."""
    folder = _folder()
    return None if folder is None else PictureCache(folder)


@contextmanager
def drawing_folder(source: str) -> Iterator[Path]:
    """A folder for what is drawn for a frame source. For the simulated table it is one that lasts, for this version of
    what draws, since a deck takes seconds; else, and where nothing is kept or can be written, a temporary one."""
    with TemporaryDirectory(prefix="arena-cam-") as scratch:
        yield (_lasting() if source == "sim" else None) or Path(scratch)


def _lasting() -> Path | None:
    from arena_cam.printing.deck import drawing_version

    kept = _folder()
    if kept is None:
        return None
    folder = kept / f"drawn-{drawing_version()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(b"0")
    except OSError:
        return None
    return folder


def _folder() -> Path | None:
    named = os.environ.get(ENVIRONMENT)
    if named:
        return None if named == OFF else Path(named)
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache"))
    try:
        return caches.expanduser() / "arena-cam"
    except RuntimeError:  # some services have no home
        return None
