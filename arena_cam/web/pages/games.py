"""The history of games: tables, charts, statistics, downloads."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from flask import Blueprint, abort, render_template, request

from arena_cam.referee.interface import GameDetail, RulingSnapshot
from arena_cam.rules import all_games
from arena_cam.web.access.shared import web
from arena_cam.web.drawings.chart import points_chart
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
    chart = points_chart(detail["points_by_round"], detail["players"])
    ranking = sorted(detail["players"], key=lambda name: -detail["scores"].get(name, 0) if detail["over"] else 0)
    return render_template(
        "games/game.html", **context, detail=detail, chart=chart, ranking=ranking, corrected=_corrected(detail)
    )


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
    ends = detail["round_ends"]
    if not 1 <= number <= len(ends):
        abort(404)
    first, last = ends[number - 2] if number > 1 else 0, ends[number - 1]
    throws = [session.throw(each["id"]) for each in session.throws(game) if first < (each["line"] or 0) <= last]
    context = region_context(session, "games", viewer_of("games"), detail["game"])
    context |= find_web_part(detail["game"]).past_board(throws, session.snapshot())
    return render_template(
        "games/round.html",
        **context,
        detail=detail,
        number=number,
        rounds=len(ends),
        log=[entry for entry in detail["log"] if first < entry["line"] <= last],
        corrected=_corrected(detail),
        chart=points_chart(detail["points_by_round"], detail["players"]),
        points=detail["points_by_round"][number - 1],
        before=detail["points_by_round"][number - 2] if number > 1 else {},
    )


@blueprint.get("/games/<game>/lines/<int:line>")
def line(game: str, line: int) -> str:
    """One line of a game's record, and the forms that correct it."""
    entry, detail = web().session.line(game, line), web().session.game(game)
    context = region_context(web().session, "games", viewer_of("games"), detail["game"])
    first, last = _round_of(line, detail["round_ends"])
    others = [
        each
        for each in detail["log"]
        if first < each["line"] <= last and each["line"] != line and each["event"]["type"] not in ("note", "amend")
    ]
    return render_template("games/line.html", **context, entry=entry, detail=detail, others=others)


def _round_of(line: int, ends: Sequence[int]) -> tuple[int, int]:
    """The lines after the first number, up to the second one, are the round that `line` belongs to; `ends` are the last
    lines of all rounds that have ended."""
    after = bisect_left(ends, line)
    return ends[after - 1] if after else 0, ends[after] if after < len(ends) else sys.maxsize
