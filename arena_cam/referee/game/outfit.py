"""A game's outfit: with it `judge`, `watch` and `referee` open the game's eye and its simulated table.

A game's outfit stands in `referee/games/<game>/outfit.py` as a constant `OUTFIT`, and nothing else lists the games that
have one. A method that a game does not override refuses with one line, so a game overrides only what it has.

Apart from `part.py`, which pages use too: an outfit imports vision and the simulation.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from arena_cam.camera.frame import Frame, FrameSource
from arena_cam.camera.no_camera import NO_CAMERA, NoCamera
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.referee.game import FOLDERS
from arena_cam.referee.interface import SessionPort, Snapshot
from arena_cam.referee.messages import OutfitRefusal
from arena_cam.rules import all_games, find_game
from arena_cam.vision.faces.picture_cache import PictureCache

if TYPE_CHECKING:
    from arena_cam.referee.game.eye import Eye, ReadPhoto

Json = dict[str, Any]


class StandIn(Protocol):
    """Whoever plays at a simulated table until stopped."""

    def start(self) -> None: ...
    def stop(self) -> None: ...


PlayersOf = Callable[[SessionPort, Callable[[str], bool]], StandIn]


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
    players: PlayersOf


@dataclass(frozen=True)
class JudgeOptions:
    """The options of `arena-cam judge` beside the pictures."""

    deck: Path  # the set's folder as typed, not read yet
    table: Table | None = None
    challenge: str | None = None
    challenge_file: Path | None = None
    cache: PictureCache | None = None
    language: str = "en"


@dataclass(frozen=True)
class Answer:
    """The judgement of one picture: the contract's object (or frame and error), and the same for people."""

    line: Json
    words: str


class PictureJudge(Protocol):
    """Judges single pictures of one game."""

    def judge(self, frame: Frame) -> Answer: ...


@dataclass(frozen=True)
class WatchOptions:
    """The options of `arena-cam watch`. `players` are words as typed; what must be drawn is put into `scratch`."""

    source: str
    scratch: Path
    fps: float
    table: Table | None = None
    deck: Path | None = None
    players: tuple[str, ...] = ()
    cache: PictureCache | None = None
    language: str = "en"


@dataclass(frozen=True)
class WatchOutput:
    """The output for a frame: lines of the record, and warnings for stderr. `failed`: the exit status says so."""

    lines: Sequence[Json] = ()
    warnings: Sequence[Message] = ()
    failed: bool = False


class Watch(Protocol):
    """One game watched from the first frame of its `source` to the last."""

    @property
    def source(self) -> FrameSource: ...

    def begin(self) -> WatchOutput:
        """The output before the first frame."""
        ...

    def feed(self, frame: Frame) -> WatchOutput:
        """The output for the next frame. Raises BadPicture for one that cannot be decoded."""
        ...

    def finish(self) -> WatchOutput:
        """The output after the last frame."""
        ...

    def in_words(self, line: Json) -> str:
        """A line of the record for people."""
        ...


@dataclass(frozen=True)
class LearnOptions:
    """The options of `arena-cam deck learn --game`: photographs, where the set goes, and what they cannot tell."""

    photos: Path
    out: Path
    piece_mm: float
    board_size: str | None = None
    name: str | None = None
    card_mm: tuple[float, float] | None = None
    token_mm: float = 24.0
    owner_mm: float = 18.0


@dataclass(frozen=True)
class EveningOptions:
    """The options of `arena-cam referee`. What must be drawn is put into `scratch`."""

    source: str
    scratch: Path
    fps: float
    deck: Path | None = None


@dataclass(frozen=True)
class Evening:
    """A session over no measured table: what it sees with, and who plays at it where nobody sits there."""

    source: FrameSource
    eye: Eye
    players: PlayersOf | None = None


@dataclass(frozen=True)
class Outfit:
    """Everything that one game is seen with. Every method raises BadInput where it is asked for the impossible."""

    game: str

    def open_judge(self, options: JudgeOptions) -> PictureJudge:
        raise BadInput(OutfitRefusal.NOT_JUDGED(game=self.game, names=", ".join(_judged_games())))

    def photo_reader(self, deck: Path) -> ReadPhoto:
        """Reads photographs with the set in a folder, as a session's eye does (Eye.read_photo)."""
        raise BadInput(OutfitRefusal.NOT_JUDGED(game=self.game, names=", ".join(_judged_games())))

    def open_watch(self, options: WatchOptions) -> Watch:
        raise self._unwatched()

    def learn(self, options: LearnOptions) -> Message:
        """Writes the folder of a set that was photographed, and says what is in it."""
        raise BadInput(OutfitRefusal.NOT_LEARNED(game=self.game))

    def evening(self, options: EveningOptions) -> Evening | None:
        """A session that needs no measured table; None where this game is played over one.

        Without a camera any game can be told by people, on the referee's page and on phones.
        """
        return Evening(NoCamera(), unwatched_eye()) if options.source == NO_CAMERA else None

    def open_eye(self, table: Table, deck: Deck, cache: PictureCache | None) -> Eye:
        """The eye of a session."""
        raise self._unwatched()

    def saved_eye(self, table: Table | None, deck: Deck | None, cache: PictureCache | None) -> Eye | None:
        """The eye that sees a saved throw again with the table and the deck that were kept; None where it cannot with
        these."""
        return self.open_eye(table, deck, cache) if table is not None and deck is not None else None

    def recorded_game(self, deck: Deck, source: str) -> RecordedGame:
        raise self._unwatched()

    def simulation(self, folder: Path, deck: Path | None, fps: float) -> Simulation:
        """A table for a session; what must be drawn first is put into `folder`."""
        raise self._unwatched()

    def empty_table(self, folder: Path, deck: Path | None, frames: int) -> tuple[FrameSource, Table, Deck]:
        """A table at which nothing happens, for so many frames."""
        raise self._unwatched()

    def laying(self, names: Sequence[str], folder: Path) -> tuple[FrameSource, Table]:
        """A table on which the cards of those names are laid one after another, to be learned."""
        raise self._unwatched()

    def _unwatched(self) -> BadInput:
        return BadInput(OutfitRefusal.NOT_WATCHED(game=self.game))


def unwatched_eye(
    read_photo: ReadPhoto | None = None,
    setup: Mapping[str, bytes] | None = None,
    headers: Mapping[str, Json] | None = None,
) -> Eye:
    """An eye that follows nothing by itself: what happens is told, or photographed (Eye.read_photo, setup, headers)."""
    from arena_cam.referee.game.eye import Eye, Onlooker

    return Eye(None, None, lambda _fps: Onlooker(), setup=setup or {}, read_photo=read_photo, headers=headers or {})


def find_outfit(game: str) -> Outfit:
    """The outfit of the game that a record calls so. Raises BadInput where there is no such game."""
    try:
        find_game(game)
    except KeyError:
        raise BadInput(OutfitRefusal.NO_SUCH_GAME(game=game, names=", ".join(sorted(all_games())))) from None
    try:
        module = importlib.import_module(f"{FOLDERS}.{game}.outfit")
    except ModuleNotFoundError as error:
        if not f"{FOLDERS}.{game}.outfit".startswith(error.name or "?"):
            raise
        return Outfit(game)
    return cast(Outfit, module.OUTFIT)


def _judged_games() -> list[str]:
    return [game for game in sorted(all_games()) if type(find_outfit(game)).open_judge is not Outfit.open_judge]
