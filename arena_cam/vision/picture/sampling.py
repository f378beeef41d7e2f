"""The picture between its pixels: bilinear samples at any places, and the picture's halvings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey

_LONGEST = 32000  # cv2.remap takes no side longer than 32767


def remap(
    picture: NDArray[Any], places: Grey | NDArray[np.int16], interpolation: int = cv2.INTER_LINEAR, **border: Any
) -> NDArray[Any]:
    """cv2.remap with one map (H, W, 2) of places in the picture; of whole pixels, where the nearest is asked for.

    OpenCV's stub does not know that the second map may be None; an empty array in its place gives a picture of NaN.
    Of a picture of bytes it interpolates by 32nds of a pixel anyway: said so beforehand it takes a third of the time.
    """
    if picture.dtype == np.uint8 and interpolation == cv2.INTER_LINEAR:
        return np.asarray(cv2.remap(picture, *fixed_map(places), interpolation, **border))
    return np.asarray(cv2.remap(picture, places, None, interpolation, **border))  # type: ignore[call-overload]


def fixed_map(places: Grey | NDArray[np.int16]) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """A map (H, W, 2) of places as cv2.remap takes it quickest: whole pixels, and 32nds of them."""
    whole, parts = cv2.convertMaps(places, None, cv2.CV_16SC2)  # type: ignore[call-overload]
    return np.asarray(whole, dtype=np.int16), np.asarray(parts, dtype=np.uint16)


def sample_at(picture: NDArray[Any], pixels: Array) -> Array:
    """Bilinear samples of a picture (H, W) or (H, W, 3), float32 or uint8, at pixels (2, N), NaN outside it; N of any
    size.

    Shape (N,), or (N, 3) of a picture in colour. Of uint8 they are rounded to whole grey levels.
    """
    x, y = pixels.astype(np.float32)
    nowhere = (0.0 if picture.dtype == np.uint8 else float("nan"),) * 3
    parts = [
        cv2.remap(
            picture,
            x[None, i : i + _LONGEST],
            y[None, i : i + _LONGEST],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=nowhere,
        )[0]
        for i in range(0, len(x), _LONGEST)
    ]
    found = parts[0] if len(parts) == 1 else np.concatenate(parts or [np.empty((0, *picture.shape[2:]), np.float32)])
    values = np.asarray(found, dtype=np.float64)
    if picture.dtype == np.uint8 and not _all_inside(picture, pixels):
        values[(x < 0) | (y < 0) | (x > picture.shape[1] - 1) | (y > picture.shape[0] - 1)] = np.nan
    return values


def picture_at(picture: NDArray[np.uint8], pixels: Grey) -> NDArray[np.uint8]:
    """As `sample_at`, of a picture in bytes, laid out as the pixels (2, H, W) are: a picture (H, W, 3), black
    outside."""
    (x, y), black = pixels, (0.0, 0.0, 0.0)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=black)
    return np.asarray(seen, dtype=np.uint8)


def _all_inside(picture: NDArray[Any], pixels: Array) -> bool:
    """Whether all pixels (2, N) lie between those of the picture."""
    height, width = picture.shape[:2]
    return bool(pixels.min() >= 0.0 and pixels[0].max() <= width - 1.0 and pixels[1].max() <= height - 1.0)


@dataclass(frozen=True, eq=False)
class Pyramid:
    """A grey picture and its halvings, float32; level k has pixel (x, y) of the frame at (x, y) / 2**k."""

    levels: tuple[Grey, ...]

    @staticmethod
    def of(grey: NDArray[np.uint8] | Grey, levels: int) -> Pyramid:
        out = [grey.astype(np.float32, copy=False)]
        for _ in range(levels - 1):
            out.append(cv2.pyrDown(out[-1]).astype(np.float32))
        return Pyramid(tuple(out))

    def sample_at(self, pixels: Array, level: int) -> tuple[Array, NDArray[np.bool_] | None]:
        """Samples (N,) at frame pixels (2, N), and where they lie in the picture; None where all of them do."""
        picture = self.levels[level]
        at = pixels * 0.5**level
        seen = sample_at(picture, at)
        return seen, None if _all_inside(picture, at) else np.isfinite(seen)
