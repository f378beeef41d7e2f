"""The project's own deck, drawn once for all tests, and a cache of their own."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import cv2
import pytest
from hypothesis import HealthCheck, settings

from arena_cam.commands.process.heap import give_back, keep_freed
from arena_cam.printing.deck import Faces, default_deck

# No example has a time limit: that a machine is busy is no fault of the code. Examples are the same in every run, so
# that a failure comes of a change; the attacks of `make bench` draw new ones.
settings.register_profile("tests", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
settings.load_profile("tests")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """While modules are imported nothing becomes garbage, and afterwards the collector need not look at them again:
    looking for garbage among so many objects would take longer than the imports."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _caches_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests leave nothing in the home of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_CAM_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("ARENA_CAM_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _one_thread_a_process() -> None:
    """Tests run in a process a core; OpenCV's own threads would only wait for each other. Pages that a picture was
    computed in are kept for the next picture: to have them zeroed anew took 6 % of the time of reading pictures."""
    cv2.setNumThreads(1)
    keep_freed()


@pytest.fixture(scope="module", autouse=True)
def _memory_given_back() -> Iterator[None]:
    """What one file of tests freed is not held while the next one runs: processes grew to two gigabytes each."""
    yield
    give_back()


@pytest.fixture(scope="session")
def deck_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete deck folder, drawn once for all processes of a run; whoever writes into one takes a copy."""
    return _drawn_once(tmp_path_factory, Faces.CODES)


@pytest.fixture(scope="session")
def own_deck_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Likewise the deck that is drawn where none is given. A copy in its place need not be drawn there, for seconds."""
    return _drawn_once(tmp_path_factory, Faces.LANDS)


def _drawn_once(tmp_path_factory: pytest.TempPathFactory, faces: Faces) -> Path:
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / f"arena-deck-{faces.name.lower()}"
    if not folder.exists():
        drawn = default_deck(tmp_path_factory.mktemp("decks") / "arena", faces)
        try:
            drawn.rename(folder)
        except OSError:  # another process was quicker
            return drawn
    return folder
