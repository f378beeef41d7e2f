"""A phone's requests: sit down, choose in secret, leave. And the referee's, who frees a seat."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.part import find_part
from arena_cam.referee.messages import Refusal
from arena_cam.web.access.security import referee_only
from arena_cam.web.access.shared import web
from arena_cam.web.api.bodies import Choosing, Seat, body, checked
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_seats", __name__)


@blueprint.post("/seat")
def take() -> ResponseReturnValue:
    """Seats this browser: `{"player": name}`."""
    game = web().session.snapshot()["game"]
    if game is None:
        raise Refused("not_now", PageRefusal.NO_GAME_BEGUN())
    web().seats.take(game, checked(body(), Seat)["player"])
    web().streams.publish()
    return jsonify({"player": web().seats.mine(game)})


@blueprint.delete("/seat")
def leave() -> ResponseReturnValue:
    web().seats.leave(web().session.snapshot()["game"])
    web().streams.publish()
    return jsonify({})


@blueprint.post("/seat/choice")
def choose() -> ResponseReturnValue:
    """`{"choice": ...}` of the player who sits here, one of the game's `may_choose`; secret until all are in."""
    game = web().session.snapshot()["game"]
    player = web().seats.mine(game)
    if game is None or player is None:
        raise Refused("not_yours", PageRefusal.NO_SEAT())
    action = find_part(game["game"]).secret_action
    if action is None:
        raise Refused("not_now", Refusal.NO_SECRET())
    choice = checked(body(), Choosing)["choice"]
    return jsonify(web().session.act(action, {"player": player, "choice": choice}, player))


@blueprint.post("/seat/act/<action>")
def act(action: str) -> ResponseReturnValue:
    """An action of the player who sits here: one of the game's `phone_actions`, the body its arguments."""
    game = web().session.snapshot()["game"]
    player = web().seats.mine(game)
    if game is None or player is None:
        raise Refused("not_yours", PageRefusal.NO_SEAT())
    part = find_part(game["game"])
    if action not in part.phone_actions:
        raise Refused("unknown", Refusal.NO_ACTION())
    args = checked({**body(), "player": player}, part.actions[action].takes)
    return jsonify(web().session.act(action, {**args, "phone": True}, player))


@blueprint.post("/seats/free")
@referee_only
def free() -> ResponseReturnValue:
    """Frees the seat of a phone that is lost: `{"player": name}`."""
    web().seats.free(checked(body(), Seat)["player"])
    web().streams.publish()
    return jsonify({})
