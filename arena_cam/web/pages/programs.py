"""Other programs: tokens, webhooks, MQTT, and what a streamer lays over a picture."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from arena_cam.store.tokens import SCOPES
from arena_cam.web.access import security
from arena_cam.web.access.shared import web
from arena_cam.web.live.regions import region_context
from arena_cam.web.pages.live_page import viewer_of

blueprint = Blueprint("programs", __name__)


@blueprint.get("/programs")
def programs() -> str:
    """The tokens and receivers, and forms for more; for everybody else the log-in."""
    if not security.is_referee():
        return render_template("referee/login.html", wrong=False, next="programs")
    there = web().programs
    context = region_context(web().session, "programs", viewer_of("programs"))
    address = web().settings.address
    return render_template(
        "programs/page.html",
        **context,
        programs=there.snapshot() if there is not None else None,
        scopes=SCOPES,
        site=address or request.host_url.rstrip("/"),
    )
