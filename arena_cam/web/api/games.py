"""Games: the list, one game, its record and table as files, deleting."""

from __future__ import annotations

import csv
import io

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from arena_cam.referee.interface import GameDetail
from arena_cam.web.access.security import referee_only
from arena_cam.web.access.shared import web

blueprint = Blueprint("api_games", __name__)


@blueprint.get("/games")
def games() -> ResponseReturnValue:
    return jsonify(web().session.games())


@blueprint.get("/games/<game>")
def game(game: str) -> ResponseReturnValue:
    return jsonify(web().session.game(game))


@blueprint.get("/games/<game>/lines/<int:line>")
def line(game: str, line: int) -> ResponseReturnValue:
    """One line of the record, and what a correction of it may say."""
    return jsonify(web().session.line(game, line))


@blueprint.delete("/games/<game>")
@referee_only
def delete(game: str) -> ResponseReturnValue:
    """Removes the game with its pictures; refused while it goes on."""
    web().session.delete_game(game, "referee")
    return jsonify({})


@blueprint.get("/games/<game>/record.jsonl")
def record(game: str) -> Response:
    """The game record, as `arena-cam score` reads it."""
    text = web().session.record(game)
    return _file(text, "application/jsonl", "game.jsonl")


@blueprint.get("/games/<game>/scores.csv")
def scores(game: str) -> Response:
    """A row a round, a column a player: the points after that round."""
    return _file(scores_csv(web().session.game(game)), "text/csv", "scores.csv")


def scores_csv(detail: GameDetail) -> str:
    """The table of `detail` as CSV (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["round", *(_harmless(name) for name in detail["players"])])
    for number, points in enumerate(detail["points_by_round"], start=1):
        writer.writerow([number, *(points.get(name, 0) for name in detail["players"])])
    return out.getvalue()


def _harmless(name: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name


def _file(text: str, media_type: str, name: str) -> Response:
    return Response(text, mimetype=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})
