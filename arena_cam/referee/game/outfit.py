"""What a game is watched with at a table, and who acts there for people, found by the game's name.

Apart from `part.py`, which pages use too: what opens eyes and draws tables brings vision and the simulation along.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from arena_cam.camera.frame import FrameSource
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.observations import Observation
from arena_cam.domain.table import Table
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.game.part import FOLDERS
from arena_cam.referee.interface import SessionPort, Snapshot
from arena_cam.vision.faces.picture_cache import PictureCache

Json = dict[str, Any]


class Lines(Protocol):
    """What is seen, as the lines of a game record."""

    def header(self) -> list[Json]:
        """The header, if it has not been said."""
        ...

    def take(self, said: Sequence[Observation], now_s: float) -> list[Json]:
        """The lines that follow from what was `said` at `now_s`."""
        ...

    def in_words(self, line: Json) -> str:
        """A line for people."""
        ...


class StandIn(Protocol):
    """Whoever plays at a simulated table until stopped."""

    def start(self) -> None: ...
    def stop(self) -> None: ...


class RecordedGame(Protocol):
    """Begins and ends the game that a recording shows, once it is told whose session to `watch`."""

    def watch(self, session: SessionPort) -> None: ...
    def __call__(self, snapshot: Snapshot) -> None: ...


@dataclass(frozen=True)
class Simulation:
    """A simulated table. `players` makes those who play at it: from the session, and who sits at a real phone."""

    source: FrameSource
    table: Table
    deck: Deck
    deck_folder: Path
    players: Callable[[SessionPort, Callable[[str], bool]], StandIn]


class Outfit(Protocol):
    """Everything that one game is watched with. Raises BadInput for what it is asked wrongly."""

    def open_eye(self, table: Table, deck: Deck, cache: PictureCache | None) -> Eye: ...

    def lines(self, deck: Deck, players: Sequence[str]) -> Lines:
        """`players` as people type them, in seat order; none: whoever the deck lets play."""
        ...

    def recorded_game(self, deck: Deck, source: str) -> RecordedGame: ...

    def simulation(self, folder: Path, deck: Path | None, fps: float) -> Simulation:
        """A table for a session; what must be drawn first is put into `folder`."""
        ...

    def demonstration(self, folder: Path, deck: Path | None, fps: float) -> tuple[FrameSource, Table, Deck]:
        """A table at which rounds are played over and over, for whoever only watches."""
        ...

    def empty_table(self, folder: Path, deck: Path | None, frames: int) -> tuple[FrameSource, Table, Deck]:
        """A table at which nothing happens, for so many frames."""
        ...

    def laying(self, names: Sequence[str], folder: Path) -> tuple[FrameSource, Table]:
        """A table on which the cards of those names are laid one after another, to be learned."""
        ...


def find_outfit(game: str) -> Outfit:
    """The outfit of the game that a record calls so. Raises BadInput where no camera can watch it."""
    try:
        module = importlib.import_module(f"{FOLDERS}.{game}.outfit")
    except ModuleNotFoundError as error:
        if not f"{FOLDERS}.{game}.outfit".startswith(error.name or "?"):
            raise
        raise BadInput(
            f"no camera watches {game} yet; start arena-cam referee without --game and begin it on the referee's page"
        ) from None
    return cast(Outfit, module.OUTFIT)
