"""Round prints compared in polar coordinates, over all turns at once.

A disc is sampled on rings; turned prints are then shifts along the ring, and a correlation with all prints in all turns
is one product of matrices. Samples that something covers have weight 0 (masked normalised correlation: Padfield,
"Masked object registration in the Fourier domain", IEEE TIP 2012).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.card_calls import disc_samples
from arena_cam.vision.kernels.disc_calls import BestDisc, DiscPlaces, DiscSpectra, best_discs, disc_likeness
from arena_cam.vision.printed.pictures import Image
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

RINGS, ANGLES = 9, 64
INNER, OUTER = 0.06, 0.95  # of the radius: the rim is cut and throws its shadow
LEAST_VARIANCE = 1.0  # of print in view, grey levels squared: what has less is plain, and like nothing


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
        self.turn_prints()

    def turn_prints(self) -> None:
        """Every print in every turn, about its mean: single precision then tells a spread from none."""
        self._nearness: dict[float, Grey] = {}
        self._smoothness: dict[float, Floats] = {}
        self._twice = np.concatenate([self.polar, self.polar], axis=2)  # every turn is a part of it
        self._spectra = DiscSpectra.of(self.polar, self.area)
        angles = self.polar.shape[2]
        turned = np.stack([np.roll(each, turn, axis=1) for each in self.polar for turn in range(angles)])
        turned -= turned.mean(axis=(1, 2, 3), keepdims=True)
        self._turned = turned.reshape(len(turned), -1).T
        self._sum = turned.sum(axis=3).reshape(len(turned), -1).T
        self._squares = np.square(turned).sum(axis=3).reshape(len(turned), -1).T
        self._weight = self.area.astype(np.float32)
        # All that the spreads of the prints need of a disc that is seen whole.
        whole = self._weight.reshape(1, -1)
        self._of_whole = whole @ self._sum, whole @ self._squares

    def thinned(self) -> DiscPrints:
        """The same discs with every other sample of a ring: four times as fast, and as good for finding a place."""
        rough = copy.copy(self)
        rough.polar, rough.xy_mm, rough.area = self.polar[:, :, ::2], self.xy_mm[:, ::2], 2.0 * self.area[:, ::2]
        rough.turn_prints()
        return rough

    def _of_image(self, image: Image) -> Grey:
        side = 2.0 * self.radius_mm
        soft = cv2.GaussianBlur(image[:, :, :3], (0, 0), image.shape[0] / side * 0.35)
        at = (self.xy_mm / side + 0.5) * np.array(image.shape[1::-1]) - 0.5
        return _read(soft.astype(np.float32), at)

    def samples(self, view: TopView, centres_mm: Floats) -> tuple[Grey, NDArray[np.bool_]]:
        """(N, RINGS, ANGLES, 3) of discs about centres (N, 2), and which samples the photograph has."""
        middles = view.at(centres_mm)
        at = (middles[:, None, None] + self.xy_mm * view.px_per_mm).astype(np.float32)
        shape = at.shape[:3]
        at = at.reshape(-1, shape[2], 2)
        reach = self.radius_mm * view.px_per_mm + 1.0
        low, high = np.floor(middles.min(axis=0) - reach), np.ceil(middles.max(axis=0) + reach)
        whole = _wholly(view.inside, low.astype(np.intp), high.astype(np.intp))
        inside = np.ones(at.shape[:2], bool) if whole else _inside(view.inside, at)
        return _read(view.pixels, at).reshape(*shape, 3), inside.reshape(shape)

    def lit_samples(
        self, view: TopView, light: tuple[Floats, Floats], centres_mm: Floats, others: Sequence[tuple[Floats, float]]
    ) -> tuple[Grey, NDArray[np.bool_]]:
        """As `samples`, in the print's own light: without its offset (N, 3), divided by its gain (N, 3); and which
        samples the photograph has that none of the circles `others`, middle (2,) and radius in mm, covers."""
        gain, offset = light
        circles = [(*view.at(middle[None])[0], radius * view.px_per_mm) for middle, radius in others]
        circles_px, offsets = np.array(circles).reshape(-1, 3), self.xy_mm.reshape(-1, 2) * view.px_per_mm
        compiled = disc_samples(
            view.as_compiled, view.at(centres_mm), offsets, np.concatenate(light, axis=1), circles_px
        )
        if compiled is not None:
            shape = (len(centres_mm), *self.xy_mm.shape[:2])
            return compiled[0].reshape(*shape, 3), compiled[1].reshape(shape)
        seen, free = self.samples(view, centres_mm)
        for middle, radius in others:
            free &= self.beyond(centres_mm, middle, radius)
        return np.asarray((seen - offset[:, None, None]) / gain[:, None, None], np.float32), free

    def likeliest(
        self,
        view: TopView,
        light: tuple[Floats, Floats],
        centres_mm: Floats,
        others: tuple[Floats, NDArray[np.bool_]],
        rules: Floats,
    ) -> list[BestDisc] | None:
        """The likeliest disc about each of G groups of centres (G, N, 2), of which nothing is visible if too little of
        any is; None where nothing is compiled. `light`: gain and offset at all centres (G N, 3); `others`: middles and
        radii (K, 3) of circles in mm, and which of them lie on each group (G, K). `rules` (6,) are the search's, in the
        order of the twin."""
        circles, on = others
        middles = view.at(centres_mm.reshape(-1, 2)).reshape(centres_mm.shape)
        lit = np.concatenate(light, axis=1).reshape(*centres_mm.shape[:2], 6)
        circles_px = np.empty((len(circles), 3))
        circles_px[:, :2], circles_px[:, 2] = view.at(circles[:, :2]), circles[:, 2] * view.px_per_mm
        offsets = self.xy_mm.reshape(-1, 2) * view.px_per_mm
        places = DiscPlaces(middles, offsets, lit, circles_px, on)
        return best_discs(self._spectra, view.as_compiled, places, LEAST_VARIANCE, rules)

    def beyond(self, centres_mm: Floats, other_mm: Floats, radius_mm: float) -> NDArray[np.bool_]:
        """(N, RINGS, ANGLES): whether samples about centres (N, 2) lie outside a circle about `other_mm` (2,)."""
        away = centres_mm - other_mm
        x = self.xy_mm[..., 0] + away[:, 0, None, None]
        y = self.xy_mm[..., 1] + away[:, 1, None, None]
        return np.asarray(x * x + y * y > radius_mm * radius_mm)

    def likeness(self, seen: Grey, free: NDArray[np.bool_]) -> Likeness:
        """Of samples (N, RINGS, ANGLES, 3) in the print's light, where they are `free` (N, RINGS, ANGLES)."""
        compiled = disc_likeness(self._spectra, seen, free, LEAST_VARIANCE)
        if compiled is not None:
            return Likeness(*compiled)
        weight = free * self._weight
        n = 3.0 * np.maximum(weight.sum(axis=(1, 2)), np.float32(1e-9))
        weighted = weight[..., None] * seen
        mean = weighted.sum(axis=(1, 2, 3)) / n
        weighted -= weight[..., None] * mean[:, None, None, None]
        power = (weighted * (seen - mean[:, None, None, None])).sum(axis=(1, 2, 3))
        flat = weight.reshape(len(seen), -1)
        total, squares = self._of_whole if free.all() else (flat @ self._sum, flat @ self._squares)
        variance = np.maximum(squares - total * total / n[:, None], LEAST_VARIANCE)
        alike = weighted.reshape(len(seen), -1) @ self._turned / np.sqrt(variance * np.maximum(power, 1.0)[:, None])
        alike = alike.reshape(len(seen), len(self.polar), -1)
        turn = alike.argmax(axis=2)
        best = np.take_along_axis(alike, turn[..., None], axis=2)[..., 0]
        return Likeness(best.astype(np.float64), turn)

    def turned(self, which: int, turn: int) -> Grey:
        """(RINGS, ANGLES, 3): the print as it is seen turned by so many samples."""
        angles = self.polar.shape[2]
        return self._twice[which, :, angles - turn : 2 * angles - turn]

    def all_turned(self, which: NDArray[np.intp], turns: NDArray[np.intp]) -> Grey:
        """(N, RINGS, ANGLES, 3): the same of prints (N,), each in a turn of its own (N,)."""
        angles = self.polar.shape[2]
        at = (np.arange(angles) - turns[:, None]) % angles
        turned = self.polar[which[:, None, None], np.arange(self.polar.shape[1])[:, None], at[:, None]]
        return np.asarray(turned, np.float32)

    def nearness(self, spread_mm: float) -> Grey:
        """(S, S): how much each sample of a disc, in a row, says of what is smooth over so many millimetres at each
        other, in a column: by its area, and how near it is. Kept for the next time."""
        if spread_mm not in self._nearness:
            near = self.smoothness(spread_mm) * self.area.reshape(-1, 1)
            self._nearness[spread_mm] = near.astype(np.float32)
        return self._nearness[spread_mm]

    def smoothness(self, spread_mm: float) -> Floats:
        """(S, S): the same but for the area: how near two samples are. Kept for the next time."""
        if spread_mm not in self._smoothness:
            at = self.xy_mm.reshape(-1, 2)
            squares = np.square(at[:, None] - at).sum(axis=2)
            self._smoothness[spread_mm] = np.exp(-0.5 * squares / spread_mm**2)
        return self._smoothness[spread_mm]


def _wholly(inside: NDArray[np.bool_], low: NDArray[np.intp], high: NDArray[np.intp]) -> bool:
    """Whether all of the picture between columns and rows `low` and `high` (2,) is there and `inside` (h, w)."""
    there = (low >= 0).all() and (high < inside.shape[::-1]).all()
    return bool(there and inside[low[1] : high[1] + 1, low[0] : high[0] + 1].all())


def _inside(inside: NDArray[np.bool_], at: Grey) -> NDArray[np.bool_]:
    """(h, w): whether columns and rows `at` (h, w, 2) lie in the picture, and `inside` (h, w) is true there."""
    last = np.array(inside.shape[::-1]) - 1
    whole = np.clip(np.round(at).astype(np.intp), 0, last)
    seen = inside[whole[..., 1], whole[..., 0]]
    return np.asarray(seen & (at >= 0).all(axis=2) & (at <= last).all(axis=2))


def _read(picture: Grey, at: Floats) -> Grey:
    """Bilinear samples (..., 3) of a picture at columns and rows `at` (h, w, 2)."""
    maps = at.astype(np.float32)
    return np.asarray(
        cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
