"""Photographs that people take: a phone's for its own player, the referee's for anybody, the camera's for all; and the
pictures of a telephone that is the camera, one after another."""

from __future__ import annotations

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from arena_cam.camera.messages import PictureTrouble
from arena_cam.domain.errors import BadPicture, Refused
from arena_cam.referee.messages import PhotoRefusal
from arena_cam.web.access.security import csrf_in_use, referee_only
from arena_cam.web.access.shared import web
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_photos", __name__)

LARGEST_PICTURE = 16 * 1024 * 1024  # a photograph of 12 megapixels; a picture of the film has 0.2 MB


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


@blueprint.post("/camera")
@referee_only
def film() -> ResponseReturnValue:
    """The request's body is the newest picture of the telephone's camera; `?still=1`: a photograph, none follows soon.

    Answers {eye}: what the eye is doing, so that the telephone can show it.
    """
    phone = web().phone
    if phone is None:
        raise Refused("not_now", PageRefusal.NO_PHONE_CAMERA())
    if (request.content_length or 0) > LARGEST_PICTURE:
        raise Refused("bad_argument", PhotoRefusal.NO_PHOTO())
    sender = csrf_in_use() or request.remote_addr or ""
    try:
        phone.put(request.get_data(cache=False), request.args.get("still") == "1", sender)
    except BadPicture as error:
        strip = error.said.sentence is PictureTrouble.STRIP
        raise Refused("bad_argument", error.said if strip else PhotoRefusal.PHOTO_TORN()) from None
    return jsonify({"eye": web().session.snapshot()["eye"]["state"]})
