"""A page's regions from a snapshot: the same templates make the first page and every later event of its stream.

A view is a page that lives; a region is a part of it that is replaced as one: templates/VIEW/_REGION.html.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask

from arena_cam.domain.messages import message_from_json
from arena_cam.formats import wording as plain
from arena_cam.formats.wording import say
from arena_cam.referee.interface import Announcement, RulingSnapshot, SessionPort, Snapshot
from arena_cam.referee.messages import Hint
from arena_cam.rules import USUAL_GAME, all_games
from arena_cam.rules.entries import enters
from arena_cam.web.games.part import AMENDED, WebPart, find_web_part, own_templates
from arena_cam.web.live.setup_view import setup_context
from arena_cam.web.live.streams import Regions
from arena_cam.web.words import wording
from arena_cam.web.words.doubts import hypothesis_said
from arena_cam.web.words.events import event_in_words, key_said, value_named
from arena_cam.web.words.first_written import first_written
from arena_cam.web.words.forms import forms_said
from arena_cam.web.words.language import Translate, counter, decimal, translator
from arena_cam.web.words.said import doubts_said, eye_said, rule_said, ruling_sentence
from arena_cam.web.words.times import day_as_title, moment

VIEWS: Mapping[str, tuple[str, ...]] = {
    "scoreboard": ("head", "status", "ruling", "arena", "players"),
    "referee": ("status", "question", "controls", "cards", "rulings"),
    "join": ("status", "seat"),
    "throws": ("list", "opened"),
    "health": ("figures",),
    "overlay": ("strip", "choosing", "table"),
    "setup": ("steps", "step", "now"),
}


@dataclass(frozen=True)
class Viewer:
    """The viewer that a region is rendered for; two viewers that are equal see the same."""

    language: str = "en"
    player: str | None = None
    seats: tuple[tuple[str, bool], ...] = ()


Extra = Callable[[SessionPort, Viewer], dict[str, Any]]


def render_regions(app: Flask, session: SessionPort, view: str, viewer: Viewer) -> Regions:
    """All regions of `view` as HTML."""
    context = region_context(session, view, viewer, usual=app.extensions["arena_cam"].settings.usual_game)
    if view == "setup":
        context |= setup_context(app.extensions["arena_cam"].setup, viewer.language)
    regions = {}
    for name in VIEWS[view]:
        template = app.jinja_env.select_template(own_templates(context["game_name"], f"{view}/_{name}.html"))
        regions[name] = template.render(context).strip()
    return regions


def region_context(
    session: SessionPort, view: str, viewer: Viewer, game_name: str = "", usual: str = USUAL_GAME
) -> dict[str, Any]:
    """The context of the templates of `view`; `game_name`: of a page on a game that may not be the one that is on.

    `usual`: the game of pages before any game has begun.
    """
    snapshot = session.snapshot()
    game = snapshot["game"]
    name = game_name or (game["game"] if game is not None else usual)
    part = find_web_part(name)
    words, _ = part.words, translator(viewer.language)

    hint = part.hint(game) if game is not None and not game["ended"] else None
    why_over = game["why_over"] if game is not None else None
    context: dict[str, Any] = {
        "viewer": viewer,
        "snapshot": snapshot,
        "game": game,
        "game_name": name,
        "kept_name": _(part.kept),
        "none_kept": _(part.none_kept),
        "here_comes": _(part.here_comes),
        "on_scoreboard": view == "scoreboard",
        "game_title": all_games()[name].title,
        "tables": part.tables,
        "warnings": [wording.phrase(warning, _, wording.WARNINGS) for warning in snapshot["warnings"]],
        "setting_up": any(warning["code"] == "setting_up" for warning in snapshot["warnings"]),
        "eye": _(wording.EYE.get(snapshot["eye"]["state"], snapshot["eye"]["state"])),
        "hint": wording.phrase(hint, _, words.hints) if hint is not None else None,
        "why_over": wording.phrase(why_over, _, words.hints) if why_over is not None else None,
    }
    own = part.helpers() | _sayings(viewer.language, _, words, name)
    return context | own | _of_view(session, view, snapshot, (name, part), _)


def _sayings(language: str, _: Translate, words: wording.Words, game: str) -> dict[str, Any]:
    """The functions with which templates say things in the page's language."""
    return {
        "_": _,
        "n_": counter(language),
        "num": lambda value, digits=None: decimal(value, digits, language),
        "moment": lambda seconds, day=True: moment(seconds, language, day),
        "eye_name": lambda state: _(wording.EYE.get(state, state)),
        "eye_said": lambda eye: eye_said(eye, _),
        "doubts": lambda data: doubts_said(data, _),
        "message_said": lambda data: say(message_from_json(data), _),
        "hypothesis": lambda name: hypothesis_said(name, _),
        "titled": lambda name: day_as_title(name, language) or wording.titled(name, _),
        "won": lambda people: wording.won(people, _),
        "names": lambda people: plain.names(people, _),
        "enters": enters,
        "first_written": lambda written, event: first_written(written, event, _, words),
        "event_sentence": lambda event: plain.capital(event_in_words(event, _, words)),
        "hand": lambda who: _(wording.HANDS.get(who, who)),
        "card_name": lambda card: plain.card_name(card, _),
        "colour_and_value": plain.colour_and_value,
        "colour_name": lambda colour: _(plain.COLOURS.get(colour, colour)),
        "landing": lambda name: _(plain.LANDINGS.get(name, name)) if name else _("not judged"),
        "badge": lambda code: _(words.badges.get(code, code)),
        "sentence": lambda ruling: ruling_sentence(ruling, game, _),
        "rule_said": lambda rule: rule_said(rule, _),
        "verdict_sentence": lambda card: ruling_sentence(card["verdict"], game, _),
        "key_name": lambda key: key_said(key, _, words),
        "value_name": lambda value: value_named(value, _, words),
        "forms": lambda kinds: forms_said(kinds, _, words),
        "question_sentence": lambda question: wording.phrase(question, _, words.questions),
        "choice_sentence": lambda choice: wording.phrase(choice, _, words.answers),
    }


