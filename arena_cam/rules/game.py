"""The one small shape that every game has: state in, event in; new state and rulings out.

A game is one module of this package with a constant `GAME`. Its states and events are immutable; its functions are
pure: no files, no clock, no chance. Whoever plays a game reads an event with `Game.read`, plays it with `Game.apply`,
asks `Game.legal` what may come next and `Game.result` how the game stands. All of them raise `Refused`, and nothing
else, for what the game does not allow. The game's own functions play on a draft of the state (see `drafts`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from arena_cam.domain.messages import Message, Sentence, Word
from arena_cam.rules.messages import ValueRefusal
from arena_cam.rules.reading import Data, refuse, shown

Choose = Callable[[Sequence[Any]], Any]  # takes one of several, as random.Random(seed).choice does


class Value(Struct, frozen=True, gc=False):
    """Base of events, rulings and whatever else never changes, and so never comes to refer to itself."""


class Ruling(Value, frozen=True):
    """What the engine decided, and why.

    `line` is the line of the record that brought it about; `code` and `facts` are for programs; `sentence` is a member
    of the game's table `rulings`; `words` are its parameters, or `facts` if those are all it needs. `rule` names the
    rulebook and its section.
    """

    line: int
    code: str
    facts: dict[str, Any]
    sentence: Sentence
    rule: str
    words: Mapping[str, Any] = {}

    @property
    def message(self) -> Message:
        """What was ruled, for people."""
        return self.sentence(**(self.words or self.facts))


NO_RULINGS: tuple[Ruling, ...] = ()


class History(Value, frozen=True):
    """What a line said before it was amended, which matters where older lines use names that it gave.

    `versions` holds (line from which the record read so, the event as it then stood), oldest first. `written` tells for
    each key of the event which line wrote the value it has now.
    """

    versions: tuple[tuple[int, Data], ...]
    written: Mapping[str, int]


class Option(Struct, frozen=True):
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


class Header(Struct, frozen=True):
    """Who plays what, and by which house rules. `players` are in seat order; `options` holds every option of the game.

    `data` is the header's whole object, for the keys that only one game has.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    data: Data


# What may be written under one key of an event that is legal now.
class OneOf(Struct, frozen=True):
    """One of `values`. `weights` say how often random play takes each, if not equally often."""

    values: tuple[Any, ...]
    weights: tuple[int, ...] = ()


class SomeOf(Struct, frozen=True):
    """A list of any of `values`, also of none."""

    values: tuple[Any, ...]


class ForEach(Struct, frozen=True):
    """An object that gives each key one of its values."""

    values: Mapping[str, tuple[Any, ...]]


Keys = Mapping[str, OneOf | SomeOf | ForEach]


class Legal(Struct, frozen=True):
    """A kind of event that may come next; every combination of the values under `keys` is legal.

    `weight` says how often random play takes this kind, 0 that it never does. `make`, where a value cannot be listed (a
    shuffled pack), makes the remaining keys with a function that chooses.
    """

    kind: str
    keys: Keys = {}
    weight: int = 1
    make: Callable[[Choose], dict[str, Any]] | None = None


class Kind(Struct, frozen=True):
    """A kind of event.

    event: the type of such events. keys: what such an event may say; an amendment may set just these.
    read(data, line, history) -> a typed event from a record's object; Refused if it is not well formed.
    play(draft, event) -> rulings: changes the draft of the state; Refused if the event cannot happen.
    """

    event: type
    keys: frozenset[str]
    read: Callable[[Data, int, History | None], Any]
    play: Callable[[Any, Any], Sequence[Ruling]]


class Game(Struct, frozen=True):
    """The rules of one game. `State` and `Event` stand for the game's own immutable types.

    name, title, source: what the record calls it, what people call it, whose rules these are.
    players: how many may play.
    options: the house rules by name.
    events: the kinds of events by the type that a record calls them.
    prepare(header) -> a draft of the state before the first event; Refused if the header lacks what this game needs.
    legal(state) -> list[Legal]: what may come next, not counting notes and amendments.
    result(state) -> dict: over, winners, scores and state, as the record format describes them.
    seats: what each player's entry in the header must say besides the name, each value for one player only.
    starters: keys of the header that name who begins.
    preview(state) -> what would be ruled were nothing more to happen now; None: nothing is told before it is ruled.
    rulings: the table of the sentences that its rulings say.
    house_rules: the table of the words for its options (see `house_rules.py`).
    interpret(state, observation) -> what an eye saw in this game's terms (see `interpreting`); None: no eye watches it.
    """

    name: str
    title: str
    source: str
    players: range
    options: Mapping[str, Option]
    events: Mapping[str, Kind]
    prepare: Callable[[Header], Any]
    legal: Callable[[Any], list[Legal]]
    result: Callable[[Any], dict[str, Any]]
    seats: Mapping[str, Sequence[str]] = {}
    starters: tuple[str, ...] = ()
    preview: Callable[[Any], Sequence[Ruling]] | None = None
    interpret: Callable[[Any, Any], Sequence[Any]] | None = None
    rulings: type[Sentence] | None = None
    house_rules: type[Word] | None = None

    def read(self, data: Data, line: int, history: History | None = None) -> Any:
        """The Event that `data` describes; Refused if it is not well formed."""
        name = data.get("type")
        if type(name) is not str or name not in self.events:
            refuse("unknown_word", ValueRefusal.EVENT(text=shown(name)))
        return self.events[name].read(data, line, history)

    def apply(self, state: Any, event: Any) -> tuple[Any, Sequence[Ruling]]:
        """The State after `event`, and what was ruled; Refused if it cannot happen."""
        draft = state.draft()
        play = next(kind.play for kind in self.events.values() if kind.event is type(event))
        rulings = play(draft, event)
        return draft.fair_copy(), rulings


def standing(scores: dict[str, int], over: bool, state: dict[str, Any]) -> dict[str, Any]:
    """The part of a result that all games share; players with equal highest scores win together."""
    best = max(scores.values())
    winners = [name for name, score in scores.items() if score == best] if over else []
    return {"over": over, "winners": winners, "scores": scores, "state": state}
