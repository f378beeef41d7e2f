"""A video file as a frame source."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.camera.messages import CameraTrouble, PictureTrouble, SourceRefusal
from arena_cam.domain.errors import BadInput, BadPicture, CameraLost

# Containers only estimate how many frames they hold; fewer by this share is no sign of a torn file.
COUNT_TOLERANCE = 0.02


class VideoSource:
    """Hands out a video file's frames with their times from its start; not live.

    `fps` serves where the file does not say its own rate. Raises BadInput when made if the file is not there or is no
    video that this machine can decode.
    """

    live = False

    def __init__(self, file: Path | str, fps: float = 15.0) -> None:
        file = Path(file)
        if not file.is_file():
            raise BadInput(SourceRefusal.NO_FILE(), about=file)
        if file.stat().st_size == 0:
            raise BadInput(SourceRefusal.EMPTY_VIDEO(), about=file)
        self._capture: cv2.VideoCapture | None = cv2.VideoCapture(str(file))
        if not self._capture.isOpened():
            raise BadInput(SourceRefusal.NO_VIDEO(), about=file)
        said = float(self._capture.get(cv2.CAP_PROP_FPS))
        self.fps = said if math.isfinite(said) and 0.5 <= said <= 1000 else float(fps)
        count = float(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._count = int(count) if math.isfinite(count) and count > 0 else 0
        self.name, self._file = str(file), file
        self._sequence = 0
        self._gone = False

    def read(self) -> Frame | None:
        """The next frame; None after the last.

        Raises BadPicture once if the video breaks off before its end; the call after that returns None. Raises
        CameraLost while the file cannot be read, as when its disk was pulled out: once it is back, it goes on.
        """
        if self._gone:
            self._open_again()
        if self._capture is None:
            return None
        try:
            good, image = self._capture.read()
        except cv2.error:
            good, image = False, None
        if not good or image is None or image.size == 0:
            self._end()
            return None
        sequence, self._sequence = self._sequence, self._sequence + 1
        if image.ndim == 2:
            image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
        return Frame(
            image_bgr=np.asarray(image, np.uint8),
            time_s=sequence / self.fps,
            sequence=sequence,
            source=self.name,
            name=f"{Path(self.name).stem}-{sequence:06d}",
        )

    def _end(self) -> None:
        self.close()
        breaks_off = self._count - self._sequence > max(2, COUNT_TOLERANCE * self._count)
        if breaks_off and not self._readable():
            self._gone = True
            raise CameraLost(CameraTrouble.FILE_GONE(name=self.name))
        if self._sequence == 0:
            raise BadPicture(PictureTrouble.VIDEO_UNREADABLE(), about=self.name)
        if breaks_off:
            broken = PictureTrouble.VIDEO_BREAKS_OFF(frame=self._sequence, count=self._count)
            raise BadPicture(broken, about=self.name)

    def _readable(self) -> bool:
        """Whether the file can be read about where the next frame is.

        Of a disk that is gone the system may still have what was read before.
        """
        try:
            with self._file.open("rb") as file:
                file.seek(self._file.stat().st_size * self._sequence // max(1, self._count))
                file.read(1)
        except OSError:
            return False
        return True

    def _open_again(self) -> None:
        """Raises CameraLost where the file is not back, or not yet whole."""
        capture = cv2.VideoCapture(str(self._file)) if self._readable() else None
        if capture is None or not all(capture.grab() for _ in range(self._sequence)):
            raise CameraLost(CameraTrouble.FILE_GONE(name=self.name))
        self._capture, self._gone = capture, False

    def close(self) -> None:
        self._gone = False
        if self._capture is not None:
            self._capture.release()
            self._capture = None
