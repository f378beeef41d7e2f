"""What only this game's snapshot has, as typed dictionaries."""

from __future__ import annotations

from typing import cast

from arena_cam.referee.interface import GameSnapshot, PlayerSnapshot


class ArenaPlayer(PlayerSnapshot):
    """`hand` and `won` are card ids, sorted by colour and value."""

    colour: str
    lives: int
    hand: list[str]
    won: list[str]
    is_provocateur: bool
    is_opponent: bool


class ArenaGame(GameSnapshot):
    """`awaiting` as in the game record: challenge, throws, duel, identify, nothing.

    `rulings` are those of the round being played, or of the one just ended until the next challenge lies there.
    `awaits_blocks`: the camera looks for the duellists' blocks; what it has seen of them is told only as the duel, when
    both lie open.
    """

    provocateur: str | None
    challenge: str | None
    duelling: str | None
    opponent: str | None
    removed: list[str]
    unidentified: list[str]
    awaits_blocks: bool


def arena_game(game: GameSnapshot) -> ArenaGame:
    """`game`, which is one of this kind."""
    return cast(ArenaGame, game)


def arena_players(game: GameSnapshot) -> list[ArenaPlayer]:
    """The players of a game of this kind, in seat order."""
    return cast("list[ArenaPlayer]", game["players"])
