"""Other programs: their tokens, and where they are told what happens. The referee's alone, with the PIN."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.referee.integrations.programs import Programs, Secret
from arena_cam.web.access.security import referee_only
from arena_cam.web.access.shared import web
from arena_cam.web.api.bodies import BrokerWanted, TokenWanted, WebhookWanted, body, checked
from arena_cam.web.words.language import page_language
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_programs", __name__)


@blueprint.get("/programs")
@referee_only
def show() -> ResponseReturnValue:
    return jsonify(_programs().snapshot())


@blueprint.post("/programs/tokens")
@referee_only
def make_token() -> ResponseReturnValue:
    wanted = checked(body(), TokenWanted)
    token, secret = _programs().tokens.make(wanted["name"], tuple(wanted["scopes"]))
    return jsonify(Secret(id=token.id, secret=secret))


@blueprint.delete("/programs/tokens/<token>")
@referee_only
def revoke_token(token: str) -> ResponseReturnValue:
    _programs().tokens.revoke(token)
    return jsonify({})


@blueprint.post("/programs/webhooks")
@referee_only
def add_webhook() -> ResponseReturnValue:
    wanted = checked(body(), WebhookWanted)
    return jsonify(_programs().add_webhook(wanted["address"], wanted.get("language", page_language())))


@blueprint.post("/programs/brokers")
@referee_only
def add_broker() -> ResponseReturnValue:
    wanted = checked(body(), BrokerWanted)
    return jsonify({"id": _programs().add_broker(wanted, wanted.get("language", page_language()))})


@blueprint.delete("/programs/receivers/<receiver>")
@referee_only
def remove_receiver(receiver: str) -> ResponseReturnValue:
    _programs().remove(receiver)
    return jsonify({})


@blueprint.post("/programs/receivers/<receiver>/test")
@referee_only
def test_receiver(receiver: str) -> ResponseReturnValue:
    _programs().test(receiver)
    return jsonify({})


def _programs() -> Programs:
    programs = web().programs
    if programs is None:
        raise Refused("unknown", PageRefusal.NO_PROGRAMS())
    return programs
