"""A frame source of your own: anything that hands out pictures can be watched like a camera.

This one fades between two pictures, as a slide projector would. A source keeps the promise of `FrameSource`
(`arena_cam/camera/frame.py`): a name, whether it is live, its rate, `read` and `close`. To give it a word on the
command line, add a case to `arena_cam/camera/open_source.py`. Hardware is imported there, when it is asked for.

Run: python examples/add_a_camera_source.py
"""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.camera.frame import Frame, FrameSource, Image


class SlideProjector:
    """Frames that fade from one picture to another, then end."""

    def __init__(self, first: Image, second: Image, frames: int, fps: float = 15.0) -> None:
        self.name = "slides"
        self.live = False  # time passes only as frames are read
        self.fps = fps
        self._pictures = first, second
        self._frames, self._next = frames, 0

    def read(self) -> Frame | None:
        """The next frame; None after the last. A camera raises CameraLost here when it is unplugged."""
        if self._next >= self._frames:
            return None
        share = self._next / (self._frames - 1)
        faded = cv2.addWeighted(self._pictures[0], 1 - share, self._pictures[1], share, 0)
        frame = Frame(
            image_bgr=np.asarray(faded, np.uint8),
            time_s=self._next / self.fps,
            sequence=self._next,
            source=self.name,
            name=f"slide-{self._next}",
        )
        self._next += 1
        return frame

    def close(self) -> None:
        """Frees the device; may be called twice."""
        self._next = self._frames


def mean_brightness(source: FrameSource) -> list[float]:
    """What any consumer does: read to the end, then close."""
    levels = []
    try:
        while (frame := source.read()) is not None:
            levels.append(round(float(frame.image_bgr.mean()), 1))
    finally:
        source.close()
    return levels


def main() -> None:
    dark, bright = (np.full((48, 64, 3), grey, np.uint8) for grey in (20, 220))
    print(*mean_brightness(SlideProjector(dark, bright, frames=5)))


if __name__ == "__main__":
    main()
