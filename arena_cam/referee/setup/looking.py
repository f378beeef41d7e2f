"""What the camera looks for while a table is set up, a kind of look a step: the table, the calibration board, nothing.

Every look is offered the newest frame, one at a time, and draws what it sees over the picture.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol, cast

import cv2
import numpy as np

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import TablePose
from arena_cam.domain.table import Arena, Table
from arena_cam.geometry.arrays import Array
from arena_cam.printing.sheets import BOARD, FIDUCIAL_IDS
from arena_cam.referee.setup.interface import BoardSnapshot, FindingSnapshot
from arena_cam.vision.drawing.overlay import draw_layers
from arena_cam.vision.picture.markers import find_markers
from arena_cam.vision.setup.board_views import ViewCollector
from arena_cam.vision.setup.check import Finding, check_table
from arena_cam.vision.setup.intrinsics import FEWEST_VIEWS, Intrinsics
from arena_cam.vision.setup.unmeasured_table import first_look, usual_camera

Json = dict[str, Any]

DICTIONARY = "DICT_5X5_50"
CHECKED_FRAMES = 10  # two thirds of a second: fast flicker shows, and they take 40 MB
CHECK_EVERY_S = 1.0
MOST_POINTS = 1200  # of the corners shown where the board has been: a page of some 20 kB

# Blue, green, red.
SEEN, HELD, WAS = (60, 200, 255), (110, 220, 90), (255, 200, 90)


class Look(Protocol):
    def look(self, frame: Frame) -> None:
        """Takes the newest frame; called by one thread."""
        ...

    def draw(self, image: Image) -> Image:
        """`image`, the newest, with what is seen drawn over it, or the picture that was looked at last."""
        ...


class MarkerLook:
    """Shows which fiducials are found."""

    def __init__(self) -> None:
        self._outlines: list[tuple[int, Array]] = []

    def look(self, frame: Frame) -> None:
        grey = np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        self._outlines = [(m.id, m.corners_px) for m in find_markers(grey, DICTIONARY) if m.id in FIDUCIAL_IDS]

    def draw(self, image: Image) -> Image:
        canvas = image.copy()
        width = _line(image)
        for number, outline in self._outlines:
            cv2.polylines(canvas, [np.round(outline).astype(np.int32)], True, HELD, width + 1, cv2.LINE_AA)
            _label(canvas, str(number), outline.mean(axis=0), width)
        return canvas


class TableLook(MarkerLook):
    """Looks whether a game could be refereed on the table as it stands; `findings` are the newest."""

    def __init__(
        self, table: Table | None, camera: tuple[Array, Array] | None, arena: Arena, fiducial_mm: float
    ) -> None:
        """`table` is the measured one, if any; without it the table is judged as it can be before it is measured.

        `camera` is K and dist, None where nothing is known of it.
        """
        super().__init__()
        self._table, self._camera = table, camera
        self._arena, self._fiducial_mm = arena, fiducial_mm
        self._frames: deque[Frame] = deque(maxlen=CHECKED_FRAMES)
        self._next_s = 0.0
        self.deck: Deck | None = None
        self.findings: list[Finding] = []

    def look(self, frame: Frame) -> None:
        super().look(frame)
        if self._frames and self._frames[-1].image_bgr.shape != frame.image_bgr.shape:
            self._frames.clear()
        self._frames.append(frame)
        if len(self._frames) < CHECKED_FRAMES or frame.time_s < self._next_s:
            return
        self._next_s = frame.time_s + CHECK_EVERY_S
        size = (frame.image_bgr.shape[1], frame.image_bgr.shape[0])
        frames = list(self._frames)
        if self._table is not None and self._table.image_size == size:
            self.findings = check_table(frames, self._table, self.deck)
        else:
            K, dist = self._camera or (usual_camera(size), np.zeros(5))
            self.findings = first_look(frames, K, dist, self._arena, DICTIONARY, self._fiducial_mm, self.deck)

    def snapshot(self) -> list[FindingSnapshot]:
        return [cast(FindingSnapshot, finding.to_json()) for finding in self.findings]


class BoardLook:
    """Collects views of the calibration board; `found` once they determine the camera."""

    def __init__(self, image_size: tuple[int, int]) -> None:
        self._size = image_size
        self._collector = ViewCollector(BOARD, image_size)
        self._shown: Image | None = None
        self.found: Intrinsics | None = None

    def look(self, frame: Frame) -> None:
        image = frame.image_bgr
        if self.found is not None or (image.shape[1], image.shape[0]) != self._size:
            return
        kept = self._collector.offer(image, frame.name)
        self._shown = self._drawn(image, kept)
        if kept:
            self.found, _ = self._collector.result()

    def draw(self, image: Image) -> Image:
        """The picture looked at last: its corners lie where they were found, however slow the machine is."""
        return self._shown if self._shown is not None else image

    def _drawn(self, image: Image, kept: bool) -> Image:
        canvas = image.copy()
        width = _line(image)
        for view in self._collector.views:
            for x, y in view.image_px:
                cv2.circle(canvas, (round(x), round(y)), width, WAS, -1, cv2.LINE_AA)
        seen = self._collector.seen
        if seen is not None:
            colour = HELD if kept or self._collector.still else SEEN
            outline = cv2.convexHull(seen.image_px.astype(np.float32))
            cv2.polylines(canvas, [np.round(outline).astype(np.int32)], True, colour, width + 1, cv2.LINE_AA)
            for x, y in seen.image_px:
                cv2.circle(canvas, (round(x), round(y)), 2 * width + 1, colour, -1, cv2.LINE_AA)
        return canvas

    def snapshot(self) -> BoardSnapshot:
        views = list(self._collector.views)
        points = np.concatenate([view.image_px for view in views]) / np.array(self._size) if views else np.zeros((0, 2))
        return {
            "views": len(views),
            "wanted": FEWEST_VIEWS,
            "points": [[round(float(x), 3), round(float(y), 3)] for x, y in points[-MOST_POINTS:]],
            "uncovered": self._collector.uncovered(),
            "missing": [each.code for each in self._collector.missing],
            "seen": self._collector.seen is not None,
            "still": self._collector.still,
        }


THING_COLOUR = (40, 40, 230)


class ArenaLook(MarkerLook):
    """Shows the arena as it was measured over the live picture, so that everybody sees whether it fits."""

    def __init__(self) -> None:
        super().__init__()
        self._measured: tuple[Table, TablePose] | None = None
        self._things_px: list[Array] = []

    def show(self, table: Table | None, pose: TablePose | None, things_px: Sequence[Array] = ()) -> None:
        """Shows a measured arena, and the outlines (N, 2), in pixels, of what lies in it though it should be empty."""
        self._measured = (table, pose) if table is not None and pose is not None else None
        self._things_px = [np.round(outline).astype(np.int32) for outline in things_px]

    def draw(self, image: Image) -> Image:
        measured = self._measured
        if measured is None or (image.shape[1], image.shape[0]) != measured[0].image_size:
            return super().draw(image)
        drawn = draw_layers(image, measured[0], None, measured[1], ("boundary", "fiducials"))
        if self._things_px:
            drawn = drawn.copy()
            cv2.polylines(drawn, self._things_px, True, THING_COLOUR, 2 * _line(image), cv2.LINE_AA)
        return drawn


class PlainLook:
    """Looks at nothing: the picture as it comes."""

    def look(self, frame: Frame) -> None:
        """Nothing to see."""

    def draw(self, image: Image) -> Image:
        return image


def _line(image: Image) -> int:
    return max(1, round(float(image.shape[1]) / 640))


def _label(canvas: Image, text: str, place: Sequence[float] | Array, width: int) -> None:
    scale = 0.5 * width
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, width + 1)
    at = (round(float(place[0]) - w / 2), round(float(place[1]) + h / 2))
    cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (20, 20, 20), width + 4, cv2.LINE_AA)
    cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), width + 1, cv2.LINE_AA)
