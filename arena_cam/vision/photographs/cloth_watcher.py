"""A cloth under a camera in time: which cards come to rest on it and which go, as observations."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic

from arena_cam.camera.frame import Frame
from arena_cam.domain.lies import Lie, Reading, TablePose
from arena_cam.domain.messages import Message
from arena_cam.domain.observations import CardGone, CardRested, EyeState, Observation
from arena_cam.vision.photographs.laid_cards import F, LaidCards, Reader
from arena_cam.vision.photographs.reader import without_world

# A card that is not seen in one reading may be hidden by a hand that rests on it.
_MISSED_READINGS = 2


class ClothWatcher(Generic[F]):
    """Frames in, observations out: cards that come to lie face up, and those that are taken away.

    `reading` is what was read last; `why` says what lies there and is no card that can be named, and what to do about
    it. Nothing is measured here, so there is no `pose`, and no card is believed to be covered.
    """

    pose: TablePose | None = None
    covered: tuple[Lie, ...] = ()

    def __init__(self, reader: Reader[F]) -> None:
        self._cards = LaidCards(reader, again=True)
        self._lying: dict[str, Lie] = {}
        self._missed: dict[str, int] = {}
        self.reading: Reading | None = None

    @property
    def state(self) -> EyeState:
        if not self._cards.still:
            return EyeState.SETTLING
        return EyeState.DECIDED if self._lying else EyeState.ARMED

    @property
    def why(self) -> tuple[Message, ...]:
        return self._cards.strangers

    def give_up_covered(self) -> None:
        """Nothing is ever believed to be covered."""

    def feed(self, frame: Frame) -> list[Observation]:
        """What happened by `frame`: first what went, then what came, bottom to top."""
        laid = self._cards.feed(frame)
        if not self._cards.has_read:
            return []
        self.reading = self._as_reading(frame)
        gone = self._gone(frame.time_s, self.reading)
        came: list[Observation] = []
        for each in laid:
            if each.lie.key not in self._lying:
                came.append(CardRested(each.at_s, each.lie, self.reading))
            self._lying[each.lie.key] = each.lie
        return [*gone, *came]

    def finish(self) -> list[Observation]:
        """The camera's last frame was fed; what had not come to rest is not told."""
        return []

    def _as_reading(self, frame: Frame) -> Reading:
        found = self._cards.reading if self._cards.found else None
        if found is None:
            return Reading(frame.name, frame.time_s, ())
        lies = tuple(without_world(lie) for lie in found.lies)
        sure = not found.doubts and all(lie.sure for lie in lies)
        return Reading(frame.name, frame.time_s, lies, found.covers, None, sure, found.doubts, found.unknown)

    def _gone(self, at_s: float, reading: Reading) -> list[Observation]:
        there = {lie.key: lie for lie in reading.lies}
        gone: list[Observation] = []
        for key, lie in list(self._lying.items()):
            if key in there:
                self._lying[key] = replace(there[key], sure=lie.sure, doubts=lie.doubts)
                self._missed.pop(key, None)
                continue
            self._missed[key] = self._missed.get(key, 0) + 1
            if self._missed[key] >= _MISSED_READINGS or not there:
                gone.append(CardGone(at_s, lie, reading))
                del self._lying[key], self._missed[key]
        return gone
