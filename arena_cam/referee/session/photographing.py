"""Photographs that people take, or the camera over the table: kept first, then read, then told to the game.

Reading one takes a second or two; the session goes on meanwhile. What was sent is on disk before anybody is told that
it has arrived, so a phone that got no answer sends it again, and the same bytes are taken in once.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Photo
from arena_cam.referee.keeping.keeper import Besides
from arena_cam.referee.messages import PhotoRefusal, Refusal
from arena_cam.referee.pictures import photographs
from arena_cam.referee.pictures.frame_ring import lossless
from arena_cam.referee.pictures.photographs import Taken
from arena_cam.referee.session.standing import Standing
from arena_cam.store.matches import KeptThrow

Json = dict[str, Any]
log = logging.getLogger(__name__)


class Photographing:
    """Takes photographs into the game that is on."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing
        self._reading = threading.Lock()  # one at a time: each takes a core and some hundred megabytes

    def take(self, content: bytes, player: str | None, who: str) -> Json:
        """{photo, read, again}: its name, whether it could be read, whether it was there already.

        `player` took it; None: the camera over the table. Raises Refused, and then nothing was kept.
        """
        game, match = self._game()
        if player is not None and player not in match.ledger.players:
            raise Refused("unknown", Refusal.NOBODY_CALLED(player=player[:40]))
        taken = photographs.take(content, game, player)
        if taken.name in match.throws or self._is_kept(taken.name):
            self._refuse_earlier_round(taken.name, match)
            return {"photo": taken.name, "read": True, "again": True}
        size = self._keep_files(game, match, taken)
        photo = self._read(taken, player, self._standing.part.known_of_photo(match, player))
        about = {
            "photo": taken.file,
            "player": player,
            "round": match.ledger.state.get("round"),
            "reading": photo.reading,
            "why": photo.why,
            "image_size": list(taken.size_px),
            "who": who,
        }
        with self._standing.step:
            self._tell(game, photo, KeptThrow(taken.name, game, self._standing.clock(), size, about))
        self._standing.tell()
        return {"photo": taken.name, "read": photo.reading is not None, "again": False}

    def take_from_camera(self, who: str) -> Json:
        """As `take`, of the newest picture of the camera over the table."""
        newest = self._standing.view.newest
        if newest is None:
            raise Refused("not_now", PhotoRefusal.NO_CAMERA_PICTURE())
        return self.take(lossless(newest)[1], None, who)

    def _game(self) -> tuple[str, Match]:
        standing = self._standing
        if standing.match is None or standing.game is None or standing.game.ended is not None:
            raise Refused("not_now", Refusal.NO_GAME_ON())
        if not standing.part.takes_photos or standing.match.ledger.awaiting == "nothing":
            raise Refused("not_now", PhotoRefusal.NO_PHOTOS())
        return standing.game.id, standing.match

    def _is_kept(self, name: str) -> bool:
        try:
            self._standing.data.matches.throw(name)
        except Refused:
            return False
        return True

    def _refuse_earlier_round(self, name: str, match: Match) -> None:
        """Raises Refused where a photograph was taken in by another round: the phone's gallery has all of them."""
        try:
            taken_in = self._standing.data.matches.throw(name).about.get("round")
        except Refused:  # it is just being taken in
            return
        if taken_in != match.ledger.state.get("round"):
            raise Refused("bad_argument", PhotoRefusal.EARLIER_ROUND(round=taken_in))

    def _keep_files(self, game: str, match: Match, taken: Taken) -> int:
        files = taken.files()
        data = self._standing.data
        data.room.make_room(sum(map(len, files.values())), self._standing.clock(), set(match.throws.values()))
        return data.pictures.keep_throw(game, taken.name, files)

    def _read(self, taken: Taken, player: str | None, known: Json) -> Photo:
        read = self._standing.eye.read_photo
        if read is None:
            return Photo(taken.name, player, None)
        try:
            with self._reading:
                return Photo(taken.name, player, read(taken.image, known))
        except Exception as error:  # the photograph is kept, and people can say what lies there
            log.exception("a photograph could not be read")
            return Photo(taken.name, player, None, type(error).__name__)

    def _tell(self, game: str, photo: Photo, kept: KeptThrow) -> None:
        """Tells the game what was read. If the game has ended meanwhile, the photograph is still kept."""
        standing = self._standing
        if standing.game is None or standing.match is None or standing.game.id != game:
            raise Refused("not_now", Refusal.NO_GAME_ON())
        if self._is_kept(photo.id):
            return  # the same bytes came twice at once
        match = standing.match
        after = replace(match, throws={**match.throws, photo.id: photo.id})
        if standing.game.ended is None:
            after = standing.part.photographed(after, photo, standing.now_s)
        standing.keep(after, {}, Besides(photos=(kept,)))
        standing.changed()
