"""Setting up a table, step by step: the referee's alone."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena_cam.web.access import security
from arena_cam.web.access.errors import answer
from arena_cam.web.access.shared import web
from arena_cam.web.live.setup_view import setup_context
from arena_cam.web.pages.live_page import live_page
from arena_cam.web.words.language import page_language
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("setup", __name__)


@blueprint.get("/setup")
def setup() -> ResponseReturnValue:
    """The set-up; for everybody else the log-in, which leads back here."""
    if not security.is_referee():
        return render_template("referee/login.html", wrong=False, next="setup")
    if web().setup is None:
        return answer(404, "unknown", PageRefusal.NO_CAMERA_TO_SET_UP())
    return live_page("setup", **setup_context(web().setup, page_language()))
