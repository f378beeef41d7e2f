"""A page's regions from a snapshot: the same templates make the first page and every later event of its stream.

A view is a page that lives; a region is a part of it that is replaced as one: templates/VIEW/_REGION.html.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flask import Flask

from arena_cam.referee.games.arena.values import arena_game, arena_players
from arena_cam.referee.interface import Announcement, CardSnapshot, GameSnapshot, RulingSnapshot, SessionPort
from arena_cam.web.drawings.arena_view import draw_arena
from arena_cam.web.live.setup_view import setup_context
from arena_cam.web.live.streams import Regions
from arena_cam.web.words import wording
from arena_cam.web.words.doubts import DOUBTS, HYPOTHESES
from arena_cam.web.words.language import Translate, counter, decimal, translator

VIEWS: Mapping[str, tuple[str, ...]] = {
    "scoreboard": ("head", "status", "ruling", "arena", "players"),
    "referee": ("status", "question", "controls", "cards", "rulings"),
    "join": ("seat",),
    "throws": ("list", "opened"),
    "health": ("figures",),
    "overlay": ("strip",),
    "setup": ("steps", "step", "now"),
}

# The rulings that say how a round went, the most telling first; all others concern a single card.
HEADLINES = (
    "both_conflict",
    "one_conflict",
    "both_peace",
    "duelling",
    "rethrow",
    "unanswered",
    "wasted",
)

CARDS_A_COLOUR = 10  # of the arena game, the only one that is thrown


@dataclass(frozen=True)
class Viewer:
    """For whom a region is rendered; two viewers that are equal see the same."""

    language: str = "en"
    player: str | None = None
    seats: tuple[tuple[str, bool], ...] = ()


Extra = Callable[[SessionPort, Viewer], dict[str, Any]]


def render_regions(app: Flask, session: SessionPort, view: str, viewer: Viewer) -> Regions:
    """All regions of `view` as HTML."""
    context = region_context(session, view, viewer)
    if view == "setup":
        context |= setup_context(app.extensions["arena_cam"].setup, viewer.language)
    return {name: app.jinja_env.get_template(f"{view}/_{name}.html").render(context).strip() for name in VIEWS[view]}


def region_context(session: SessionPort, view: str, viewer: Viewer) -> dict[str, Any]:
    """What the templates of `view` are given."""
    snapshot = session.snapshot()
    game = snapshot["game"]
    _ = translator(viewer.language)
    context: dict[str, Any] = {
        "_": _,
        "viewer": viewer,
        "snapshot": snapshot,
        "game": game,
        "warnings": [wording.phrase(warning, _, wording.WARNINGS) for warning in snapshot["warnings"]],
        "eye": _(wording.EYE.get(snapshot["eye"]["state"], snapshot["eye"]["state"])),
        "hint": hint(game, _),
        "eye_name": lambda state: _(wording.EYE.get(state, state)),
        "n_": counter(viewer.language),
        "num": lambda value, digits: decimal(value, digits, viewer.language),
        "doubt": lambda text: DOUBTS.say(text, _),
        "hypothesis": lambda name: HYPOTHESES.say(name, _),
        "won": lambda people: wording.won(people, _),
        "names": lambda people: wording.names(people, _),
        "event_sentence": lambda event: wording.capital(wording.event_in_words(event, _)),
        "hand": lambda who: _(wording.HANDS.get(who, who)),
        "utc": utc,
        "card_name": lambda card: wording.card_name(card, _),
        "colour_and_value": wording.colour_and_value,
        "symbols": wording.SYMBOLS,
        "landing": lambda name: _(wording.LANDINGS.get(name, name)) if name else _("not judged"),
        "badge": lambda code: _(wording.BADGES.get(code, code)),
        "sentence": lambda ruling: wording.ruling_sentence(ruling, ruling["card"], ruling["player"], _),
        "verdict_sentence": lambda card: wording.ruling_sentence(card["verdict"], card["card"], card["thrown_by"], _),
    }
    if view in ("scoreboard", "referee"):
        context["spoken"] = announcement(snapshot["announcement"], context["sentence"], _)
    if view in ("referee", "throw", "games"):
        context["all_cards"] = cards_in_play(game)
        context["question_sentence"] = lambda question: wording.phrase(question, _, wording.QUESTIONS)
        context["choice_sentence"] = lambda choice: wording.phrase(choice, _, wording.ANSWERS)
    if view in ("scoreboard", "overlay"):
        context["drawing"] = draw_arena(snapshot)
        context["headline"], context["others"] = headline(game)
        context["gains"] = gains(context["headline"])
        context["newest"] = newest_throw(snapshot["cards"], game)
    if view == "throws":
        context["throws"] = session.throws()
        context["opened"] = session.opened()
    if view == "health":
        context["health"] = session.health()
    return context


def hint(game: GameSnapshot | None, _: Translate) -> str | None:
    """What the table waits for; the duellists by name, joined as the language joins names."""
    if game is None or game["hint"] is None:
        return None
    said = game["hint"]
    if said["code"] in ("duel", "duel_blocks"):
        said = {
            **said,
            "params": {**said["params"], "players": [arena_game(game)["provocateur"], arena_game(game)["opponent"]]},
        }
    return wording.phrase(said, _, wording.HINTS)


def announcement(said: Announcement | None, sentence: Callable[[RulingSnapshot], str], _: Translate) -> str:
    """What is to be spoken, in the page's language."""
    if said is None:
        return ""
    ruling = said.get("ruling")  # kept from before a restart, it may lack what a newer program says
    if ruling is None and said["kind"] != "correction":
        return said["text"]
    parts = [_("Corrected.")] if said["kind"] == "correction" else []
    parts += [sentence(ruling)] if ruling is not None else []
    if said.get("winners"):
        parts += [_("The game is over."), wording.won(said["winners"], _)]
    return " ".join(parts)


def headline(game: GameSnapshot | None) -> tuple[RulingSnapshot | None, list[RulingSnapshot]]:
    """The ruling that says how the round went, and the others of the last close or duel, newest first."""
    rulings = list(game["rulings"]) if game else []
    telling = [ruling for ruling in rulings if ruling["code"] in HEADLINES]
    chosen = telling[-1] if telling else (rulings[-1] if rulings else None)
    return chosen, [ruling for ruling in reversed(rulings) if ruling is not chosen]


def gains(ruling: RulingSnapshot | None) -> list[tuple[str, list[str], bool]]:
    """(player, cards won, whether a life block was given up) of a duel, for each to whom something happened."""
    details = ruling["details"] if ruling is not None else {}
    won, lost = details.get("cards") or {}, details.get("lost_block") or []
    players = dict.fromkeys([*(winner for winner in won.values() if winner), *lost])
    return [(name, [card for card, winner in won.items() if winner == name], name in lost) for name in players]


def newest_throw(cards: list[CardSnapshot], game: GameSnapshot | None) -> CardSnapshot | None:
    """The card thrown last while throws are awaited: what is to be shown before anything is ruled."""
    if game is None or game["awaiting"] != "throws":
        return None
    thrown = [card for card in cards if card["in_round"] and card["line"] is not None and card["verdict"] is not None]
    return max(thrown, key=lambda card: card["line"] or 0) if thrown else None


def cards_in_play(game: GameSnapshot | None) -> list[str]:
    """Every card of every colour that is played, for the lists to choose from."""
    if game is None:
        return []
    return [f"{player['colour']}-{value}" for player in arena_players(game) for value in range(1, CARDS_A_COLOUR + 1)]


def utc(seconds: float) -> str:
    """Seconds since 1970 as an ISO 8601 time; the browser shows it in its own time zone."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
