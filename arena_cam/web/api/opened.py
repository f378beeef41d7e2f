"""Throws that were exported, here or elsewhere, and are brought in to be looked at."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.web.access.security import referee_only
from arena_cam.web.access.shared import web
from arena_cam.web.api.throws import differences_in_words, saved_picture
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_opened", __name__)

LARGEST_EXPORT = 64 * 1024 * 1024  # of a throw at the highest resolution with its deck; the server takes no more


@blueprint.get("/opened")
def opened() -> ResponseReturnValue:
    return jsonify(web().session.opened())


@blueprint.post("/opened")
@referee_only
def open_export() -> ResponseReturnValue:
    """Takes in the zip that is the request's body, and answers where it can be looked at."""
    content = request.get_data(cache=False)
    if not content:
        raise Refused("bad_argument", PageRefusal.NO_FILE())
    name = web().session.open_export(content)
    web().streams.publish()
    return jsonify({"id": name, "address": f"/opened/{name}"})


@blueprint.get("/opened/<opened>")
def throw(opened: str) -> ResponseReturnValue:
    return jsonify(web().session.opened_throw(opened))


@blueprint.delete("/opened/<opened>")
@referee_only
def close(opened: str) -> ResponseReturnValue:
    """Forgets it; the file that it came from is not touched."""
    web().session.close_opened(opened)
    web().streams.publish()
    return jsonify({})


@blueprint.get("/opened/<opened>/pictures/<name>")
def picture(opened: str, name: str) -> Response:
    return saved_picture(*web().session.opened_picture(opened, name))


@blueprint.post("/opened/<opened>/judge-again")
@referee_only
def judge_again(opened: str) -> ResponseReturnValue:
    """As for a throw of one's own, with the table and the deck that came with it."""
    return jsonify(differences_in_words(web().session.judge_opened_again(opened)))
