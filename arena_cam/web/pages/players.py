"""Players over evenings: the table of everybody, and one player's profile."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, render_template, request

from arena_cam.referee.interface import GameSummary
from arena_cam.referee.keeping.league import (
    LARGEST_TABLE,
    MOST_PLAYERS,
    SMALLEST_TABLE,
    fixtures,
    standings,
    with_results,
)
from arena_cam.rules import all_games
from arena_cam.web.access.shared import web
from arena_cam.web.drawings.chart import points_chart
from arena_cam.web.live.regions import region_context
from arena_cam.web.pages.live_page import viewer_of
from arena_cam.web.words.file_names import file_name

blueprint = Blueprint("players", __name__)

GAMES_A_PAGE = 25
CHARTED = 60  # of the latest games
LATEST_GAMES = 500  # among which a league's are looked for: a season, and soon answered
GAMES_AT_ONCE = 50  # read at a time while they are as new as the league
MOST_NAMES = 40  # offered for a league, of late first


@blueprint.get("/players")
def players() -> str:
    """Everybody who played to the end, strongest first."""
    kind = _kind()
    return render_template("players/page.html", **_context(kind), people=web().session.people(kind))


@blueprint.get("/players/<path:name>/games.csv")
def games_csv(name: str) -> Response:
    """A row a game of one player."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["game", "started", "points", "place", "players", "rating"])
    person = web().session.person(_kind(), name)
    for each in person["played"]:
        writer.writerow([each[key] for key in ("game", "started", "points", "place", "players", "rating")])
    return Response(
        out.getvalue(),
        mimetype="text/csv",
        headers={"Content-Disposition": f'attachment; filename="{file_name((name, "games"), person["last"], ".csv")}"'},
    )


@blueprint.get("/players/<path:name>")
def player(name: str) -> str:
    """One player: rating, games, against whom, what the game counts, where the cards came to rest."""
    kind = _kind()
    person = web().session.person(kind, name)
    page = max(0, request.args.get("page", 0, int))
    start = page * GAMES_A_PAGE
    ratings = [{name: each["rating"]} for each in reversed(person["played"][:CHARTED]) if each["rating"] is not None]
    return render_template(
        "players/player.html",
        **_context(kind),
        person=person,
        played=person["played"][start : start + GAMES_A_PAGE],
        page=page,
        last_page=(len(person["played"]) - 1) // GAMES_A_PAGE,
        chart=points_chart(ratings, [name]) if len(ratings) > 1 else None,
    )


@blueprint.get("/league")
def league() -> str:
    """Fixtures and table of a small league. Its address says everything of it: who plays, from when on, how many."""
    kind = _kind()
    since = _day(request.args.get("since", ""))
    games = [each for each in _games_since(since.timestamp()) if each["game"] == kind]
    of_late = sorted(web().session.people(kind), key=lambda person: -person["last"])
    names = [*(name for each in games for name in each["players"]), *(person["name"] for person in of_late)]
    known = list(dict.fromkeys(names))[:MOST_NAMES]
    chosen = [name for name in dict.fromkeys(request.args.getlist("player")) if name in known][:MOST_PLAYERS]
    table = max(SMALLEST_TABLE, min(request.args.get("table", 3, int), LARGEST_TABLE))
    played = with_results(fixtures(chosen, table) if len(chosen) > 1 else [], games, since.timestamp())
    return render_template(
        "players/league.html",
        **_context(kind),
        known=known,
        chosen=chosen,
        table=table,
        sizes=range(SMALLEST_TABLE, LARGEST_TABLE + 1),
        since=since.date().isoformat(),
        fixtures=played,
        standings=standings(chosen, played),
    )


def _games_since(since: float) -> list[GameSummary]:
    """The latest games, newest first: those begun `since` and a few before, whose players are known, too."""
    games: list[GameSummary] = []
    while len(games) < LATEST_GAMES:
        more = web().session.games(GAMES_AT_ONCE, len(games))
        games += more
        if len(more) < GAMES_AT_ONCE or more[-1]["started"] < since:
            break
    return games


def _day(asked: str) -> datetime:
    """The beginning of the day that was asked for; today where none can be read that a clock can tell."""
    try:
        day = datetime.strptime(asked, "%Y-%m-%d")
        day.timestamp()  # of the year 1 there is none
        return day
    except (ValueError, OverflowError, OSError):
        return datetime.combine(datetime.now().date(), datetime.min.time())


def _kind() -> str:
    """The game that is asked about; by default what has been played, the one that is usual here first."""
    played, asked, usual = web().session.kinds_played(), request.args.get("game", ""), web().settings.usual_game
    if asked in all_games():
        return asked
    return usual if usual in played or not played else played[0]


def _context(kind: str) -> dict[str, Any]:
    kinds = [(name, all_games()[name].title) for name in web().session.kinds_played() if name in all_games()]
    context = region_context(web().session, "players", viewer_of("players"), kind)
    return context | {"kind": kind, "kinds": kinds, "title": all_games()[kind].title}
