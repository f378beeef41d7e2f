"""The throws of the game, one throw looked at again, and one that was exported elsewhere."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from arena_cam.referee.interface import ThrowDetail, ThrowSummary
from arena_cam.web.access.shared import web
from arena_cam.web.drawings.boundary import boundary_points
from arena_cam.web.drawings.measurements import measured
from arena_cam.web.live.regions import region_context
from arena_cam.web.pages.live_page import live_page, viewer_of

blueprint = Blueprint("throws", __name__)


@blueprint.get("/throws")
def throws() -> str:
    """Every throw of the game with its thumbnail and its verdict; and a place for those from elsewhere.

    `?game=`, `?player=`, `?only=unsure` or `corrected`: of another game, or not all.
    """
    game, player, only = (request.args.get(name, "") for name in ("game", "player", "only"))
    if not (game or player or only):
        return live_page("throws")
    session = web().session
    kind = session.game(game)["game"] if game else ""
    context = region_context(session, "throws", viewer_of("throws"), kind)
    found = session.throws(game or None)
    players = sorted({each["player"] for each in found if each["player"]})
    shown = [each for each in found if _wanted(each, player, only)]
    regions = {
        name: render_template(f"throws/_{name}.html", **(context | {"throws": shown})) for name in ("list", "opened")
    }
    chosen = {"of_game": game, "of_player": player, "only": only, "throwers": players}
    return render_template("throws/page.html", **context, **chosen, regions=regions)


def _wanted(throw: ThrowSummary, player: str, only: str) -> bool:
    kind = {"unsure": not throw["sure"], "corrected": throw["corrected"]}.get(only, True)
    return kind and player in ("", throw["player"])


@blueprint.get("/throws/<throw>")
def throw(throw: str) -> str:
    """One throw: the film, what was measured, the ruling, and the forms for a correction."""
    session = web().session
    detail = session.throw(throw)
    ids = [each["id"] for each in session.throws(detail["game"])]
    place = ids.index(throw) if throw in ids else 0
    return _replay(
        detail,
        base=f"/api/throws/{detail['id']}",
        entry=session.line(detail["game"], detail["line"]) if detail["line"] is not None else None,
        earlier=ids[place - 1] if place > 0 else None,
        later=ids[place + 1] if place + 1 < len(ids) else None,
    )


@blueprint.get("/opened/<opened>")
def opened(opened: str) -> str:
    """A throw or a photograph from an exported file, to look at only."""
    return _replay(web().session.opened_throw(opened), base=f"/api/opened/{opened}", foreign=True)


def _replay(detail: ThrowDetail, **more: object) -> str:
    if detail["photo"] is not None:
        context = region_context(web().session, "throw", viewer_of("throw"), detail["rules"])
        return render_template("throws/photo.html", **context, throw=detail, **more)
    context = region_context(web().session, "throw", viewer_of("throw"))
    pose = (detail["reading"] or {}).get("pose")
    boundary = boundary_points(detail["frame_of_reference"].get("table"), pose)
    arena = context["snapshot"]["arena"]
    found = measured(detail, arena["card_corner_radius_mm"]) if arena is not None else measured(detail)
    return render_template("throws/throw.html", **context, throw=detail, measured=found, boundary=boundary, **more)
