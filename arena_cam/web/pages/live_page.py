"""The common part of live pages: the viewer, and the regions as they stand now."""

from __future__ import annotations

from typing import Any

from flask import current_app, render_template

from arena_cam.web.access.shared import web
from arena_cam.web.live.regions import Viewer, region_context, render_regions
from arena_cam.web.words.language import page_language


def viewer_of(view: str) -> Viewer:
    """The viewer of this request. Only the phones' page is personal; all others are shared by language."""
    language = page_language()
    if view == "join":
        game = web().session.snapshot()["game"]
        return Viewer(language, web().seats.mine(game), web().seats.taken(game))
    if view == "referee":
        return Viewer(language, None, web().seats.taken(web().session.snapshot()["game"]))
    return Viewer(language)


def live_page(view: str, **context: Any) -> str:
    """The page templates/VIEW/page.html with its regions filled in; a stream brings later changes."""
    viewer = viewer_of(view)
    app = current_app._get_current_object()  # type: ignore[attr-defined]  # the object itself outlives the request
    regions = render_regions(app, web().session, view, viewer)
    return render_template(
        f"{view}/page.html",
        **(
            region_context(web().session, view, viewer, usual=web().settings.usual_game)
            | {"regions": regions, "view": view}
            | context
        ),
    )
