"""Puts the pages together: one Flask application over one running session."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from flask import Flask, abort, request, send_file
from flask.typing import ResponseReturnValue
from jinja2 import BytecodeCache, ChoiceLoader, FileSystemLoader
from jinja2.bccache import Bucket

from arena_cam import __version__
from arena_cam.formats.wording import capital
from arena_cam.referee.integrations.programs import Programs
from arena_cam.referee.interface import SessionPort
from arena_cam.referee.setup.interface import SetupPort
from arena_cam.rules import all_games
from arena_cam.web import api, pages
from arena_cam.web.access import errors, security
from arena_cam.web.access.print_shop import PrintShop
from arena_cam.web.access.seats import Seats
from arena_cam.web.access.shared import PhoneCamera, Web, WebSettings, web
from arena_cam.web.access.upkeep import Upkeep
from arena_cam.web.api.opened import LARGEST_EXPORT
from arena_cam.web.games.part import find_web_part, own_templates, style_sheet, template_folders
from arena_cam.web.live.streams import LiveStreams, follow
from arena_cam.web.words.language import LANGUAGES, THEMES, page_language, page_theme, translator

STATIC_MAX_AGE_S = 365 * 24 * 3600  # of a file whose address carries its hash, so that a copy never goes stale


def create_app(
    session: SessionPort,
    settings: WebSettings,
    setup: SetupPort | None = None,
    print_shop: PrintShop | None = None,
    programs: Programs | None = None,
    phone: PhoneCamera | None = None,
    upkeep: Upkeep | None = None,
) -> Flask:
    """The application. One thread follows the session until it ends; `setup` is where its table can be set up.

    `programs`: other programs with their tokens; without, none gets in and none is told anything. `phone` takes the
    pictures of a telephone that is the camera; `upkeep` looks after the program itself.
    """
    app = _Pages("arena_cam.web", static_folder=str(_here("static")), template_folder=str(_here("templates")))
    app.config.update(
        SECRET_KEY=settings.secret_key,
        MAX_CONTENT_LENGTH=LARGEST_EXPORT,  # of one route; security.py holds all others to far less
        **security.cookie_settings(),
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the session's own order reads best
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["asset"] = _asset_addresses(_here("static"))
    assert app.jinja_loader is not None
    app.jinja_env.loader = ChoiceLoader([app.jinja_loader, FileSystemLoader(template_folders())])
    app.jinja_env.bytecode_cache = _COMPILED
    app.jinja_env.filters["capital"] = capital  # Jinja's own makes small letters of all others, of names, too
    app.jinja_env.globals["own"] = own_templates
    app.jinja_env.globals["game_styles"] = _style_addresses
    app.add_url_rule("/static/games/<game>.css", "game_style", _game_style)
    app.jinja_env.globals["version"] = __version__
    streams = LiveStreams()
    gate = security.install(app, settings.pin, programs.tokens.find if programs is not None else lambda _: None)
    app.extensions["arena_cam"] = Web(
        session, settings, streams, Seats(), gate, setup, print_shop, programs, phone, upkeep
    )
    if setup is not None:
        setup.listen(streams.publish)
    errors.install(app)
    pages.install(app)
    api.install(app)
    app.context_processor(_page_context)
    follow(session, streams)
    return app


class _CompiledOnce(BytecodeCache):
    """Templates compiled once a process: a scoreboard's take a tenth of a second, for each application anew."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _CompiledOnce()


class _Pages(Flask):
    def get_send_file_max_age(self, filename: str | None) -> int | None:  # noqa: ARG002 Flask's own signature
        """A file asked for by its hash never changes; the modules that others import are asked about each time."""
        return STATIC_MAX_AGE_S if "v" in request.args else None


def _here(name: str) -> Path:
    return Path(__file__).with_name(name)


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def _asset_addresses(folder: Path) -> Any:
    hashes = {path.relative_to(folder).as_posix(): _hash(path) for path in folder.rglob("*") if path.is_file()}
    return lambda name: f"/static/{name}?v={hashes[name]}"


def _style_addresses(game: str) -> list[str]:
    """The address of a game's style sheet, if it has one of its own."""
    file = style_sheet(game)
    return [f"/static/games/{game}.css?v={_hash(file)}"] if file is not None else []


def _game_style(game: str) -> ResponseReturnValue:
    file = style_sheet(game) if game in all_games() else None
    if file is None:
        abort(404)
    return send_file(file, mimetype="text/css", max_age=STATIC_MAX_AGE_S if "v" in request.args else None)


def _page_context() -> dict[str, Any]:
    """The names that every page's template may use."""
    language = page_language()
    shared = web()
    game = shared.session.snapshot()["game"]
    name, _ = game["game"] if game is not None else shared.settings.usual_game, translator(language)
    return {
        "game_name": name,
        "kept_name": _(find_web_part(name).kept),
        "sets_up": shared.setup is not None,
        "films_throws": find_web_part(name).films_throws,
        "_": _,
        "language": language,
        "languages": LANGUAGES,
        "theme": page_theme(),
        "themes": THEMES,
        "csrf": security.csrf_token(),
        "is_referee": security.is_referee(),
        "path": request.path,
    }
