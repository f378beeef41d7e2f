"""The referee's page, and the log-in with the PIN that leads to it."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from arena_cam.domain.errors import Refused
from arena_cam.formats.wording import say
from arena_cam.rules import find_game
from arena_cam.rules.house_rules import answered, asked
from arena_cam.web.access import security
from arena_cam.web.access.errors import STATUS_OF_CODE
from arena_cam.web.access.shared import web
from arena_cam.web.games.part import find_web_part, games_to_begin
from arena_cam.web.pages.live_page import live_page
from arena_cam.web.words.language import page_language, translator

blueprint = Blueprint("referee", __name__)

LONGEST_PIN = 64
# The pages from which people log in, and on which they go on: the referee's own, and a line or a throw to be corrected.
_FROM = re.compile(r"setup|programs|camera|upkeep|games/[\w-]+(/(lines|rounds)/\d+)?|throws(/[\w-]+)?", re.ASCII)
LATEST_GAMES = 60  # whose players are offered for a new game


@blueprint.get("/referee")
def referee() -> ResponseReturnValue:
    """Everything that a referee can do; for everybody else the log-in, after which the page goes on that they came from
    (`next`)."""
    wanted = _wanted(request.args.get("next"))
    if not security.is_referee():
        return render_template("referee/login.html", wrong=False, next=wanted)
    if wanted != "referee":
        return redirect(f"/{wanted}", 303)
    usual = web().settings.usual_game
    context: dict[str, Any] = {"usual_game": usual, "known_players": known_players()} | games_to_begin(usual)
    game = find_game(usual)
    context |= {"asked": partial(asked, game), "answered": partial(answered, game)} | find_web_part(usual).new_game()
    return live_page("referee", **context)


def known_players() -> list[str]:
    """The names of all players of the last games, newest first, which the form offers."""
    return list(dict.fromkeys(name for game in web().session.games(LATEST_GAMES) for name in game["players"]))


@blueprint.post("/login")
def login() -> ResponseReturnValue:
    """Takes the PIN; a wrong one shows the form again, and so do too many wrong ones."""
    pin = request.form.get("pin", "")[:LONGEST_PIN]
    wanted = _wanted(request.form.get("next"))
    try:
        right = web().gate.try_pin(pin, request.remote_addr or "")
    except Refused as shut:
        why = say(shut.said, translator(page_language()))
        return render_template("referee/login.html", wrong=True, why=why, next=wanted), STATUS_OF_CODE[shut.code]
    if not right:
        return render_template("referee/login.html", wrong=True, next=wanted), 403
    security.become_referee()
    return redirect(f"/{wanted}", 303)


def _wanted(asked: str | None) -> str:
    """The page asked for, if it is one of ours; else the referee's: a link must not lead to a stranger's page."""
    return asked if asked is not None and _FROM.fullmatch(asked) else "referee"


@blueprint.post("/logout")
def logout() -> ResponseReturnValue:
    security.stop_being_referee()
    web().streams.log_out(security.csrf_in_use() or "")
    return redirect("/", 303)
