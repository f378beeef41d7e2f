"""The points at which the names of all faces are compared, laid out so that one matrix product compares them all."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.softness import LUMA, SoftView
from arena_cam.vision.faces.telling import are_told_nowhere
from arena_cam.vision.picture.channels import summed
from arena_cam.vision.picture.slopes import gradient_magnitude

Points = NDArray[np.float32]

NAMES_PX_PER_MM = 1.5
# Residuals are correlated over a few pixels; this is the share of grid points that speaks independently.
INDEPENDENT_SHARE = 0.025
_MIXED_BY = np.array([2654435761, 2246822519, 3266489917, 668265263], np.uint32)  # odd numbers that look like chance
_SAME_PLACE_MM = 1e-3  # a picture shows the same there; single precision is off by 1e-5
_EVEN = 1e-6  # grey levels: a face of one tone is like none
_ROUGH_STEP, _CLOSE_STEP = 5, 3  # of the grid's points every fifth for all faces, every third for the likely ones


class NamePoints:
    """Every face of a deck at the points of one grid.

    `places` (3, N): x, y (mm, card frame) and 1; `light` (N, 3): 1, x, y in half cards. `rough_at` and `close_at` are
    the points of the two rounds; `rough` (faces, 3, n) and `close` hold the faces' colours there (blue, green, red),
    `rough_places` (3, n) are the places there, `rough_light` (n, 3) and `close_light` the light. `rough_step` and
    `close_step`: one of so many points of the grid is among them.
    """

    rough_step, close_step = _ROUGH_STEP, _CLOSE_STEP

    def __init__(self, faces: DeckFaces) -> None:
        self._grid = grid = faces.grid(NAMES_PX_PER_MM)
        self._soft: dict[int, Points] = {}
        self._same_turned: dict[int, bool] = {}
        self._inner = faces.are_alike
        self._mask = grid.inner if faces.are_alike else grid.mask
        self._numbers = np.flatnonzero(self._mask)
        x, y = grid.x_mm[self._mask].astype(np.float64), grid.y_mm[self._mask].astype(np.float64)
        self.places: Array = np.stack([x, y, np.ones_like(x)])
        self.light: Array = np.stack([np.ones_like(x), x / 45.0, y / 45.0], axis=1)
        self.rough_at, self.close_at = slice(None, None, _ROUGH_STEP), slice(None, None, _CLOSE_STEP)
        self.rough_places: Array = np.ascontiguousarray(self.places[:, self.rough_at])
        self.rough_light: Array = np.ascontiguousarray(self.light[self.rough_at])
        self.close_light: Array = np.ascontiguousarray(self.light[self.close_at])
        counts = len(self.rough_light), len(self.close_light)
        self.rough, self.close = (np.empty((len(faces.names), 3, count), np.float32) for count in counts)
        for face in range(len(faces.names)):
            colours = grid.bgr_of(face).reshape(-1, 3).take(self._numbers, axis=0).T
            self.rough[face], self.close[face] = colours[:, self.rough_at], colours[:, self.close_at]

    @cached_property
    def turns_onto_itself(self) -> bool:
        """Whether half a turn of the card takes the points to one another, the last to the first."""
        return bool(np.abs(self.places[:2] + self.places[:2, ::-1]).max() < _SAME_PLACE_MM)

    @cached_property
    def nearest(self) -> NDArray[np.intp]:
        """For each face, all faces (faces, faces) ordered by likeness: first itself, then for instance its colour."""
        flat = self.rough.reshape(len(self.rough), -1).astype(np.float64)
        squares = (flat * flat).sum(axis=1)
        return np.argsort(squares[:, None] + squares - 2.0 * flat @ flat.T, axis=1, kind="stable")

    @cached_property
    def drawn_alike(self) -> NDArray[np.intp]:
        """For each face, all faces (faces, faces) ordered by likeness of the drawing in whatever ink: first itself,
        then for instance its figure in other colours."""
        return np.asarray(np.argsort(-self.drawings, axis=1, kind="stable"), np.intp)

    @cached_property
    def drawings(self) -> Array:
        """How alike the drawings of any two faces are (faces, faces), in whatever ink: the correlation of their
        brightness; 2 of a face with itself."""
        grey = np.einsum("fcn,c->fn", self.rough.astype(np.float64), LUMA)
        grey -= grey.mean(axis=1, keepdims=True)
        grey /= np.maximum(np.linalg.norm(grey, axis=1, keepdims=True), _EVEN)
        alike = np.round(grey @ grey.T, 9)  # the order must not hang on the last digits of sums
        np.fill_diagonal(alike, 2.0)
        return np.asarray(alike, np.float64)

    def soft_of(self, face: int) -> Points:
        """A face (H, W, 3) as softly as small print is compared (`softness`), all of it in view: the same on every card
        that nothing covers. Of 51 faces they take 7 MB."""
        if face not in self._soft:
            self._soft[face] = self._in_view.softly(self._grid.bgr_of(face)[None])[0]
        return self._soft[face]

    @cached_property
    def _in_view(self) -> SoftView:
        """A card of which all is in view."""
        return SoftView(np.zeros((*self._mask.shape, 3), np.uint8), self._grid.inner.astype(np.float64))

    def is_same_turned(self, face: int) -> bool:
        """Whether a face looks the same turned by half a turn, as cards do that have no top: then it is one candidate,
        and what is seen of it does not tell which way up it lies. A figure may be drawn a fraction of a point off the
        middle."""
        if face not in self._same_turned and _surely_differ(self.few_of(face, 0), self.few_of(face, 1)):
            self._same_turned[face] = False
        if face not in self._same_turned:
            soft = self.soft_of(face)
            self._same_turned[face] = are_told_nowhere(self._in_view.against(np.stack([soft, soft[::-1, ::-1]])))
        return self._same_turned[face]

    def few_of(self, face: int, turned: int) -> Points:
        """Every other row and column (H / 2, W / 2, 3) of a face as it is drawn, upright (0) or turned (1)."""
        return np.asarray(self.few[turned, face], np.float32)

    @cached_property
    def few(self) -> Points:
        """As `few_of`, of all faces, upright and turned (2, faces, H / 2, W / 2, 3)."""
        height, width = self._mask.shape
        found = np.empty((2, len(self.rough), -(-height // 2), -(-width // 2), 3), np.float32)
        for face in range(len(self.rough)):
            drawn = self._grid.bgr_of(face)
            found[0, face], found[1, face] = drawn[::2, ::2], drawn[::-1, ::-1][::2, ::2]
        return found

    @cached_property
    def prints(self) -> NDArray[np.uint32]:
        """What is printed on each face, upright and turned (2, faces, H / 2, W / 2), in squares of two points: a number
        that is the same where the print is. Which faces are printed alike in a part of the card they tell at once."""
        height, width = self._mask.shape
        found = np.empty((2, len(self.rough), -(-height // 2), -(-width // 2)), np.uint32)
        wider = np.zeros((2 * found.shape[2], 2 * found.shape[3]), np.uint32)
        for face in range(len(self.rough)):
            blue, green, red = (channel.astype(np.uint32) for channel in cv2.split(np.rint(self._grid.bgr_of(face))))
            drawn = 1 + blue + (green << 8) + (red << 16)
            for turned, way in enumerate((drawn, drawn[::-1, ::-1])):
                wider[:height, :width] = way
                corners = (wider[row::2, column::2] for row in (0, 1) for column in (0, 1))
                found[turned, face] = sum(corner * by for corner, by in zip(corners, _MIXED_BY, strict=True))
        return found

    @cached_property
    def few_places(self) -> Array:
        """The places (3, N) of the points of `few_of`, row by row."""
        return np.ascontiguousarray(self._grid.places.reshape(3, *self._mask.shape)[:, ::2, ::2].reshape(3, -1))

    def steepness(self, seen: Array) -> Array:
        """Slope (N,) of the picture (N, 3) at the grid's points, in grey levels a grid step."""
        picture = np.full(self._mask.shape, seen.mean() if self._inner else 0.0, np.float32)
        picture.ravel()[self._numbers] = summed(seen) / 3.0
        across, along = (np.asarray(cv2.Sobel(picture, cv2.CV_32F, *way), dtype=np.float32) for way in ((1, 0), (0, 1)))
        return np.asarray(gradient_magnitude(across, along).take(self._numbers) / 8.0, dtype=np.float64)


def _surely_differ(a: Points, b: Points) -> bool:
    """Whether two faces (H, W, 3) differ somewhere by more than a displacement of less than half a point makes."""
    return bool(np.abs(a - b).max() > _HALF_CONTRAST)


_HALF_CONTRAST = 128.0  # grey levels: half of what black and white differ by
