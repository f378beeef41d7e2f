"""Frames of one camera in time over any table: which cards come to lie there, one after another.

A frame is read when nothing moves in it and something has changed since the last was read. The plane is found once, and
again when no card is found in it any more: then the camera was knocked. A table on which no card lies face up is
searched to the end, on every plane that may be one; a later frame that shows it as it was needs no search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie, Unknown
from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.vision.photographs.reader import without_world
from arena_cam.vision.picture.bare_table import differ, is_most, reaches_border, shown_alone, small_grey, what_differs

_STILL_FRAMES = 2
# A card that cannot be named surely is looked at again, and said as unsure at last.
_AGAIN_S, _AT_LAST_S = 0.5, 1.2
_LEAST_NAMED = 0.9


class Found(Protocol):
    """What a reader finds in a picture: cards bottom to top, who covers whom, what it doubts, and the unknown things
    among that."""

    @property
    def lies(self) -> tuple[Lie, ...]: ...
    @property
    def covers(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def doubts(self) -> tuple[Message, ...]: ...
    @property
    def unknown(self) -> tuple[Unknown, ...]: ...


F = TypeVar("F", bound=Found)


class Reader(Protocol[F]):
    """Reads pictures of one camera, each after the one `before`: reader.PhotographReader for a learned deck,
    ordinary_sequence.OrdinarySequence for any pack."""

    def read_after(self, image_bgr: Image, before: F | None) -> F | None: ...


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card that came to rest face up: when it was seen so, and how it lies."""

    at_s: float
    lie: Lie


