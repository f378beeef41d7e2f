"""A telephone as the camera: pictures that its browser sends, as a live frame source."""

from __future__ import annotations

import math
import threading
import time

import cv2
import numpy as np

from arena_cam.camera.decoding import decode_picture
from arena_cam.camera.frame import Frame, Image
from arena_cam.camera.messages import CameraTrouble
from arena_cam.domain.errors import CameraLost, PictureAwaited, Refused

PHONE = "phone"
PATIENCE_S = 6.0  # a telephone that sends nothing for so long is away
# An eye wants to see a table rest: a single photograph stands for so many frames, so far apart.
STILL_FRAMES, STILL_S = 4, 0.2
MOST_SIDE_PX = 1920  # a photograph of 12 megapixels is made smaller: more shows no card better


class PhoneSource:
    """The newest picture that was `put` in; readers who are busy miss those in between."""

    name, live = PHONE, True

    def __init__(self, fps: float) -> None:
        self.fps = fps
        self._news = threading.Condition()
        self._image: Image | None = None
        self._left, self._still = 0, False
        self._sequence = 0
        self._began_s = time.monotonic()
        self._sender, self._sent_s = "", -math.inf
        self._closed = False

    def put(self, content: bytes, still: bool = False, sender: str = "") -> None:
        """Takes a picture (JPEG, PNG) as the next frame; `still`: it is a photograph, and none follows soon.

        `sender` tells telephones apart: two that film would mix two views of the table. Whoever sends is the camera
        until PATIENCE_S without a picture have passed.

        Raises BadPicture for what is no picture, or did not arrive whole; Refused while another telephone sends.
        """
        self._let_in(sender)
        image = _small(decode_picture(content, PHONE))
        with self._news:
            self._sent_s = time.monotonic()
            self._image, self._left, self._still = image, STILL_FRAMES if still else 1, still
            self._news.notify_all()

    def read(self) -> Frame | None:
        """The next frame, waiting for it; None after `close`.

        Raises CameraLost when a telephone sends no more; PictureAwaited where none has sent yet, or one sent a single
        photograph.
        """
        with self._news:
            if self._left and self._sequence and self._left < STILL_FRAMES:
                self._news.wait_for(lambda: self._closed, STILL_S)
            arrived = self._news.wait_for(lambda: self._left > 0 or self._closed, PATIENCE_S)
            if self._closed:
                return None
            if not arrived or self._image is None:
                raise self._nothing()
            self._left -= 1
            sequence, self._sequence = self._sequence, self._sequence + 1
            time_s = time.monotonic() - self._began_s
            return Frame(self._image, time_s, sequence, PHONE, f"{PHONE}-{sequence:06d}")

    def _nothing(self) -> CameraLost:
        if self._still:
            return PictureAwaited(CameraTrouble.NEXT_PHOTO())
        return (PictureAwaited if self._image is None else CameraLost)(CameraTrouble.NO_PHONE())

    def _let_in(self, sender: str) -> None:
        with self._news:
            if sender != self._sender and time.monotonic() - self._sent_s < PATIENCE_S:
                raise Refused("not_now", CameraTrouble.ANOTHER_PHONE(wait_s=round(PATIENCE_S)))
            self._sender = sender

    def close(self) -> None:
        """Ends whoever waits; may be called twice."""
        with self._news:
            self._closed = True
            self._news.notify_all()


def _small(image: Image) -> Image:
    """The picture, no larger than needed."""
    factor = MOST_SIDE_PX / max(image.shape[:2])
    if factor >= 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
