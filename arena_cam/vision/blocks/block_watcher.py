"""Duelling blocks in time: an open block is believed once several pictures of a table at rest show the same."""

from __future__ import annotations

import math
from typing import Protocol

from arena_cam.camera.frame import Frame
from arena_cam.domain.blocks import OpenBlock
from arena_cam.domain.lies import TablePose

# Pictures that must show the same, and for how long at least: a hand that hesitates is not still for so long.
LOOKS = 3
LEAST_S = 0.3
# A table at rest is looked at again this often, for what light or focus hid before.
AGAIN_S = 1.0
# Two looks at a block that nobody touched differ by less than this: corners repeat to a few tenths of a millimetre.
SAME_MM, SAME_DEG = 1.5, 3.0


class Finder(Protocol):
    """Finds the blocks in one picture."""

    def find(self, frame: Frame, pose: TablePose, /) -> tuple[OpenBlock, ...]: ...


class BlockWatcher:
    """Give it the frames in which the table rests, in order, and tell it of each in which it does not."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._last: tuple[OpenBlock, ...] = ()
        self._alike = 0
        self._since_s = self._looked_s = 0.0

    def interrupted(self) -> None:
        """Something moves, or nothing can be seen: earlier pictures do not count any more."""
        self._alike = 0

    def glance(self, frame: Frame, pose: TablePose) -> tuple[OpenBlock, ...]:
        """The blocks that one picture alone shows, at rest or not."""
        return self._finder.find(frame, pose)

    def look(self, frame: Frame, pose: TablePose) -> tuple[OpenBlock, ...] | None:
        """The blocks that lie open, or None as long as too few pictures have shown the same."""
        if self._settled and 0.0 <= frame.time_s - self._looked_s < AGAIN_S:
            return self._last
        seen = self._finder.find(frame, pose)
        self._looked_s = frame.time_s
        if self._alike == 0 or not same_blocks(self._last, seen):
            self._alike, self._since_s = 0, frame.time_s
        self._last = seen
        self._alike += 1
        return seen if self._settled else None

    @property
    def _settled(self) -> bool:
        return self._alike >= LOOKS and self._looked_s - self._since_s >= LEAST_S


def same_blocks(first: tuple[OpenBlock, ...], second: tuple[OpenBlock, ...]) -> bool:
    """Whether the same blocks lie in the same places."""
    return len(first) == len(second) and all(
        a.block == b.block and not lies_elsewhere(a, b, SAME_MM, SAME_DEG) for a, b in zip(first, second, strict=True)
    )


def lies_elsewhere(a: OpenBlock, b: OpenBlock, by_mm: float, by_deg: float) -> bool:
    """Whether two places differ by more than `by_mm` or `by_deg`."""
    turned = abs((a.angle_deg - b.angle_deg + 180.0) % 360.0 - 180.0)
    return math.dist(a.centre_mm, b.centre_mm) > by_mm or turned > by_deg
