"""Photographs that people take: a phone's for its own player, the referee's for anybody, the camera's for all."""

from __future__ import annotations

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.referee.messages import PhotoRefusal
from arena_cam.web.access.security import referee_only
from arena_cam.web.access.shared import web
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_photos", __name__)


def _content() -> bytes:
    content = request.get_data(cache=False)
    if not content:
        raise Refused("bad_argument", PhotoRefusal.NO_PHOTO())
    return content


@blueprint.post("/seat/photo")
def take_own() -> ResponseReturnValue:
    """The request's body is a photograph by the player who sits here. It is on disk when this answers."""
    player = web().seats.mine(web().session.snapshot()["game"])
    if player is None:
        raise Refused("not_yours", PageRefusal.NO_SEAT())
    return jsonify(web().session.take_photo(_content(), player, player))


@blueprint.post("/photos")
@referee_only
def take() -> ResponseReturnValue:
    """The request's body is a photograph of what is `?player=`'s; without one, of several players' things."""
    return jsonify(web().session.take_photo(_content(), request.args.get("player") or None, "referee"))


@blueprint.post("/photos/camera")
@referee_only
def photograph() -> ResponseReturnValue:
    """The newest picture of the camera over the table is the photograph."""
    return jsonify(web().session.photograph("referee"))
