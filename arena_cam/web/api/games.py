"""Games: the list, one game, its record and table as files, deleting."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from arena_cam.referee.interface import GameDetail, ThrowDetail
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
    return _file(text, "application/jsonl", _named(web().session.game(game), "record.jsonl"))


@blueprint.get("/games/<game>/scores.csv")
def scores(game: str) -> Response:
    """A row a round, a column a player: the points after that round."""
    detail = web().session.game(game)
    return _file(scores_csv(detail), "text/csv", _named(detail, "points.csv"))


@blueprint.get("/games/<game>/throws.csv")
def throws(game: str) -> Response:
    """A row a throw: who threw what, how it lay, and what was ruled."""
    session = web().session
    detail = session.game(game)
    return _file(
        throws_csv([session.throw(each["id"]) for each in session.throws(game)]),
        "text/csv",
        _named(detail, "throws.csv"),
    )


@blueprint.get("/games/<game>/choices.csv")
def choices(game: str) -> Response:
    """A row a choice: who chose what in a duel."""
    detail = web().session.game(game)
    return _file(choices_csv(detail), "text/csv", _named(detail, "choices.csv"))


def scores_csv(detail: GameDetail) -> str:
    """The table of `detail` as CSV (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["round", *(_harmless(name) for name in detail["players"])])
    for number, points in enumerate(detail["points_by_round"], start=1):
        writer.writerow([number, *(points.get(name, 0) for name in detail["players"])])
    return out.getvalue()


THROW_COLUMNS = [
    *("line", "round", "at", "player", "card", "face", "landing", "tilt_deg", "tilt_sd_deg", "x_mm", "y_mm"),
    *("sure", "confidence", "ruling", "corrected", "throw"),
]


def throws_csv(throws: Sequence[ThrowDetail]) -> str:
    """A row a throw, as CSV; `at` is UTC, the place that of the card's middle in the world frame."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(THROW_COLUMNS)
    for throw in throws:
        lie, verdict = throw["lie"] or {}, throw["verdict"]
        centre: list[Any] = list(throw["centre_mm"] or ())
        x, y = centre[:2] or ("", "")
        at = datetime.fromtimestamp(throw["at"], UTC).isoformat(timespec="seconds")
        row: list[Any] = [
            throw["line"],
            throw["round"],
            at,
            _harmless(throw["player"] or ""),
            throw["card"],
            throw["face"],
        ]
        row += [throw["landing"], lie.get("tilt_deg", ""), lie.get("tilt_sd_deg", ""), x, y, throw["sure"]]
        row += [throw["confidence"], verdict["code"] if verdict else "", throw["corrected"], throw["id"]]
        writer.writerow("" if value is None else value for value in row)
    return out.getvalue()


def choices_csv(detail: GameDetail) -> str:
    """A row for each choice of each duel in the record, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["line", "player", "choice"])
    for entry in detail["log"]:
        made = entry["event"].get("choices")
        for player, choice in made.items() if isinstance(made, dict) else ():
            writer.writerow([entry["line"], _harmless(str(player)), choice])
    return out.getvalue()


def _named(detail: GameDetail, what: str) -> str:
    """A file name that says of which game it is, and when that was."""
    name = re.sub(r"[^a-z0-9]+", "-", str(detail["name"] or "").lower()).strip("-")
    return "-".join(part for part in (detail["id"].rpartition("-")[0] or detail["id"], name[:40], what) if part)


def _harmless(name: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name


def _file(text: str, media_type: str, name: str) -> Response:
    return Response(text, mimetype=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})
