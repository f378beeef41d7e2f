"""The eye: from a frame to where and how every card lies. It knows nothing of games.

These names are the door for other programs; whatever else lies in the rooms below may move:

- `open_eye(table, deck)` makes an `Eye`: `judge` reads one picture, `look` watches frames in time;
- `TableReader` reads a frame over a calibrated table, `PhotographReader` a photograph without one;
- `Watcher` turns frames in time into observations;
- `Reading` and `Unreadable` are what they answer.

A name is imported when it is asked for: importing the package alone loads neither numpy nor OpenCV.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena_cam.domain.lies import Reading, Unreadable
    from arena_cam.vision.eye import Eye, open_eye
    from arena_cam.vision.photographs.reader import PhotographReader
    from arena_cam.vision.reading.table_reader import TableReader
    from arena_cam.vision.watching.watcher import Watcher

__all__ = ["Eye", "PhotographReader", "Reading", "TableReader", "Unreadable", "Watcher", "open_eye"]

_HOMES = {
    "Eye": "arena_cam.vision.eye",
    "PhotographReader": "arena_cam.vision.photographs.reader",
    "Reading": "arena_cam.domain.lies",
    "TableReader": "arena_cam.vision.reading.table_reader",
    "Unreadable": "arena_cam.domain.lies",
    "Watcher": "arena_cam.vision.watching.watcher",
    "open_eye": "arena_cam.vision.eye",
}


def __getattr__(name: str) -> Any:
    """Imports a name of the door on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
