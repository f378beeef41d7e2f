"""Backups, and the program started anew. The referee's alone, with the PIN; no token does it."""

from __future__ import annotations

import time

from flask import Blueprint, Response, jsonify, request, send_file
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.web.access.security import referee_only
from arena_cam.web.access.shared import web
from arena_cam.web.access.upkeep import Upkeep
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_upkeep", __name__)

LARGEST_PIECE = 16 * 1024 * 1024  # of a backup, which has gigabytes: a page sends it piece by piece


@blueprint.get("/upkeep")
@referee_only
def state() -> ResponseReturnValue:
    return jsonify(_upkeep().state())


@blueprint.get("/upkeep/backup.zip")
@referee_only
def download() -> Response:
    """Makes a backup and sends it. The file is removed from disk as soon as it is open."""
    file = _upkeep().backup()
    try:
        content = file.open("rb")
    finally:
        file.unlink()
    name = f"arena-cam-{time.strftime('%Y-%m-%d')}.zip"
    return send_file(content, "application/zip", as_attachment=True, download_name=name, max_age=0)


@blueprint.post("/upkeep/arriving")
@referee_only
def take() -> ResponseReturnValue:
    """One piece of a backup: `at` is its first byte's place, `total` the size of the whole."""
    at, total = request.args.get("at", -1, int), request.args.get("total", -1, int)
    piece = request.get_data(cache=False)
    if at < 0 or total < 1 or not piece or len(piece) > LARGEST_PIECE:
        raise Refused("bad_argument", PageRefusal.BACKUP_TORN())
    return jsonify(_upkeep().take(piece, at, total))


@blueprint.post("/upkeep/restore")
@referee_only
def restore() -> ResponseReturnValue:
    _upkeep().restore()
    return jsonify({})


@blueprint.post("/upkeep/restart")
@referee_only
def restart() -> ResponseReturnValue:
    _upkeep().restart()
    return jsonify({})


def _upkeep() -> Upkeep:
    upkeep = web().upkeep
    if upkeep is None:
        raise Refused("not_now", PageRefusal.NO_UPKEEP())
    return upkeep
