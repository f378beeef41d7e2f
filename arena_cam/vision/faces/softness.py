"""What is seen of a card, and the faces that it may be, as softly as they are compared.

A card is also looked at a little beside its place, in dozens of views. All that is asked of these is what they show at
the few points at which faces differ: a view is made only round about those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.kernels.calls import slopes_of, spread_and_mean
from arena_cam.vision.kernels.telling_calls import soft_faces, softly_at
from arena_cam.vision.picture.channels import greatest

Faces = NDArray[np.float32]
Levels = Array | Faces | NDArray[np.uint8]
Numbers = NDArray[np.intp]

# Faces and picture are compared as softly as this (standard deviation, points of the grid: 0.7 mm). A hair line is seen
# thinner, paler, greyer than drawn and a little beside its place, and there is much of it; softly seen it weighs by its
# ink, as a figure does. Of 60 cards of four decks 50 were named rightly, 48 before, and of four said wrongly and surely
# three were left.
USUALLY_SOFT_PX = 1.0
LUMA = np.array([0.114, 0.587, 0.299])  # Rec. 601: what JPEG and H.264 keep at the full scale
DIFFERENT = 8.0  # grey levels: candidates that differ by more at a point differ there
_LEAST_SHARE = 1e-3  # of what a point mixes that is in view
_REACH_SD = 4.0  # OpenCV's Gaussian of float32 ends so many standard deviations from its middle


class Beside(Protocol):
    """Views of a card laid a little beside its place: what a picture shows there, and the log-likelihood of each."""

    @property
    def nats(self) -> Array:
        """The log-likelihoods (M,)."""

    @property
    def steps_mm(self) -> NDArray[np.float32]:
        """How far the card is laid in each (M, 2), rightwards and upwards."""

    def cut(self, rows: Numbers, columns: Numbers, asked: NDArray[np.uint8]) -> NDArray[Any]:
        """What the views show (M, R, C, 3) in these rows (R,) and columns (C,) of the card's grid, in grey levels,
        where it is `asked` for (R, C); anything elsewhere."""

    def only(self, views: Numbers) -> Beside:
        """Some of the views, by their numbers."""


@dataclass(frozen=True, eq=False)
class Softly:
    """What is seen of a card and the faces that it may be, as softly as they are compared: made once, for candidates
    are told apart again and again.

    `faces` (K, H, W, 3), `seen` (H, W, 3) where `weight` (H, W) is 1. All faces differ by their `spread` (H, W), and
    `common` (H, W, 3) is their mean. Of the points numbered `differing` (N,), in order, at which any of the faces
    differ: how steep each face is (K, N). The card is looked at in its place and a little beside it: `nats` is the
    log-likelihood of each view (M,). `best` (K,) is the view that suited each face best when it was last told apart.
    `kept` is for what is worked out of it once.
    """

    faces: Faces
    slopes: Array
    seen: Array
    weight: Array
    nats: Array
    differing: Numbers
    view: SoftView
    best: Numbers
    spread: Faces
    common: Faces
    kept: dict[bytes, Any] = field(default_factory=dict)

    @cached_property
    def places(self) -> Array:
        """What the views show, channel by channel (M, 3, N), at the points at which any of the faces differ. They are
        not looked at where the faces differ by how they are printed alone."""
        return self.view.shown(self.differing)

    @property
    def laid_mm(self) -> NDArray[np.float32]:
        """How far the card is laid, rightwards and upwards (K, 2), in the place that suited each face best."""
        return self.view.laid_mm(self.best)

    def beside(self, place: int) -> Numbers | None:
        """The numbers (2, 2) of the places next to a `place` by its number: one step right and left of it, one up and
        down; None at the rim, or where the places are no grid."""
        return self.view.beside(place)

    def among(self, at: Numbers) -> Numbers:
        """Where the points numbered `at` (J,) stand among those at which faces differ."""
        return np.searchsorted(self.differing, at)


class SoftView:
    """What is seen of a card as softly as it is compared, whatever faces it is held against: in its place, and in views
    beside it, which are made where faces differ, and kept for the next faces that are asked about."""

    def __init__(
        self,
        seen: Levels,
        weight: Array,
        beside: Beside | None = None,
        soft_px: float = USUALLY_SOFT_PX,
        colour_soft_px: float = 0.0,
    ) -> None:
        """`seen` (H, W, 3) sharply, in grey levels of any type, where `weight` (H, W) is 1, and `beside` it.

        `soft_px` is the standard deviation, in points of the grid, and `colour_soft_px` that of the colour where it is
        greater: pictures keep colour at half the scale of light.
        """
        self._weight, self._beside = weight, beside
        self._softness = _Softness((weight > 0).astype(np.float32), soft_px, colour_soft_px)
        self._here: Array = self._softness.of(seen).astype(np.float64)
        left, top, wide, high = cv2.boundingRect((weight > 0).astype(np.uint8))
        # a slope is asked for that takes in the points beside it
        self._in_view = slice(max(top - 1, 0), top + high + 1), slice(max(left - 1, 0), left + wide + 1)
        self._at = np.empty(0, np.intp)
        self._shown = np.empty((1 if beside is None else 1 + len(beside.nats), 3, 0))
        self._seen, self._as_softly = seen, (soft_px, colour_soft_px)
        self._laid = None if beside is None else np.concatenate([np.zeros((1, 2)), beside.steps_mm])
        self._step_mm = 1.0 if self._laid is None else _step_of(self._laid)
        self._fewer: dict[bytes, SoftView] = {}

    def only(self, views: Numbers) -> SoftView:
        """The card in its place, and in some of the views beside it, by their numbers."""
        if self._beside is None or len(views) == len(self._beside.nats):
            return self
        asked = views.tobytes()
        if asked not in self._fewer:
            self._fewer[asked] = SoftView(self._seen, self._weight, self._beside.only(views), *self._as_softly)
        return self._fewer[asked]

    def beside(self, place: int) -> Numbers | None:
        """As `Softly.beside`."""
        if self._laid is None:
            return None
        here = np.rint(self._laid / self._step_mm).astype(np.intp)
        found = []
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = np.flatnonzero((here == here[place] + way).all(axis=1))
            if not len(there):
                return None
            found.append(int(there[0]))
        return np.array(found, np.intp).reshape(2, 2)

    def laid_mm(self, places: Numbers) -> NDArray[np.float32]:
        """How far the card is laid, rightwards and upwards (N, 2), in some places by their numbers (N,)."""
        return np.zeros((len(places), 2), np.float32) if self._laid is None else self._laid[places].astype(np.float32)

    def softly(self, faces: Faces) -> Faces:
        """Faces (K, H, W, 3), drawn sharply, as softly as the card is seen, where it is in view and beside that; 0
        elsewhere."""
        soft = np.zeros(faces.shape, np.float32)
        for number, face in enumerate(faces):
            self._softness.of_part(face, self._in_view, soft[number])
        return soft

    def as_open(self, wholly: Faces, faces: Iterable[Faces], shown: NDArray[np.bool_]) -> Faces:
        """As `softly`, of `faces` (H, W, 3 each), which are known `wholly` (K, H, W, 3), as softly as where `shown`
        (H, W) is in view: they look otherwise only round about what is hidden here, and what is hidden is not asked
        for. `wholly` is changed."""
        hidden = (shown & (self._weight == 0)).astype(np.uint8)
        asked = cv2.dilate((self._weight > 0).astype(np.uint8), np.ones((3, 3), np.uint8))  # and slopes there
        near, drawn = np.asarray(cv2.bitwise_and(self._softness.mixing(hidden), asked), np.uint8), list(faces)
        if near.any() and not self._softness.compiled_of(drawn, np.flatnonzero(near.view(np.bool_)), wholly):
            left, top, wide, high = cv2.boundingRect(near)
            for face, soft in zip(drawn, wholly, strict=True):
                self._softness.of_part(face, (slice(top, top + high), slice(left, left + wide)), soft)
        return wholly

    def against(self, soft: Faces) -> Softly:
        """The view, and faces (K, H, W, 3) that are as soft."""
        spread, common = apart_and_common(soft, np.arange(len(soft)))
        differing = np.flatnonzero((spread > DIFFERENT) & (self._weight > 0))
        nats = np.append(np.zeros(1), [] if self._beside is None else self._beside.nats)
        best = np.zeros(len(soft), np.intp)
        slopes = _slopes(soft, differing)
        return Softly(soft, slopes, self._here, self._weight, nats, differing, self, best, spread, common)

    def shown(self, points: Numbers) -> Array:
        """What is seen of the card in its place, and beside it (M, 3, N), at the points numbered `points` (N,), which
        are in order. Whoever gets it leaves it as it is."""
        new = np.setdiff1d(points, self._at, assume_unique=True) if len(self._at) else points
        if len(new):
            shown = np.empty((len(self._shown), 3, len(new)))
            shown[0] = self._here.reshape(-1, 3)[new].T
            if self._beside is not None:
                self._softness.at(new, self._beside, shown[1:])
            self._at, self._shown = _in_order(self._at, self._shown, new, shown)
        if len(points) == len(self._at):  # all that was ever asked: thousands of points in dozens of views, not copied
            return self._shown
        return self._shown.take(np.searchsorted(self._at, points), axis=2)


def _step_of(laid_mm: Array) -> float:
    """The step of a grid of places (M, 2)."""
    x = np.unique(np.abs(laid_mm))
    return float(x[x > 0.0].min(initial=1.0)) if len(x) else 1.0


def _in_order(at: Numbers, shown: Array, new: Numbers, shown_there: Array) -> tuple[Numbers, Array]:
    """Points `at` (N,) and what is `shown` there (M, 3, N), with some `new` ones (J,), by their numbers."""
    if not len(at):
        return new, shown_there
    at = np.append(at, new)
    order = np.argsort(at, kind="stable")
    return at[order], np.concatenate([shown, shown_there], axis=2).take(order, axis=2)


def _slopes(faces: Faces, points: Numbers) -> Array:
    """How steep each of `faces` (K, H, W, 3) is at the points numbered `points` (N,): (K, N), as `slope_at`."""
    compiled = slopes_of(faces, points)
    return np.stack([slope_at(face, points) for face in faces]) if compiled is None else compiled


def apart_and_common(faces: Faces, these: Numbers) -> tuple[Faces, Faces]:
    """By how much the faces (K, H, W, 3) with the numbers `these` (J,) differ at each point (H, W), in the channel in
    which they differ most, and their mean (H, W, 3)."""
    compiled = spread_and_mean(faces, these)
    if compiled is not None:
        return compiled
    some = faces[these]
    return greatest(some.max(axis=0) - some.min(axis=0)), np.asarray(some.mean(axis=0), dtype=np.float32)


class _Softness:
    """How softly pictures are seen where `shown` (H, W) is 1: what is not in view is not mixed in."""

    def __init__(self, shown: NDArray[np.float32], soft_px: float, colour_soft_px: float) -> None:
        self._shown, self._all_shown = shown, cv2.merge([shown] * 3)
        self._soft_px, self._light_px = max(soft_px, colour_soft_px), soft_px
        self._of_share = cv2.merge([_of_share(shown, self._soft_px)] * 3)
        # light by itself, where colour is softer
        self._of_share_of_light = _of_share(shown, soft_px) if colour_soft_px > soft_px else None

    def of(self, picture: Levels) -> Faces:
        """A picture (H, W, 3) seen so."""
        soft = np.empty(picture.shape, np.float32)
        self.of_part(picture, (slice(0, picture.shape[0]), slice(0, picture.shape[1])), soft)
        return soft

    def of_part(self, picture: Levels, part: tuple[slice, slice], found: Faces) -> None:
        """Some rows and columns of a picture (H, W, 3) seen so are written to `found` (H, W, 3)."""
        begun = [max(each.start - self._reach, 0) for each in part]
        here = slice(begun[0], part[0].stop + self._reach), slice(begun[1], part[1].stop + self._reach)
        sharp = cv2.multiply(picture[here], self._all_shown[here], dtype=cv2.CV_32F)
        soft = _blurred(sharp, self._soft_px)
        soft *= self._of_share[here]
        if self._of_share_of_light is not None:
            light = _blurred(cv2.transform(sharp, _LIGHT), self._light_px)
            light *= self._of_share_of_light[here]
            light -= cv2.transform(soft, _LIGHT)
            soft = np.asarray(cv2.add(soft, cv2.merge([light] * 3)), np.float32)
        rows, columns = (slice(each.start - first, each.stop - first) for each, first in zip(part, begun, strict=True))
        found[part] = soft[rows, columns]

    def compiled_of(self, pictures: Sequence[Faces], points: Numbers, found: Faces) -> bool:
        """Whether pictures (K; H, W, 3 each) seen so, at the points numbered `points` (N,), in order, were written to
        `found` (K, H, W, 3): compiled, and where light is as soft as colour. Round about what hides a part of a card
        lies a tenth of the box that holds it."""
        if self._of_share_of_light is not None or not found.flags.c_contiguous:
            return False
        shown, share = (self._shown > 0).view(np.uint8), self._of_share[:, :, 0]
        weights = _gaussian(self._soft_px)
        return soft_faces(pictures, shown, points, weights, np.asarray(share, np.float32), found)

    def mixing(self, points: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Where (H, W) any of some points (H, W) are mixed in."""
        return np.asarray(cv2.dilate(points, np.ones((2 * self._reach + 1,) * 2, np.uint8)), np.uint8)

    def at(self, points: Numbers, views: Beside, found: Array) -> None:
        """What `views` show, seen so, at the points numbered `points` (N,), in order, is written to `found`
        (M, 3, N)."""
        rows, columns, asked = _round_about(self._shown.shape, points, self._reach)
        sharp, shown = views.cut(rows, columns, asked), self._shown[np.ix_(rows, columns)]
        at = np.flatnonzero(asked == _POINT)
        if not self._compiled_at(sharp, shown, at, points, found):
            found[:] = self._in_numpy_at(np.where(asked[:, :, None], sharp, 0), shown, at, points)

    def _compiled_at(self, sharp: NDArray[Any], shown: Faces, at: Numbers, points: Numbers, found: Array) -> bool:
        """Whether `_in_numpy_at` was computed, compiled, and written to `found`."""
        soft = _gaussian(self._soft_px), self._of_share.reshape(-1, 3)[points, 0]
        of_light = self._of_share_of_light
        light = None if of_light is None else (_gaussian(self._light_px), of_light.ravel()[points])
        return softly_at(sharp, shown, at, soft, light, _LIGHT[0], found)

    def _in_numpy_at(self, sharp: NDArray[Any], shown: Faces, at: Numbers, points: Numbers) -> Array:
        """What views show (M, 3, N) that are `sharp` (M, R, C, 3) where `shown` (R, C) is 1, at the points
        numbered `at` (N,) there, and `points` (N,) on the card."""
        count, height, width = sharp.shape[:3]
        masked = sharp.reshape(count, -1).astype(np.float32)
        if not shown.all():
            masked *= np.repeat(shown.ravel(), 3)
        # The views lie below each other: what a Gaussian mixes in of the next one stays in the margin.
        below = masked.reshape(-1, width, 3)
        inner = at + np.arange(count)[:, None] * (height * width)
        soft = _blurred(below, self._soft_px).reshape(-1, 3).take(inner, axis=0)
        soft *= self._of_share.reshape(-1, 3)[points]
        if self._of_share_of_light is not None:
            light = _blurred(cv2.transform(below, _LIGHT), self._light_px).take(inner)
            light *= self._of_share_of_light.ravel()[points]
            soft += (light - soft @ _LIGHT[0])[:, :, None]
        return np.asarray(soft.transpose(0, 2, 1), np.float64)

    @property
    def _reach(self) -> int:
        """How many points off a Gaussian still mixes in what lies there."""
        return int(_REACH_SD * self._soft_px) + 1


