"""Everything that all fits of one frame need: picture, camera, faces."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any, TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array, Grey
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.face_points import (
    FacePoints,
    PointTiles,
    choose_points,
)
from arena_cam.vision.faces.face_tiles import FaceTiles, cut_face
from arena_cam.vision.faces.name_points import NamePoints
from arena_cam.vision.faces.turned_drawings import TurnedDrawings
from arena_cam.vision.picture.markers import SeenMarker
from arena_cam.vision.picture.sampling import Pyramid, picture_at, sample_at
from arena_cam.vision.picture.slopes import gradient_magnitude
from arena_cam.vision.reading.floor.fresh_places import FreshPlaces
from arena_cam.vision.reading.floor.table_change import TableChange
from arena_cam.vision.reading.guesses.printed_markers import MarkerPrints

FINE_PX_PER_MM = 2.0
COARSE_PX_PER_MM = 1.0
COARSE_HALVINGS = 1  # of the fine scale
OVERLAP_PX_PER_MM = 2.0
# Of a face's contrast, at the coarse scale: of 36 drawn decks ten backs of fine stripes kept 0.14 to 0.5, all other
# faces 0.68 and more.
_LEAST_KEPT = 0.6
_MOST_LAID = 12  # faces, of half a megabyte each: as many as overlap others in a frame, or in the next one

Colours = NDArray[np.float32]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Scene:
    """What every fit of one frame needs: the picture (grey, its pyramid, and colour), the camera over it, the faces.

    `markers` are all markers of the deck's dictionaries that the picture shows, on cards or not.
    `believed` are faces that surely lay at these poses a moment ago.
    `change` says where the picture differs from the empty table's, if that is known, and `fresh` where it differs from
    when the cards believed were read.
    `white_ratio` (3,) is the colour of white in this frame (blue, green, red), green = 1; `white` (3,) is the share of
    full light that white paper sends, ones where that is not known.
    `arm` is 1 where an arm that reaches in covers the picture, a mask (h, w) as claims are, if one does: what it covers
    of cards is not in view.
    `fine_level` is the pyramid's level whose scale is nearest to FINE_PX_PER_MM; `bgr` is the picture at that level.
    """

    grey: NDArray[np.uint8]
    pyramid: Pyramid
    bgr: NDArray[np.uint8]
    camera: Camera
    faces: DeckFaces
    arena: Arena
    fine_level: int
    points: PointStore
    white_ratio: Array
    markers: tuple[SeenMarker, ...] = ()
    believed: tuple[tuple[int, CardPose], ...] = ()
    change: TableChange | None = None
    fresh: FreshPlaces | None = None
    arm: NDArray[np.uint8] | None = None
    white: Array = field(default_factory=lambda: np.ones(3))
    _answers: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def once(self, asked: Hashable, work: Callable[[], T]) -> T:
        """What `work` gives, worked out once of this scene while the same is `asked`: a search that begins anew meets
        the same places again. Whoever gets it leaves it as it is."""
        if asked not in self._answers:
            self._answers[asked] = work()
        return cast(T, self._answers[asked])

    @property
    def image_size(self) -> tuple[int, int]:
        """(width, height) of the original picture."""
        height, width = self.grey.shape
        return width, height

    @property
    def fine_grey(self) -> NDArray[np.uint8]:
        """The grey picture at the fine level."""
        if self.fine_level == 0:
            return self.grey
        return np.clip(self.pyramid.levels[self.fine_level], 0, 255).astype(np.uint8)

    def markers_in_place(self, pose: CardPose) -> dict[int, int]:
        """For each face, how many of the markers seen lie where that face at `pose` would print them."""
        asked = "markers in place", pose  # of a fit that is judged, and judged again
        return self.once(asked, lambda: self.points.markers.in_place(self.markers, self.camera, pose))

    def all_markers_in_place(self, face: int, pose: CardPose) -> bool:
        """Whether all markers seen that a face bears lie where it would print them at `pose`."""
        return self.markers_in_place(pose).get(face, 0) >= self.points.markers.of_face(self.markers, face)

    def sample_bgr(self, pixels: Array) -> Array:
        """Colours (N, 3) at frame pixels (2, N), NaN outside the picture."""
        return sample_at(self.bgr, pixels * 0.5**self.fine_level)

    def picture_bgr(self, pixels: Grey) -> NDArray[np.uint8]:
        """A picture (H, W, 3) of the frame's pixels (2, H, W), black outside the frame."""
        return picture_at(self.bgr, self._of_fine(pixels))

    def shows(self, pixels: Grey) -> NDArray[np.bool_]:
        """Which of the frame's pixels (2, ...) lie in the picture from which `picture_bgr` samples."""
        (x, y), (height, width) = self._of_fine(pixels), self.bgr.shape[:2]
        return np.asarray((x >= 0.0) & (y >= 0.0) & (x <= width - 1.0) & (y <= height - 1.0))

    def _of_fine(self, pixels: Grey) -> Grey:
        return pixels * np.float32(0.5**self.fine_level) if self.fine_level else pixels


