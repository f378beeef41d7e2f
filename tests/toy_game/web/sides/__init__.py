"""The pages of Sides: its words, and which side each token of late lies on."""

from __future__ import annotations

from typing import Any

from arena_cam.referee.interface import Snapshot
from arena_cam.web.games.part import WebPart
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import Words, sentences
from toy_game.referee.sides import SidesAnswer, SidesHint, SidesQuestion


class SidesPages(WebPart):
    words = Words(
        hints=sentences(SidesHint),
        questions=sentences(SidesQuestion),
        answers=sentences(SidesAnswer),
        events={"lay": "lay a token"},
    )

    def board(self, snapshot: Snapshot, _: Translate) -> dict[str, Any]:
        tokens = [card["centre_mm"] for card in snapshot["cards"] if card["centre_mm"]]
        return {"tokens": tokens}


PART = SidesPages()
