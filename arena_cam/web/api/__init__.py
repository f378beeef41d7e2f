"""The calls of programs, a blueprint each, and their description.

Belongs here: routes that answer JSON. Does not: wording of pages.
"""

from __future__ import annotations

from flask import Flask

from arena_cam.web.api import acting, games, opened, photos, programs, reading, seats, setup, streams, throws, upkeep


def install(app: Flask) -> None:
    """Registers every part of the API under /api."""
    for part in (reading, streams, acting, seats, photos, throws, opened, games, programs, setup, upkeep):
        app.register_blueprint(part.blueprint, url_prefix="/api")
