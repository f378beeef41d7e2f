"""The events of Alex Randolph's Dilemma, typed, and how they are read from a record's objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from arena_cam.rules.arena_names import Names, names_given
from arena_cam.rules.arena_pile import CARDS
from arena_cam.rules.game import Data, History
from arena_cam.rules.reading import optional_list, optional_object, refuse, shown, word

LANDINGS = ("flat", "diagonal", "edge", "beside")
FACES = ("up", "down")


class Challenge(NamedTuple):
    """The provocateur lays `card`."""

    line: int
    card: str
    names: Names


class Throw(NamedTuple):
    """A card comes to rest; `card` is None if it lies face down and nobody has said which it is."""

    line: int
    card: str | None
    landing: str
    face: str
    rests_on: Sequence[str | None]
    written: int
    names: Names


class Moved(NamedTuple):
    """A card of this round lies otherwise now; None stands for what stayed."""

    line: int
    card: str
    card_written: int
    landing: str | None
    face: str | None
    rests_on: Sequence[str | None] | None
    written: int


class Close(NamedTuple):
    """The arena is at rest and nobody throws any more."""

    line: int


class Duel(NamedTuple):
    """What the duellists chose: peace or conflict, by player."""

    line: int
    choices: Mapping[str, Any]


Event = Challenge | Throw | Moved | Close | Duel


def read(data: Data, line: int, history: History | None = None) -> Event:
    """The event that `data` describes; Refused if it is not well formed."""
    reader = _READERS.get(data.get("type"))  # type: ignore[arg-type]  # any value may be looked up, only words are found
    if reader is None:
        refuse("unknown_word", f"{shown(data.get('type'))} is no event of this game")
    return reader(data, line, history)


def _read_challenge(data: Data, line: int, history: History | None) -> Challenge:
    return Challenge(line, _card(data.get("card")), names_given(line, history))


def _read_throw(data: Data, line: int, history: History | None) -> Throw:
    card = data.get("card")
    landing = data.get("landing")
    if landing not in LANDINGS:
        landing = word(data, "landing", LANDINGS)
    face = data.get("face")
    if face not in FACES:
        face = word(data, "face", FACES, default="up")
    if card is not None:
        _card(card)
    elif face == "up":
        refuse("unnamed", "a card that lies face up must be named; say which card was thrown")
    elif history is not None and len(history.versions) == 1:
        refuse("unnamed", "a throw that is added by an amendment must name its card")
    rests_on = _rests_on(data) or ()
    if history is None:
        return Throw(line, card, landing, face, rests_on, line, ())
    written, names = _written("rests_on", line, history), names_given(line, history)
    return Throw(line, card, landing, face, rests_on, written, names)


def _read_moved(data: Data, line: int, history: History | None) -> Moved:
    card = data.get("card")
    if type(card) is not str:
        refuse("unknown_card", f"card must name a card of this round, not {shown(card)}")
    landing = None if data.get("landing") is None else word(data, "landing", LANDINGS)
    face = None if data.get("face") is None else word(data, "face", FACES)
    rests_on = _rests_on(data)
    if landing is None and face is None and rests_on is None:
        refuse("empty", "say what changed: at least one of landing, face and rests_on")
    card_written = _written("card", line, history)
    return Moved(line, card, card_written, landing, face, rests_on, _written("rests_on", line, history))


def _read_close(_data: Data, line: int, _history: History | None) -> Close:
    return Close(line)


def _read_duel(data: Data, line: int, _history: History | None) -> Duel:
    choices = optional_object(data, "choices")
    if choices is None:
        refuse("empty", "say in choices what each of the two duellists chose, peace or conflict")
    return Duel(line, choices)


_READERS: dict[str, Callable[[Data, int, History | None], Event]] = {
    "challenge": _read_challenge,
    "throw": _read_throw,
    "moved": _read_moved,
    "close": _read_close,
    "duel": _read_duel,
}


def _card(card: object) -> str:
    if type(card) is str and card in CARDS:
        return card
    return refuse("unknown_card", f"card must be a card such as red-8, not {shown(card)}")


def _rests_on(data: Data) -> list[str | None] | None:
    names = optional_list(data, "rests_on")
    for name in names or ():
        if name is not None and type(name) is not str:
            refuse("unknown_card", f"rests_on must be a list of names of cards, not of {shown(name)}")
    return names


def _written(key: str, line: int, history: History | None) -> int:
    return line if history is None else history.written.get(key, line)
