"""The scoreboard for the television, and the transparent strip for streamers."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, request

from arena_cam.web.access.shared import web
from arena_cam.web.drawings.qr import qr_path
from arena_cam.web.pages.live_page import live_page

blueprint = Blueprint("scoreboard", __name__)

OVERLAY_PARTS = ("ruling", "players", "choosing", "table", "camera")
USUAL_PARTS = ("ruling", "players")
PLACES = ("bottom", "top", "left", "right")


@blueprint.get("/")
def scoreboard() -> str:
    """The arena, the ruling, the players; readable from four metres."""
    address = web().settings.address
    if address is None:  # served to this machine alone: a code would lead a phone to itself
        return live_page("scoreboard", join_address=None, qr=None)
    return live_page("scoreboard", join_address=f"{address}/join", qr=qr_path(f"{address}/join"))


@blueprint.get("/overlay")
def overlay() -> str:
    """What `show` names on nothing, to be laid over a picture, at the side that `at` names."""
    return live_page("overlay", **overlay_of(request.args.get("show"), request.args.get("at", "")))


def overlay_of(show: str | None, at: str) -> dict[str, Any]:
    """{parts, place} of an overlay's address."""
    wanted = [part for part in (show or "").split(",") if part in OVERLAY_PARTS]
    return {"parts_shown": wanted or USUAL_PARTS, "place": at if at in PLACES else PLACES[0]}
