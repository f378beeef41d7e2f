"""Errors as answers: a page for people, `{"error": {"code", "message"}}` for programs; never a traceback."""

from __future__ import annotations

import logging

from flask import Flask, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from arena_cam.domain.errors import ArenaCamError, BadInput, Refused
from arena_cam.domain.messages import Message
from arena_cam.formats.wording import capital, say
from arena_cam.referee.messages import Refusal
from arena_cam.web.words.language import page_language, translator
from arena_cam.web.words.messages import PageRefusal

# 409: right, but not in this state of the game. 403: not by you.
STATUS_OF_CODE = {
    "unknown": 404,
    "bad_argument": 400,
    "unknown_token": 401,
    "csrf": 403,
    "not_allowed": 403,
    "not_referee": 403,
    "not_yours": 403,
    "wrong_pin": 403,
    "too_many_attempts": 429,
    "too_many_streams": 503,
    "disk_full": 507,
    "not_kept": 410,
}
CONFLICT = 409
SENTENCE_OF_STATUS = {
    404: PageRefusal.NO_PAGE(),
    405: Refusal.NO_ACTION(),
    413: PageRefusal.TOO_MUCH(),
    415: PageRefusal.MISUNDERSTOOD(),
}


def install(app: Flask) -> None:
    """Maps every error to its status."""
    log = logging.getLogger(__name__)

    @app.errorhandler(Refused)
    def refused(error: Refused) -> ResponseReturnValue:
        return answer(STATUS_OF_CODE.get(error.code, CONFLICT), error.code, error.said)

    @app.errorhandler(BadInput)
    def bad_input(error: BadInput) -> ResponseReturnValue:
        return answer(STATUS_OF_CODE["bad_argument"], "bad_input", error.said)

    @app.errorhandler(ArenaCamError)
    def failed(error: ArenaCamError) -> ResponseReturnValue:
        return answer(CONFLICT, "cannot", error.said)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        if error.get_response().headers.get("Location"):
            return error  # a redirect is no error
        message = SENTENCE_OF_STATUS.get(status, PageRefusal.NOT_TAKEN(status=status))
        return answer(status, error.name.lower().replace(" ", "_"), message)

    @app.errorhandler(Exception)
    def unexpected(_error: Exception) -> ResponseReturnValue:
        log.exception("a request failed: %s %s", request.method, request.path)
        return answer(500, "internal", PageRefusal.FAULT())


def answer(status: int, code: str, said: Message) -> ResponseReturnValue:
    """The error in the form that fits who asks, in the page's language; `code` is the same in all."""
    message = capital(say(said, translator(page_language())))
    if request.path.startswith("/api/") and not _goes_there():
        return jsonify({"error": {"code": code, "message": message}}), status
    return render_template("error.html", status=status, message=message), status


def _goes_there() -> bool:
    """Whether a browser goes to the address, as by a link to a file, and would show the answer as a page."""
    return request.accept_mimetypes.best_match(("application/json", "text/html")) == "text/html"
