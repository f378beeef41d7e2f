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


IN_A_ROUND = (Awaiting.THROWS, Awaiting.DUEL)
AFTER_A_ROUND = (Awaiting.CHALLENGE, Awaiting.IDENTIFY, Awaiting.NOTHING)
