"""The last few seconds of frames, compressed: what a throw is kept with. And the newest frame for whoever looks."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from arena_cam.camera.encoded_frame import EncodedFrame
from arena_cam.camera.frame import Frame, Image

# A throw takes a second or two from the hand's coming to rest, and up to one more until it is believed.
KEPT_FRAMES = 56
# More pictures a second than this show a throw no better; the disk is small.
MOST_FPS = 15.5
# Quiet frames kept uncompressed: they show the table before the throw, and most of them are never needed.
QUIET_FRAMES = 6
# Sharp enough to judge again by; half the size of 95.
EVIDENCE_QUALITY = 90
LIVE_QUALITY = 78
THUMBNAIL_PX = 360


@dataclass
class _Kept:
    """One moment: as JPEG, or still as the frame (never both: a second of frames takes 60 MB)."""

    time_s: float
    frame: Frame | None
    jpeg: bytes = b""

    def compress(self) -> bytes:
        if self.frame is not None:
            self.jpeg, self.frame = as_jpeg(self.frame), None
        return self.jpeg


class FrameRing:
    """Frames of the last seconds. Quiet frames stay as they came and soon go; others are compressed as they come."""

    def __init__(self) -> None:
        self._kept: deque[_Kept] = deque(maxlen=KEPT_FRAMES)
        self._last_s = float("-inf")

    def add(self, frame: Frame, quiet: bool) -> None:
        """Takes the next frame; `quiet` says that nothing moves in it."""
        if frame.time_s - self._last_s < 1.0 / MOST_FPS and frame.time_s >= self._last_s:
            return
        self._last_s = frame.time_s
        kept = _Kept(frame.time_s, frame)
        self._kept.append(kept)
        if not quiet:
            kept.compress()
        else:
            while len(self._kept) > QUIET_FRAMES:
                self._kept.popleft()

    def take(self) -> list[tuple[float, bytes]]:
        """(time in seconds, JPEG) of the frames kept, the oldest first."""
        return [(kept.time_s, kept.compress()) for kept in self._kept]

    def clear(self) -> None:
        self._kept.clear()
        self._last_s = float("-inf")


def as_jpeg(frame: Frame) -> bytes:
    """The frame as JPEG: its own bytes where it came compressed."""
    return frame.encoded if isinstance(frame, EncodedFrame) else to_jpeg(frame.image_bgr, EVIDENCE_QUALITY)


def lossless(frame: Frame) -> tuple[str, bytes]:
    """(file ending, bytes) of the frame without any loss."""
    if isinstance(frame, EncodedFrame):
        png = frame.encoded[:4] == b"\x89PNG"
        return "png" if png else "jpg", frame.encoded
    done, png_bytes = cv2.imencode(".png", frame.image_bgr, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return "png", png_bytes.tobytes() if done else b""


def to_jpeg(image_bgr: Image, quality: int = LIVE_QUALITY) -> bytes:
    """`image_bgr` (height, width, 3), uint8, as JPEG."""
    _, jpeg = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return jpeg.tobytes()


def thumbnail(frame: Frame, corners_px: tuple[tuple[float, float], ...]) -> bytes:
    """A small JPEG of the card with `corners_px` and what lies round it."""
    image = frame.image_bgr
    height, width = image.shape[:2]
    xs, ys = [x for x, _ in corners_px], [y for _, y in corners_px]
    half = max(max(xs) - min(xs), max(ys) - min(ys), 16.0) * 0.8
    cx, cy = sum(xs) / len(xs), sum(ys) / len(ys)
    x0, x1 = int(max(0, cx - half)), int(min(width, cx + half))
    y0, y1 = int(max(0, cy - half)), int(min(height, cy + half))
    cut = image[y0:y1, x0:x1] if x1 - x0 > 4 and y1 - y0 > 4 else image
    scale = THUMBNAIL_PX / max(cut.shape[:2])
    if scale < 1.0:
        cut = np.asarray(cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return to_jpeg(cut)


def light_and_focus(frame: Frame) -> tuple[float, float]:
    """(mean grey level 0 to 255, variance of the Laplacian) of a small grey picture: for people who set up a camera."""
    luma = frame.luma_small
    if luma is None:
        small = cv2.resize(frame.image_bgr, (320, 180), interpolation=cv2.INTER_AREA)
        luma = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    return float(luma.mean()), float(cv2.Laplacian(luma, cv2.CV_64F).var())
