"""The page on which a telephone is the camera over the table."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena_cam.web.access import security
from arena_cam.web.access.shared import web
from arena_cam.web.drawings.qr import qr_path

blueprint = Blueprint("camera", __name__)


@blueprint.get("/camera")
def camera() -> ResponseReturnValue:
    """Sends the telephone's pictures; for everybody but the referee the log-in: a camera decides what is refereed."""
    if not security.is_referee():
        return render_template("referee/login.html", wrong=False, next="camera")
    secure = web().settings.secure_address
    address = f"{secure}/camera" if secure is not None else None
    return render_template(
        "camera/page.html",
        phone=web().phone is not None,
        usual_game=web().settings.usual_game,
        secure_address=address,
        fingerprint=web().settings.fingerprint,
        qr=qr_path(address) if address is not None else None,
    )
