"""What pages are told of a game of tricks beside what all games tell (interface.GameSnapshot), and what its actions
are given."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict, cast

from arena_cam.referee.arguments import Name, Word
from arena_cam.referee.interface import GameSnapshot


class PlayedCard(TypedDict):
    """A card of a trick. `throw`: its pictures, None where a person entered it. `doubtful`: it is asked about."""

    card: str
    player: str
    throw: str | None
    doubtful: bool


class TrickSnapshot(TypedDict):
    """A trick that was won: `sums` of its two cards by player, `by` as in the ruling `trick`."""

    trick: int
    deal: int
    winner: str
    by: str
    points: int
    cards: list[PlayedCard]
    sums: dict[str, int]


class TricksPlayer(TypedDict):
    """One player of this deal: tricks won, score-cards in the order won, points of the deal so far."""

    name: str
    points: int
    tricks: int
    score_cards: list[str]
    deal_points: int
    is_dealer: bool
    to_play: bool


class TricksGame(GameSnapshot):
    """`trick`, `to_play` are None between deals. `suits`: those not yet in the trick; `may_ask`: those that may be
    asked for now; `owed`: the suit or the card that was given. `last`: the trick won last, in this deal or the one
    before."""

    deal: int
    dealer: str
    trick: int | None
    to_play: str | None
    suits: list[str]
    may_ask: list[str]
    owed: str | None
    table: list[PlayedCard]
    stock: int
    last: TrickSnapshot | None
    seats: list[TricksPlayer]
    target: int


def tricks_game(game: GameSnapshot) -> TricksGame:
    return cast(TricksGame, game)


class Dealt(TypedDict):
    """The cards of the next deal are dealt. `player`: who says so."""

    player: NotRequired[Name]
    phone: NotRequired[bool]


class Exchange(TypedDict):
    """Who is to play has none of the suits and asks for `suit`; `none`: the other has none of it either.

    `given` and `returned`: the cards, where they are told.
    """

    suit: Literal["S", "H", "D", "C"]
    none: NotRequired[bool]
    given: NotRequired[Word | None]
    returned: NotRequired[Word | None]
    player: NotRequired[Name]
    phone: NotRequired[bool]
