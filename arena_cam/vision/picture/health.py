"""Tells when a picture cannot show anything: black, white, much darker than usual, or identical to the one before."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.messages import Message

# A lit table in any room, underexposed by three stops, is brighter than this (grey levels).
BLACK_LEVEL = 12.0
WHITE_LEVEL = 243.0
# A picture with anything in it differs by more than this between its darkest and brightest twentieth.
LEAST_SPREAD = 8.0
# Less than this of the usual level (an eighth of the light, three stops): the light went out. White cards in the last
# of the daylight are brighter than black, and yet nobody could judge by them.
DARK_SHARE = 0.4
# The usual level follows what is seen within these times: quickly when it gets lighter, not in a flash; slowly when it
# gets darker, as evenings do.
LIGHTER_S, DARKER_S = 2.0, 30.0
# A table that is lit at all is brighter than this: less light than before, switched off for good, is got used to.
LIT_LEVEL = 45.0
# No sensor repeats a picture bit for bit; a stuck driver does. This leaves room for a doubled frame or two.
FROZEN_S = 1.5

# What is wrong with a picture, and what to do.
Trouble = tuple[Message, Message]


class EyeHealth:
    """Takes small grey pictures one after another and reports what is wrong with them."""

    def __init__(self) -> None:
        self._fingerprint: int | None = None
        self._since_s = 0.0
        self._usual: float | None = None
        self._last_s = 0.0

    def trouble(self, luma: NDArray[np.uint8], time_s: float) -> Trouble | None:
        """Why nothing can be seen; None if all is well."""
        dark, bright = _levels(luma)
        return _exposure_trouble(dark, bright) or self._darkened(bright, time_s) or self._frozen(luma, time_s)

    def _darkened(self, bright: float, time_s: float) -> Trouble | None:
        passed_s, self._last_s = max(0.0, time_s - self._last_s), time_s
        if self._usual is None:
            self._usual = bright
        darkened = bright < DARK_SHARE * self._usual
        if not darkened or bright > LIT_LEVEL:
            lag_s = LIGHTER_S if bright > self._usual else DARKER_S
            self._usual += (bright - self._usual) * min(1.0, passed_s / lag_s)
        return (Doubt.LIGHT_OUT(), Doubt.LIGHT_ON_AGAIN()) if darkened else None

    def _frozen(self, luma: NDArray[np.uint8], time_s: float) -> Trouble | None:
        fingerprint = zlib.crc32(luma.tobytes())
        if fingerprint != self._fingerprint:
            self._fingerprint, self._since_s = fingerprint, time_s
            return None
        if time_s - self._since_s < FROZEN_S:
            return None
        return Doubt.PICTURE_FROZEN(), Doubt.PLUG_IN_AGAIN()


def _levels(luma: NDArray[np.uint8]) -> tuple[float, float]:
    """Grey levels of the darkest and the brightest twentieth."""
    # Every eighth pixel of every eighth row tells as much as all of them.
    sample = np.sort(luma[::8, ::8], axis=None)
    return float(sample[len(sample) // 20]), float(sample[-1 - len(sample) // 20])


def _exposure_trouble(dark: float, bright: float) -> Trouble | None:
    if bright < BLACK_LEVEL:
        return Doubt.PICTURE_BLACK(), Doubt.LET_LIGHT_IN()
    if dark > WHITE_LEVEL:
        return Doubt.PICTURE_WHITE(), Doubt.LESS_LIGHT()
    if bright - dark < LEAST_SPREAD:
        return Doubt.PICTURE_GREY(), Doubt.UNCOVER_LENS()
    return None
