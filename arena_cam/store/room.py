"""Keeps evidence within its budget and the disk from filling: the oldest pictures that nobody disputes go first.

Only what the database knows is ever removed, and it is written down before it happens. Files that the database does not
know are somebody's: they are left alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from arena_cam.domain.errors import Refused
from arena_cam.domain.messages import Message
from arena_cam.store.matches import KeptThrow, Matches
from arena_cam.store.messages import DiskTrouble
from arena_cam.store.pictures import Pictures

# A throw of 40 frames of 1536x864 takes some 8 MB; an evening of 200 throws 1.6 GB. A small card has 16 GB.
DEFAULT_BUDGET_BYTES = 4 * 1024**3
# What the operating system needs for logs and updates, and we for the database.
DEFAULT_KEEP_FREE_BYTES = 512 * 1024**2


@dataclass(frozen=True, slots=True)
class Room:
    """How much there is. `ok` is false where the next throw's pictures may not be kept; `why` says why not."""

    free_bytes: int
    evidence_bytes: int
    budget_bytes: int
    keep_free_bytes: int
    ok: bool
    why: Message | None


def free_bytes(folder: Path) -> int:
    """What an ordinary user may still write to the disk of `folder`, in bytes."""
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize


class RoomGuard:
    """Makes room before pictures are written. `measure_free` gives the free bytes of a folder's disk."""

    def __init__(
        self,
        matches: Matches,
        pictures: Pictures,
        budget_bytes: int = DEFAULT_BUDGET_BYTES,
        keep_free_bytes: int = DEFAULT_KEEP_FREE_BYTES,
        measure_free: Callable[[Path], int] = free_bytes,
    ) -> None:
        self._matches = matches
        self._pictures = pictures
        self._budget = budget_bytes
        self._keep_free = keep_free_bytes
        self._measure_free = measure_free
        self._finish_removals()

    def state(self) -> Room:
        """How much room there is now; none where the data folder cannot be reached."""
        free = self._free()
        if free is None:
            return Room(0, 0, self._budget, self._keep_free, False, self._unreachable)
        used = self._matches.kept_bytes()
        why = None
        if free < self._keep_free:
            why = DiskTrouble.LITTLE_FREE(free_mb=free // 2**20, wanted_mb=self._keep_free // 2**20)
        elif used > self._budget:
            why = DiskTrouble.OVER_BUDGET(size_mb=used // 2**20, most_mb=self._budget // 2**20)
        return Room(free, used, self._budget, self._keep_free, why is None, why)

    def make_room(self, needed: int, at: float, protected: Collection[str] = ()) -> list[str]:
        """Removes old pictures until `needed` bytes fit; returns the throws that lost theirs, usually none.

        `protected` throws and pinned ones keep theirs. Raises Refused `disk_full` where that is not enough.
        """
        if self._free() is None:
            raise Refused("disk_full", DiskTrouble.NOT_KEPT(why=self._unreachable))
        room = self.state()
        excess = max(room.evidence_bytes + needed - self._budget, needed + self._keep_free - room.free_bytes)
        if excess <= 0:
            return []
        victims, freed = [], 0
        for throw in self._removable(protected):
            if freed >= excess:
                break
            victims.append(throw)
            freed += throw.bytes
        if freed < excess:
            raise Refused("disk_full", DiskTrouble.NO_ROOM())
        self._matches.mark_removed([throw.id for throw in victims], at)
        for throw in victims:
            self._pictures.remove_throw(throw.game, throw.id)
        return [throw.id for throw in victims]

    def _free(self) -> int | None:
        """Free bytes; None where the data folder is gone (a disk that was pulled out, a folder that was moved)."""
        for folder in (self._pictures.folder, self._pictures.folder.parent):
            try:
                return self._measure_free(folder)
            except OSError:
                continue
        return None

    @property
    def _unreachable(self) -> Message:
        return DiskTrouble.UNREACHABLE(name=str(self._pictures.folder.parent))

    def _removable(self, protected: Collection[str]) -> list[KeptThrow]:
        """Unpinned throws with pictures: those of games that are over first, then the oldest."""
        ended = {game.id for game in self._matches.games() if game.ended is not None}
        kept = [t for t in self._matches.throws() if t.removed is None and not t.pinned and t.id not in protected]
        return sorted(kept, key=lambda throw: (throw.game not in ended, throw.at))

    def _finish_removals(self) -> None:
        """A removal that was written down and then cut short is finished."""
        for throw in self._matches.throws():
            if throw.removed is not None and self._pictures.names(throw.game, throw.id):
                self._pictures.remove_throw(throw.game, throw.id)
