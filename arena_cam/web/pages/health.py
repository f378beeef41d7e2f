"""Is it seeing, and how well: for people, and for programs that ask this address for JSON."""

from __future__ import annotations

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from arena_cam.web.pages.live_page import live_page

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def health() -> ResponseReturnValue:
    wanted = request.accept_mimetypes
    if wanted["application/json"] > wanted["text/html"]:
        return redirect("/api/health")
    return live_page("health")
