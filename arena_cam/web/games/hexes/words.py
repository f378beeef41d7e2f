"""The sentences of this game for its codes."""

from __future__ import annotations

from arena_cam.referee.games.hexes.messages import HexesHint
from arena_cam.web.words.wording import N_, Words, sentences

WORDS = Words(
    hints=sentences(HexesHint),
    events={
        "draw": N_("draw a tile"),
        "place": N_("place a tile"),
        "boards": N_("the boards of a round"),
    },
    keys={"tile": N_("Tile"), "cell": N_("Cell")},
)
