"""Throws: the list, the measurements, the saved pictures, judging again, the export."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from arena_cam.web.access.security import referee_only
from arena_cam.web.access.shared import web
from arena_cam.web.words.doubts import difference_said, value_in_words
from arena_cam.web.words.file_names import file_name
from arena_cam.web.words.language import page_language, translator

blueprint = Blueprint("api_throws", __name__)

PICTURE_MAX_AGE_S = 24 * 3600  # a throw's pictures never change


@blueprint.get("/throws")
def throws() -> ResponseReturnValue:
    """The throws of `?game=`, by default of the present game."""
    return jsonify(web().session.throws(request.args.get("game")))


@blueprint.get("/throws/<throw>")
def throw(throw: str) -> ResponseReturnValue:
    return jsonify(web().session.throw(throw))


@blueprint.get("/throws/<throw>/pictures/<name>")
def picture(throw: str, name: str) -> Response:
    """One saved picture. The session knows which names there are; a path is never made from what was asked."""
    return saved_picture(*web().session.throw_picture(throw, name))


@blueprint.post("/throws/<throw>/judge-again")
@referee_only
def judge_again(throw: str) -> ResponseReturnValue:
    """Runs vision on the saved frames and says what differs. The referee's, because it takes the machine's time."""
    return jsonify(differences_in_words(web().session.judge_again(throw)))


def saved_picture(media_type: str, data: bytes) -> Response:
    """A picture that never changes, for the one who asked."""
    return Response(
        data, mimetype=media_type, headers={"Cache-Control": f"private, max-age={PICTURE_MAX_AGE_S}, immutable"}
    )


def differences_in_words(answer: dict[str, Any]) -> dict[str, Any]:
    """The differences that judging again found, with `said` in the page's language in each."""
    language = page_language()
    _ = translator(language)
    return answer | {
        "differences": [
            each
            | {
                "said": difference_said(each, _),
                "said_before": value_in_words(each["before"], language),
                "said_after": value_in_words(each["after"], language),
            }
            for each in answer["differences"]
        ]
    }


@blueprint.get("/throws/<throw>/export.zip")
def export(throw: str) -> Response:
    """Everything of a disputed throw, for `arena-cam replay FILE`."""
    data = web().session.export_throw(throw)
    about = web().session.throw(throw)
    line = f"line-{about['line']}" if about["line"] is not None else ""
    name = file_name(("throw", about["player"] or "", about["card"] or "", line), about["at"], ".zip")
    return Response(data, mimetype="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'})
