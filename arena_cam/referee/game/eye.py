"""The eye of a session: frames in, observations out. `vision` knows how it sees; a game knows what that means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Lie, Reading, TablePose
from arena_cam.domain.messages import Message
from arena_cam.domain.observations import EyeState, Observation
from arena_cam.domain.table import Table
from arena_cam.referee.pictures.live_view import Draw, Hide


class Watching(Protocol):
    """A sense of what lies on a table in time: vision's watcher, or a game's own."""

    @property
    def state(self) -> EyeState: ...
    @property
    def why(self) -> tuple[Message, ...]: ...
    @property
    def reading(self) -> Reading | None: ...
    @property
    def pose(self) -> TablePose | None: ...
    @property
    def covered(self) -> tuple[Lie, ...]: ...
    def give_up_covered(self) -> None: ...
    def feed(self, frame: Frame) -> list[Observation]: ...
    def finish(self) -> list[Observation]: ...


Json = dict[str, Any]
ReadPhoto = Callable[[Image, Json], Json]
# None where a game sees nothing with this table and deck; either is None where it was not kept.
WatcherOf = Callable[[Table | None, Deck | None], Callable[[float], Watching] | None]


@dataclass(frozen=True)
class Eye:
    """The eye of a session, made by the command that starts it.

    make_watcher: from frames per second to a fresh watcher that shares nothing that changes with another: throws are
    judged again while a game is on. draw: puts layers over a picture, None for no overlays.
    setup: the files of evidence.setup_files, kept once with the games. watcher_of: from another table and its deck to
    what make_watcher is for this one, None where only this one can be looked at. make_second_sight: to what a
    game looks with beside its eye (the arena's duelling blocks), None where nobody does; hide: hides of live pictures
    what is secret.
    read_photo: from a photograph that a person took, shape (height, width, 3), uint8, blue-green-red, and what the
    game knows of the things in it (Part.known_of_photo), to what the game's part understands of it, as plain JSON, what
    was known as `known` in it; None where nobody reads photographs. headers: what the things in use
    add to the header of a record, by the name of the game.
    An eye that does not referee has no `table` until one was set up, and says so by another warning than "blind".
    """

    table: Table | None
    deck: Deck | None
    make_watcher: Callable[[float], Watching]
    draw: Draw | None = None
    setup: Mapping[str, bytes] = field(default_factory=dict)
    watcher_of: WatcherOf | None = None
    make_second_sight: Callable[[], Any] | None = None
    hide: Hide | None = None
    warning: str = "blind"
    read_photo: ReadPhoto | None = None
    headers: Mapping[str, Json] = field(default_factory=dict)


class Onlooker:
    """An eye without observations, for games that people and photographs tell; the camera's picture is only shown."""

    state, why, reading, pose = EyeState.ARMED, (), None, None
    covered: tuple[Lie, ...] = ()

    def give_up_covered(self) -> None:
        """Nothing is ever covered."""

    def feed(self, frame: Frame) -> list[Observation]:
        del frame
        return []

    def finish(self) -> list[Observation]:
        return []
