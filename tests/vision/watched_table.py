"""A simulated table under a watcher whose reader knows the truth: what is tested is the sense of time, not of cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Landing, Lie, Reading, TablePose, Unreadable
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, EyeChanged, Observation
from arena_cam.simulation.arena.actions import Action
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.source import SimulatedSource
from arena_cam.vision.watching.watcher import Watcher
from shared_decks import deck_in

FPS = 15.0
COLOURS = {"red": (40, 40, 200), "blue": (200, 80, 30), "green": (60, 150, 40)}
# A reader finds a card of which this much is to be seen.
FOUND_FROM = 0.3


@cache
def drawn_deck() -> Deck:
    """Nine cards of three colours, each with its own pattern, and a back; 2 px/mm."""
    folder = Path(mkdtemp(prefix="drawn-deck-"))
    entries = ['name = "drawn"', "width_mm = 63.0", "height_mm = 88.0", "corner_radius_mm = 3.0", 'back = "back.png"']
    rng = np.random.default_rng(11)
    for colour, bgr in COLOURS.items():
        for value in (1, 2, 3):
            name = f"{colour}-{value}"
            cv2.imwrite(str(folder / f"{name}.png"), _face(bgr, str(value), rng))
            entries.append(f'[[card]]\nid = "{name}"\ncolour = "{colour}"\nvalue = {value}\nimage = "{name}.png"')
    cv2.imwrite(str(folder / "back.png"), _face((120, 60, 120), "", rng))
    (folder / "deck.toml").write_text("\n".join(entries) + "\n", encoding="utf-8")
    return deck_in(folder)


def _face(bgr: tuple[int, int, int], text: str, rng: np.random.Generator) -> np.ndarray:
    blobs = cv2.resize(rng.uniform(0.35, 1.0, (11, 8)), (252, 352), interpolation=cv2.INTER_CUBIC)
    picture = np.asarray(np.clip(blobs[:, :, None] * np.array(bgr) * 1.2, 0, 255), np.uint8)
    cv2.rectangle(picture, (0, 0), (251, 351), (235, 235, 235), 16)
    cv2.putText(picture, text, (70, 230), cv2.FONT_HERSHEY_SIMPLEX, 5.0, (245, 245, 245), 22)
    return picture


class TruthReader:
    """Says what really lies on the table now, except what hardly shows."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.reads: list[float] = []
        self.changed: list[NDArray[np.bool_] | None] = []
        self.before: list[Image | None] = []
        self.unsure_until = 0
        self.unreadable_until_s = -1.0

    def read(
        self,
        frame: Frame,
        *,
        known: Sequence[Lie] = (),
        changed: NDArray[np.bool_] | None = None,
        before: Image | None = None,
    ) -> Reading | Unreadable:
        assert all(lie.key for lie in known)
        self.reads.append(frame.time_s)
        self.changed.append(changed)
        self.before.append(before)
        if frame.time_s < self.unreadable_until_s:
            return Unreadable(frame.name, frame.time_s, (Doubt.FEW_FIDUCIALS(),), Doubt.UNCOVER_FIDUCIALS())
        cards = self.table.truth()["cards"]
        keys = {card["id"]: card["id"] if card["face"] == "up" else f"?{i + 1}" for i, card in enumerate(cards)}
        seen = {card["id"] for card in cards if card["visible_fraction"] >= FOUND_FROM}
        sure = len(self.reads) > self.unsure_until
        lies = tuple(_lie(card, keys, seen, sure) for card in cards if card["id"] in seen)
        camera = self.table.camera
        pose = TablePose(tuple(camera.rvec), tuple(camera.tvec), 0.2, (0, 1, 2, 3))
        return Reading(frame.name, frame.time_s, lies, pose=pose)


def four(points: Any) -> Any:
    """Four corners as a lie holds them."""
    a, b, c, d = map(tuple, points)
    return a, b, c, d


def _lie(card: dict[str, Any], keys: dict[str, str], seen: set[str], sure: bool) -> Lie:
    up = card["face"] == "up"
    return Lie(
        key=keys[str(card["id"])],
        card=str(card["id"]) if up else None,
        face=Face(card["face"]),
        landing=Landing(card["landing"]),
        confidence=0.99 if sure else 0.6,
        tilt_deg=float(card["tilt_deg"]),
        tilt_sd_deg=0.2,
        centre_mm=tuple(card["centre_mm"][:2]),
        angle_deg=float(card["angle_deg"]),
        corners_px=four(card["corners_px"]),
        corners_mm=four(card["corners_mm"]),
        rests_on=tuple(keys[other] for other in card["rests_on"] if other in seen),
        visible_fraction=float(card["visible_fraction"]),
        sure=sure,
        doubts=() if sure else (Doubt.UNLIKE_THE_DECK(),),
    )


@dataclass
class WatchedTable:
    """Plays actions on a simulated table and keeps what the watcher said of it."""

    table: SimulatedTable = field(default_factory=lambda: SimulatedTable(drawn_deck(), seed=3, supersample=1))
    said: list[tuple[float, Observation]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reader = TruthReader(self.table)
        self.watcher = Watcher(self.reader, fps=FPS)
        self.source = SimulatedSource(self.table, fps=FPS, live=False)

    def play(self, *actions: Action, rest_s: float = 1.2) -> list[Observation]:
        """Performs `actions` and watches until `rest_s` after the last; what was said meanwhile but the eye's state."""
        before = len(self.said)
        self.table.perform(*actions)
        idle_frames = 0
        while idle_frames < rest_s * FPS:
            frame = self.source.read()
            assert frame is not None
            self.said += [(frame.time_s, each) for each in self.watcher.feed(frame)]
            idle_frames = idle_frames + 1 if self.table.idle else 0
        return [each for _, each in self.said[before:] if not isinstance(each, EyeChanged)]

    def cards(self) -> int:
        """How many cards rest on the table now."""
        return len(self.table.truth()["cards"])


def in_words(said: Sequence[Observation]) -> list[str]:
    """rested red-1, moved red-1, gone red-1."""
    words = {CardRested: "rested", CardMoved: "moved", CardGone: "gone"}
    cards = [each for each in said if not isinstance(each, EyeChanged)]
    return [f"{words[type(each)]} {each.before.key if isinstance(each, CardGone) else each.lie.key}" for each in cards]
