"""What several commands say at the terminal of their options, and while they follow a camera."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class Following(Sentence):
    """While pictures come one after another."""

    WAITING = "waiting", "%(why)s; waiting for the camera"
    UNREADABLE = "unreadable", "some pictures could not be read; see above"


class OwnDeck(Sentence):
    """What is done with a deck that was learned."""

    ONE_LIGHT = "one_light", "bringing all pictures into one light"


class OptionRefusal(Reason):
    """Why options cannot be used together."""

    SIM_TABLE = "sim_table", "the simulated table has a table of its own; leave --table out"
    NO_GAMES = "no_games", "holds no games; a game NAME has its rules in %(folder)s"
