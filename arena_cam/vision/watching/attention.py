"""Where to look: the parts of the picture that changed since the last reading, and whether they are at rest."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.vision.watching.creeping import FRAMES as CREEP_FRAMES
from arena_cam.vision.watching.creeping import creeping
from arena_cam.vision.watching.scene_memory import SceneMemory, groups
from arena_cam.vision.watching.stillness import (
    CELL_PX,
    CellMask,
    CellPicture,
    NoiseModel,
    Stillness,
    cell_picture,
    grown,
)

# Times are given in seconds and counted in frames of the source's rate.
# A change rests when nothing moved there, or anywhere, for this long: four frames at 15 frames/s.
REST_S = 0.25
# The same while something moves elsewhere (a hand that withdraws): longer, because it may come back.
LOCAL_REST_S = 0.33
# A slow creep is waited for, but not for ever: the sun's shadows creep all day.
LONGEST_CREEP_S = 2.0
# What crept between the last two and the first two of five frames may have stopped three frames ago.
CREEP_LAG = 3
# Frames averaged at most: the noise falls with the root of their number, the cost grows with each.
MOST_AVERAGED = 6
# Frames between two looks for what changed too slowly to be called motion.
LOOK_EVERY = 8
# Nobody saw what happened between two frames that are further apart: no more than this counts as seen at rest.
LONGEST_GAP_S = 0.2
# More of the picture than this changing at once is the camera or the light, not a card.
EVERYWHERE = 0.5
# Small pictures are made about this wide where the camera does not give one.
SMALL_WIDTH_PX = 240


class Attention:
    """Takes small pictures one after another. `changed` and `still_for` speak of the cells of the last one.

    Times are counted in frames of the source's rate, by the frames' own times: frames that were not looked at count.
    """

    def __init__(self, fps: float) -> None:
        """`fps` is the source's rate, in frames per second."""
        self.noise = NoiseModel()
        self.memory = SceneMemory(self.noise)
        self.rest_frames = max(2, round(REST_S * fps))
        self._local_rest_frames = max(self.rest_frames, round(LOCAL_REST_S * fps))
        self._longest_creep_frames = round(LONGEST_CREEP_S * fps)
        self._fps, self._longest_gap_frames = fps, max(1, round(LONGEST_GAP_S * fps))
        self._stillness = Stillness(self.noise)
        self._frames: deque[tuple[int, Frame]] = deque(maxlen=MOST_AVERAGED)
        self._pictures: deque[CellPicture] = deque(maxlen=CREEP_FRAMES)
        self._glance: tuple[Image, CellPicture] | None = None
        self.now = 0
        self._crept_at: NDArray[np.int32] = np.zeros((0, 0), np.int32)
        self._luma_shape: tuple[int, ...] = (0, 0)
        self.changed: CellMask = np.zeros((0, 0), bool)

    @property
    def picture(self) -> CellPicture:
        return self._pictures[-1]

    @property
    def still_for(self) -> NDArray[np.int32]:
        """Frames since the last motion in a cell or beside it."""
        return self._stillness.still_for

    @property
    def rested_for(self) -> NDArray[np.int32]:
        """Frames since the last motion in a cell or beside it, creeping included where it was looked for."""
        return np.minimum(self.still_for, self.now - self._crept_at)

    @property
    def quiet_for(self) -> int:
        """Frames since the last motion anywhere."""
        return self._stillness.quiet_for

    @property
    def something_changed(self) -> bool:
        return bool(self.changed.any())

    def pixels_of(self, cells: CellMask) -> CellMask:
        """Some `cells` as a mask of the whole small picture."""
        mask = np.repeat(np.repeat(cells, CELL_PX, axis=0), CELL_PX, axis=1)
        # What is left of the picture beyond whole cells is as the last of them.
        beyond = [(0, whole - part) for whole, part in zip(self._luma_shape, mask.shape, strict=True)]
        return np.pad(mask, beyond, mode="edge")

    def take(self, frame: Frame, luma: Image) -> None:
        """The next frame and its small grey picture."""
        glance, self._glance = self._glance, None
        picture = glance[1] if glance is not None and glance[0] is luma else cell_picture(luma)
        self._luma_shape = luma.shape
        if not self.memory.fits(picture):
            self.memory.forget()
            self._frames.clear()
            self._pictures.clear()
        passed = self._passed_since_last(frame)
        due = (self.now + passed) // LOOK_EVERY > self.now // LOOK_EVERY
        self.now += passed
        self._frames.append((self.now, frame))
        self._pictures.append(picture)
        self._stillness.update(picture, passed)
        if self._crept_at.shape != picture.mean.shape:
            self._crept_at = np.zeros(picture.mean.shape, np.int32)
        # A quiet picture that had nothing new is looked at closely only now and then.
        if self.changed.shape != picture.mean.shape or self.something_changed or self.quiet_for <= 1 or due:
            self.changed = self.memory.changed(picture)
            if due and self.quiet_for > 1:
                self.memory.follow(picture, ~self.changed)

    def _passed_since_last(self, frame: Frame) -> int:
        """By how many frames `frame` is later than the last one: at least one, and no more than are passed over."""
        if not self._frames:
            return 1
        passed = round((frame.time_s - self._frames[-1][1].time_s) * self._fps)
        return min(max(1, passed), self._longest_gap_frames)

    def moves(self, luma: Image) -> bool:
        """Whether something moved between the last picture taken and `luma`, which is not taken."""
        picture = cell_picture(luma)
        self._glance = luma, picture
        return self._stillness.moves(picture)

    def ripe(self, *, everything: bool = False, rest_frames: int | None = None) -> CellMask:
        """The changed cells that rest: whole groups of them, still for long enough and not creeping.

        With `everything`, or where the whole picture changed, all cells once all are still.
        """
        rest = rest_frames or self.rest_frames
        if everything or self.memory.empty or self.changed.mean() > EVERYWHERE:
            return np.full(self.changed.shape, self.quiet_for >= rest)
        ripe = np.zeros(self.changed.shape, bool)
        for group in groups(self.changed):
            age = int(self.still_for[group].min())
            enough = rest if self.quiet_for >= rest else max(rest, self._local_rest_frames)
            if age < enough:
                continue
            if CREEP_FRAMES - 1 <= age <= self._longest_creep_frames and creeping(list(self._pictures), grown(group)):
                self._crept_at[grown(group)] = self.now - CREEP_LAG
                continue
            ripe |= group
        return ripe

    def frames_at_rest(self, ripe: CellMask) -> list[Frame]:
        """The latest frames in which the cells `ripe` were at rest, oldest first; at least one."""
        age = int(self.still_for[ripe].min()) if ripe.any() else 0
        return [frame for now, frame in self._frames if now >= self.now - age]

    def read(self, at_rest: CellMask) -> None:
        """What the last picture shows in the cells `at_rest` has been read."""
        self.memory.accept(self.picture, at_rest)
        self.changed = self.memory.changed(self.picture)

    def unread(self, cells: CellMask) -> None:
        """Marks the `cells` as to be read again, whatever they look like."""
        if cells.shape == self.changed.shape:
            self.memory.disown(cells)
            self.changed = self.changed | cells


def small_luma(frame: Frame) -> Image:
    """The small grey picture that the camera gave, or one made from the large one.

    It is luma, not green: compressors write colour far more coarsely than luma, and green is made of both.
    """
    if frame.luma_small is not None:
        return frame.luma_small
    image = frame.image_bgr
    factor = max(1, round(image.shape[1] / SMALL_WIDTH_PX))
    size = (image.shape[1] // factor, image.shape[0] // factor)
    # Half-way by taking every second row and column, then by averaging: a third of the time of averaging them all.
    step = 2 if factor >= 4 else 1
    luma = cv2.cvtColor(image[::step], cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(luma[:, ::step], size, interpolation=cv2.INTER_AREA), np.uint8)