def _of_view(
    session: SessionPort, view: str, snapshot: Snapshot, named_part: tuple[str, WebPart], _: Translate
) -> dict[str, Any]:
    """The context that only some views have."""
    name, part = named_part
    game = snapshot["game"]
    context: dict[str, Any] = {}

    def sentence(ruling: RulingSnapshot) -> str:
        return ruling_sentence(ruling, name, _)

    if view in ("scoreboard", "referee"):
        context["spoken"] = announcement(snapshot["announcement"], sentence, _)
        context["leading"] = wording.leading(game, _) if game is not None else ""
        context["rematch"] = part.rematch(game) if game is not None else {}
    if view in ("referee", "throw", "games"):
        context["all_cards"] = part.all_cards(game)
        context["possible_cards"] = part.possible_cards(game)
    if view == "join":
        context |= part.board(snapshot, _)
    if view in ("scoreboard", "overlay"):
        context["headline"], context["others"] = part.headline(game)
        context |= _corrected(snapshot, context["headline"], sentence, _)
        context["newest"] = part.newest(snapshot["cards"], game)
        context |= part.board(snapshot, _)
    if view == "throws":
        context |= {"throws": session.throws(), "opened": session.opened()}
    if view == "health":
        context["health"] = session.health()
    return context


def _corrected(
    snapshot: Snapshot, headline: RulingSnapshot | None, sentence: Callable[[RulingSnapshot], str], _: Translate
) -> dict[str, Any]:
    """What a page says of a correction for as long as that is the newest word: the ruling that it made, in the place of
    `headline` where that is of another line, and the one that it took back."""
    game, said = snapshot["game"], snapshot["announcement"]
    if game is None or not game["rulings"] or game["rulings"][-1]["code"] != AMENDED:
        return {"corrected_lately": False, "taken_back": "", "corrects_older": False}
    ruling, was = (said["ruling"], said.get("was")) if said and said["kind"] == "correction" else (None, None)
    older = ruling is not None and (headline is None or headline["line"] != ruling["line"])
    before = _("Before: %(ruling)s") if ruling is not None else _("This no longer counts: %(ruling)s")
    return {
        "corrected_lately": True,
        "taken_back": before % {"ruling": sentence(was)} if was is not None else "",
        "corrects_older": older,
    } | ({"headline": ruling, "others": []} if older else {})


def announcement(said: Announcement | None, sentence: Callable[[RulingSnapshot], str], _: Translate) -> str:
    """The announcement in the page's language."""
    if said is None:
        return ""
    ruling = said.get("ruling")  # kept from before a restart, it may lack what a newer program says
    if ruling is None and said["kind"] != "correction":
        return said["text"]
    parts = [_("Corrected.")] if said["kind"] == "correction" else []
    parts += [sentence(ruling)] if ruling is not None else []
    if said.get("winners"):
        parts += [_(Hint.OVER.english), wording.won(said["winners"], _)]
    return " ".join(parts)
