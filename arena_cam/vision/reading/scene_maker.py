"""Makes a frame ready for reading: where the camera is, what changed, and the pictures that fits are made on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.markers import find_markers_in
from arena_cam.vision.picture.robust import percentiles
from arena_cam.vision.picture.sampling import Pyramid
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.scene import FINE_PX_PER_MM, PointStore, Scene
from arena_cam.vision.reading.floor.arm_in_view import arm_in_view, of_picture
from arena_cam.vision.reading.floor.changed_boxes import changed_boxes
from arena_cam.vision.reading.floor.closer_look import CloserLook
from arena_cam.vision.reading.floor.fresh_places import FreshPlaces
from arena_cam.vision.reading.floor.reaching_in import ARM_CARDS, rim_in_view
from arena_cam.vision.reading.floor.table_change import EarlierTable, TableChange
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.guesses.known_lies import believed_places
from arena_cam.vision.table.empty_picture import empty_picture
from arena_cam.vision.table.pose import SeenTable, TablePoseFinder, white_of_paper

_LEVELS = 4  # of the pyramid, from the fine scale's on: a steep card is looked for at an eighth of it


@dataclass(frozen=True, eq=False)
class TableScene:
    """One frame made ready: its scene, and the table as seen in it."""

    scene: Scene
    seen: SeenTable


class SceneMaker:
    """Makes scenes of frames of one camera over one table. Keeps the last table pose, and the maps of the views."""

    def __init__(self, table: Table, faces: DeckFaces, hold_pose: bool) -> None:
        """`hold_pose`: the last good pose serves while fewer than two fiducials are in view."""
        self._table, self._faces, self._hold = table, faces, hold_pose
        self._points = faces.shared(PointStore)
        empty = empty_picture(table)
        seen = TablePoseFinder(table).find(_grey(empty)) if empty is not None else None
        self._poses = TablePoseFinder(table, seen)
        self.maps = KeptMaps(seen.camera if seen is not None else None)
        self._empty: EarlierTable | None = None
        self.closer: CloserLook | None = None
        if empty is not None and seen is not None:
            self._empty = EarlierTable(empty, seen.camera, table.arena, seen.fiducial_outlines_px, self.maps)
            self.closer = CloserLook(empty, seen.camera, table.arena)

    def make(
        self, frame: Frame, known: Sequence[Lie], changed: NDArray[np.bool_] | None, before: Image | None
    ) -> TableScene | Unreadable:
        """The scene of `frame`; `known`, `changed` and `before` as `TableReader.read` takes them."""
        image = frame.image_bgr
        trouble = _trouble(image, self._table)
        if trouble is not None:
            return Unreadable(frame.name, frame.time_s, trouble[:1], trouble[1])
        grey = _grey(image)
        exact = grey.astype(np.float32)
        seen = self._seen(grey, exact)
        if seen is None:
            why, remedy = self._without_pose()
            return Unreadable(frame.name, frame.time_s, (why,), remedy)
        empty = self._empty
        view = empty.seen(image, seen.camera) if empty is not None else None
        change = empty.held_against(view, seen.camera) if empty is not None and view is not None else None
        # where anything differs, if only by a shadow: of a white card on a white table no more than its markers may
        boxes = changed_boxes(change, grey.shape) if change is not None else [(0, 0, grey.shape[1], grey.shape[0])]
        markers = tuple(m for name in self._points.markers.dictionaries for m in find_markers_in(grey, name, boxes))
        since = self._since(image, view, seen, before) if changed is not None and before is not None else None
        fresh = FreshPlaces(changed, self._table.image_size, since) if changed is not None else None
        believed = believed_places(self._faces, known)
        scene = self._scene(image, grey, exact, seen)
        scene = replace(scene, markers=markers, believed=believed, change=change, fresh=fresh)
        if change is not None and view is not None:
            scene = _with_arm(scene, change, view)
        return TableScene(scene, seen)

    def _seen(self, grey: NDArray[np.uint8], exact: NDArray[np.float32]) -> SeenTable | None:
        """The table as the frame shows it, or as it was seen last; None where neither will do."""
        seen = self._poses.find(grey, exact)
        if seen is not None or self._poses.contradicted or not self._hold or self._poses.held is None:
            return seen
        held = self._poses.held
        return replace(held, pose=replace(held.pose, held=True))

    def _without_pose(self) -> tuple[Message, Message]:
        """Why there is no pose of the table, and what to do."""
        if self._poses.contradicted:
            return Doubt.FIDUCIALS_DISAGREE(), Doubt.RIGHT_TABLE()
        return Doubt.FEW_FIDUCIALS(), Doubt.UNCOVER_FIDUCIALS()

    def _scene(
        self, image: NDArray[np.uint8], grey: NDArray[np.uint8], exact: NDArray[np.float32], seen: SeenTable
    ) -> Scene:
        scale = seen.camera.px_per_mm(np.zeros(3))
        level = max(0, round(float(np.log2(scale / FINE_PX_PER_MM))))
        pyramid = Pyramid.of(exact, level + _LEVELS)
        bgr = image
        for _ in range(level):
            bgr = np.asarray(cv2.pyrDown(bgr), dtype=np.uint8)
        ratio, white = white_of_paper(image, seen)
        arena, points = self._table.arena, self._points
        return Scene(grey, pyramid, bgr, seen.camera, self._faces, arena, level, points, ratio, white=white)

    def _since(self, image: Image, view: Image | None, seen: SeenTable, before: Image) -> TableChange | None:
        """The frame, seen from above as `view` if there is an empty table, held against the picture of `before`, taken
        from the same place."""
        if before.shape != image.shape:
            return None
        camera, half_mm = seen.camera, self._empty.half_mm if self._empty is not None else None
        outlines = seen.fiducial_outlines_px
        table = EarlierTable(before, camera, self._table.arena, outlines, self.maps, half_mm)
        return table.look(image, camera) if view is None else table.held_against(view, camera)


def _with_arm(scene: Scene, change: TableChange, view: Image) -> Scene:
    """The scene with what an arm covers that reaches in over the arena's floor, and which is no shadow then; `view`
    (H, W, 3) is what the picture shows from above."""
    claims = Claims.of_outlines(scene, ())
    rim = rim_in_view(change, claims.mask.shape, claims.STEP)
    arm = arm_in_view(change, view, rim, scene.white_ratio, ARM_CARDS * scene.faces.deck.card_mm2)
    if arm is None or not (arm & change.inside & change.odd).any():
        return scene
    covered = of_picture(arm, change, claims.mask.shape, claims.STEP)
    return replace(scene, arm=covered, change=change.with_a_thing(arm))


def _grey(bgr: Image) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


_BLACK_LEVEL = 32.0


def _trouble(image: NDArray[np.uint8], table: Table) -> tuple[Message, Message] | None:
    """(what is wrong, what to do) with a picture that cannot be read at all."""
    height, width = image.shape[:2]
    if (width, height) != table.image_size:
        size = f"{table.image_size[0]}x{table.image_size[1]}"
        return (
            Doubt.OTHER_SIZE(size=f"{width}x{height}", size_wanted=size),
            Doubt.RIGHT_SIZE(size=size),
        )
    small = image[::16, ::16].reshape(-1, 1)
    if percentiles(small, (99.0,))[0][0] < _BLACK_LEVEL:  # a lit fiducial's white is brighter on any table
        return Doubt.PICTURE_BLACK(), Doubt.LET_LIGHT_IN()
    if float(small.min()) > 240.0:
        return Doubt.PICTURE_WHITE(), Doubt.LESS_LIGHT()
    return None
