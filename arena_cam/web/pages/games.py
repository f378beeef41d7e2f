"""The history of games: tables, charts, statistics, downloads."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

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
    return render_template("games/game.html", **context, detail=detail, chart=chart, ranking=ranking)


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
        chart=points_chart(detail["points_by_round"], detail["players"]),
        points=detail["points_by_round"][number - 1],
        before=detail["points_by_round"][number - 2] if number > 1 else {},
    )


@blueprint.get("/games/<game>/lines/<int:line>")
def line(game: str, line: int) -> str:
    """One line of a game's record, and the forms that correct it."""
    entry, detail = web().session.line(game, line), web().session.game(game)
    context = region_context(web().session, "games", viewer_of("games"), detail["game"])
    return render_template("games/line.html", **context, entry=entry, detail=detail)
