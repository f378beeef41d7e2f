"""Takes the picture of each card that is laid into the arena and left there; knows no names.

Frames go in one after another; out comes, once for each rest, what lies there: the empty arena, a card's picture, or
why no picture could be taken and what to do. Plain enough to stand behind a terminal or a page.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.exposure import PAPER
from arena_cam.vision.deck_learning.floor_change import EmptyFloor, Thing
from arena_cam.vision.deck_learning.laid_card import LaidCard, lay
from arena_cam.vision.deck_learning.straightening import corner_radius_mm, picture_size, px_per_mm, straighten
from arena_cam.vision.deck_learning.taking_messages import NotTaken
from arena_cam.vision.picture.linear_light import Linear, linear_light, srgb
from arena_cam.vision.setup.check import BLURRED_PX, SHARP_PX, edge_widths_px
from arena_cam.vision.table.pose import SeenTable, TablePoseFinder
from arena_cam.vision.watching.attention import small_luma
from arena_cam.vision.watching.stillness import CELL_PX, NoiseModel, Stillness, cell_picture

Image = NDArray[np.uint8]

REST_S = 0.6  # a hand that lets go of a card and comes back to straighten it does so within half a second
MOST_AVERAGED = 8  # frames: noise falls to a third
# Judging by faces begins at 1.3 px/mm in the arena's middle; towards its rim a tilted camera sees a little less.
LEAST_PX_PER_MM = 1.15
_ROUND_ARENA_MM = 15.0  # motion further off is people sitting at the table
_BURNT = 0.97  # linear light that a sensor can no longer tell from white
_GLARE_SHARE, _BURNT_WHITE = 0.01, 0.93
_ANOTHER_MM2 = 600.0  # beside a card: a finger is as large, a card that looks out from under it larger


@dataclass(frozen=True, slots=True)
class EmptyArena:
    """The arena is empty, and known as such: cards may be laid."""


@dataclass(frozen=True, eq=False)
class TakenCard:
    """A card's picture (H, W, 3), straightened, the camera's up side up, in the light of the fiducials' white paper.

    `size_mm` is the size known, or measured where none was; `edge_px` how wide its edge is in the camera's picture.
    """

    image: Image
    size_mm: tuple[float, float]
    radius_mm: float | None
    centre_mm: tuple[float, float]
    angle_deg: float
    px_per_mm: float
    edge_px: float


class CardTaker:
    """`size_mm` None: measured from the first card. `empty_bgr` is the picture of the empty arena at set-up; without
    one the arena must be empty at first."""

    def __init__(
        self, table: Table, fps: float, size_mm: tuple[float, float] | None, empty_bgr: Image | None = None
    ) -> None:
        self.size_mm = size_mm
        self._table = table
        self._finder = TablePoseFinder(table)
        self._stillness = Stillness(NoiseModel())
        self._rest_frames = max(3, round(REST_S * fps))
        self._at_rest: deque[Frame] = deque(maxlen=MOST_AVERAGED)
        self._looked = False
        self._window: tuple[slice, slice] | None = None
        self._floor: EmptyFloor | None = None
        if empty_bgr is not None and (empty_bgr.shape[1], empty_bgr.shape[0]) == table.image_size:
            seen = self._finder.reference = self._finder.find(_grey(empty_bgr))
            if seen is not None:
                self._floor = EmptyFloor(empty_bgr, seen.camera, table.arena)

    def feed(self, frame: Frame) -> EmptyArena | TakenCard | Message | None:
        """What `frame` settles: None while something moves, and where nothing has moved since the last answer."""
        height, width = frame.image_bgr.shape[:2]
        if (width, height) != self._table.image_size:
            if self._looked:
                return None
            self._looked = True
            measured = self._table.image_size
            return NotTaken.OTHER_SIZE(width=width, height=height, table_width=measured[0], table_height=measured[1])
        self._stillness.update(cell_picture(self._arena_part(frame)))
        if self._stillness.quiet_for == 0:
            self._at_rest.clear()
            self._looked = False
        self._at_rest.append(frame)
        if self._looked or self._stillness.quiet_for < self._rest_frames:
            return None
        self._looked = True
        return self._look()

    def _arena_part(self, frame: Frame) -> Image:
        """The small grey picture, cut to the arena once it is known where that is."""
        luma = small_luma(frame)
        if self._window is None:
            seen = self._finder.find(_grey(frame.image_bgr), refine=False)
            if seen is None:
                return luma
            half = [side / 2 + _ROUND_ARENA_MM for side in self._table.arena.inner_mm]
            corners = np.array([[sx * half[0], sy * half[1], 0.0] for sx in (-1, 1) for sy in (-1, 1)])
            pixels = cv2.projectPoints(corners, *_extrinsics(seen))[0].reshape(-1, 2)
            pixels = np.asarray(pixels) * (luma.shape[1] / frame.image_bgr.shape[1])
            (left, top), (right, bottom) = pixels.min(axis=0), pixels.max(axis=0)
            rows = slice(max(0, int(top)), max(int(bottom) + 1, int(top) + 2 * CELL_PX))
            self._window = rows, slice(max(0, int(left)), max(int(right) + 1, int(left) + 2 * CELL_PX))
            self._stillness = Stillness(NoiseModel())
        return np.ascontiguousarray(luma[self._window])

    def _look(self) -> EmptyArena | TakenCard | Message:
        frames = list(self._at_rest)
        mean = np.mean([frame.image_bgr for frame in frames], axis=0, dtype=np.float32)
        image = np.asarray(np.round(mean), np.uint8)
        seen = self._finder.find(_grey(image))
        if seen is None:
            return NotTaken.FIDUCIALS()
        if self._floor is None:
            self._finder.reference = seen
            self._floor = EmptyFloor(image, seen.camera, self._table.arena)
            return EmptyArena()
        things = self._floor.things(image, seen.camera)
        if not things:
            return EmptyArena()
        # Averaged in light, not in the picture's own values: noise about a mean, whatever the tone curve does to it.
        lights = [linear_light(frame.image_bgr) for frame in frames]
        light = np.asarray(np.mean(lights, axis=0, dtype=np.float32), np.float32)
        laid = lay(light, seen.camera, things[0], self.size_mm)
        if isinstance(laid, Message):
            return laid
        if any(_outside(thing, laid) and thing.area_mm2 > _ANOTHER_MM2 for thing in things[1:]):
            return NotTaken.MORE_THAN_ONE()
        return self._taken(light, seen, laid)

    def _taken(self, light: Linear, seen: SeenTable, laid: LaidCard) -> TakenCard | Message:
        scale = px_per_mm(laid.pixels, *laid.size_mm)
        if scale < LEAST_PX_PER_MM:
            return NotTaken.SMALL(px_mm=f"{scale:.1f}")
        if laid.traced.width_px > BLURRED_PX and not _sharp(light, seen):
            return NotTaken.BLURRED(px=f"{laid.traced.width_px:.1f}")
        white = _white_over(light, seen, laid)
        if white is None:
            return NotTaken.NO_WHITE()
        if white.max() > _BURNT_WHITE:
            return NotTaken.BURNT_OUT()
        face = straighten(light, laid.pixels, *laid.size_mm)
        glare = float((face.min(axis=2) > _BURNT).mean())
        if glare > _GLARE_SHARE:
            return NotTaken.GLARE(percent=f"{100 * glare:.0f}")
        even = np.asarray(face / white * np.float32(PAPER), np.float32)
        radius = corner_radius_mm(light, laid.pixels, *laid.size_mm)
        return TakenCard(srgb(even), laid.size_mm, radius, laid.centre_mm, laid.angle_deg, scale, laid.traced.width_px)


def _sharp(light: Linear, seen: SeenTable) -> bool:
    """Whether the fiducials are sharp: a card's edge is wide, too, where its border hardly differs from the floor."""
    grey = _grey(srgb(light))
    widths = [width for outline in seen.fiducial_outlines_px for width in edge_widths_px(grey, outline)]
    return bool(widths) and float(np.median(widths)) <= SHARP_PX


