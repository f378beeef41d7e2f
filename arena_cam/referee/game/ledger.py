"""A game's log in memory and what the rules make of it. Append only: a correction is one more event, folded again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from arena_cam.domain.errors import BadRecord, Refused
from arena_cam.domain.messages import Message, message_to_json
from arena_cam.formats.game_record import (
    Played,
    Record,
    play_record,
    play_steps,
    read_record,
    result_to_json,
    ruling_to_json,
    write_line,
)
from arena_cam.referee.messages import Refusal
from arena_cam.rules import Game, Ruling
from arena_cam.rules.amending import Line, as_amended
from arena_cam.rules.entries import as_it_stands, is_correction
from arena_cam.rules.folding import fold, steps

Json = dict[str, Any]
Step = tuple[int, Json, Json, list[Json]]
# Several times as many events as a correction of a whole round has.
LONGEST_LINE = 20_000


class Impossible(Refused):
    """The rules do not allow an event; `line` is the line of the record that cannot be played, `message` says why."""

    def __init__(self, line: int, message: Message) -> None:
        super().__init__("impossible", message)
        self.line = line
        self.message = str(message)


@dataclass(frozen=True)
class Earlier:
    """The steps of a log's first `events` lines, up to `state`, once somebody has asked for them: handed on to the
    ledger that goes on from there."""

    events: int
    state: Any
    steps: Sequence[Step]


@dataclass(frozen=True)
class Ledger:
    """A log that can be played to its end. `record` holds its lines as they were said, `standing` is the game record
    that they make; `played` is the state and the rulings at its end. `earlier` and `told_before` are what was told of
    lines that no later one corrects: steps, and the first rulings of the result. So a long game's next step takes no
    longer than its first, and steps are worked out only where somebody asks.
    """

    record: Record
    played: Played
    earlier: Earlier | None = field(default=None, compare=False, repr=False)
    told_before: Sequence[Json] = field(default=(), compare=False, repr=False)

    @classmethod
    def open(cls, header: Json, events: Iterable[Json] = ()) -> Ledger:
        """The record of `header` and `events`. Raises Refused `bad_argument` or Impossible, saying what is wrong."""
        text = "".join(written(line) for line in (header, *events))
        try:
            return cls.of(read_record(text))
        except BadRecord as error:
            if error.line == 1:
                raise Refused("bad_argument", error.said) from None
            raise Impossible(error.line, error.said) from None

    @classmethod
    def of(cls, record: Record) -> Ledger:
        """`record`, played to its end. Raises BadRecord with the line that cannot be played."""
        return cls(record, play_record(_standing(record)))

    def appended(self, events: Sequence[Json]) -> Ledger:
        """This record with `events` after it. Raises Impossible and changes nothing if it cannot be played then.

        Raises Refused `bad_argument` for what could not be written as a line.
        """
        for event in events:
            written(event)
        number = self.next_line
        lines = tuple(Line(number + i, event) for i, event in enumerate(events))
        record = Record(self.record.game, self.record.header, self.record.start, (*self.record.events, *lines))
        try:
            if not any(is_correction(event) for event in events):
                return self._played_on(record)
            return Ledger.of(record)
        except BadRecord as error:
            raise Impossible(error.line, error.said) from None

    def _played_on(self, record: Record) -> Ledger:
        """`record`, which goes on from this one with nothing before changed: played from where the game stands."""
        game, before, known = record.game, self.played, len(self.record.events)
        state, rulings = fold(game, before.state, as_amended(game, record.events[known:]))
        asked = "steps" in self.__dict__  # where a cached property is kept
        earlier = Earlier(known, before.state, self.steps) if asked else self.earlier
        return Ledger(record, Played(game, state, [*before.rulings, *rulings]), earlier, self.told)

    @cached_property
    def standing(self) -> Record:
        """The game record: as `record`, but each amendment enters what stands of the events that it entered."""
        return _standing(self.record)

    @property
    def next_line(self) -> int:
        return self.record.next_line

    @cached_property
    def result(self) -> Json:
        """The game's standing, as `arena-cam score` says it; each ruling has its message beside its text."""
        return result_to_json(Played(self.played.game, self.played.state, [])) | {"rulings": self.told}

    @cached_property
    def told(self) -> list[Json]:
        """The rulings of the result."""
        known = self.told_before
        return [*known, *map(_to_json, self.played.rulings[len(known) :])]

    @property
    def state(self) -> Json:
        """`state` of the result: awaiting, round, provocateur, hands..."""
        state: Json = self.result["state"]
        return state

    @property
    def awaiting(self) -> str:
        return str(self.state["awaiting"])

    @property
    def players(self) -> tuple[str, ...]:
        return self.record.header.players

    @cached_property
    def preview(self) -> list[Json]:
        """The rulings that would follow if nothing more happened; empty if there are none or the rules refuse them."""
        preview = self.record.game.preview
        try:
            return [_to_json(ruling) for ruling in preview(self.played.state)] if preview is not None else []
        except Refused:
            return []

    @cached_property
    def amended(self) -> tuple[Line, ...]:
        """The events as they stand after all corrections, in the order in which they are played."""
        return tuple(as_amended(self.record.game, self.standing.events))

    @cached_property
    def steps(self) -> list[Step]:
        """For every event as amended: its line, the event, `state` and scores after it, and its rulings."""
        game, earlier = self.record.game, self.earlier
        if earlier is None:
            return [_step_to_json(game, *step) for step in play_steps(self.standing)]
        new = steps(game, earlier.state, as_amended(game, self.record.events[earlier.events :]))
        return [*earlier.steps, *(_step_to_json(game, *step) for step in new)]

    def event(self, line: int) -> Json:
        """The event of `line` as it stands after corrections. Raises Refused `unknown` if there is none."""
        for each in reversed(self.amended):
            if each.number == line and each.data["type"] != "amend":
                return dict(each.data)
        raise Refused("unknown", Refusal.NO_EVENT_IN_LINE(line=line))

    def corrected(self, line: int | None) -> bool:
        """Whether the event of `line` stands otherwise than it was written: not where a correction was taken back."""
        as_written = next((dict(each.data) for each in self.record.events if each.number == line), None)
        stands = next((each.data for each in reversed(self.amended) if each.number == line), None)
        if as_written is None or stands is None or as_written["type"] == "amend":
            return False
        return {key: value for key, value in stands.items() if value is not None} != {
            key: value for key, value in as_written.items() if value is not None
        }

    def text(self, header: Json) -> str:
        """The record as text, as `arena-cam score` reads it."""
        return "".join(write_line(line) for line in (header, *(each.data for each in self.standing.events)))


def _standing(log: Record) -> Record:
    return Record(log.game, log.header, log.start, tuple(as_it_stands(log.events)))


def _step_to_json(game: Game, line: Line, state: Any, rulings: list[Ruling]) -> Step:
    return line.number, dict(line.data), game.result(state), [_to_json(ruling) for ruling in rulings]


def _to_json(ruling: Ruling) -> Json:
    """A ruling as a record's result has it, with its message for pages to translate."""
    return ruling_to_json(ruling) | {"said": message_to_json(ruling.message)}


def written(data: Json) -> str:
    """`data` as a line of a record. Raises Refused `bad_argument` for what no record can hold."""
    try:
        line = write_line(data)
        line.encode("utf-8")
    except (ValueError, TypeError, RecursionError):
        raise Refused("bad_argument", Refusal.NOT_WRITABLE_DOWN()) from None
    if len(line) > LONGEST_LINE:
        raise Refused("bad_argument", Refusal.LINE_TOO_LONG())
    return line
