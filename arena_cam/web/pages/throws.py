"""The throws of the game, and one throw looked at again."""

from __future__ import annotations

from flask import Blueprint, render_template

from arena_cam.web.boundary import boundary_points
from arena_cam.web.measurements import measured
from arena_cam.web.pages.live_page import live_page, viewer_of
from arena_cam.web.regions import region_context
from arena_cam.web.shared import web

blueprint = Blueprint("throws", __name__)


@blueprint.get("/throws")
def throws() -> str:
    """Every throw of the game with its thumbnail and its verdict."""
    return live_page("throws")


@blueprint.get("/throws/<throw>")
def throw(throw: str) -> str:
    """One throw: the film, what was measured, the ruling, and the form for a correction."""
    detail, table = web().session.throw(throw), web().settings.table
    context = region_context(web().session, "throw", viewer_of("throw"))
    everyone = web().session.throws(detail["game"])
    place = [t["id"] for t in everyone].index(throw) if throw in {t["id"] for t in everyone} else 0
    return render_template(
        "throws/throw.html",
        **context,
        throw=detail,
        measured=measured(detail),
        boundary=boundary_points(table, (detail["reading"] or {}).get("pose")) if table is not None else "",
        earlier=everyone[place - 1]["id"] if place > 0 else None,
        later=everyone[place + 1]["id"] if place + 1 < len(everyone) else None,
    )
