"""What all games refuse alike."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class RuleRefusal(Reason):
    """Why a record cannot go on so, whatever the game."""

    OVER = "over", "%(event)s cannot come here: the game is over"
    NOT_AWAITED = "not_awaited", "%(event)s cannot come here: what the game awaits is %(awaited)s"
    NAME_TWICE = "name_twice", "two players are called %(name)s; give each a name of their own"
    BAD_NAME = (
        "bad_name",
        "each player needs a name of 1 to %(most)s printable characters without a space at either end, not %(name)s",
    )
    BAD_PLAYERS = "bad_players", "players must be a list of %(count)s players for %(game)s"
