"""Backup, restore, the log, and a start anew after an update."""

from __future__ import annotations

from flask import Blueprint, render_template

from arena_cam.web.access import security
from arena_cam.web.access.shared import web
from arena_cam.web.live.regions import region_context
from arena_cam.web.pages.live_page import viewer_of

blueprint = Blueprint("upkeep", __name__)


@blueprint.get("/upkeep")
def upkeep() -> str:
    """The things to look after; for everybody else the log-in."""
    if not security.is_referee():
        return render_template("referee/login.html", wrong=False, next="upkeep")
    there = web().upkeep
    context = region_context(web().session, "upkeep", viewer_of("upkeep"))
    return render_template("upkeep/page.html", **context, upkeep=there.state() if there is not None else None)
