"""A table in one line: lies, readings and a watcher that says what the test wrote down instead of looking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Card, Deck
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Landing, Lie, Reading, TablePose
from arena_cam.domain.messages import Message
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, EyeState, Observation
from arena_cam.domain.table import Arena, Fiducials, Table
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Seen
from arena_cam.referee.games.arena.seeing import observe
from arena_cam.referee.session.session import Eye, Session
from arena_cam.store.data_folder import DataFolder

COLOURS = ("red", "blue", "green", "yellow", "violet")
PLAYERS = [
    {"name": "Anna", "colour": "red"},
    {"name": "Bernhard", "colour": "blue"},
    {"name": "Christine", "colour": "green"},
]
HEADER = {"game": "arena", "version": 1, "players": PLAYERS}
DECK = Deck(
    "test",
    63.0,
    88.0,
    3.0,
    tuple(Card(f"{c}-{v}", Path(f"{c}-{v}.png"), c, v) for c in COLOURS for v in range(1, 11)),
)
TABLE = Table(
    (64, 48),
    ((100.0, 0.0, 32.0), (0.0, 100.0, 24.0), (0.0, 0.0, 1.0)),
    (0.0,) * 5,
    Arena((280.0, 280.0), 15.0, 6.0),
    Fiducials("DICT_5X5_50", 28.0, {0: (-170.0, 170.0), 1: (170.0, 170.0)}),
)
POSE = TablePose((0.0, 0.0, 0.0), (0.0, 0.0, 900.0), 0.2, (0, 1))


def lie(card: str, landing: str = "flat", on: Sequence[str] = (), **more: Any) -> Lie:
    """How a card lies; a name such as "?1" lies face down. `sure=False` makes a landing of 0.6 with the rest flat."""
    down = card.startswith("?")
    sure = more.get("sure", True)
    other = Landing.DIAGONAL if landing == "flat" else Landing.FLAT
    p = 0.999 if sure else 0.6
    values: dict[str, Any] = {
        "key": card,
        "card": None if down else card,
        "face": Face.DOWN if down else Face.UP,
        "landing": Landing(landing),
        "confidence": p,
        "tilt_deg": 0.4 if landing == "flat" else 8.0,
        "tilt_sd_deg": 0.5,
        "centre_mm": (0.0, 0.0),
        "angle_deg": 10.0,
        "corners_px": ((10.0, 10.0), (30.0, 10.0), (30.0, 40.0), (10.0, 40.0)),
        "corners_mm": ((-31.5, 44.0, 0.3), (31.5, 44.0, 0.3), (31.5, -44.0, 0.3), (-31.5, -44.0, 0.3)),
        "rests_on": tuple(on),
        "landing_probabilities": ((Landing(landing), p), (other, 1 - p)),
        "doubts": () if sure else (Doubt.FLAT_OR_LEANING(tilt_deg=3.6),),
    }
    return Lie(**(values | more))


def reading(lies: Sequence[Lie], time_s: float = 0.0, frame: str = "f") -> Reading:
    covers = tuple((each.key, below) for each in lies for below in each.rests_on)
    return Reading(frame, time_s, tuple(lies), covers, POSE)


class Hand:
    """Lays, moves and takes cards, and says what a watcher would have said of it. `now_s` is the table's clock."""

    def __init__(self) -> None:
        self.lies: dict[str, Lie] = {}
        self.now_s = 0.0

    def reading(self) -> Reading:
        return reading(list(self.lies.values()), self.now_s)

    def rests(self, card: str, landing: str = "flat", on: Sequence[str] = (), **more: Any) -> Observation:
        new = lie(card, landing, on, **more)
        self.lies[new.key] = new
        return CardRested(self.now_s, new, self.reading())

    def moves(self, lying: str, **changes: Any) -> Observation:
        before = self.lies.pop(lying)
        after = replace(before, **changes)
        self.lies[after.key] = after
        return CardMoved(self.now_s, before, after, self.reading())

    def takes(self, key: str) -> Observation:
        before = self.lies.pop(key)
        return CardGone(self.now_s, before, self.reading())

    def sweeps(self) -> list[Observation]:
        return [self.takes(key) for key in list(self.lies)]


