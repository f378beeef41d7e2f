"""The events of Alex Randolph's Dilemma, typed, and how they are read from a record's objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from arena_cam.rules.game import History, Value
from arena_cam.rules.games.arena.messages import ArenaRefusal
from arena_cam.rules.games.arena.pile import CARDS
from arena_cam.rules.messages import ValueRefusal
from arena_cam.rules.reading import Data, optional_object, refuse, refuse_word, shown

LANDINGS = ("flat", "diagonal", "edge", "beside")
FACES = ("up", "down")


class Challenge(Value, frozen=True):
    """The provocateur lays `card`."""

    line: int
    card: str
    history: History | None


class Throw(Value, frozen=True):
    """A card comes to rest; `card` is None if it lies face down and nobody has said which it is."""

    line: int
    card: str | None
    landing: str
    face: str
    rests_on: Sequence[str | None]
    history: History | None


class Moved(Value, frozen=True):
    """A card of this round lies otherwise now; None stands for what stayed."""

    line: int
    card: str
    landing: str | None
    face: str | None
    rests_on: Sequence[str | None] | None
    history: History | None


class Close(Value, frozen=True):
    """The arena is at rest and nobody throws any more."""

    line: int


class Duel(Value, frozen=True):
    """What the duellists chose: peace or conflict, by player."""

    line: int
    choices: Mapping[str, Any]


def read_challenge(data: Data, line: int, history: History | None) -> Challenge:
    card = data.get("card")
    if type(card) is not str or card not in CARDS:
        _refuse_card(card)
    return Challenge(line, card, history)


def read_throw(data: Data, line: int, history: History | None) -> Throw:
    card, landing, face, rests_on = data.get("card"), data.get("landing"), data.get("face"), data.get("rests_on")
    if landing not in LANDINGS:
        refuse_word("landing", landing, LANDINGS)
    if face is None:
        face = "up"
    elif face not in FACES:
        refuse_word("face", face, FACES)
    if card is None:
        if face == "up":
            refuse("unnamed", ArenaRefusal.FACE_UP_UNNAMED())
        if history is not None and len(history.versions) == 1:
            refuse("unnamed", ArenaRefusal.ADDED_UNNAMED())
    elif type(card) is not str or card not in CARDS:
        _refuse_card(card)
    if rests_on is not None:
        _check_names(rests_on)
    return Throw(line, card, landing, face, rests_on or (), history)


def read_moved(data: Data, line: int, history: History | None) -> Moved:
    card, landing, face, rests_on = data.get("card"), data.get("landing"), data.get("face"), data.get("rests_on")
    if type(card) is not str:
        refuse("unknown_card", ArenaRefusal.NOT_OF_ROUND(text=shown(card)))
    if landing is not None and landing not in LANDINGS:
        refuse_word("landing", landing, LANDINGS)
    if face is not None and face not in FACES:
        refuse_word("face", face, FACES)
    if rests_on is not None:
        _check_names(rests_on)
    elif landing is None and face is None:
        refuse("empty", ArenaRefusal.NOTHING_CHANGED())
    return Moved(line, card, landing, face, rests_on, history)


def read_close(_data: Data, line: int, _history: History | None) -> Close:
    return Close(line)


def read_duel(data: Data, line: int, _history: History | None) -> Duel:
    choices = optional_object(data, "choices")
    if choices is None:
        refuse("empty", ArenaRefusal.NO_CHOICES())
    return Duel(line, choices)


def _refuse_card(card: object) -> NoReturn:
    """Refuses what is the name of no card."""
    refuse("unknown_card", ArenaRefusal.NO_CARD(text=shown(card)))


def _check_names(rests_on: object) -> None:
    """Refused unless `rests_on` is a list of names; None in it is some face-down card that nobody named."""
    if not isinstance(rests_on, list):
        refuse("not_a_list", ValueRefusal.LIST(name="rests_on", text=shown(rests_on)))
    for name in rests_on:
        if type(name) is not str and name is not None:
            refuse("unknown_card", ValueRefusal.LISTED(name="rests_on", text=shown(name)))
