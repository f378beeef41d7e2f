"""Nobody sits at a table that was recorded: the game that a recording shows is begun and closed for it.

Everybody plays whose colour is in the deck; whoever's card is first seen in the arena begins. After the recording's
last frame nobody throws any more. All else is as at a live table: a referee may answer, correct, choose for duellists.
"""

from __future__ import annotations

import logging
from pathlib import Path

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import Refused
from arena_cam.referee.games.arena.command_line.watched_record import players_of
from arena_cam.referee.interface import CardSnapshot, SessionPort, Snapshot

log = logging.getLogger(__name__)
WHO = "recording"


class RecordedGame:
    """Follows a session's changes (session.OnState). `watch` says whose, before that nothing is done."""

    def __init__(self, deck: Deck, source: str) -> None:
        self._deck, self._players = deck, players_of(deck)
        self._name = Path(source).name
        self._session: SessionPort | None = None
        self._begun = self._ended = False

    def watch(self, session: SessionPort) -> None:
        self._session = session

    def __call__(self, snapshot: Snapshot) -> None:
        """Does what is to be done now, if anything."""
        if self._session is None:
            return
        able = [card for card in snapshot["cards"] if _can_open(card)]
        try:
            if not self._begun and able:
                self._begun = True
                self._begin(self._session, min(able, key=lambda card: card["order"]))
            over = not snapshot["camera"]["connected"]
            if over and self._begun and not self._ended:
                self._ended = True
                self._session.act("close_challenge", {}, WHO)
        except Refused as error:  # a duel is awaited, or a question is open: people go on from here
            log.debug("%s", error)

    def _begin(self, session: SessionPort, lowest: CardSnapshot) -> None:
        colour = self._deck.by_id[str(lowest["card"])].colour
        first = next((player["name"] for player in self._players if player["colour"] == colour), None)
        try:
            session.act("start_game", {"players": self._players, "first": first, "name": self._name}, WHO)
        except Refused as error:
            log.warning("no game is begun for what is seen: %s", error)


def _can_open(card: CardSnapshot) -> bool:
    return card["card"] is not None and card["face"] == "up" and card["landing"] == "flat"
