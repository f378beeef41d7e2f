"""One deck under one camera, with a calibrated table or without: the door for programs that only want to look."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CannotDo
from arena_cam.domain.lies import Reading, Unreadable
from arena_cam.domain.observations import Observation
from arena_cam.domain.table import Table
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.picture_cache import PictureCache
from arena_cam.vision.picture.health import EyeHealth
from arena_cam.vision.reading.table_reader import TableReader
from arena_cam.vision.setup.messages import WatchRefusal
from arena_cam.vision.watching.scene_guard import guarded
from arena_cam.vision.watching.watcher import Watcher

if TYPE_CHECKING:
    from arena_cam.vision.photographs.reader import PhotographReader


class Eye:
    """Sees the cards of one deck. `judge` reads single pictures; `look` watches frames in time.

    Neither affects the other: a picture may be judged while a video is watched. Not for use by two threads at once.
    """

    def __init__(
        self, table: Table | None, deck: Deck, *, fps: float = 15.0, cache: PictureCache | None = None
    ) -> None:
        """Use `open_eye`. Readers are built on first use, which takes about a second with a new deck."""
        self.table, self.deck = table, deck
        self._fps, self._cache = fps, cache

    def judge(self, frame: Frame, *, challenge: str | None = None) -> Reading | Unreadable:
        """The cards in one picture, as if nothing had been seen before.

        `challenge` is the id of a card that certainly lies there and was laid first. Without a table the reading has
        no landings, and `challenge` says nothing. Raises BadDeck or BadInput if the deck or the table cannot be used.
        """
        if self.table is not None:
            return self._still_reader.read(frame, expected=[challenge] if challenge else [])
        reading = self._photograph_reader.read(frame)
        if isinstance(reading, Reading) and not reading.lies:  # an empty table and a black picture are not the same
            luma = np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
            trouble = EyeHealth().trouble(luma, frame.time_s)
            if trouble is not None:
                return Unreadable(reading.frame, reading.time_s, trouble[:1], trouble[1])
        return reading

    def look(self, frame: Frame) -> list[Observation]:
        """Takes the next frame of the camera and returns what happened by it, in the order in which it happened.

        Raises CannotDo without a table, and BadPicture for a frame that cannot be decoded (watching then goes on).
        """
        return self.watcher.feed(frame)

    def finish(self) -> list[Observation]:
        """The camera's last frame was fed: returns what can be told of what had not come to rest yet."""
        return self.watcher.finish()

    @cached_property
    def watcher(self) -> Watcher:
        """What watches frames in time; it knows the newest reading. Raises CannotDo without a table."""
        if self.table is None:
            raise CannotDo(WatchRefusal.NO_TABLE_IN_TIME())
        reader = TableReader(self.table, self.deck, cache=self._cache)
        return Watcher(guarded(reader, self.table), fps=self._fps)

    @cached_property
    def _still_reader(self) -> TableReader:
        assert self.table is not None
        return TableReader(self.table, self.deck, hold_pose=False, cache=self._cache)

    @cached_property
    def _photograph_reader(self) -> PhotographReader:
        # Over a calibrated table it is never needed, and loading it takes a tenth of a second.
        from arena_cam.vision.photographs.reader import PhotographReader

        return PhotographReader(DeckFaces(self.deck))


def open_eye(table: Table | None, deck: Deck, *, fps: float = 15.0, cache: PictureCache | None = None) -> Eye:
    """An eye for the cards of `deck`, over a calibrated `table` or, with None, for any photograph.

    `fps` is the rate, in frames per second, of the frames that `look` will be given. `cache` keeps pictures of the deck
    for the next start.
    """
    return Eye(table, deck, fps=fps, cache=cache)
