"""A recording that is played once, or held, stepped and begun again while a table is set up from it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.film import Film
from arena_cam.camera.folder import FolderSource
from arena_cam.domain.errors import BadPicture, CameraLost

FPS = 200.0


@pytest.fixture
def film(tmp_path: Path) -> Iterator[Callable[[str], Film]]:
    opened: list[Film] = []

    def shown(endings: str) -> Film:
        for number in range(3):
            cv2.imwrite(str(tmp_path / f"{number}{endings}"), np.full((8, 8, 3), 50 * number, np.uint8))
        opened.append(Film(lambda: FolderSource(tmp_path, FPS)))
        return opened[-1]

    yield shown
    for each in opened:
        each.close()


def read(film: Film, count: int) -> list[str]:
    """The names of so many frames, whose times and numbers go on one by one."""
    frames = [film.read() for _ in range(count)]
    shown = [frame for frame in frames if frame is not None]
    for before, after in pairwise(shown):
        assert (round((after.time_s - before.time_s) * FPS), after.sequence - before.sequence) == (1, 1)
    return [frame.name[0] if frame is not None else "end" for frame in frames]


def test_it_is_played_once_as_it_was_taken(film: Callable[[str], Film]) -> None:
    playing = film(".png")
    first = playing.read()
    assert first is not None
    assert (first.time_s, first.sequence) == (0.0, 0)
    assert read(playing, 3) == ["1", "2", "end"]


@pytest.mark.parametrize("endings", [".png", ".jpg"])
def test_a_rehearsal_holds_steps_runs_round_and_ends_in_a_performance(
    film: Callable[[str], Film], endings: str
) -> None:
    rehearsed = film(endings)
    rehearsed.rehearse()
    assert rehearsed.held
    assert read(rehearsed, 3) == ["0", "0", "0"]
    rehearsed.step()
    assert read(rehearsed, 2) == ["1", "1"]
    rehearsed.hold(False)
    assert read(rehearsed, 5) == ["2", "0", "1", "2", "0"]
    rehearsed.hold(True)
    assert read(rehearsed, 2) == ["0", "0"]
    rehearsed.play()
    assert read(rehearsed, 4) == ["0", "1", "2", "end"]


def test_a_torn_picture_is_said_and_passed(film: Callable[[str], Film], tmp_path: Path) -> None:
    torn = film(".png")
    (tmp_path / "1.png").write_bytes(b"torn")
    torn.rehearse()
    torn.hold(False)
    assert read(torn, 1) == ["0"]
    with pytest.raises(BadPicture, match="1.png"):
        torn.read()
    frame = torn.read()
    assert frame is not None
    assert frame.name == "2.png"


def test_who_waits_for_a_held_picture_is_freed_when_it_closes(film: Callable[[str], Film]) -> None:
    held = film(".png")
    held.rehearse()
    held.fps = 0.01  # the next picture would come after a hundred seconds
    assert held.read() is not None
    got: list[object] = [held]
    reading = threading.Thread(target=lambda: got.append(held.read()))
    reading.start()
    held.close()
    reading.join(10.0)
    assert got == [held, None]


def test_it_waits_for_a_folder_that_is_gone(film: Callable[[str], Film], tmp_path: Path) -> None:
    """The rest of the recording was run through in a moment, and its game ended."""
    played = film(".png")
    assert read(played, 1) == ["0"]
    aside = tmp_path.with_name("aside")
    tmp_path.rename(aside)
    for _ in range(20):
        with pytest.raises(CameraLost, match="is gone; bring it back"):
            played.read()
    aside.rename(tmp_path)
    assert read(played, 3) == ["1", "2", "end"]
