"""An evening for receivers to be told of: a data folder with a game, and a session that shows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from arena_cam.referee.integrations.programs import Programs
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.matches import Change, KeptGame, LoggedLine
from arena_cam.web.live.page_words import PageWords
from web.scripted_session import ScriptedSession, throws_scene

SOON_S = 10.0  # on a loaded machine; what is awaited comes within a fraction of it


class Evening:
    """`add_line` is what a referee's session does: it is on disk first, then everybody is woken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.session = cast(Any, ScriptedSession(throws_scene()))
        self._open()
        self.data.matches.begin(KeptGame("g1", "Evening", "arena", {}, time.time(), None, {}, {}), {})
        self._line = 1

    def _open(self) -> None:
        self.data = DataFolder(self.folder)
        self.programs = Programs(self.data.tokens, self.data.receivers, PageWords(), first_retry_s=0.05)

    def start(self) -> None:
        self.programs.start(self.session)

    def stop(self) -> None:
        self.programs.stop()
        self.data.close()

    def restart(self) -> None:
        """The program is ended and started again."""
        self.stop()
        self._open()
        self.start()

    def add_line(self) -> int:
        """One more line in the record; its number."""
        self._line += 1
        ruling = {
            "line": self._line,
            "code": "duelling",
            "card": "blue-3",
            "player": "Bernhard",
            "text": "Bernhard duels",
            "rule": "EN, The duel",
        }
        line = LoggedLine(self._line, time.time(), "camera", {"type": "throw", "card": "blue-3"}, (ruling,), None)
        self.data.matches.commit("g1", Change(lines=(line,)))
        self.session.show(self.session.state)
        return self._line

    def receiver(self) -> Any:
        """How the only receiver stands."""
        (found,) = self.programs.snapshot()["receivers"]
        return found


def await_(true: Callable[[], object], what: str, within_s: float = SOON_S) -> float:
    """Seconds until `true`; fails after `within_s`."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < within_s, what
        time.sleep(0.01)
    return time.monotonic() - began
