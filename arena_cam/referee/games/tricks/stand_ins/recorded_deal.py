"""Nobody sits at a cloth that was recorded: the deal that a recording shows is begun for it."""

from __future__ import annotations

from arena_cam.referee.game.playing_thread import PlayingThread
from arena_cam.referee.interface import SessionPort, Snapshot

WHO = "recording"
PLAYERS = ("1", "2")  # the non-dealer first, who leads


class RecordedDeal(PlayingThread):
    """Begins a game and its first deal, once; all else is as at a live table."""

    plays = "tricks"

    def __init__(self, session: SessionPort, name: str) -> None:
        super().__init__(session)
        self._name, self._begun = name, False

    def play(self, snapshot: Snapshot, now_s: float) -> None:
        del snapshot, now_s
        if self._begun:
            return
        self._begun = True
        players = [{"name": name} for name in PLAYERS]
        args = {"game": self.plays, "players": players, "dealer": PLAYERS[1], "name": self._name}
        self._session.act("start_game", args, WHO)
        self._session.act("dealt", {}, WHO)