class LaidCards(Generic[F]):
    """Watches for cards that come to lie face up; each is reported once, or `again` after it was seen to be gone.

    A second card of one name is told, too, where the first was told before; readers give it a key that is not its name.

    With `until_sure`, a card that was reported as unsure is looked at further, and reported once more when it is sure.

    With `came_to_rest`, cards that lie there before anything has moved are none of them: the top of a heap of
    score-cards, a pack that lies about. One of a doubtful name is none while it lies in its place: elsewhere the
    name is another card's.

    `reading` is what was read last where cards were found, None before the first; `has_read`: the newest frame was
    read; `found`: there were cards in it; `still`: nothing moves in it; `at_rest`: nothing has moved for as long as
    a doubtful card is looked at. `strangers`: then, doubts about what looks like a card and is none that can be named,
    a joker or half a card, and about the deck. Of a deck that is not the one on the table no card is told.
    """

    def __init__(
        self, reader: Reader[F], *, again: bool = False, until_sure: bool = False, came_to_rest: bool = False
    ) -> None:
        self._reader, self._again, self._until_sure = reader, again, until_sure
        self._lay_before = came_to_rest  # what is seen now: nothing has moved yet
        self.reading: F | None = None
        self.has_read = self.found = False
        self._last: NDArray[np.int16] | None = None
        self._read: NDArray[np.int16] | None = None
        # The small picture of the last frame in which no card lay face up, and what was read in it; forgotten when the
        # first card tells its plane, on which more may be read.
        self._bare: tuple[NDArray[np.int16], F | None] | None = None
        self._plane: F | None = None  # what was read last with a search
        self._knows_cards = False  # whether a card lay face up in anything read
        self._still = 0
        self._moved_s = self._now_s = -1e9
        self._looked_s = -1e9
        self._waiting: dict[str, float] = {}
        self._said: set[str] = set()
        self._doubted: set[str] = set()
        self._doubted_before: dict[str, Array] = {}  # the corners (4, 2) of what had a doubtful name before all moved

    @property
    def still(self) -> bool:
        return self._still >= _STILL_FRAMES

    @property
    def at_rest(self) -> bool:
        return self._now_s - self._moved_s >= _AT_LAST_S

    @property
    def strangers(self) -> tuple[Message, ...]:
        if self.reading is None or not self.found or not self.at_rest:
            return ()
        return tuple(doubt for doubt in self.reading.doubts if doubt.sentence in (Doubt.STRANGER, Doubt.OTHER_DECK))

    def feed(self, frame: Frame) -> list[LaidCard]:
        """The cards that are seen to lie in `frame` and were not before."""
        small = small_grey(frame.image_bgr)
        moving = self._last is not None and differ(small, self._last)
        if moving or self._last is None:
            self._moved_s = frame.time_s
        self._last, self._now_s = small, frame.time_s
        self._lay_before &= not moving
        self._still = 0 if moving else self._still + 1
        changed = self._read is None or differ(small, self._read)
        again = bool(self._waiting) and frame.time_s - self._looked_s >= _AGAIN_S
        self.has_read = self.still and (changed or again)
        if not self.has_read:
            return []
        self._read, self._looked_s = small, frame.time_s
        return list(self._new(frame, small))

    def _reading_of(self, frame: Frame, small: NDArray[np.int16]) -> F | None:
        """What is read in a frame whose `small` picture is given: what was read before where no card lay face up, if
        nothing differs from it but the light. What does is searched alone first: a hand has no card's print, and while
        it reaches in and nothing else does the rest is as it was."""
        start = self._plane
        if self._bare is not None:
            differs = what_differs(small, self._bare[0])
            if differs is None:
                return self._bare[1]
            if not is_most(differs):
                alone = self._reader.read_after(shown_alone(frame.image_bgr, differs), start)
                if alone is not None and any(lie.card is not None for lie in alone.lies):
                    start = alone
                elif reaches_border(differs):
                    return self._bare[1]
        reading = self._reader.read_after(frame.image_bgr, start)
        self._plane = self._plane if reading is None else reading
        if reading is None or all(lie.card is None for lie in reading.lies):
            self._bare = small, reading
        elif not self._knows_cards:
            self._bare, self._knows_cards = None, True
        return reading

    def _new(self, frame: Frame, small: NDArray[np.int16]) -> Iterator[LaidCard]:
        reading = self._reading_of(frame, small)
        self.found = reading is not None
        lies = reading.lies if reading is not None else ()
        there, told = {lie.key for lie in lies}, frozenset(self._said)
        self._waiting = {key: since for key, since in self._waiting.items() if key in there}
        if self._again:
            self._said &= there
        if reading is None:
            return
        self.reading = reading
        if self._lay_before:
            self._said |= there
            self._doubted_before |= {lie.key: np.asarray(lie.corners_px) for lie in lies if not lie.sure}
            return
        for key in {lie.key for lie in lies if self._was_another(lie)}:
            self._said.discard(key)
            del self._doubted_before[key]
        of_another_deck = any(doubt.sentence is Doubt.OTHER_DECK for doubt in reading.doubts)
        for lie in lies:  # bottom to top: as they were laid
            if of_another_deck and lie.card is not None:  # no name is its own: it is looked at again
                self._waiting.setdefault(lie.key, frame.time_s)
                continue
            if lie.card is None or lie.key in self._said or lie.identity_probability < _LEAST_NAMED:
                continue
            if lie.key != lie.card and lie.card not in told:  # which of two is none is not known yet
                continue
            since = self._waiting.setdefault(lie.key, frame.time_s)
            if lie.sure or not self._until_sure:
                if not lie.sure and frame.time_s - since < _AT_LAST_S:
                    continue
                del self._waiting[lie.key]
                self._said.add(lie.key)
            elif lie.key in self._doubted or frame.time_s - since < _AT_LAST_S:
                continue
            else:
                self._doubted.add(lie.key)
            yield LaidCard(frame.time_s, without_world(lie))

    def _was_another(self, lie: Lie) -> bool:
        """Whether what had this name, and doubtfully, before anything moved lay elsewhere: the name was not its own.
        The grain of a table has marks like an index, and a card that was laid beside them was not said."""
        before = self._doubted_before.get(lie.key)
        if before is None:
            return False
        off_px = float(np.linalg.norm(np.mean(lie.corners_px, axis=0) - before.mean(axis=0)))
        return off_px >= _side_px(before) / 2


def _side_px(corners_px: Array) -> float:
    """The shorter side of a card with these corners (4, 2)."""
    return float(np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1).min())
