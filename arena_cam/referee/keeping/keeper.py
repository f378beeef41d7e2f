"""Writes a match to disk after a step: evidence first, then events, rulings and its memory in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from arena_cam.camera.frame import Frame
from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.domain.lies import Lie, Reading
from arena_cam.domain.messages import Message
from arena_cam.referee.game import memory
from arena_cam.referee.game.match import Match
from arena_cam.referee.keeping.reports import summary_of
from arena_cam.referee.pictures import evidence
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.matches import Change, KeptThrow, LoggedLine
from arena_cam.store.messages import DiskTrouble

Json = dict[str, Any]


@dataclass(frozen=True)
class Sight:
    """The evidence that one throw would be kept with: its lie, the reading and frame judged, and the frames before
    (from a ring). `frame` None: the pictures were given up while the disk was full."""

    lie: Lie
    reading: Reading
    frame: Frame | None
    frames: Callable[[], list[tuple[float, bytes]]]


@dataclass(frozen=True)
class Besides:
    """The rows that are written in one transaction with a match: secret `choices` made, or all of them cleared;
    people's `answers`; `settings` of the session; photographs whose files are kept already."""

    choices: Mapping[str, str] = field(default_factory=dict)
    clear_choices: bool = False
    answers: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    photos: tuple[KeptThrow, ...] = ()


NOTHING_BESIDES = Besides()


class Keeper:
    """Writes for one game at a time. `clock` gives seconds since 1970."""

    def __init__(self, data: DataFolder, clock: Callable[[], float]) -> None:
        self._data = data
        self._clock = clock
        self.not_saved: Message | None = None

    def keep(
        self,
        game: str,
        before: Match,
        match: Match,
        sights: Mapping[str, Sight],
        besides: Besides = NOTHING_BESIDES,
        *,
        setup: str = "",
    ) -> Match:
        """Writes `match` and returns it. Raises Refused `disk_full`, and writes nothing, if the record does not fit."""
        at = self._clock()
        asked = {question.id for question in before.questions}
        new_questions = [question for question in match.questions if question.id not in asked]
        wanted = [entry.throw for entry in match.unsaved] + [question.throw for question in new_questions]
        names = [name for name in dict.fromkeys(wanted) if name is not None and name in sights]
        throws = tuple(self._keep_sight(game, name, sights[name], match, at, setup) for name in names)
        change = Change(
            lines=tuple(LoggedLine(e.line, at, e.who, e.event, e.rulings, e.throw) for e in match.unsaved),
            throws=(*throws, *besides.photos),
            questions=tuple((question.id, at, memory.question_to_json(question)) for question in new_questions),
            answers=besides.answers,
            choices=besides.choices,
            clear_choices=besides.clear_choices,
            summary=summary_of(match.ledger) if match.unsaved else None,
            memory=memory.to_json(match) | {"setup": setup},
            settings=besides.settings,
        )
        self._data.matches.commit(game, change)
        return replace(match, unsaved=())

    def end(self, game: str, match: Match, at: float) -> None:
        """Ends `game` as it stands; open secret choices are forgotten."""
        self._data.matches.commit(game, Change(ended=at, clear_choices=True, memory=memory.to_json(match)))

    def _keep_sight(self, game: str, name: str, sight: Sight, match: Match, at: float, setup: str) -> KeptThrow:
        """Writes a throw's pictures, or says in `not_saved` why not: the game goes on without them."""
        lie = sight.lie
        about: Json = {
            "card": lie.card,
            "landing": lie.landing.value if lie.landing is not None else None,
            "face": lie.face.value,
            "sure": lie.sure,
            "confidence": round(lie.confidence, 4),
            "centre_mm": [round(value, 1) for value in lie.centre_mm] if lie.centre_mm is not None else None,
            "round": match.ledger.state.get("round"),
        }
        if sight.frame is None:
            self.not_saved = DiskTrouble.NO_ROOM()
            return KeptThrow(name, game, at, 0, about | {"frames": 0})
        frames = sight.frames()
        whence = {"setup": setup, "game": game, evidence.RULES: match.ledger.record.game.name, "at": at}
        files = evidence.pack(name, lie, sight.reading, sight.frame, frames, whence)
        try:
            self._data.room.make_room(sum(map(len, files.values())), at, self._of_this_round(match))
            size = self._data.pictures.keep_throw(game, name, files)
            self.not_saved = None
        except (Refused, CannotDo) as error:
            self.not_saved = error.said
            size = 0
        return KeptThrow(name, game, at, size, about | {"frames": len(frames) if size else 0})

    def _of_this_round(self, match: Match) -> set[str]:
        """Of cards that lie there or were thrown in this round: a match knows the last throw of every card."""
        here = {*match.lines, *match.table}
        of_cards = {throw for key, throw in match.throws.items() if key in here}
        return of_cards | {q.throw for q in match.questions if q.throw is not None}
