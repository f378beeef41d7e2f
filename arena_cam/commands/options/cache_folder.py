"""Where what can be made again is kept between two starts."""

from __future__ import annotations

import os
from pathlib import Path

from arena_cam.vision.faces.picture_cache import PictureCache

ENVIRONMENT = "ARENA_CAM_CACHE"
OFF = "off"


def picture_cache() -> PictureCache | None:
    """In the folder $ARENA_CAM_CACHE, else ~/.cache/arena-cam; None where that says "off", or nobody has a home."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return None if named == OFF else PictureCache(Path(named))
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache"))
    try:
        folder = caches.expanduser() / "arena-cam"
    except RuntimeError:  # some services have no home
        return None
    return PictureCache(folder)
