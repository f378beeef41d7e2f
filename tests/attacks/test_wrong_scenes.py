"""Pictures that do not show this table bring nothing about; `python -m bench.wrong_scenes` shows every kind of them."""

from __future__ import annotations

import pytest

from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import default_deck
from attacks.wrong_scenes import WrongScenes


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> WrongScenes:
    folder = tmp_path_factory.mktemp("scenes")
    return WrongScenes(folder, read_deck(default_deck(folder / "deck")))


@pytest.mark.parametrize("kind", ["fiducials of another set", "turned by 90 degrees", "out of focus, 4 px"])
def test_it_is_said_nothing_comes_of_it_and_the_round_goes_on(scenes: WrongScenes, kind: str) -> None:
    assert scenes.show(kind).faults == []
