"""A data folder with everything in it, opened once and locked: the database, the pictures, the guard of their room."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from arena_cam.store.backup import DATABASE, GAMES, SETUPS, data_lock
from arena_cam.store.database import Database
from arena_cam.store.matches import Matches
from arena_cam.store.pictures import Pictures
from arena_cam.store.receivers import Receivers
from arena_cam.store.results import Results
from arena_cam.store.room import DEFAULT_BUDGET_BYTES, DEFAULT_KEEP_FREE_BYTES, RoomGuard
from arena_cam.store.tokens import Tokens


class DataFolder:
    """`matches`, `results`, `pictures` (a folder a game), `setups` (what games were seen with, by name), `room`, and
    the `tokens` and `receivers` of other programs.

    Raises CannotDo if another program holds the folder, and what Database and Pictures raise.
    """

    def __init__(
        self,
        folder: Path,
        budget_bytes: int = DEFAULT_BUDGET_BYTES,
        keep_free_bytes: int = DEFAULT_KEEP_FREE_BYTES,
    ) -> None:
        self.folder = folder
        with ExitStack() as stack:
            stack.enter_context(data_lock(folder))
            self.database = Database(folder / DATABASE)
            stack.callback(self.database.close)
            self.matches = Matches(self.database)
            self.results = Results(self.database)
            self.tokens = Tokens(self.database)
            self.receivers = Receivers(self.database)
            self.pictures = Pictures(folder / GAMES)
            self.setups = Pictures(folder / SETUPS)
            self.pictures.remove_unfinished()
            self.setups.remove_unfinished()
            self.room = RoomGuard(self.matches, self.pictures, budget_bytes, keep_free_bytes)
            self._open = stack.pop_all()

    def close(self) -> None:
        """Closes the database and frees the folder; may be called twice."""
        self._open.close()
