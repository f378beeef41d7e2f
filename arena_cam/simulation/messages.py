"""What the simulated tables cannot do, and why."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class SimulatedTrouble(Reason):
    """Why a simulated table does not do what it was told, or shows nothing."""

    UNPLUGGED = "sim_unplugged", "sim: the simulated camera is unplugged; it comes back by itself"
    NO_CARD = "sim_no_card", "%(name)s is no card of the deck %(deck)s; name one of its cards"
    NOT_LYING = "sim_not_lying", "%(name)s does not lie on the simulated table; name a card that does"
    NO_PLACE = "sim_no_place", "%(name)s finds no place to land %(landing)s; sweep the arena"
    NO_BLOCK = "sim_no_block", "there is no %(colour)s block for %(choice)s; give the table the blocks' prints"
    OWN_DECK = (
        "sim_own_deck",
        "the simulated table plays with the project's own deck, which has no %(name)s; see --names",
    )
    PRINT_UNREADABLE = "sim_print_unreadable", "cannot be read as a picture in colours; print the set again"
