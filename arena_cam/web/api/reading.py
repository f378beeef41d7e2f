"""What can be asked without changing anything: the state, the regions of a page, health, the API's description."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.web.access import security
from arena_cam.web.access.shared import web
from arena_cam.web.api.openapi import describe
from arena_cam.web.live.regions import VIEWS, render_regions
from arena_cam.web.pages.live_page import viewer_of
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_reading", __name__)


@blueprint.get("/state")
def state() -> ResponseReturnValue:
    """The whole snapshot."""
    return jsonify(web().session.snapshot())


@blueprint.get("/health")
def health() -> ResponseReturnValue:
    """For monitoring: 200 while all is well, 503 while something needs a person."""
    figures = web().session.health() | {"open_streams": web().streams.open_streams}
    return jsonify(figures), 200 if figures.get("ok", True) else 503


@blueprint.get("/regions/<view>")
def regions(view: str) -> ResponseReturnValue:
    """The regions of a page as HTML: for figures that change all the time, and for pages without a stream."""
    check_view(view)
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    return jsonify({"regions": render_regions(app, web().session, view, viewer_of(view))})


@blueprint.get("/openapi.json")
def openapi() -> ResponseReturnValue:
    return jsonify(describe())


def check_view(view: str) -> None:
    """Raises Refused where there is no such page, or it is the referee's and this browser is not."""
    if view not in VIEWS:
        raise Refused("unknown", PageRefusal.NO_PAGE())
    if view in ("referee", "setup") and not security.is_referee():
        raise Refused("not_referee", PageRefusal.REFEREE_MAY_SEE())


def body() -> dict[str, Any]:
    """The request's JSON object; raises Refused `bad_argument` for anything else."""
    try:
        data = request.get_json(silent=True)
    except RecursionError:  # nested deeper than Python reads
        data = None
    if not isinstance(data, dict):
        raise Refused("bad_argument", "Send a JSON object with Content-Type: application/json.")
    return data


def text(data: dict[str, Any], key: str, most: int = 200, least: int = 1) -> str:
    """A string of the body; raises Refused `bad_argument` if it is missing or too long."""
    value = data.get(key)
    if not isinstance(value, str) or not least <= len(value) <= most:
        raise Refused("bad_argument", f"{key}: give a text of {least} to {most} characters.")
    return value
