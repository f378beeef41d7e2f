"""A simulated table with a session and a real eye over it, as fast as the machine goes; no thread of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CameraLost
from arena_cam.printing.sheets import block_faces
from arena_cam.referee.pictures.evidence import setup_files
from arena_cam.referee.session.session import Eye, Session
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.source import SimulatedSource
from arena_cam.store.data_folder import DataFolder
from arena_cam.vision.blocks.block_watcher import BlockWatcher
from arena_cam.vision.blocks.finder import BlockFinder
from arena_cam.vision.drawing.privacy import arena_only
from arena_cam.vision.reading.table_reader import TableReader
from arena_cam.vision.watching.scene_guard import guarded
from arena_cam.vision.watching.watcher import Watcher
from referee.builders import PLAYERS

FPS = 10.0  # a third less to draw than the default, which the tests of the eye itself watch at


class Room:
    """`said` gathers the codes of all warnings; `frame` is the last frame taken."""

    def __init__(self, folder: Path, deck: Deck, reader: TableReader | None = None) -> None:
        """A `reader` of the same table may be shared by rooms that follow each other: it knows the deck already."""
        self.folder, self.deck = folder, deck
        self.table = SimulatedTable(deck, seed=3, supersample=1, blocks=block_faces())
        self.reader = reader or TableReader(self.table.table(), deck)
        self.source = SimulatedSource(self.table, fps=FPS, live=False)
        self.session = self._opened()
        self.said: set[str] = set()
        self.frame: Frame | None = None

    def _opened(self) -> Session:
        table = self.table.table()
        eye = Eye(
            table,
            self.deck,
            lambda fps: Watcher(guarded(self.reader, table), fps=fps),
            setup=setup_files(table, self.deck),
            make_second_sight=lambda: BlockWatcher(BlockFinder(table)),
            hide=lambda image, pose: arena_only(image, table, pose),
        )
        self.data = DataFolder(self.folder, keep_free_bytes=0)
        return Session(self.data, eye, self.source, version="test")

    def start(self, **args: Any) -> None:
        self.passes(0.6)
        self.session.act("start_game", {"players": PLAYERS, **args}, "referee")

    def restart(self) -> None:
        """The power fails, and comes back: nothing is said good-bye to, and a new program opens what is on disk."""
        self.data.close()
        self.session = self._opened()

    def passes(self, seconds: float) -> None:
        for _ in range(round(seconds * FPS)):
            try:
                frame = self.source.read()
            except CameraLost as error:
                self.session.lost(error.said)
            else:
                assert frame is not None
                self.frame = frame
                self.session.take_frame(frame)
            self.said |= {warning["code"] for warning in self.session.snapshot()["warnings"]}

    def acts(self, *actions: act.Action, rest_s: float = 1.0) -> None:
        self.table.perform(*actions)
        for _ in range(200):
            self.passes(0.2)
            if self.table.idle:
                break
        self.passes(rest_s)

    @property
    def game(self) -> Any:
        return self.session.snapshot()["game"]

    @property
    def events(self) -> list[dict[str, Any]]:
        """The record's events without the keys that only the camera adds."""
        match = self.session.match
        assert match is not None
        added = ("at", "throw", "who", "why")
        return [{k: v for k, v in line.data.items() if k not in added} for line in match.ledger.record.events]
