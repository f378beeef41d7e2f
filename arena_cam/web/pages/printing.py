"""Sheets to print, as PDFs: a button for each."""

from __future__ import annotations

from itertools import groupby

from flask import Blueprint, abort, render_template, request, send_file
from flask.typing import ResponseReturnValue

from arena_cam.rules import all_games
from arena_cam.web.access.print_shop import PAPERS, Sheet
from arena_cam.web.access.shared import web
from arena_cam.web.live.regions import region_context
from arena_cam.web.pages.live_page import viewer_of
from arena_cam.web.words.language import page_language
from arena_cam.web.words.print_words import PARTS

blueprint = Blueprint("printing", __name__)


@blueprint.get("/print")
def sheets() -> str:
    """Every sheet that can be printed, by game."""
    shop = web().print_shop
    by_game = groupby(shop.sheets if shop is not None else (), key=lambda sheet: sheet.game)
    games = [(all_games()[game].title, list(sheets)) for game, sheets in by_game]
    context = region_context(web().session, "print", viewer_of("print"))
    return render_template("print/page.html", **context, games=games, papers=PAPERS, parts=PARTS)


@blueprint.get("/print/<game>/<part>.pdf")
def sheet(game: str, part: str) -> ResponseReturnValue:
    """One sheet; the first time it is drawn, which takes some seconds."""
    shop = web().print_shop
    found = next((each for each in shop.sheets if (each.game, each.part) == (game, part)), None) if shop else None
    paper = request.args.get("paper", PAPERS[0])
    if shop is None or found is None or paper not in PAPERS:
        abort(404)
    language = _language(found)
    name = f"{game}-{part}-{paper}.pdf" if len(found.languages) < 2 else f"{game}-{part}-{language}-{paper}.pdf"
    return send_file(shop.pdf(found, paper, language), "application/pdf", download_name=name, max_age=0)


def _language(sheet: Sheet) -> str:
    """The page's language if the sheet exists in it, else the first language of the sheet."""
    asked = request.args.get("language", page_language())
    return asked if asked in sheet.languages else sheet.languages[0]
