"""What the arena game awaits, in the record's own words."""

from __future__ import annotations

from enum import StrEnum


class Awaiting(StrEnum):
    """CHALLENGE: the provocateur lays a card; THROWS: anybody throws; DUEL: two players choose; IDENTIFY: somebody says
    which card was thrown face down; NOTHING: the game is over."""

    CHALLENGE = "challenge"
    THROWS = "throws"
    DUEL = "duel"
    IDENTIFY = "identify"
    NOTHING = "nothing"


# The members under names of their own: before Python 3.12 `Awaiting.THROWS` is a call of Python code, ten times as long
# (0.15 us against 0.015), and the engine asks several times an event.
CHALLENGE, THROWS, DUEL, IDENTIFY, NOTHING = Awaiting
IN_A_ROUND = (THROWS, DUEL)
AFTER_A_ROUND = (CHALLENGE, IDENTIFY, NOTHING)
