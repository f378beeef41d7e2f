"""A USB camera (or any other that OpenCV opens by number) as a live frame source."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.camera.live import Grab, LiveSource, clock_s
from arena_cam.camera.messages import CameraTrouble, SourceTrouble
from arena_cam.domain.errors import CameraLost, CannotDo

# After this many empty reads in a row a camera is gone; one or two happen on good cameras when exposure changes.
EMPTY_READS = 5


class UsbDevice:
    """One opened camera. Raises CannotDo when made if there is none of that number."""

    def __init__(self, number: int, size_px: tuple[int, int], fps: float) -> None:
        self._capture = cv2.VideoCapture(number)
        if not self._capture.isOpened():
            self._capture.release()
            raise CannotDo(SourceTrouble.NO_USB_CAMERA(number=number))
        # Compressed frames: 1536 x 864 uncompressed at 15 frames/s does not fit through USB 2.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def grab(self) -> Grab:
        for _ in range(EMPTY_READS):
            good, image = self._capture.read()
            if good and image is not None and image.size:
                if image.ndim == 2:
                    image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
                return Grab(np.asarray(image, np.uint8), clock_s())
        raise CameraLost(CameraTrouble.SENDS_NOTHING())

    def close(self) -> None:
        self._capture.release()


def open_usb(number: int, fps: float = 30.0, size_px: tuple[int, int] = (1536, 864)) -> LiveSource:
    """The live source of USB camera `number`. Raises CannotDo if no camera answers there.

    The camera may deliver another size than `size_px` if it does not know that one.
    """
    return LiveSource(f"usb:{number}", lambda: UsbDevice(number, size_px, fps), fps)