class Game:
    """A match without a session: what was seen goes straight in."""

    def __init__(self, header: dict[str, Any] = HEADER, **match: Any) -> None:
        self.hand = Hand()
        self.match = Match(Ledger.open(header), **match)

    def sees(self, *observations: Observation) -> Match:
        self.match = observe(self.match, [Seen(o, f"t{self.match.ledger.next_line}") for o in observations])
        return self.match

    def rests(self, card: str, landing: str = "flat", on: Sequence[str] = (), **more: Any) -> Match:
        self.hand.now_s += 1.0
        return self.sees(self.hand.rests(card, landing, on, **more))

    @property
    def events(self) -> list[dict[str, Any]]:
        """The record's events without the keys that only the camera adds."""
        added = ("at", "throw", "who", "reason", "why", "undoes")
        lines = self.match.ledger.record.events
        return [{k: v for k, v in line.data.items() if k not in added} for line in lines]


class ScriptedWatcher:
    """A watcher that says what was put into `says`, frame by frame, whatever the frames show."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.says: list[Observation] = []
        self.state = EyeState.ARMED
        self.why: tuple[Message, ...] = ()
        self.last: Frame | None = None

    @property
    def reading(self) -> Reading | None:
        return self.hand.reading()

    @property
    def pose(self) -> TablePose | None:
        return POSE

    @property
    def covered(self) -> tuple[Lie, ...]:
        return ()

    def give_up_covered(self) -> None:
        """Nothing is ever covered."""

    def feed(self, frame: Frame) -> list[Observation]:
        self.last = frame
        said, self.says = self.says, []
        return said

    def finish(self) -> list[Observation]:
        return []


class NoFrames:
    """A source that has nothing to show: the test hands the frames in."""

    name, live, fps = "script", False, 15.0

    def read(self) -> Frame | None:
        return None

    def close(self) -> None:
        pass


class Evening:
    """A session over a scripted watcher and a real data folder; `frame` passes one frame's time."""

    def __init__(
        self,
        folder: Path,
        hand: Hand | None = None,
        setup: dict[str, bytes] | None = None,
        budget_bytes: int = 10**9,
        **session: Any,
    ) -> None:
        self.hand = hand if hand is not None else Hand()
        self.watcher = ScriptedWatcher(self.hand)
        self.looked_with: list[tuple[Table, Deck]] = []  # what old throws were judged again with
        setup = setup or {"table.json": b"{}", "deck/deck.toml": b"name = 'test'"}
        eye = Eye(TABLE, DECK, lambda _: self.watcher, setup=setup, watcher_of=self._watcher_of)
        self.data = DataFolder(folder, budget_bytes, keep_free_bytes=0)
        self.session = Session(self.data, eye, NoFrames(), version="test", **session)
        self.sequence = 0

    def _watcher_of(self, table: Table | None, deck: Deck | None) -> Callable[[float], ScriptedWatcher]:
        assert table is not None
        assert deck is not None
        self.looked_with.append((table, deck))
        return lambda _: self.watcher

    def frame(self, *observations: Observation, after_s: float = 1 / 15) -> None:
        self.hand.now_s += after_s
        self.watcher.says = list(observations)
        image = np.full((48, 64, 3), self.sequence % 200, np.uint8)
        name = f"s{self.sequence}"
        self.session.take_frame(Frame(image, self.hand.now_s, self.sequence, "script", name))
        self.sequence += 1

    def rests(self, card: str, landing: str = "flat", on: Sequence[str] = (), **more: Any) -> None:
        self.frame(self.hand.rests(card, landing, on, **more))

    def waits(self, seconds: float) -> None:
        for _ in range(round(seconds * 2)):
            self.frame(after_s=0.5)

    def act(self, action: str, who: str = "referee", **args: Any) -> dict[str, Any]:
        return self.session.act(action, args, who)

    def start(self, **args: Any) -> str:
        return str(self.act("start_game", players=PLAYERS, **args)["game"])

    @property
    def game(self) -> Any:
        return self.session.snapshot()["game"]
