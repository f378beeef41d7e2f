"""What a person's actions are given: typed dictionaries that say what each key may hold, and how much of it.

The API checks every body against these before anything is done, and describes itself from them; `ACTIONS` names the
action of each. A game has its own beside these (`Action.takes`, `Correction.takes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

# As long as a person writes; what a word may say is for each action to check.
# Of a player, in the game record. The rules hold the length, and say so in the page's language.
Name = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": 40})]
Title = Annotated[str, Meta(max_length=80)]
Word = Annotated[str, Meta(min_length=1, max_length=100)]  # an id, a card, a choice
Reason = Annotated[str, Meta(max_length=300)]
Line = Annotated[int, Meta(ge=1, le=1_000_000)]  # of a game record
Cards = Annotated[list[Word], Meta(max_length=60)]
Keys = Annotated[dict[str, Any], Meta(max_length=60)]  # of an event: the game's rules say which

# Of what was seen in a photograph, where it comes from elsewhere.
PointPx = tuple[Annotated[float, Meta(ge=-1e6, le=1e6)], Annotated[float, Meta(ge=-1e6, le=1e6)]]
Places = Annotated[list[PointPx], Meta(max_length=20)]  # the corners of an outline
SizePx = tuple[Annotated[int, Meta(ge=1, le=100_000)], Annotated[int, Meta(ge=1, le=100_000)]]

MOST_PLAYERS = 20
MOST_EVENTS = 60  # of one correction: a struck event leaves a line behind for each that speaks of it


class Doubt(TypedDict):
    """A doubt as domain.messages.message_to_json has it."""

    code: Word
    params: dict[Word, str | int | float | None]


Doubts = Annotated[list[Doubt], Meta(max_length=60)]


def between(least: float, most: float) -> Meta:
    """A range that is described here, and held by the action, which says so in the page's language."""
    return Meta(extra_json_schema={"minimum": least, "maximum": most})


class Nothing(TypedDict):
    """No arguments."""


class Newcomer(TypedDict):
    """One player of a new game. `colour` where the game has colours."""

    name: Name
    colour: NotRequired[Word]


class StartGame(TypedDict):
    """Ends a game that is on. `game`: what is played, by default what the program was started for; `name`: its title,
    `options`: house rules, `first`, `dealer`: who begins."""

    players: Annotated[list[Newcomer], Meta(min_length=1, max_length=MOST_PLAYERS)]
    game: NotRequired[Word]
    name: NotRequired[Title]
    options: NotRequired[Keys]
    first: NotRequired[Name]
    dealer: NotRequired[Name]


class OfGame(TypedDict):
    """`game`: its id."""

    game: Word


class RenameGame(OfGame):
    """`name`: the game's new title."""

    name: Title


class SetMode(TypedDict):
    """When the referee is asked."""

    mode: Literal["automatic", "confirm_unsure", "confirm_always"]


class SetQuietTime(TypedDict):
    """How long nothing may move before the challenge closes."""

    seconds: Annotated[float, between(1.0, 120.0)]


class PinThrow(TypedDict):
    """A pinned throw's pictures are never removed to make room."""

    throw: Word
    pinned: NotRequired[bool]


class AnswerQuestion(TypedDict):
    """`id`: the question's; `choice`: the choice's id; `card` where the choice asks for one."""

    id: Word
    choice: Word
    card: NotRequired[Word | None]


class Previewed(TypedDict):
    """With `preview` nothing is done, and the answer says what would change."""

    preview: NotRequired[bool]


class Reasoned(Previewed):
    reason: NotRequired[Reason]


class Amended(TypedDict):
    """What a line says from now on (`set`), and events that came just before it (`before`), as in the game record."""

    line: Line
    set: NotRequired[Keys]
    before: NotRequired[Annotated[list[Keys], Meta(max_length=MOST_EVENTS)]]


Also = Annotated[list[Amended], Meta(max_length=MOST_EVENTS)]


class Amend(Amended, Reasoned):
    """Corrects a line of the record; `also`: more of the same, in the same breath."""

    also: NotRequired[Also]


class Play(TypedDict):
    """`event`: {type, ...} as the game's record has it."""

    event: Keys


# Every action that `SessionPort.act` knows whatever is played; README.md says what each answers.
ACTIONS: Mapping[str, type] = {
    "start_game": StartGame,
    "resume_game": OfGame,
    "rename_game": RenameGame,
    "end_game": Nothing,
    "set_mode": SetMode,
    "set_quiet_time": SetQuietTime,
    "covered_cards_gone": Nothing,
    "pause": Nothing,
    "resume": Nothing,
    "undo": Previewed,
    "redo": Previewed,
    "answer_question": AnswerQuestion,
    "amend": Amend,
    "pin_throw": PinThrow,
    "delete_game": OfGame,
}
