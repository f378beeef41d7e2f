"""Pictures that do not show this table, shown to a referee in the middle of a round, for a few seconds each.

Each kind is what may happen to a camera: its driver mirrors or turns, its focus hunts, somebody points it elsewhere or
puts another tray there. It must be said; nothing may be ruled, thrown or moved by such pictures; and the round goes on
as if nothing had been when the table is back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Landing
from arena_cam.domain.table import Fiducials
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.rendering.look import random_look
from arena_cam.simulation.rendering.scene import Scene, default_scene
from arena_cam.simulation.source import SimulatedSource
from arena_cam.vision.reading.table_reader import TableReader
from referee.room import FPS, Room

WRONG_S = 4.0
SAID_WITHIN_S = 2.0

Alter = Callable[[Image], Image]


def _scenes(deck: Deck) -> Mapping[str, Alter]:
    """How each kind makes of a picture of this table one that does not show it."""
    scene = default_scene()
    look = random_look(np.random.default_rng(11), width_px=scene.table.image_size[0])
    arena, fiducials = scene.table.arena, scene.table.fiducials
    wide = replace(arena, inner_mm=(300.0, 220.0))
    strangers = {number + 4: at for number, at in fiducials.centres_mm.items()}
    return {
        "mirrored": lambda picture: np.ascontiguousarray(picture[:, ::-1]),
        "upside down": lambda picture: np.ascontiguousarray(picture[::-1]),
        "turned by 180 degrees": lambda picture: np.ascontiguousarray(picture[::-1, ::-1]),
        "turned by 90 degrees": _on_its_side,
        "out of focus, 4 px": lambda picture: _blurred(picture, 4.0),
        "out of focus, 8 px": lambda picture: _blurred(picture, 8.0),
        "noise round the fiducials": _Noise(scene),
        "another table": _Elsewhere(replace(scene, look=look), deck),
        "another tray": _Elsewhere(replace(scene, table=replace(scene.table, arena=wide)), deck),
        "fiducials of another set": _Elsewhere(
            replace(scene, table=replace(scene.table, fiducials=replace(fiducials, centres_mm=strangers))), deck
        ),
        "fiducials of another dictionary": _Elsewhere(
            replace(scene, table=replace(scene.table, fiducials=replace(fiducials, dictionary="DICT_4X4_50"))), deck
        ),
    }


SCENES = (
    "mirrored", "upside down", "turned by 180 degrees", "turned by 90 degrees", "out of focus, 4 px",
    "out of focus, 8 px", "noise round the fiducials", "another table", "another tray", "fiducials of another set",
    "fiducials of another dictionary",
)  # fmt: skip


def _on_its_side(picture: Image) -> Image:
    """A camera that lies on its side: its picture, cut and filled up to the size that it always has."""
    height, width = picture.shape[:2]
    turned = np.zeros_like(picture)
    side = cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)[:height]
    left = (width - side.shape[1]) // 2
    turned[:, left : left + side.shape[1]] = side
    return turned


def _blurred(picture: Image, sigma_px: float) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.uint8)


class _Noise:
    """Grain of another table, with the fiducials where they were."""

    def __init__(self, scene: Scene) -> None:
        width, height = scene.table.image_size
        self._kept = np.zeros((height, width), np.uint8)
        for outline in _outlines(scene.table.fiducials, scene):
            cv2.fillConvexPoly(self._kept, np.round(outline).astype(np.int32), (255,))
        grain = np.random.default_rng(5).normal(120, 50, (height // 3, width // 3, 3)).clip(0, 255).astype(np.uint8)
        self._grain = np.asarray(cv2.resize(grain, (width, height)), np.uint8)
        self._number = 0

    def __call__(self, picture: Image) -> Image:
        self._number += 1
        shown = np.where(self._kept[:, :, None] > 0, picture, self._grain)
        return _with_noise(np.asarray(shown, np.uint8), self._number)


def _outlines(fiducials: Fiducials, scene: Scene) -> list[np.ndarray]:
    half = fiducials.size_mm * 0.65
    square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    places = [np.column_stack([square + at, np.full(4, fiducials.z_mm)]) for at in fiducials.centres_mm.values()]
    return [scene.camera.project(place) for place in places]


class _Elsewhere:
    """What the camera would see over another table on which cards lie, too."""

    def __init__(self, scene: Scene, deck: Deck) -> None:
        table = SimulatedTable(deck, scene, seed=9, supersample=1)
        table.perform(act.LayChallenge("green-8", at_mm=(20.0, 10.0)), act.Throw("red-3", Landing.FLAT))
        source = SimulatedSource(table, fps=5.0, live=False)
        frame = source.read()
        while not table.idle:
            frame = source.read()
        assert frame is not None
        self._picture, self._number = frame.image_bgr, 0

    def __call__(self, picture: Image) -> Image:  # noqa: ARG002 the camera looks elsewhere
        self._number += 1
        return _with_noise(self._picture, self._number)


def _with_noise(picture: Image, seed: int) -> Image:
    """No sensor gives the same picture twice: one that stands still would be told by that."""
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape[:2])
    return np.clip(picture + noise[:, :, None], 0, 255).astype(np.uint8)


class _Wronged(SimulatedSource[SimulatedTable]):
    """A simulated camera whose pictures go through `alter` while there is one."""

    alter: Alter | None = None

    def read(self) -> Frame | None:
        frame = super().read()
        if frame is None or self.alter is None:
            return frame
        return Frame(self.alter(frame.image_bgr), frame.time_s, frame.sequence, frame.source, frame.name)


@dataclass(frozen=True)
class Shown:
    """`said_s`: when it was said, None if never. `happened`: events of the record meanwhile, and until all was well.

    `well_s`: how long after the table was back the eye was armed again. `after`: events of the throw that came then.
    """

    kind: str
    said_s: float | None
    words: str
    happened: tuple[str, ...]
    well_s: float | None
    after: tuple[str, ...]

    @property
    def faults(self) -> list[str]:
        found = [f"{self.kind}: {event} came of it" for event in self.happened]
        if self.said_s is None or self.said_s > SAID_WITHIN_S:
            found.append(f"{self.kind}: said after {self.said_s} s")
        if self.well_s is None:
            found.append(f"{self.kind}: the eye is not well again")
        if self.after[:1] != ("throw",):
            found.append(f"{self.kind}: the next throw is {self.after}")
        return found


class WrongScenes:
    """Plays a round for each kind, with one reader that knows the deck already."""

    def __init__(self, folder: Path, deck: Deck) -> None:
        self._folder, self._deck = folder, deck
        self._scenes = _scenes(deck)
        self._reader: TableReader | None = None

    def show(self, kind: str) -> Shown:
        """A challenge, a throw, the wrong pictures, the table again, and one more throw."""
        room = Room(self._folder / kind.replace(" ", "-"), self._deck, self._reader)
        self._reader = room.reader
        source = _Wronged(room.table, fps=FPS, live=False)
        room.source = source
        room.start()
        room.acts(act.LayChallenge("red-8", at_mm=(0.0, 0.0)), rest_s=1.0)
        room.acts(act.Throw("blue-3", Landing.FLAT, aim_mm=(-90.0, 60.0)), rest_s=1.5)
        before = len(room.events)
        source.alter = self._scenes[kind]
        said_s, words = _until(room, "blind", WRONG_S)
        source.alter = None
        well_s, _ = _until(room, "armed", 3.0)
        happened = tuple(event["type"] for event in room.events[before:])
        before = len(room.events)
        room.acts(act.Throw("green-5", Landing.FLAT, aim_mm=(90.0, -60.0)), rest_s=1.5)
        after = tuple(event["type"] for event in room.events[before:])
        room.session.stop()
        return Shown(kind, said_s, words, happened, well_s, after)


def _until(room: Room, state: str, seconds: float) -> tuple[float | None, str]:
    """Passes `seconds`; when the eye was first in `state`, and what it said then."""
    found: tuple[float | None, str] = (None, "")
    for count in range(round(seconds * FPS)):
        room.passes(1 / FPS)
        eye = room.session.snapshot()["eye"]
        if found[0] is None and eye["state"] == state:
            found = ((count + 1) / FPS, str(eye["why"]))
    return found
