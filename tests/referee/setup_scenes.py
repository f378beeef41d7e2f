"""A camera over a table that is being set up: it shows what the test lays under it, frame after frame."""

from __future__ import annotations

import threading
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.commands.tables.recording import Recording
from arena_cam.domain.cards import Deck
from arena_cam.domain.table import Table
from arena_cam.geometry.card_pose import CardPose
from arena_cam.printing.sheets import BOARD
from arena_cam.referee.session.session import Eye, Session
from arena_cam.referee.setup.desk import Chosen, SetupDesk
from arena_cam.referee.setup.files import SetupPlaces
from arena_cam.simulation.rendering.background import Surfaces
from arena_cam.simulation.rendering.camera_picture import Renderer
from arena_cam.simulation.rendering.scene import Scene, default_scene
from arena_cam.simulation.things.faces import Faces
from arena_cam.store.data_folder import DataFolder
from arena_cam.vision.drawing.overlay import draw_layers
from arena_cam.vision.reading.table_reader import TableReader
from arena_cam.vision.watching.watcher import Watcher
from vision.board_scenes import TILTED, TrueCamera, photograph, poses

Image = NDArray[np.uint8]
SIZE = (960, 540)
FPS = 20.0  # quick: the tests need not wait


@lru_cache
def scene(size: tuple[int, int] = SIZE) -> Scene:
    return default_scene(size)


@lru_cache
def board_views() -> tuple[Image, ...]:
    """The printed calibration board as the scene's camera sees it, held in ten ways."""
    table = scene().table
    camera = TrueCamera(np.array(table.K), np.array(table.dist), SIZE)
    grey = [photograph(BOARD, camera, rvec, tvec) for rvec, tvec in poses(BOARD, camera, TILTED)]
    return tuple(np.asarray(cv2.cvtColor(each, cv2.COLOR_GRAY2BGR), np.uint8) for each in grey)


@lru_cache
def _renderer(size: tuple[int, int]) -> Renderer:
    here = scene(size)
    return Renderer(here.camera, size, Surfaces(here.table.arena, here.look), here.table.fiducials)


@lru_cache
def empty_table(size: tuple[int, int] = SIZE) -> Image:
    _renderer(size).clear()
    return _renderer(size).picture()


def table_with_card(
    deck: Deck, card: str = "", size: tuple[int, int] = SIZE, *, turn_deg: float = 24.0, face_down: bool = False
) -> Image:
    """A card of the deck, the first if none is named, flat in the tray."""
    here, renderer = scene(size), _renderer(size)
    renderer.clear()
    faces = Faces(deck, here.camera.px_per_mm(np.zeros(3)), here.look.gloss)
    plate = faces.back() if face_down else faces.face(card or deck.cards[0].id)
    renderer.lay(plate, CardPose.flat(14.0, -9.0, turn_deg, 0.15), outside=False)
    renderer.settle()
    return renderer.picture()


class ShownPictures:
    """A live source that shows the same picture until it is given another; each frame differs a little."""

    name, live, fps = "usb:7", True, FPS

    def __init__(self, image: Image) -> None:
        self._image = image
        self._sequence = 0
        self._closed = threading.Event()

    def show(self, image: Image) -> None:
        self._image = image

    def read(self) -> Frame | None:
        if self._closed.wait(1.0 / FPS):
            return None
        self._sequence += 1
        image = self._image.copy()
        image[0, 0] = self._sequence % 256  # a picture that never changes would be a frozen camera
        return Frame(image, self._sequence / FPS, self._sequence, self.name, f"usb-{self._sequence:06d}")

    def close(self) -> None:
        self._closed.set()


class SettingUp:
    """A session without a table, its desk, and the camera; as `arena-cam referee usb:7` puts them together."""

    def __init__(
        self,
        folder: Path,
        own_deck: Path,
        in_use: Chosen | None = None,
        image: Image | None = None,
        recording: Recording | None = None,
    ) -> None:
        self.folder = folder
        self.camera = ShownPictures(empty_table() if image is None else image)
        self.remembered: list[tuple[Path, Path]] = []
        shipped = folder / "shipped"
        shipped.mkdir(parents=True, exist_ok=True)
        repository = Path(__file__).parent.parent.parent / "calibration"
        for file in repository.glob("*.json"):
            (shipped / file.name).write_bytes(file.read_bytes())
        self.calibration, self.decks = folder / "calibration", folder / "decks"
        places = SetupPlaces(self.calibration, shipped, self.decks, lambda: own_deck)
        self.desk = SetupDesk(
            _eye,
            places,
            lambda table, deck: self.remembered.append((table, deck)),
            in_use or Chosen(),
            "usb:7",
            recording,
        )
        source = self.camera if recording is None else recording.film
        data = DataFolder(folder / "data")
        self.session: Any = Session(data, self.desk.first_eye(), source, on_state=recording)
        if recording is not None:
            recording.watch(self.session)
        self.desk.attach(self.session)
        self.session.start()

    def stop(self) -> None:
        self.desk.close()
        self.session.stop()

    def wait_for(self, true: Any, seconds: float = 30.0) -> Any:
        """Waits until `true` of the desk's snapshot, and returns that."""
        until = time.monotonic() + seconds
        while True:
            snapshot = self.desk.snapshot()
            if true(snapshot):
                return snapshot
            assert time.monotonic() < until, snapshot
            time.sleep(0.05)


def _eye(table: Table, deck: Deck) -> Eye:
    return Eye(
        table,
        deck,
        lambda fps: Watcher(TableReader(table, deck), fps=fps),
        lambda image, reading, pose, layers: draw_layers(image, table, reading, pose, layers),
    )
