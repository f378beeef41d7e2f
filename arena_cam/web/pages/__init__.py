"""The pages, a blueprint each: parse, call, render.

Belongs here: routes that answer HTML. Does not: routes that answer JSON (`api/`).
"""

from __future__ import annotations

from flask import Flask

from arena_cam.web.pages import (
    camera,
    games,
    health,
    how,
    join,
    players,
    printing,
    programs,
    referee,
    scoreboard,
    setup,
    throws,
    upkeep,
)


def install(app: Flask) -> None:
    """Registers every page."""
    for page in (
        scoreboard,
        referee,
        join,
        how,
        throws,
        games,
        players,
        health,
        setup,
        printing,
        programs,
        camera,
        upkeep,
    ):
        app.register_blueprint(page.blueprint)
