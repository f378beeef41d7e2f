"""Throws in time, with a reader that finds what it is told to: the sense of time, not of cards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie, Reading, Unreadable
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, EyeChanged, EyeState, Observation
from arena_cam.vision.watching.attention import small_luma
from arena_cam.vision.watching.watcher import Watcher
from vision.small import lie

FPS = 15.0
RNG = np.random.default_rng(8)
TABLE = RNG.integers(60, 110, (120, 160)).astype(np.float64)  # 15 x 20 cells
RED, BLUE = lie("red-1", 16.0, 24.0, size_px=(32.0, 48.0)), lie("blue-2", 96.0, 40.0, size_px=(32.0, 48.0))


class Scripted:
    """Reads what lies on the table now."""

    def __init__(self) -> None:
        self.lies: tuple[Lie, ...] = ()
        self.readable = True
        self.asked: list[tuple[float, tuple[str, ...]]] = []

    def read(
        self,
        frame: Frame,
        *,
        known: Sequence[Lie] = (),
        changed: NDArray[np.bool_] | None = None,  # noqa: ARG002 the protocol's own names
        before: Image | None = None,  # noqa: ARG002
    ) -> Reading | Unreadable:
        self.asked.append((frame.time_s, tuple(each.key for each in known)))
        if not self.readable:
            return Unreadable(frame.name, frame.time_s, (Doubt.FEW_FIDUCIALS(),), Doubt.UNCOVER_FIDUCIALS())
        return Reading(frame.name, frame.time_s, self.lies)


class Watched:
    """A table, what lies on it, and what was said of it."""

    def __init__(self) -> None:
        self.reader = Scripted()
        self.watcher = Watcher(self.reader, fps=FPS)
        self.count = 0
        self.said: list[Observation] = []

    def picture(self, *more: tuple[slice, slice]) -> np.ndarray:
        scene = TABLE.copy()
        for card in self.reader.lies:
            (left, top), _, (right, bottom), _ = card.corners_px
            print_ = np.random.default_rng(len(card.key)).normal(200, 25, (int(bottom - top), int(right - left)))
            scene[int(top) : int(bottom), int(left) : int(right)] = print_
        for part in more:
            scene[part] = 30 + 0.2 * scene[part]
        return np.clip(scene + RNG.normal(0, 1.0, scene.shape), 0, 255).astype(np.uint8)

    def show(self, *more: tuple[slice, slice], frames: int = 1) -> list[Observation]:
        """Feeds so many frames; what was said of cards."""
        said: list[Observation] = []
        for _ in range(frames):
            luma = self.picture(*more)
            image = np.repeat(luma[:, :, None], 3, axis=2)
            said += self.watcher.feed(Frame(image, self.count / FPS, self.count, "test", str(self.count), luma))
            self.count += 1
        self.said += said
        return [each for each in said if not isinstance(each, EyeChanged)]


@pytest.fixture
def watched() -> Watched:
    """An empty table, seen for two seconds."""
    table = Watched()
    assert table.show(frames=30) == []
    assert table.watcher.state is EyeState.ARMED
    return table


def test_before_the_first_look_nothing_is_known() -> None:
    fresh = Watcher(Scripted(), fps=FPS)
    assert fresh.reading is None
    assert fresh.pose is None
    assert fresh.finish() == []


def test_a_quiet_table_is_read_once(watched: Watched) -> None:
    watched.show(frames=30)
    assert len(watched.reader.asked) == 1


def test_a_card_is_said_once_soon_after_it_rests(watched: Watched) -> None:
    watched.reader.lies = (RED,)
    (rested,) = watched.show(frames=20)
    assert isinstance(rested, CardRested)
    assert rested.lie.key == "red-1"
    assert rested.at_s == pytest.approx(30 / FPS, abs=2 / FPS)
    assert watched.show(frames=30) == []


def test_what_is_known_is_given_to_the_reader(watched: Watched) -> None:
    watched.reader.lies = (RED,)
    watched.show(frames=20)
    watched.reader.lies = (RED, BLUE)
    (rested,) = watched.show(frames=20)
    assert isinstance(rested, CardRested)
    assert rested.lie.key == "blue-2"
    assert watched.reader.asked[-1][1] == ("red-1",)


def test_a_card_taken_away_is_gone_and_one_pushed_has_moved(watched: Watched) -> None:
    watched.reader.lies = (RED, BLUE)
    watched.show(frames=20)
    pushed = lie("blue-2", 112.0, 56.0, size_px=(32.0, 48.0))
    watched.reader.lies = (RED, pushed)
    (moved,) = watched.show(frames=20)
    assert isinstance(moved, CardMoved)
    assert (moved.before.key, moved.lie.corners_px) == ("blue-2", pushed.corners_px)
    watched.reader.lies = (pushed,)
    (gone,) = watched.show(frames=20)
    assert isinstance(gone, CardGone)
    assert gone.before.key == "red-1"


def test_a_hand_is_no_event(watched: Watched) -> None:
    for step in range(6):
        assert watched.show((slice(40, 80), slice(0, 20 + 8 * step))) == []
    assert watched.show(frames=20) == []


def test_a_table_that_cannot_be_read_is_blind_with_its_reason_and_tried_again(watched: Watched) -> None:
    watched.reader.readable = False
    watched.reader.lies = (RED,)
    assert watched.show(frames=20) == []
    assert watched.watcher.state is EyeState.BLIND
    assert watched.watcher.why == (Doubt.FEW_FIDUCIALS(), Doubt.UNCOVER_FIDUCIALS())
    watched.reader.readable = True
    assert [type(each) for each in watched.show(frames=30)] == [CardRested]


@pytest.mark.parametrize("quiet", [0, 1, 2])
def test_what_rests_when_the_source_ends_is_said(watched: Watched, quiet: int) -> None:
    """Whichever of the frames before were passed over, since nothing had moved for long."""
    watched.show(frames=quiet)
    watched.reader.lies = (RED,)
    said = [*watched.show(frames=5), *watched.watcher.finish()]
    assert [type(each) for each in said if not isinstance(each, EyeChanged)] == [CardRested]


def test_a_black_picture_is_blind_within_a_fifth_of_a_second(watched: Watched) -> None:
    black, nothing = np.zeros((120, 160), np.uint8), np.zeros((120, 160, 3), np.uint8)
    frames = [Frame(nothing, 3.0 + n / 15, 99 + n, "test", str(n), black) for n in range(3)]
    (changed,) = [each for frame in frames for each in watched.watcher.feed(frame)]
    assert isinstance(changed, EyeChanged)
    assert changed.state is EyeState.BLIND
    assert changed.why[0] == Doubt.PICTURE_BLACK()


def test_covered_cards_can_be_given_up(watched: Watched) -> None:
    watched.reader.lies = (RED,)
    watched.show(frames=20)
    watched.reader.lies = ()
    book = (slice(8, 88), slice(8, 72))
    watched.show(book, frames=20)
    assert [card.key for card in watched.watcher.covered] == ["red-1"]
    watched.watcher.give_up_covered()
    (gone,) = watched.show(book, frames=1)
    assert isinstance(gone, CardGone)
    assert watched.watcher.covered == ()


def test_a_quiet_table_is_looked_at_five_times_a_second(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def asking(frame: Frame) -> Image:
        asked.append(frame.name)
        return small_luma(frame)

    monkeypatch.setattr("arena_cam.vision.watching.watcher.small_luma", asking)
    watched.show(frames=30)
    assert len(asked) == 10


def test_a_card_that_comes_between_two_looks_rested_when_it_did(watched: Watched) -> None:
    """What was passed over is looked at once something moved: nothing is said later than if every frame was."""
    late_s = []
    for frames in (30, 31, 32):
        watched.reader.lies = ()
        watched.show(frames=frames)
        begin_s, watched.reader.lies = watched.count / FPS, (RED,)
        (rested,) = watched.show(frames=20)
        assert isinstance(rested, CardRested)
        late_s.append(rested.at_s - begin_s)
        watched.reader.lies = ()
        watched.show(frames=1)
    assert late_s == pytest.approx([0.0] * 3, abs=0.01)
