"""The scoreboard for the television, and the transparent strip for streamers."""

from __future__ import annotations

from flask import Blueprint

from arena_cam.web.access.shared import web
from arena_cam.web.drawings.qr import qr_path
from arena_cam.web.pages.live_page import live_page

blueprint = Blueprint("scoreboard", __name__)


@blueprint.get("/")
def scoreboard() -> str:
    """The arena, the ruling, the players; readable from four metres."""
    address = web().settings.address
    if address is None:  # served to this machine alone: a code would lead a phone to itself
        return live_page("scoreboard", join_address=None, qr=None)
    return live_page("scoreboard", join_address=f"{address}/join", qr=qr_path(f"{address}/join"))


@blueprint.get("/overlay")
def overlay() -> str:
    """The ruling and the points on nothing, to be laid over a picture."""
    return live_page("overlay")
