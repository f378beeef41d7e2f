"""An eye for tokens: dark discs on a light table, one more in each picture that shows a new one."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.domain.lies import Face, Lie, Reading, TablePose
from arena_cam.domain.observations import CardGone, CardRested, EyeState, Observation

MM_A_PIXEL = 2.0
NEAR_MM = 5.0  # a token nearer than this to where one lay is the same one


class TokenEye:
    """referee.keeping.replay.Watching for tokens. The picture's middle is between the sides."""

    state, why = EyeState.ARMED, ""
    pose: TablePose | None = None
    covered: tuple[Lie, ...] = ()

    def __init__(self, _fps: float = 15.0) -> None:
        self.reading: Reading | None = None

    def give_up_covered(self) -> None:
        """Nothing is ever covered."""

    def feed(self, frame: Frame) -> list[Observation]:
        before = self.reading.lies if self.reading is not None else ()
        now = self._read(frame, before)
        self.reading = Reading(frame.name, frame.time_s, now)
        gone = [lie for lie in before if all(lie.key != other.key for other in now)]
        came = [lie for lie in now if all(lie.key != other.key for other in before)]
        observations: list[Observation] = [CardGone(frame.time_s, lie, self.reading) for lie in gone]
        return observations + [CardRested(frame.time_s, lie, self.reading) for lie in came]

    def finish(self) -> list[Observation]:
        return []

    def _read(self, frame: Frame, before: tuple[Lie, ...]) -> tuple[Lie, ...]:
        grey = cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY)
        middle = grey.shape[1] / 2
        _, _, boxes, centres = cv2.connectedComponentsWithStats(np.asarray(grey < 128, np.uint8))
        lies: list[Lie] = []
        for number, (x, y) in enumerate(centres[1:], start=1):
            at_mm = ((float(x) - middle) * MM_A_PIXEL, -float(y) * MM_A_PIXEL)
            known = [
                lie.key for lie in before if lie.centre_mm and np.hypot(*np.subtract(lie.centre_mm, at_mm)) < NEAR_MM
            ]
            left, top, width, height = (float(v) for v in boxes[number][:4])
            corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
            key = known[0] if known else f"token-{frame.sequence}-{number}"
            lies.append(Lie(key, None, Face.UP, None, 1.0, None, None, at_mm, 0.0, corners))
        return tuple(lies)
