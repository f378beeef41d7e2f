"""The phones' page: take a seat, see one's own state, choose in secret."""

from __future__ import annotations

from flask import Blueprint

from arena_cam.web.pages.live_page import live_page

blueprint = Blueprint("join", __name__)


@blueprint.get("/join")
def join() -> str:
    return live_page("join")