def _white_over(light: Linear, seen: SeenTable, laid: LaidCard) -> NDArray[np.float32] | None:
    """What white paper would give where the card lies, for every pixel of its picture (H, W, 3): a plane through the
    fiducials' white, or their mean where fewer than three are in view."""
    height, width = light.shape[:2]
    places, levels = [], []
    for outline in seen.fiducial_outlines_px:
        if (outline < 0).any() or (outline > (width - 1, height - 1)).any():
            continue
        x0, y0 = np.floor(outline.min(axis=0)).astype(int)
        x1, y1 = np.ceil(outline.max(axis=0)).astype(int)
        inside = np.zeros((y1 - y0 + 1, x1 - x0 + 1), np.uint8)
        cv2.fillConvexPoly(inside, np.round(outline - (x0, y0)).astype(np.int32), (1,))
        patch = light[y0 : y1 + 1, x0 : x1 + 1][inside > 0]
        # half of a marker's paper is white; what is beyond its upper tenth is noise and glints
        white, black = np.percentile(patch, 85, axis=0), np.percentile(patch, 10, axis=0)
        if (white > 2.0 * black + 0.004).all():  # covered by a sleeve or a card it shows no black and white
            places.append(outline.mean(axis=0))
            levels.append(white)
    if not levels:
        return None
    corners = laid.pixels(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    if len(levels) < 3:
        at_corners = np.repeat(np.mean(levels, axis=0)[None], 3, axis=0)
    else:
        design = np.column_stack([np.ones(len(places)), np.array(places)])
        plane = np.linalg.lstsq(design, np.array(levels), rcond=None)[0]
        at_corners = np.column_stack([np.ones(3), corners]) @ plane
    face_width, face_height = picture_size(*laid.size_mm)
    x = ((np.arange(face_width) + 0.5) / face_width)[None, :, None]
    y = ((np.arange(face_height) + 0.5) / face_height)[:, None, None]
    start, right, down = at_corners
    return np.asarray(np.maximum(start + x * (right - start) + y * (down - start), 1e-3), np.float32)


def _outside(thing: Thing, laid: LaidCard) -> bool:
    """Whether a thing's middle lies outside the card."""
    turn = np.radians(laid.angle_deg)
    dx, dy = thing.centre_mm[0] - laid.centre_mm[0], thing.centre_mm[1] - laid.centre_mm[1]
    across, along = np.cos(turn) * dx + np.sin(turn) * dy, np.cos(turn) * dy - np.sin(turn) * dx
    return bool(abs(across) > laid.size_mm[0] / 2 or abs(along) > laid.size_mm[1] / 2)


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _extrinsics(seen: SeenTable) -> tuple[Array, Array, Array, Array]:
    camera = seen.camera
    return camera.rvec, camera.tvec, camera.K, camera.dist
