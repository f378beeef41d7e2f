"""Requests that change nothing: the state, the regions of a page, health, the API's description."""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.web.access import security
from arena_cam.web.access.shared import web
from arena_cam.web.api.openapi import describe
from arena_cam.web.live.regions import VIEWS, render_regions
from arena_cam.web.pages.live_page import viewer_of
from arena_cam.web.words.messages import PageRefusal

REFEREES_VIEWS = ("referee", "setup")  # which nobody else may see
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


@blueprint.get("/")
def index() -> ResponseReturnValue:
    """Every call in a line, for who looks round, and where they are described."""
    paths = describe()["paths"]
    calls = [
        {"call": f"{method.upper()} {path}", "summary": operation["summary"]}
        for path, operations in paths.items()
        for method, operation in operations.items()
    ]
    return jsonify({"description": "/api/openapi.json", "calls": calls})


def check_view(view: str) -> None:
    """Raises Refused where there is no such page, or it is the referee's and this browser is not."""
    if view not in VIEWS:
        raise Refused("unknown", PageRefusal.NO_PAGE())
    if view in REFEREES_VIEWS and not security.may_watch():
        raise Refused("not_referee", PageRefusal.REFEREE_MAY_SEE())
