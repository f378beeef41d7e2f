"""Typed dictionaries of this game alone: the fields of its snapshot, the arguments of its actions."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict, cast

from msgspec import Meta

from arena_cam.referee.arguments import MOST_PLAYERS, Also, Cards, Line, Name, Reasoned, Word
from arena_cam.referee.interface import GameSnapshot, PlayerSnapshot


class ArenaPlayer(PlayerSnapshot):
    """`hand` and `won` are card ids, sorted by colour and value."""

    colour: str
    lives: int
    hand: list[str]
    won: list[str]
    is_provocateur: bool
    is_opponent: bool


class BestThrow(TypedDict):
    """The throw whose card won most in its duel."""

    player: str
    card: str
    points: int
    round: int


class LyingCard(TypedDict):
    """A card of this round by the record's name of it; `card` None while nobody has said which it is."""

    name: str
    card: str | None


class ArenaGame(GameSnapshot):
    """`awaiting` as in the game record: challenge, throws, duel, identify, nothing.

    `rulings` are those of the round being played, or of the one just ended until the next challenge lies there.
    `awaits_blocks`: the camera looks for the duellists' blocks; what it has seen of them is told only as the duel, when
    both lie open. `best_throw`: once the game is over. `lying`: the challenge card and the cards still in the round, in
    the order of throwing, seen or told.
    """

    provocateur: str | None
    challenge: str | None
    duelling: str | None
    opponent: str | None
    removed: list[str]
    unidentified: list[str]
    awaits_blocks: bool
    best_throw: BestThrow | None
    lying: list[LyingCard]


def arena_game(game: GameSnapshot) -> ArenaGame:
    """`game`, which is one of this kind."""
    return cast(ArenaGame, game)


def arena_players(game: GameSnapshot) -> list[ArenaPlayer]:
    """The players of a game of this kind, in seat order."""
    return cast("list[ArenaPlayer]", game["players"])


Landed = Literal["flat", "diagonal", "edge", "beside"]
FaceShown = Literal["up", "down"]


class EnterDuel(TypedDict):
    """The referee enters both choices, by player."""

    choices: Annotated[dict[Name, Literal["peace", "conflict"]], Meta(max_length=MOST_PLAYERS)]


class LayChallenge(TypedDict):
    """The provocateur laid `card`, and the camera did not see it."""

    card: Word


class OfCard(Reasoned):
    """A card named by its `card`, by the `key` of its lie, or by the `line` that it was thrown in."""

    card: NotRequired[Word | None]
    key: NotRequired[Word]
    line: NotRequired[Line]


class CorrectCard(OfCard):
    """The card's name (`id`), or how it lies."""

    id: NotRequired[Word]
    landing: NotRequired[Landed]
    face: NotRequired[FaceShown]
    rests_on: NotRequired[Cards]


class ThrowMissed(Reasoned):
    """A throw that the camera did not see: just before `line`, by default now. `card` may be null for one face down."""

    landing: Landed
    card: NotRequired[Word | None]
    face: NotRequired[FaceShown]
    rests_on: NotRequired[Cards]
    line: NotRequired[Line]


class ThrowNeverHappened(OfCard):
    """Strikes a throw, and with it whatever the record says of its card's place."""

    also: NotRequired[Also]
