"""A frame that stays compressed until somebody looks at it: most frames of a quiet table are never looked at."""

from __future__ import annotations

from typing import Any

import cv2

from arena_cam.camera.decoding import decode_picture
from arena_cam.camera.frame import Frame, Image

# Reduced decoding skips most of the inverse transform of a JPEG: at a quarter of the width it takes a quarter of the
# time of the full colour picture. A picture wider than this at a quarter is taken at an eighth.
WIDEST_SMALL_PX = 640


class EncodedFrame(Frame):
    """A Frame made from a JPEG file's bytes. `luma_small` is decoded when first asked for, `image_bgr` each time.

    Not keeping the decoded picture is on purpose: a second of frames kept as evidence is then 1 MB instead of 25.
    """

    encoded: bytes
    _small: Image | None

    def __init__(
        self,
        encoded: bytes,
        *,
        time_s: float,
        sequence: int,
        source: str,
        name: str,
        metadata: dict[str, Any] | None = None,
    ) -> None:
        """Nothing is decoded yet, so bytes that are no picture are found out later."""
        values = {
            "encoded": encoded,
            "_small": None,
            "time_s": time_s,
            "sequence": sequence,
            "source": source,
            "name": name,
            "metadata": metadata or {},
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @property
    def luma_small(self) -> Image:
        """A small grey picture, a quarter or an eighth of the full width. Raises BadPicture if there is no picture."""
        if self._small is None:
            object.__setattr__(self, "_small", _decode_small(self.encoded, self.name))
        assert self._small is not None
        return self._small

    @property
    def image_bgr(self) -> Image:
        """The picture, shape (height, width, 3), uint8. Raises BadPicture if there is no picture."""
        return decode_picture(self.encoded, self.name)

    def __repr__(self) -> str:
        return f"EncodedFrame(name={self.name!r}, sequence={self.sequence}, time_s={self.time_s:.3f})"


def _decode_small(encoded: bytes, name: str) -> Image:
    small = decode_picture(encoded, name, cv2.IMREAD_REDUCED_GRAYSCALE_4)
    if small.shape[1] > WIDEST_SMALL_PX:
        small = decode_picture(encoded, name, cv2.IMREAD_REDUCED_GRAYSCALE_8)
    return small
