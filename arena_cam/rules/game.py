"""The one small shape that every game has: state in, event in; new state and rulings out.

A game is one module of this package with a constant `GAME`. Its states and events are immutable; its functions are
pure: no files, no clock, no chance. Whoever plays a game reads an event with `Game.read`, plays it with `Game.apply`,
asks `Game.legal` what may come next and `Game.result` how the game stands. All of them raise `Refused`, and nothing
else, for what the game does not allow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, Self

Data = Mapping[str, Any]  # a JSON object as it stands in a record
Choose = Callable[[Sequence[Any]], Any]  # takes one of several, as random.Random(seed).choice does


def msg(sentence: str) -> str:
    """Marks an English sentence for the message catalogues; it is translated when it is shown, not here."""
    return sentence


class Ruling(NamedTuple):
    """What the engine decided, and why.

    `line` is the line of the record that brought it about; `code` and `facts` are for programs; `sentence` is the
    English sentence with %(name)s gaps that `facts` and `words` fill; `rule` names the rulebook and its section.
    """

    line: int
    code: str
    facts: dict[str, Any]
    sentence: str
    rule: str
    words: Mapping[str, Any] = {}


NO_RULINGS: tuple[Ruling, ...] = ()


class History(NamedTuple):
    """What a line said before it was amended, which matters where older lines use names that it gave.

    `versions` holds (line from which the record read so, the event as it then stood), oldest first. `written` tells for
    each key of the event which line wrote the value it has now.
    """

    versions: tuple[tuple[int, Data], ...]
    written: Mapping[str, int]


class Immutable:
    """Base of the states, which are frozen dataclasses.

    Engines go from state to state with `but`, and never look back at a state after that. So a long record can be played
    on one draft that nobody else sees, which spares a copy for each event.
    """

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed; quicker than dataclasses.replace, which makes the object anew."""
        copy = object.__new__(self.__class__)
        copy.__dict__.update(self.__dict__, **changes)
        return copy

    def draft(self) -> Self:
        """A copy whose `but` changes it in place; to be kept private, and made a state again with `fair_copy`."""
        copy = self.but()
        object.__setattr__(copy, "__class__", _draft_of(self.__class__))  # type: ignore[arg-type]  # a class is hashable
        return copy

    def fair_copy(self) -> Self:
        """This draft, from now on an immutable state."""
        object.__setattr__(self, "__class__", self.__class__.__base__)
        return self


def _change_in_place(state: Any, **changes: Any) -> Any:
    state.__dict__.update(changes)
    return state


@cache
def _draft_of(state: type) -> type:
    return type(f"{state.__name__}Draft", (state,), {"but": _change_in_place})


@dataclass(frozen=True)
class Option:
    """A house rule: the values offered, and the rulebook's reading as the default.

    `values` is a range of whole numbers or a tuple of words; `default` None means that the number of players decides.
    """

    values: range | tuple[Any, ...]
    default: Any

    def offers(self, value: object) -> bool:
        """Whether `value` is one of `values`, and of their very type: true is not 1, 2.0 is not 2."""
        if isinstance(self.values, range):
            return type(value) is int and value in self.values
        return any(type(value) is type(offered) and value == offered for offered in self.values)


FLAG = Option((False, True), False)


class Header(NamedTuple):
    """Who plays what, and by which house rules. `players` are in seat order; `options` holds every option of the game.

    `data` is the header's whole object, for the keys that only one game has.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    data: Data


# What may be written under one key of an event that is legal now.
@dataclass(frozen=True)
class OneOf:
    """One of `values`. `weights` say how often random play takes each, if not equally often."""

    values: tuple[Any, ...]
    weights: tuple[int, ...] = ()


@dataclass(frozen=True)
class SomeOf:
    """A list of any of `values`, also of none."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class ForEach:
    """An object that gives each key one of its values."""

    values: Mapping[str, tuple[Any, ...]]


@dataclass(frozen=True)
class Legal:
    """A kind of event that may come next; every combination of the values under `keys` is legal.

    `weight` says how often random play takes this kind. `make`, where a value cannot be listed (a shuffled pack), makes
    the remaining keys with a function that chooses.
    """

    kind: str
    keys: Mapping[str, OneOf | SomeOf | ForEach] = field(default_factory=dict)
    weight: int = 1
    make: Callable[[Choose], dict[str, Any]] | None = None


@dataclass(frozen=True)
class Game:
    """The rules of one game. `State` and `Event` stand for the game's own immutable types.

    name, title, source: what the record calls it, what people call it, whose rules these are.
    players: how many may play.
    options: the house rules by name.
    events: for each kind of event the keys that the game knows; an amendment may set just these.
    start(header) -> State: the state before the first event; Refused if the header lacks what this game needs.
    read(data, line, history=None) -> Event: a typed event from a record's object; Refused if it is not well formed.
    apply(state, event) -> (State, rulings): plays one event; Refused if it cannot happen.
    legal(state) -> list[Legal]: what may come next, not counting notes and amendments.
    result(state) -> dict: over, winners, scores and state, as the record format describes them.
    seats: what each player's entry in the header must say besides the name, each value for one player only.
    starters: keys of the header that name who begins.
    """

    name: str
    title: str
    source: str
    players: range
    options: Mapping[str, Option]
    events: Mapping[str, frozenset[str]]
    start: Callable[[Header], Any]
    read: Callable[..., Any]
    apply: Callable[[Any, Any], tuple[Any, Sequence[Ruling]]]
    legal: Callable[[Any], list[Legal]]
    result: Callable[[Any], dict[str, Any]]
    seats: Mapping[str, Sequence[str]] = field(default_factory=dict)
    starters: tuple[str, ...] = ()


def standing(scores: dict[str, int], over: bool, state: dict[str, Any]) -> dict[str, Any]:
    """The part of a result that all games share; players with equal highest scores win together."""
    best = max(scores.values())
    winners = [name for name, score in scores.items() if score == best] if over else []
    return {"over": over, "winners": winners, "scores": scores, "state": state}
