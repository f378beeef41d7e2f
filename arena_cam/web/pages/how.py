"""The rules of a game: one minute to read, with drawings."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response

from arena_cam.rules import all_games
from arena_cam.web.access.shared import web
from arena_cam.web.games.part import find_web_part
from arena_cam.web.live.regions import region_context
from arena_cam.web.pages.live_page import viewer_of

blueprint = Blueprint("how", __name__)


@blueprint.get("/how")
def how() -> Response:
    """The rules of the game that is on; without a game, those of the usual one."""
    game = web().session.snapshot()["game"]
    return redirect(url_for("how.how_of", game=game["game"] if game is not None else web().settings.usual_game))


@blueprint.get("/how/<game>")
def how_of(game: str) -> str:
    """The rules of one game, named as records name it."""
    games = all_games()
    if game not in games:
        abort(404)
    context: dict[str, Any] = region_context(web().session, "how", viewer_of("how"), game)
    context |= find_web_part(game).how_to_play()
    return render_template("how/page.html", **context, title=games[game].title, source=games[game].source, games=games)