_LIGHT = LUMA.astype(np.float32)[None]


_POINT = 2


def _round_about(shape: tuple[int, ...], points: Numbers, margin: int) -> tuple[Numbers, Numbers, NDArray[np.uint8]]:
    """The part of a grid (H, W) that holds the points numbered `points` (N,), a `margin` round about them included: its
    rows (R,) and columns (C,), beyond the grid's rim mirrored, as OpenCV does; and a mask (R, C) of it, `_POINT` at the
    points, 1 within the margin."""
    height, width = shape
    row, column = np.divmod(points, width)
    top, left = int(row.min()) - margin, int(column.min()) - margin
    rows, columns = np.arange(top, int(row.max()) + margin + 1), np.arange(left, int(column.max()) + margin + 1)
    asked = np.zeros((len(rows), len(columns)), np.uint8)
    asked[row - top, column - left] = 1
    asked += np.asarray(cv2.dilate(asked, np.ones((2 * margin + 1,) * 2, np.uint8)), np.uint8)
    return _mirrored(rows, height), _mirrored(columns, width), asked


def _mirrored(numbers: Numbers, size: int) -> Numbers:
    """The numbers of rows or columns, those beyond the rim mirrored at the outermost."""
    inner = np.abs(numbers)
    return np.where(inner < size, inner, 2 * (size - 1) - inner)


@lru_cache(maxsize=4)
def _gaussian(soft_px: float) -> Faces:
    """The weights of a Gaussian, as many as OpenCV takes of float32."""
    size = round(soft_px * _REACH_SD * 2 + 1) | 1
    return np.asarray(cv2.getGaussianKernel(size, soft_px, cv2.CV_32F).ravel(), np.float32)


def _blurred(sharp: Any, soft_px: float) -> Faces:
    return np.asarray(cv2.GaussianBlur(sharp, (0, 0), soft_px), dtype=np.float32)


def _of_share(shown: NDArray[np.float32], soft_px: float) -> Faces:
    """What a mean over points of which some are hidden is to be multiplied by (H, W)."""
    return np.asarray(1.0 / np.maximum(_blurred(shown, soft_px), np.float32(_LEAST_SHARE)), dtype=np.float32)


def slope_at(face: Faces, points: Numbers) -> Array:
    """How steep a face (H, W, 3) is at the points numbered `points` (N,), grey levels a point of the grid, in the
    channel where it is steepest."""
    right, down = (cv2.Sobel(face, cv2.CV_32F, *way, scale=0.125).reshape(-1, 3)[points] for way in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(greatest(right * right + down * down)), dtype=np.float64)
