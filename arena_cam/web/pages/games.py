"""The history of games: tables, charts, statistics, downloads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from flask import Blueprint, abort, render_template, request

from arena_cam.referee.interface import GameDetail, RulingSnapshot
from arena_cam.rules import all_games
from arena_cam.rules.entries import enters
from arena_cam.web.access.shared import web
from arena_cam.web.drawings.chart import Chart, points_chart
from arena_cam.web.games.part import find_web_part
from arena_cam.web.live.regions import region_context
from arena_cam.web.pages.live_page import viewer_of

blueprint = Blueprint("games", __name__)

GAMES_A_PAGE = 30
MOST_PAGES = 100_000
LONGEST_WORDS = 80


@blueprint.get("/games")
def games() -> str:
    """The games, newest first, a page at a time; with `q`, those whose title or players hold these words."""
    page = max(0, min(request.args.get("page", 0, int), MOST_PAGES))
    words = " ".join((request.args.get("q") or "")[:LONGEST_WORDS].split())
    found = web().session.games(GAMES_A_PAGE + 1, page * GAMES_A_PAGE, words)
    context = region_context(web().session, "games", viewer_of("games"))
    older = len(found) > GAMES_A_PAGE
    titles = {name: game.title for name, game in all_games().items()}
    kept = {name: find_web_part(name).kept for name in titles}
    return render_template(
        "games/page.html",
        **context,
        games=found[:GAMES_A_PAGE],
        titles=titles,
        kept=kept,
        page=page,
        older=older,
        words=words,
    )


@blueprint.get("/games/<game>")
def game(game: str) -> str:
    """One game: final table, points over the rounds, statistics, its log."""
    detail = web().session.game(game)
    context = region_context(web().session, "games", viewer_of("games"), detail["game"])
    chart = _chart(detail)
    ranking = sorted(detail["players"], key=lambda name: -detail["scores"].get(name, 0) if detail["over"] else 0)
    return render_template(
        "games/game.html",
        **context,
        detail=detail,
        chart=chart,
        ranking=ranking,
        corrected=_corrected(detail),
        can_be_corrected=_can_be_corrected,
    )


def _chart(detail: GameDetail) -> Chart | None:
    colours = find_web_part(detail["game"]).colours(detail)
    return points_chart(detail["points_by_round"], detail["players"], colours)


def _corrected(detail: GameDetail) -> dict[int, dict[str, list[RulingSnapshot]]]:
    """By line of the log: its rulings that no longer hold (`before`), and those that hold in their place (`after`)."""
    amended = any(entry["event"]["type"] == "amend" for entry in detail["log"])
    now: dict[int, list[RulingSnapshot]] = defaultdict(list)
    for ruling in detail["rulings"]:
        now[ruling["line"]].append(ruling)

    def other(these: Sequence[RulingSnapshot], those: Sequence[RulingSnapshot]) -> list[RulingSnapshot]:
        said = {(each["code"], each["text"]) for each in those}
        return [each for each in these if amended and (each["code"], each["text"]) not in said]

    return {
        entry["line"]: {
            "before": other(entry["rulings"], now[entry["line"]]),
            "after": other(now[entry["line"]], entry["rulings"]),
        }
        for entry in detail["log"]
    }


@blueprint.get("/games/<game>/rounds/<int:number>")
def one_round(game: str, number: int) -> str:
    """One round of a game: the table as it left it, what happened, and the points so far in the chart."""
    session = web().session
    detail = session.game(game)
    rounds = _rounds(detail)[:-1]
    if not 1 <= number <= len(rounds):
        abort(404)
    log = rounds[number - 1]
    lines = {entry["line"] for entry in log}
    throws = [session.throw(each["id"]) for each in session.throws(game) if each["line"] in lines]
    context = region_context(session, "games", viewer_of("games"), detail["game"])
    context |= find_web_part(detail["game"]).past_board(throws, session.snapshot())
    return render_template(
        "games/round.html",
        **context,
        detail=detail,
        number=number,
        rounds=len(rounds),
        log=log,
        corrected=_corrected(detail),
        chart=_chart(detail),
        points=detail["points_by_round"][number - 1],
        before=detail["points_by_round"][number - 2] if number > 1 else {},
    )


@blueprint.get("/games/<game>/lines/<int:line>")
def line(game: str, line: int) -> str:
    """One line of a game's record, and the forms that correct it."""
    entry, detail = web().session.line(game, line), web().session.game(game)
    context = region_context(web().session, "games", viewer_of("games"), detail["game"])
    around = next((lines for lines in _rounds(detail) if any(each["line"] == line for each in lines)), [])
    others = [each for each in around if each["line"] != line and _can_be_corrected(each["event"])]
    return render_template("games/line.html", **context, entry=entry, detail=detail, others=others)


def _can_be_corrected(event: Mapping[str, Any]) -> bool:
    """Whether a line holds something that was played: a correction does where it entered events."""
    return event["type"] not in ("note", "amend") or bool(enters(event))


def _rounds(detail: GameDetail) -> list[list[dict[str, Any]]]:
    """The lines of the log in the order of play, a list a round; the last is the round that has not ended, maybe empty.

    Events that a correction entered come before the line that it names, wherever the correction stands.
    """
    log = sorted(detail["log"], key=_place_in_play)
    ends = [number for number, entry in enumerate(log, 1) if entry["line"] in detail["round_ends"]]
    return [log[first:last] for first, last in pairwise([0, *ends, len(log)])]


def _place_in_play(entry: Mapping[str, Any]) -> tuple[int, int, int]:
    event, line = entry["event"], entry["line"]
    return (event["line"], 0, line) if event["type"] == "amend" and enters(event) else (line, 1, line)