class PointStore:
    """What fits need of every face, computed once: alignment points at each scale, tiles, and points for comparing
    names.

    It grows by 0.8 MB for each face that is met, most of it in the first half hour of an evening, and is freed with the
    deck.
    """

    def __init__(self, faces: DeckFaces) -> None:
        self._faces = faces
        self._points: dict[tuple[int, float], FacePoints] = {}
        self._point_tiles: dict[float, PointTiles] = {}
        self._tiles: dict[tuple[int, int], FaceTiles] = {}
        self._halvings: dict[int, int] = {}
        # a face (H, W, 3) by its number as overlaps are compared with it, and how steep it is (H, W, 3)
        self.laid = lru_cache(_MOST_LAID)(partial(_drawn_to_overlap, faces))

    @cached_property
    def names(self) -> NamePoints:
        return NamePoints(self._faces)

    @cached_property
    def turned(self) -> TurnedDrawings:
        return TurnedDrawings(self._faces)

    @cached_property
    def markers(self) -> MarkerPrints:
        return MarkerPrints(self._faces)

    def points(self, face: int, px_per_mm: float) -> FacePoints:
        key = (face, px_per_mm)
        if key not in self._points:
            grid = self._faces.grid(px_per_mm)
            if px_per_mm not in self._point_tiles:
                self._point_tiles[px_per_mm] = PointTiles.of(grid.mask, 2000 if px_per_mm >= FINE_PX_PER_MM else 900)
            tiles = self._point_tiles[px_per_mm]
            self._points[key] = choose_points(grid.grey_of(face), tiles, grid.x_mm, grid.y_mm, px_per_mm)
        return self._points[key]

    def tiles(self, face: int, halvings: int | None = None) -> FaceTiles:
        """At the scale at which its print shows, or at the fine one halved so often."""
        key = face, self.halvings(face) if halvings is None else halvings
        if key not in self._tiles:
            self._tiles[key] = cut_face(self._faces, face, FINE_PX_PER_MM / 2 ** key[1])
        return self._tiles[key]

    def halvings(self, face: int) -> int:
        """How often the fine scale is halved to that at which a face is compared and aligned at first: once, to the
        coarse one; not at all of a face that loses most of its contrast there. Of a back of stripes a millimetre apart
        the coarse scale leaves an even grey, which any grey card explains, and none shows."""
        if face not in self._halvings:
            coarse, fine = (self._contrast(face, scale) for scale in (COARSE_PX_PER_MM, FINE_PX_PER_MM))
            self._halvings[face] = COARSE_HALVINGS if coarse >= _LEAST_KEPT * fine else 0
        return self._halvings[face]

    def _contrast(self, face: int, px_per_mm: float) -> float:
        grid = self._faces.grid(px_per_mm)
        return float(grid.grey_of(face)[grid.inner].std())


def _drawn_to_overlap(faces: DeckFaces, face: int) -> tuple[Colours, Colours]:
    """A face (H, W, 3), and how steep it is, in grey levels a pixel."""
    value = faces.grid(OVERLAP_PX_PER_MM).bgr_of(face)
    across, along = (
        np.asarray(cv2.Sobel(value, cv2.CV_32F, *way, ksize=3, scale=0.125), dtype=np.float32)
        for way in ((1, 0), (0, 1))
    )
    return value, gradient_magnitude(across, along)
