"""JSON under /api/: what the pages' own scripts use, and anybody else may; described in openapi.py."""

from __future__ import annotations

from flask import Flask

from arena_cam.web.api import acting, games, opened, reading, seats, setup, streams, throws


def install(app: Flask) -> None:
    """Registers every part of the API under /api."""
    for part in (reading, streams, acting, seats, throws, opened, games, setup):
        app.register_blueprint(part.blueprint, url_prefix="/api")
