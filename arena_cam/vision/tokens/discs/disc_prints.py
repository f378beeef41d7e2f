"""Round prints compared in polar coordinates, over all turns at once.

A disc is sampled on rings; turned prints are then shifts along the ring, and a correlation over all shifts is one
product of Fourier transforms. Samples that something covers have weight 0 (masked normalised correlation: Padfield,
"Masked object registration in the Fourier domain", IEEE TIP 2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.pictures import Image
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

RINGS, ANGLES = 9, 64
INNER, OUTER = 0.06, 0.95  # of the radius: the rim is cut and throws its shadow


@dataclass(frozen=True, eq=False)
class Likeness:
    """How well discs fit: `alike` (N, K) best correlation over the turns, `turn` (N, K) index of the best."""

    alike: Floats
    turn: NDArray[np.intp]


class DiscPrints:
    """Discs of one diameter: `polar` (K, RINGS, ANGLES, 3), 0..255."""

    def __init__(self, images: Sequence[Image], radius_mm: float) -> None:
        self.radius_mm = radius_mm
        angle = 2 * np.pi * np.arange(ANGLES) / ANGLES
        share = INNER + (OUTER - INNER) * (np.arange(RINGS) + 0.5) / RINGS
        self.xy_mm = radius_mm * share[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)[None]
        self.area = np.repeat((share / share.sum())[:, None], ANGLES, axis=1) / ANGLES
        self.polar = np.stack([self._of_image(image) for image in images])
        self._spectrum = np.fft.rfft(self.polar, axis=2).conj()
        self._sum = np.fft.rfft(self.polar.sum(axis=3), axis=2).conj()
        self._squares = np.fft.rfft(np.square(self.polar).sum(axis=3), axis=2).conj()

    def _of_image(self, image: Image) -> Grey:
        side = 2.0 * self.radius_mm
        soft = cv2.GaussianBlur(image[:, :, :3], (0, 0), image.shape[0] / side * 0.35)
        at = (self.xy_mm / side + 0.5) * np.array(image.shape[1::-1]) - 0.5
        return _read(soft.astype(np.float32), at)

    def samples(self, view: TopView, centres_mm: Floats) -> tuple[Grey, NDArray[np.bool_]]:
        """(N, RINGS, ANGLES, 3) of discs about centres (N, 2), and which samples the photograph has."""
        at = view.at((centres_mm[:, None, None] + self.xy_mm[None]).reshape(-1, 2))
        shape = (len(centres_mm) * RINGS, ANGLES)
        seen = _read(view.pixels, at.reshape(*shape, 2))
        last = np.array(view.inside.shape[::-1]) - 1
        whole = np.clip(np.round(at).astype(int), 0, last)
        inside = view.inside[whole[:, 1], whole[:, 0]] & (at >= 0).all(axis=1) & (at <= last).all(axis=1)
        return seen.reshape(len(centres_mm), RINGS, ANGLES, 3), inside.reshape(len(centres_mm), RINGS, ANGLES)

    def beyond(self, centres_mm: Floats, other_mm: Floats, radius_mm: float) -> NDArray[np.bool_]:
        """(N, RINGS, ANGLES): whether samples about centres (N, 2) lie outside a circle about `other_mm` (2,)."""
        away = centres_mm - other_mm
        x = self.xy_mm[..., 0] + away[:, 0, None, None]
        y = self.xy_mm[..., 1] + away[:, 1, None, None]
        return np.asarray(x * x + y * y > radius_mm * radius_mm)

    def likeness(self, seen: Grey, free: Floats) -> Likeness:
        """Of samples (N, RINGS, ANGLES, 3) in the print's light, with weights `free` (N, RINGS, ANGLES)."""
        weight = free * self.area
        n = 3.0 * np.maximum(weight.sum(axis=(1, 2)), 1e-9)
        mean = (weight[..., None] * seen).sum(axis=(1, 2, 3)) / n
        centred = seen - mean[:, None, None, None]
        power = (weight[..., None] * np.square(centred)).sum(axis=(1, 2, 3))
        cross = self._over_turns("nrfc,krfc->nkf", np.fft.rfft(weight[..., None] * centred, axis=2), self._spectrum)
        of_weight = np.fft.rfft(weight, axis=2)
        total = self._over_turns("nrf,krf->nkf", of_weight, self._sum)
        squares = self._over_turns("nrf,krf->nkf", of_weight, self._squares)
        variance = np.maximum(squares - total * total / n[:, None, None], 1e-6)
        alike = cross / np.sqrt(variance * np.maximum(power, 1.0)[:, None, None])
        turn = alike.argmax(axis=2)
        return Likeness(np.take_along_axis(alike, turn[..., None], axis=2)[..., 0], turn)

    @staticmethod
    def _over_turns(how: str, seen: NDArray[np.complex128], prints: NDArray[np.complex128]) -> Floats:
        return np.asarray(np.fft.irfft(np.einsum(how, seen, prints), n=ANGLES, axis=2))

    def turned(self, which: int, turn: int) -> Grey:
        """(RINGS, ANGLES, 3): the print as it is seen turned by so many samples."""
        return np.roll(self.polar[which], turn, axis=1)


def _read(picture: Grey, at: Floats) -> Grey:
    """Bilinear samples (..., 3) of a picture at columns and rows `at` (h, w, 2)."""
    maps = at.astype(np.float32)
    return np.asarray(
        cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
