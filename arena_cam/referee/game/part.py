"""A game's own part of the referee, as everybody else sees it: `Part`, found by the game's name.

A game's part stands in `referee/games/<game>` as a constant `PART`, and nothing else lists the games that have one. A
game without a part is refereed by `referee/games/any_game.py`: by hand, from what its rules say is legal.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol, cast

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Lie, Reading, TablePose
from arena_cam.formats.judgement import Judged
from arena_cam.referee.arguments import ACTIONS
from arena_cam.referee.game import FOLDERS
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Asked, Match
from arena_cam.referee.interface import CardSnapshot, Countdown, Phrase
from arena_cam.rules import all_games

Json = dict[str, Any]
ANY_GAME = f"{FOLDERS}.any_game"


@dataclass(frozen=True)
class Seen:
    """An observation with the name that its evidence would have. What observations are, a game's own eye says."""

    observation: Any
    throw: str | None = None


@dataclass(frozen=True)
class Request:
    """The request of `who`, at `now_s` of the source. `secret`: the choices made so far, by player; only what tells
    them all at once may use them."""

    args: Mapping[str, Any]
    who: str
    now_s: float
    secret: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Action:
    """A person's action: `takes` is the typed dictionary of its arguments; `do` gives the match after it."""

    takes: type
    do: Callable[[Match, Request], Match]


@dataclass(frozen=True)
class Correction:
    """A correction that a person may make: `takes` as in Action, `events` are the lines that say so."""

    takes: type
    events: Callable[[Match, Mapping[str, Any], str], list[Json]]


@dataclass(frozen=True)
class Photo:
    """A photograph that is kept under the name `id`. `player`: who took it; None where the camera over the table did.

    `reading` is what the game's eye says of it (Eye.read_photo), None where nobody reads photographs or it could not be
    read; then `why` says why not.
    """

    id: str
    player: str | None
    reading: Json | None
    why: str = ""


class Sense(Protocol):
    """Something beside the eye that a game follows frame by frame, and that may be secret until it is told."""

    @property
    def reads(self) -> bool:
        """Whether anything is looked for at all."""
        ...

    def hides(self, match: Match) -> bool:
        """Whether pictures of this moment may show what nobody is to see."""
        ...

    def see(
        self, game: str, match: Match, secret: Mapping[str, str], frame: Frame, pose: TablePose | None, at_rest: bool
    ) -> Match | None:
        """The match after `frame`; None if nothing follows from it. `secret` are choices made so far."""
        ...

    def answer(
        self, match: Match, question: Asked, choice: str, secret: Mapping[str, str], now_s: float
    ) -> Match | None:
        """The effect of an answer to a question of this sense; None for a question that is none of its own."""
        ...


class Part(Protocol):
    """One game's part of the referee. Pure: values in, values out; only what `open_sense` gives remembers anything."""

    actions: Mapping[str, Action]
    corrections: Mapping[str, Correction]
    secret_action: str | None  # the action by which players choose in secret, until all who must have chosen
    phone_actions: frozenset[str]  # those of `actions` that a phone may ask for, for its own player: they take `player`
    takes_photos: bool  # whether photographs that people take say something in this game
    photo_shape: type | None  # a TypedDict: what pages show of the reading of a photograph that came from elsewhere
    keeps_throws: bool  # whether what it keeps pictures of can be looked at, exported and opened again

    # what happens
    def begun(self, match: Match) -> Match: ...
    def observe(self, match: Match, seen: Sequence[Seen]) -> Match: ...
    def known_of_photo(self, match: Match, player: str | None) -> Json: ...
    def photographed(self, match: Match, photo: Photo, now_s: float) -> Match: ...
    def tick(self, match: Match, now_s: float, moving: bool, unseen_s: float) -> Match: ...
    def resumed(self, match: Match, now_s: float) -> Match: ...
    def relinked(self, match: Match, before: Ledger) -> Match: ...
    def corrected(self, match: Match, before: Match) -> Match: ...
    def open_sense(self, make_sight: Callable[[], Any] | None) -> Sense: ...

    # what is asked, and chosen in secret
    def question(self, match: Match, asked: Asked) -> Json: ...
    def answered(self, match: Match, asked: Asked, choice: str, request: Request) -> Match: ...
    def choosers(self, match: Match) -> tuple[str, ...]: ...
    def may_choose(self, match: Match, made: Sequence[str]) -> dict[str, list[str]]: ...
    def checked_choice(self, match: Match, player: Any, choice: Any) -> str: ...
    def revealed(self, match: Match, choices: Mapping[str, str], now_s: float) -> Match: ...

    # what is shown
    def legal(self, match: Match) -> list[str]: ...
    def snapshot(self, match: Match, sense_reads: bool) -> Json: ...
    def card(self, match: Match, lie: Lie) -> Json: ...
    def told_cards(self, match: Match) -> list[CardSnapshot]: ...
    def hint(self, match: Match, sense_reads: bool) -> Phrase: ...
    def over(self, match: Match) -> Phrase: ...
    def countdown(self, match: Match, now_s: float, moving: bool) -> Countdown | None: ...
    def latest_rulings(self, match: Match) -> list[Json]: ...
    def decisive(self, rulings: Sequence[Json]) -> list[Json]: ...

    # what was kept
    def rounds(self, ledger: Ledger) -> int: ...
    def owner(self, ledger: Ledger, card: str | None) -> str | None: ...
    def opens(self, event: Mapping[str, Any]) -> bool: ...
    def line(self, ledger: Ledger, line: int) -> Json: ...
    def ends_round(self, event: Mapping[str, Any], before: Json, after: Json) -> bool: ...
    def statistics(self, ledger: Ledger) -> dict[str, dict[str, float]]: ...
    def asked_of(self, ledger: Ledger, line: int) -> str | None: ...
    def photo_differences(self, before: Json | None, after: Json) -> list[Json]: ...
    def judge(self, reading: Reading, deck: Deck, asked_of: str | None) -> Judged | None: ...


def find_part(game: str) -> Part:
    """The part of the game that a record calls so; of one without a folder of its own, what serves any game."""
    try:
        module: ModuleType | None = importlib.import_module(f"{FOLDERS}.{game}")
    except ModuleNotFoundError as error:
        if error.name != f"{FOLDERS}.{game}":
            raise
        module = None
    own = getattr(module, "PART", None)
    return cast(Part, own if own is not None else importlib.import_module(ANY_GAME).PART)


def part_of(match: Match) -> Part:
    return find_part(match.ledger.record.game.name)


def all_parts() -> Iterator[Part]:
    """The parts of all games that there are."""
    for name in all_games():
        yield find_part(name)


def every_action() -> dict[str, type]:
    """Every action that a referee may do in some game, with what it is given."""
    actions = dict(ACTIONS)
    for part in all_parts():
        actions |= {name: action.takes for name, action in part.actions.items()}
        actions |= {name: correction.takes for name, correction in part.corrections.items()}
    secret = secret_actions()
    return {name: takes for name, takes in actions.items() if name not in secret}


def phone_actions() -> dict[str, type]:
    """The actions that a phone may ask for, for its own player, with what each is given."""
    return {name: part.actions[name].takes for part in all_parts() for name in part.phone_actions}


def secret_actions() -> set[str]:
    """The actions that only a player's own phone may ask for."""
    return {part.secret_action for part in all_parts() if part.secret_action is not None}
