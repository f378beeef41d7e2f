"""A referee's requests: one route for every action of `SessionPort`, behind the PIN."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.part import every_action
from arena_cam.referee.messages import Refusal
from arena_cam.web.access.security import program, referee_only
from arena_cam.web.access.shared import web
from arena_cam.web.api.bodies import LONGEST_NAME, body, checked
from arena_cam.web.games.part import find_web_part
from arena_cam.web.words.amendments import preview_in_words
from arena_cam.web.words.language import page_language, translator
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_acting", __name__)


@blueprint.post("/act/<action>")
@referee_only
def act(action: str) -> ResponseReturnValue:
    """Does `action` with the body as its arguments; `who` in the body names the referee in the log."""
    takes = every_action().get(action)
    if takes is None:
        raise Refused("unknown", Refusal.NO_ACTION())
    args = body()
    by = program()
    who = args.pop("who", by.name if by is not None else "referee")
    if not isinstance(who, str) or not 1 <= len(who.strip()) <= LONGEST_NAME or not who.isprintable():
        raise Refused("bad_argument", PageRefusal.WHO_NEEDS_A_NAME(most=LONGEST_NAME))
    if action == "start_game":
        args.setdefault("game", web().settings.usual_game)
    answer = web().session.act(action, checked(args, takes), who.strip())
    game = web().session.snapshot()["game"]
    name = game["game"] if game is not None else web().settings.usual_game
    return jsonify(preview_in_words(answer, name, translator(page_language()), find_web_part(name).words))
