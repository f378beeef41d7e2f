"""Throws in time: frames in, observations of the table out.

A quiet frame costs one look at a small grey picture. Where something changed and is at rest again, the frames at rest
are averaged and read, and the reading is compared with the believed cards. Only the reader decides what lies where: a
hand, a card in flight or a shadow changes the picture too, but leads to no observation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie, Reading, TablePose, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, EyeChanged, EyeState, Observation
from arena_cam.vision.picture.averaging import LastRead, averaged
from arena_cam.vision.picture.health import EyeHealth
from arena_cam.vision.picture.sharpness import Sharpness
from arena_cam.vision.watching.attention import LONGEST_GAP_S, Attention, small_luma
from arena_cam.vision.watching.camera_bump import bumped, carried_over
from arena_cam.vision.watching.card_cells import Places
from arena_cam.vision.watching.covered_cards import Covered, moved_over
from arena_cam.vision.watching.pile_changes import PileChanges, pile_changes, with_same_keys
from arena_cam.vision.watching.place_evidence import PlaceEvidence
from arena_cam.vision.watching.scene_memory import groups
from arena_cam.vision.watching.stillness import CellMask, grown

# An unsure reading is tried again with more frames this much later, and said after so many tries.
RETRY_S = 0.2
MOST_TRIES = 3
# A card that a hand still touches is not said to rest, but for no longer than this: then it is no hand.
HAND_S = 2.0
# What lies still for this long over a card's place without being a card is furniture: no hand holds so still.
FURNITURE_S = 4.0
# What moves over a card for this long is told: a hand that only passes is gone before.
IN_THE_WAY_S = 3.0
# Looking which cards that are costs a millisecond or two: frames from one look to the next.
LOOK_IN_THE_WAY_EVERY = 8
# A blind eye tries again this often though nothing changes.
BLIND_RETRY_S = 1.0
# Having said what lies there, the eye counts as armed for the next card after this.
DECIDED_S = 1.0
# After so much quiet it is enough to look so often. The frames between are looked at, too, once something moved: what
# comes is seen coming, and is said a fifth of a second later at the most.
LEISURE_S, LEISURELY_S = 0.5, LONGEST_GAP_S
# Of the frames passed over so many are kept, the newest: all that a camera of 15 frames a second gives.
PASSED_OVER = 2
# A hand comes from outside: what is no card nor its shadow, is as large as two fingers (in cells) and reaches the
# border of the picture.
HAND_CELLS = 10
# A motion that ends the source may not have rested for the usual time.
LAST_REST_FRAMES = 2


class Reader(Protocol):
    """Reads one picture. `known` are the believed lies, as hypotheses; `changed` (a mask of the whole picture at any
    scale) is true wherever anything may have changed, None is everywhere. `before` shows each part of the table when it
    was last read; None if that is not known."""

    def read(
        self,
        frame: Frame,
        *,
        known: Sequence[Lie] = (),
        changed: NDArray[np.bool_] | None = None,
        before: Image | None = None,
    ) -> Reading | Unreadable: ...


@dataclass(frozen=True)
class _Finding:
    """A reading compared with the believed cards, not reported yet. `at_rest` are the cells that were at rest during
    the reading, `rested_for` for how many frames. `image` is the picture that was read."""

    image: Image
    reading: Reading
    changes: PileChanges
    places: Places
    at_rest: CellMask
    rested_for: NDArray[np.int32]


class Watcher:
    """Watches the frames of one camera. Feed them in order; not for use by two threads at once."""

    def __init__(self, reader: Reader, *, fps: float = 15.0) -> None:
        """`fps` is the rate of the frames to come, in frames per second."""
        self._reader = reader
        self._fps = fps
        self._attention = Attention(fps)
        self._last_read = LastRead()
        self._health = EyeHealth()
        self._sharpness = Sharpness()
        self._believed: tuple[Lie, ...] = ()
        self._reading: Reading | None = None
        self._state, self._since_s = EyeState.SETTLING, 0.0
        self._why: tuple[Message, ...] = (Doubt.FIRST_LOOK(),)
        self._in_trouble = self._unreadable = self._giving_up = False
        self._passed_over: deque[Frame] = deque(maxlen=PASSED_OVER)
        self._looked_s = 0.0
        self._covered = Covered()
        self._places: Places | None = None
        self._doubtful: _Finding | None = None
        self._tries = 0
        self._not_before = self._next_back = self._hand_since = 0
        self._look_again_at = self._look_in_the_way_at = 0

    @property
    def state(self) -> EyeState:
        return self._state

    @property
    def why(self) -> tuple[Message, ...]:
        """Why the eye is blind, or what it waits for; empty if there is nothing to report."""
        return self._why

    @property
    def reading(self) -> Reading | None:
        """What lies there now, cards known to be hidden included; None before the first reading."""
        return self._reading

    @property
    def pose(self) -> TablePose | None:
        """The camera's pose over the table when last read."""
        return self._reading.pose if self._reading else None

    @property
    def covered(self) -> tuple[Lie, ...]:
        """The cards believed to lie there that something covers which is no card."""
        return self._covered.lies

    def give_up_covered(self) -> None:
        """Declares the cards that are covered now gone; the next frame reports it. May be called from any thread."""
        self._giving_up = True

    def feed(self, frame: Frame) -> list[Observation]:
        """Takes the next frame and returns what happened, in the order in which it happened.

        Raises BadPicture for a frame that cannot be decoded, after which watching goes on.
        """
        gone = self._given_up(frame.time_s) if self._giving_up else []
        return gone + self._fed(frame)

    def _fed(self, frame: Frame) -> list[Observation]:
        # Half a frame's time is left to the camera's clock.
        if self._at_leisure and 0 <= frame.time_s - self._looked_s < LEISURELY_S - 0.5 / self._fps:
            self._passed_over.append(frame)
            return []
        luma = small_luma(frame)
        said: list[Observation] = []
        if self._passed_over and self._attention.moves(luma):
            said += self._caught_up()
        self._passed_over.clear()
        return said + self._looked_at(frame, luma)

    def _caught_up(self) -> list[Observation]:
        """Looks at the frames that were passed over."""
        said: list[Observation] = []
        while self._passed_over:
            frame = self._passed_over.popleft()
            said += self._looked_at(frame, small_luma(frame))
        return said

    def _looked_at(self, frame: Frame, luma: Image) -> list[Observation]:
        self._looked_s = frame.time_s
        trouble = self._health.trouble(luma, frame.time_s)
        self._in_trouble = trouble is not None
        if trouble is not None:
            return self._become(EyeState.BLIND, frame.time_s, trouble)
        self._attention.take(frame, luma)
        if self._attention.quiet_for > 1 and self._sharpness.lost(luma):
            self._attention.unread(np.ones_like(self._attention.changed))
        said = self._interrupted()
        if not self._pending:
            return said + self._at_ease(frame.time_s)
        if not self._unreadable and self._state is not EyeState.SETTLING:
            said += self._become(EyeState.SETTLING, frame.time_s, (Doubt.SOMETHING_MOVES(),) if self._moving else ())
        if self._attention.now >= self._not_before:
            ripe = self._attention.ripe(everything=self._unreadable) | self._overdue
            if ripe.any():
                return said + self._read(ripe)
        return said + self._in_the_way(frame.time_s)

    def finish(self) -> list[Observation]:
        """The source has ended: returns what rests but was still waited for."""
        return [*self._caught_up(), *self._at_the_end()]

    def _at_the_end(self) -> list[Observation]:
        if self._doubtful is not None:
            return self._say(self._doubtful)
        if self._attention.now == 0 or self._in_trouble or not self._pending:
            return []
        ripe = self._attention.ripe(rest_frames=LAST_REST_FRAMES)
        return self._read(ripe, last_chance=True) if ripe.any() else []

    @property
    def _at_leisure(self) -> bool:
        """Whether a frame now and then will do, because what comes is seen coming in those between."""
        leisure = self._attention.quiet_for >= LEISURE_S * self._fps
        return leisure and self._state is EyeState.ARMED and not self._pending

    @property
    def _moving(self) -> bool:
        return self._attention.quiet_for == 0

    @property
    def _overdue(self) -> CellMask:
        """Cells over covered cards that have been still for so long that it is no hand: to be read again."""
        long_still, places = self._long_still, self._places
        cells = np.zeros_like(long_still)
        if self._attention.now >= self._look_again_at and places is not None and places.shape == cells.shape:
            for lie in self._covered.lies:
                over = places.shares(places.fine(lie)) > 0
                cells |= over & bool(long_still[over].all())
        return cells

    @property
    def _long_still(self) -> CellMask:
        return np.asarray(self._attention.still_for >= FURNITURE_S * self._fps)

    @property
    def _pending(self) -> bool:
        attention = self._attention
        changed = attention.memory.empty or attention.something_changed or self._moving
        return changed or self._unreadable or bool(self._overdue.any())

    def _in_the_way(self, time_s: float) -> list[Observation]:
        """Reports the cards over which something has been moving for long."""
        attention, places = self._attention, self._places
        long = self._state is EyeState.SETTLING and time_s - self._since_s >= IN_THE_WAY_S
        if not long or self._unreadable or places is None or places.shape != attention.changed.shape:
            return []
        known = {lie.key for lie in self._covered.lies}
        if attention.now < self._look_in_the_way_at:
            return []
        self._look_in_the_way_at = attention.now + LOOK_IN_THE_WAY_EVERY
        over = {lie.key for lie in moved_over(self._believed, places, attention.changed | (attention.still_for == 0))}
        if not over - known:
            return []
        lies = [lie for lie in self._believed if lie.key in over | known]
        self._covered.become_moved_over(lies, attention.memory.settled)
        return self._become(EyeState.SETTLING, time_s, self._covered.why)

    def _given_up(self, time_s: float) -> list[Observation]:
        """The covered cards are not believed any more; if one is seen again, it counts as new."""
        self._giving_up, self._doubtful = False, None
        lies, reading = self._covered.lies, self._reading
        if reading is None:
            return []
        keys = {lie.key for lie in lies}
        self._believed = tuple(
            replace(lie, rests_on=tuple(below for below in lie.rests_on if below not in keys))
            for lie in self._believed
            if lie.key not in keys
        )
        self._covered.become((), None)
        if self._places is not None:
            cells = self._places.shares(self._places.union(lies)) > 0
            self._attention.unread(cells)
            self._last_read.forget(self._attention.pixels_of(cells))
        self._reading = reading = replace(reading, time_s=time_s, lies=self._believed)
        gone: list[Observation] = [CardGone(time_s, lie, reading) for lie in lies]
        return gone + self._become(EyeState.SETTLING, time_s)

    def _at_ease(self, time_s: float) -> list[Observation]:
        """Nothing moves, and every change has been read."""
        self._covered.uncover_moved_over()
        if self._covered.lies:
            return []
        if self._state is EyeState.DECIDED and time_s - self._since_s < DECIDED_S:
            return []
        return self._become(EyeState.ARMED, time_s)

    def _interrupted(self) -> list[Observation]:
        """Motion begins again while a doubtful reading waits for more frames; it is reported as it is."""
        return self._say(self._doubtful) if self._doubtful is not None and self._moving else []

    def _read(self, ripe: CellMask, last_chance: bool = False) -> list[Observation]:
        frame = averaged(self._attention.frames_at_rest(ripe))
        everywhere = bool(ripe.all()) or bool(self._overdue.any())
        changed = None if everywhere else self._attention.pixels_of(self._attention.changed)
        answer = self._reader.read(frame, known=self._believed, changed=changed, before=self._last_read.image)
        if isinstance(answer, Unreadable):
            self._unreadable = True
            self._not_before = self._attention.now + round(BLIND_RETRY_S * self._fps)
            return self._become(EyeState.BLIND, frame.time_s, answer.why)
        self._unreadable = False
        finding = self._compare(frame, answer, ripe)
        if not last_chance and self._rather_wait(finding):
            return []
        return self._say(finding)

    def _compare(self, frame: Frame, reading: Reading, ripe: CellMask) -> _Finding:
        attention, believed = self._attention, self._believed
        picture = attention.picture
        if bumped(self.pose, reading.pose):
            attention.memory.forget()
            self._last_read = LastRead()
            self._covered.forget_looks()
            believed = carried_over(believed, reading.lies)
        places = self._places = Places.of(picture.mean.shape, frame.image_bgr.shape[1], picture.pixels.shape[1])
        at_rest = attention.still_for >= min(attention.rest_frames, int(attention.still_for[ripe].min()))
        evidence = PlaceEvidence(places, attention.memory, picture, at_rest, self._long_still, self._covered.uncovered)
        reading = with_same_keys(reading, believed, self._next_back + 1)
        changes = pile_changes(believed, reading, evidence, places, first_look=self._reading is None)
        return _Finding(frame.image_bgr, reading, changes, places, at_rest, attention.rested_for)

    def _rather_wait(self, finding: _Finding) -> bool:
        """Whether to look again a little later before anything is reported."""
        self._doubtful = None
        if self._held_by_hand(finding):
            self._hand_since = self._hand_since or self._attention.now
            self._not_before = self._attention.now + max(1, round(RETRY_S * self._fps))
            return self._attention.now - self._hand_since < HAND_S * self._fps
        self._hand_since = 0
        if finding.changes.in_doubt and self._tries + 1 < MOST_TRIES:
            self._tries += 1
            self._doubtful = finding
            self._not_before = self._attention.now + max(1, round(RETRY_S * self._fps))
            return True
        return False

    def _held_by_hand(self, finding: _Finding) -> bool:
        """Whether something that reaches in from outside the picture touches a card that would be new."""
        attention, places = self._attention, finding.places
        if attention.memory.empty or not finding.changes.rested:
            return False
        # A card's shadow lies beside it.
        cards = grown(places.shares(places.union(finding.changes.believed)) > 0)
        new = places.cells(places.union(finding.changes.rested))
        for group in groups(attention.changed & ~cards):
            if group.sum() >= HAND_CELLS and _touches_border(group) and (grown(grown(grown(group))) & new).any():
                return True
        return False

    def _say(self, finding: _Finding) -> list[Observation]:
        """Believes the reading, and returns what is new in it."""
        changes, reading = finding.changes, replace(finding.reading, lies=finding.changes.believed)
        self._doubtful = None
        self._tries = self._not_before = self._hand_since = 0
        self._believed, self._reading = changes.believed, reading
        backs = [int(lie.key[1:]) for lie in changes.rested if lie.card is None]
        self._next_back = max([self._next_back, *backs])
        self._covered.become(changes.covered, self._attention.memory.settled)
        self._look_again_at = self._attention.now + round(FURNITURE_S * self._fps)
        self._remember(finding)
        said: list[Observation] = [CardGone(reading.time_s, lie, reading) for lie in changes.gone]
        # Arrivals before moves: a card that was moved may rest on one that just came.
        said += _in_order([CardRested(self._rested_s(lie, finding), lie, reading) for lie in changes.rested])
        said += [CardMoved(self._rested_s(after, finding), before, after, reading) for before, after in changes.moved]
        why = self._covered.why
        state = EyeState.SETTLING if why else EyeState.ARMED if changes.nothing else EyeState.DECIDED
        return said + self._become(state, reading.time_s, why)

    def _remember(self, finding: _Finding) -> None:
        attention, places = self._attention, finding.places
        cards = places.shares(places.union(finding.changes.believed)) > 0
        looks_empty, known = attention.memory.looks_empty(attention.picture)
        # Still at rest: a doubtful reading may have waited until something moved again.
        at_rest = finding.at_rest & (attention.still_for > 0) & ~self._still_waited_for(finding)
        furniture = attention.still_for >= FURNITURE_S * self._fps
        attention.memory.learn_backdrop(attention.picture, at_rest & ~cards & (looks_empty | ~known | furniture))
        attention.read(at_rest)
        self._last_read.accept(finding.image, attention.pixels_of(at_rest))

    def _still_waited_for(self, finding: _Finding) -> CellMask:
        """The cells of cards that were seen but not said, because something still moved on them or beside: they are to
        be read again, all of them."""
        believed = {lie.key for lie in finding.changes.believed}
        cells = np.zeros_like(finding.at_rest)
        for lie in finding.reading.lies:
            of_card = finding.places.shares(finding.places.fine(lie)) > 0
            if lie.key not in believed and not finding.at_rest[of_card].all():
                cells |= of_card
        return cells

    def _rested_s(self, lie: Lie, finding: _Finding) -> float:
        """When the last motion on the card ended."""
        cells = finding.places.shares(finding.places.fine(lie)) > 0
        still = int(finding.rested_for[cells].min()) if cells.any() else 0
        return max(0.0, finding.reading.time_s - still / self._fps)

    def _become(self, state: EyeState, time_s: float, why: tuple[Message, ...] = ()) -> list[Observation]:
        if state is self._state and why == self._why:
            return []
        self._state, self._why, self._since_s = state, why, time_s
        return [EyeChanged(time_s, state, why)]


def _touches_border(cells: CellMask) -> bool:
    # Two cells: the outermost may show too little of an arm to have changed.
    return bool(cells[:2].any() or cells[-2:].any() or cells[:, :2].any() or cells[:, -2:].any())


def _in_order(arrived: list[CardRested]) -> list[CardRested]:
    """Lower cards first, then by the time of coming to rest."""
    waiting = sorted(arrived, key=lambda each: each.at_s)
    ordered: list[CardRested] = []
    while waiting:
        keys = {each.lie.key for each in waiting}
        free = [each for each in waiting if not keys & set(each.lie.rests_on)] or waiting
        ordered.append(free[0])
        waiting.remove(free[0])
    return ordered
