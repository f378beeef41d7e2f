"""Setting up a table: its state, and one route for every action of `SetupPort`; all behind the PIN."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.referee.messages import Refusal
from arena_cam.referee.setup.arguments import SETUP_ACTIONS
from arena_cam.referee.setup.interface import SetupPort
from arena_cam.web.access.security import referee_only
from arena_cam.web.access.shared import web
from arena_cam.web.api.bodies import body, checked
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_setup", __name__)


@blueprint.get("/setup")
@referee_only
def state() -> ResponseReturnValue:
    """The state of the set-up, and what there is to choose from."""
    return jsonify(_desk().snapshot())


@blueprint.get("/setup/learning/<card>")
@referee_only
def learned_card(card: str) -> ResponseReturnValue:
    """The picture of a card of the deck that is being learned: by its name, or the id under which it waits for one."""
    png = _desk().picture(card)
    if png is None:
        raise Refused("unknown", PageRefusal.NO_SUCH_CARD())
    return Response(png, mimetype="image/png", headers={"Cache-Control": "no-store"})


@blueprint.post("/setup/<action>")
@referee_only
def act(action: str) -> ResponseReturnValue:
    """Does `action` with the body as its arguments."""
    if action not in SETUP_ACTIONS:
        raise Refused("unknown", Refusal.NO_ACTION())
    return jsonify(_desk().act(action, checked(body(), SETUP_ACTIONS[action])))


def _desk() -> SetupPort:
    desk = web().setup
    if desk is None:
        raise Refused("not_now", PageRefusal.NO_CAMERA_TO_SET_UP())
    return desk
