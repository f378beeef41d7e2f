"""What is seen of a card at a pose and beside it, at the scales at which faces are compared: the same for all faces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.name_points import NAMES_PX_PER_MM
from arena_cam.vision.faces.softness import USUALLY_SOFT_PX, Faces, Numbers, SoftView
from arena_cam.vision.kernels.telling_calls import laid_beside, views_of
from arena_cam.vision.picture.channels import tells_something
from arena_cam.vision.reading.cards.known import Known, seen_at
from arena_cam.vision.reading.cards.scene import Scene

_BESIDE_SD_MM = 0.5  # by which an outline may be beside its card


# What lies so near another card's edge says nothing: the edge is known to half a millimetre, it throws a line of shadow
# as wide, and the picture is seen softly. Of a figure hidden but for its foot the shadow made another figure.
_BESIDE_OTHERS_MM = 1.3


@dataclass(frozen=True, slots=True)
class Scale:
    """How a card is looked at: points a millimetre, how softly its light and its colour (points), and how far beside
    its place (mm)."""

    px_per_mm: float
    soft_px: float
    colour_soft_px: float
    steps_mm: tuple[float, ...]

    @property
    def laid_mm(self) -> NDArray[np.float32]:
        """How far the card is laid rightwards and upwards (1 + M, 2) in its place and in each view."""
        return np.concatenate([np.zeros((1, 2), np.float32), self.beside_mm])

    @property
    def beside_mm(self) -> NDArray[np.float32]:
        """How far the card is laid rightwards and upwards in each view (M, 2)."""
        return np.array([(x, y) for x in self.steps_mm for y in self.steps_mm if x or y], np.float32)


USUALLY = Scale(NAMES_PX_PER_MM, USUALLY_SOFT_PX, USUALLY_SOFT_PX, (-1.0, -0.5, 0.0, 0.5, 1.0))


# Light is looked at more closely, colour as softly as usual: sensors and JPEG keep colour at half the scale, and a
# figure's blue and violet seen sharply are the same grey.
CLOSELY = Scale(2.0, 0.6, 2.0 * USUALLY_SOFT_PX / NAMES_PX_PER_MM, (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75))


@dataclass(frozen=True, eq=False)
class _Beside:
    """A card laid a little beside its place. `at` (2, H, W) are the pixels of its points, `rightwards` and `upwards`
    how far a millimetre moves them, and `steps_mm` (M, 2) how far it is laid, rightwards and upwards."""

    scene: Scene
    at: Grey
    rightwards: Grey
    upwards: Grey
    steps_mm: NDArray[np.float32]

    @property
    def nats(self) -> Array:
        return np.asarray(-0.5 * (self.steps_mm.astype(np.float64) ** 2).sum(axis=1) / _BESIDE_SD_MM**2)

    def cut(self, rows: Numbers, columns: Numbers, asked: NDArray[np.uint8]) -> NDArray[np.uint8]:
        grid, fine = (self.at, self.rightwards, self.upwards), 0.5**self.scene.fine_level
        compiled = views_of(self.scene.bgr, fine, grid, (rows, columns), self.steps_mm, asked)
        return self._cut_in_numpy(rows, columns) if compiled is None else compiled

    def _cut_in_numpy(self, rows: Numbers, columns: Numbers) -> NDArray[np.uint8]:
        part = np.ix_(np.arange(2), rows, columns)
        pixels = self.pixels(self.at[part], self.rightwards[part], self.upwards[part])
        size = (len(self.steps_mm), len(rows), len(columns))
        return self.scene.picture_bgr(pixels.reshape(2, -1, len(columns))).reshape(*size, 3)

    def only(self, views: Numbers) -> _Beside:
        return replace(self, steps_mm=self.steps_mm[views])

    def pixels(self, at: Grey, rightwards: Grey, upwards: Grey) -> Grey:
        """The pixels (2, M, R, C) of some points, of which these are parts, in each view."""
        right, up = (self.steps_mm[:, way, None, None] for way in (0, 1))
        pixels = right * rightwards[:, None]
        pixels += at[:, None]
        pixels += up * upwards[:, None]
        return np.asarray(pixels, dtype=np.float32)


def _laid_beside(
    scene: Scene, pixels: Array, apart_mm: tuple[float, float], scale: Scale
) -> tuple[_Beside, NDArray[np.bool_]]:
    """A card, the points of which, `apart_mm` from each other down and across, show at `pixels` (2, H, W), laid beside
    its place, and which points (H, W) lie in the picture in all views. Where a point is seen moves evenly with the
    steps, so the farthest four views tell."""
    steps = scale.beside_mm
    far = steps[(np.abs(steps) == steps.max()).all(axis=1)]
    compiled = laid_beside(pixels, apart_mm, far, (0.5**scene.fine_level, *scene.bgr.shape[:2]))
    if compiled is not None:
        return _Beside(scene, *compiled[:3], steps), compiled[3]
    down, right = np.gradient(pixels, *apart_mm, axis=(1, 2))
    at, rightwards, upwards = (np.asarray(part, np.float32) for part in (pixels, right, -down))
    beside = _Beside(scene, at, rightwards, upwards, steps)
    shown = replace(beside, steps_mm=far).pixels(beside.at, beside.rightwards, beside.upwards)
    return beside, np.asarray(scene.shows(shown).all(axis=0))


class Look:
    """What is seen of a card at one scale, whatever face it has: `view`, and `weight` (H, W), 1 where nothing covers
    it; the parts that are `hidden` (rows, columns of any grid over the card) are not in view."""

    def __init__(self, known: Known, pose: CardPose, scale: Scale, hidden: NDArray[np.bool_] | None) -> None:
        scene = known.scene
        self._grid = grid = scene.faces.grid(scale.px_per_mm)
        shape = grid.mask.shape
        here, unclaimed = seen_at(known, pose, grid.places)
        apart_mm = scene.faces.deck.height_mm / shape[0], scene.faces.deck.width_mm / shape[1]
        beside, inside = _laid_beside(scene, here.reshape(2, *shape), apart_mm, scale)
        sharply = scene.picture_bgr(beside.at)
        sharply[~scene.shows(beside.at)] = 0
        free = (unclaimed > 0.0).reshape(shape) & inside
        free &= tells_something(sharply.reshape(-1, 3)).reshape(shape)
        clear = cv2.erode(free.astype(np.uint8), _beside_others(scale)) > 0
        if hidden is not None:
            clear &= cv2.resize(hidden.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST) == 0
        self.weight: Array = (clear & grid.inner).astype(np.float64)
        self.view = SoftView(sharply, self.weight, beside, scale.soft_px, scale.colour_soft_px)
        self._scene, self._scale = scene, scale
        # seen whole, faces are as soft on every card
        self._is_open = bool(clear[grid.inner].all())
        self._softened: dict[tuple[int, int], Faces] = {}

    def soft(self, likely: Sequence[tuple[int, int]]) -> Faces:
        """Faces (K, H, W, 3), upright (0) or turned (1), as softly as the card is seen."""
        if self._is_open:
            return self._ways_up(likely, self._soft_of)
        new = [way for way in dict.fromkeys(likely) if way not in self._softened]
        if new:  # the leaders are asked about again and again
            made = self._softly(new)
            self._softened |= dict(zip(new, made, strict=True))
            if new == list(likely):
                return made
        return np.stack([self._softened[way] for way in likely])

    def _softly(self, likely: Sequence[tuple[int, int]]) -> Faces:
        """As `soft`, where a part of the card is hidden."""
        if self._scale != USUALLY:
            return self.view.softly(self._ways_up(likely, self._drawn))
        drawn = ((self._drawn(face), turned) for face, turned in likely)
        sharply = (face[::-1, ::-1] if turned else face for face, turned in drawn)  # a part of each is asked for
        return self.view.as_open(self._ways_up(likely, self._soft_of), sharply, self._grid.inner)

    def _ways_up(self, likely: Sequence[tuple[int, int]], drawn: Callable[[int], NDArray[np.float32]]) -> Faces:
        """Faces (K, H, W, 3), upright (0) or turned (1), as each is `drawn`."""
        faces = np.empty((len(likely), *self.weight.shape, 3), np.float32)
        upright = {face: drawn(face) for face in {face for face, _ in likely}}
        for number, (face, turned) in enumerate(likely):
            if turned:
                cv2.flip(upright[face], -1, faces[number])
            else:
                faces[number] = upright[face]
        return faces

    def near(self, places_mm: NDArray[np.float32]) -> SoftView:
        """The views of the card laid beside its place by about as much as one of some (N, 2) is, or between them."""
        steps, little = self._scale.beside_mm, 1e-3
        least, most = places_mm.min(axis=0) - _ABOUT_MM - little, places_mm.max(axis=0) + _ABOUT_MM + little
        return self.view.only(np.flatnonzero(((steps >= least) & (steps <= most)).all(axis=1)))

    def _drawn(self, face: int) -> NDArray[np.float32]:
        """A face (H, W, 3) sharply, kept for one frame: it is asked of every card that something covers."""
        return self._scene.once(("drawn", self._scale, face), lambda: self._grid.bgr_of(face))

    def _soft_of(self, face: int) -> NDArray[np.float32]:
        """A face (H, W, 3), all of it in view. At the closer scale a deck's take 12 MB: kept for one frame."""
        if self._scale == USUALLY:
            return self._scene.points.names.soft_of(face)
        asked = "soft", self._scale, face
        return self._scene.once(asked, lambda: self.view.softly(self._grid.bgr_of(face)[None])[0])


_ABOUT_MM = 0.5  # a place is seen as one of others that lie so far apart, and a face softly a little beside its own


class Looks:
    """What is seen of a card at a pose, at each scale that is asked for: the same for all faces, and looked at once."""

    def __init__(self, known: Known, pose: CardPose, hidden: NDArray[np.bool_] | None = None) -> None:
        self.known, self.pose, self._hidden = known, pose, hidden
        self._at: dict[Scale, Look] = {}

    def at(self, scale: Scale) -> Look:
        if scale not in self._at:
            self._at[scale] = Look(self.known, self.pose, scale, self._hidden)
        return self._at[scale]

    def without(self, hidden: NDArray[np.bool_]) -> Looks:
        """The same but for the parts that are `hidden` (rows, columns of any grid over the card)."""
        return Looks(self.known, self.pose, hidden)


def _beside_others(scale: Scale) -> NDArray[np.uint8]:
    return np.ones((2 * round(_BESIDE_OTHERS_MM * scale.px_per_mm) + 1,) * 2, np.uint8)
