"""Is it seeing, and how well."""

from __future__ import annotations

from flask import Blueprint

from arena_cam.web.pages.live_page import live_page

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def health() -> str:
    return live_page("health")
