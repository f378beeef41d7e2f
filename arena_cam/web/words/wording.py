"""Codes to sentences, in the page's language: hints, states and the names of cards.

A code that is not known here is shown with the English sentence that came with it: never nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arena_cam.domain.messages import Word
from arena_cam.formats.wording import LANDINGS, awaited_said, capital, card_name, names
from arena_cam.referee.interface import Choice, GameSnapshot, Phrase, Question
from arena_cam.referee.messages import Answer, Hint, Trouble
from arena_cam.referee.messages import Question as AnyQuestion
from arena_cam.web.words.language import Translate


def N_(message: str) -> str:
    """Marks a message for the catalogues where it is translated later."""
    return message


EYE = {
    "armed": N_("Watching"),
    "settling": N_("Settling"),
    "decided": N_("Decided"),
    "blind": N_("Cannot see"),
}


def sentences(table: type[Word]) -> dict[str, str]:
    """The English of a table by its codes."""
    return {word.value: word.english for word in table}


WARNINGS = sentences(Trouble)


@dataclass(frozen=True)
class Words:
    """The sentences for codes that differ from game to game; those that all games share are in every one.

    badges: for codes of rulings, in a word or two. events: for types of events. choices: for what is chosen, in secret
    or in a form. keys: for what an event says, as the label of a form has it.
    """

    badges: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, common in COMMON:
            object.__setattr__(self, name, {**common, **getattr(self, name)})


# What every game says.
HINTS = sentences(Hint)
QUESTIONS = sentences(AnyQuestion)
ANSWERS = sentences(Answer)
EVENTS = {
    "note": N_("note"),
    "struck": N_("struck out:"),
    "amend": N_("correction of line %(line)s"),
}
KEYS = {
    "player": N_("Player"),
    "card": N_("Card"),
    "landing": N_("How it lies"),
    "face": N_("Face"),
    "rests_on": N_("Rests on"),
}
COMMON = (
    ("hints", HINTS),
    ("questions", QUESTIONS),
    ("answers", ANSWERS),
    ("events", EVENTS),
    ("keys", KEYS),
)

LEADS = (N_("%(names)s leads"), N_("%(names)s lead together"))
WINS = (N_("%(names)s wins"), N_("%(names)s win together"))
# Who brought a line about where it was no person.
HANDS = {
    "camera": N_("camera"),
    "clock": N_("clock"),
    "players": N_("players"),
    "referee": N_("referee"),
    "simulated players": N_("simulated players"),
}


# What stand-ins call the games that they play. A title that people gave is shown as they wrote it.
DEMONSTRATION = N_("Demonstration")


def titled(name: str, _: Translate) -> str:
    """The title of a game, in the page's language where nobody gave it one."""
    return _(name) if name == DEMONSTRATION else name


def phrase(text: Phrase | Question | Choice, _: Translate, table: Mapping[str, str]) -> str:
    """A hint or a warning in the page's language."""
    message = table.get(text["code"])
    if message is None:
        return text["text"]
    params = dict(text["params"])
    for key in ("card", "first", "second"):
        if key in params:
            params[key] = card_name(params[key], _)
    how = LANDINGS.get(params.get("landing", ""))
    if how is not None:
        params["landing"] = _(how)
    if "awaited" in params:
        params["awaited"] = awaited_said(str(params["awaited"]), _)
    if isinstance(params.get("players"), list):
        params["players"] = names((str(player) for player in params["players"]), _)
    try:
        return capital(_(message, **params)) if params else _(message)
    except KeyError:  # a sentence that wants a word this phrase did not bring
        return text["text"]


def won(winners: Iterable[str], _: Translate) -> str:
    """The winners of the game."""
    people = list(winners)
    return _(WINS[len(people) > 1], names=names(people, _))


def leading(game: GameSnapshot, _: Translate) -> str:
    """The players with most points in a game that was not played to its end."""
    most = max((player["points"] for player in game["players"]), default=0)
    ahead = [player["name"] for player in game["players"] if player["points"] == most]
    if most == 0 or len(ahead) == len(game["players"]):
        return _("Nobody leads.")
    return _(LEADS[len(ahead) > 1], names=names(ahead, _))
