"""What stands in for the session's watcher while a table is set up."""

from __future__ import annotations

from collections.abc import Callable

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie, Reading, TablePose
from arena_cam.domain.messages import Message
from arena_cam.domain.observations import EyeState, Observation


class DeskWatcher:
    """Observes nothing of the game, and hands every frame to `offer`, which returns at once."""

    state = EyeState.BLIND
    why: tuple[Message, ...] = (Doubt.SETTING_UP(),)
    reading: Reading | None = None
    pose: TablePose | None = None
    covered: tuple[Lie, ...] = ()

    def __init__(self, offer: Callable[[Frame], None]) -> None:
        self._offer = offer

    def feed(self, frame: Frame) -> list[Observation]:
        self._offer(frame)
        return []

    def give_up_covered(self) -> None:
        """Nothing is believed, so nothing is covered."""

    def finish(self) -> list[Observation]:
        return []
