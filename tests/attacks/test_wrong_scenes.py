"""Pictures that do not show this table bring nothing about; `python -m bench.wrong_scenes` shows every kind of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.wrong_scenes import WrongScenes
from shared_decks import deck_in


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory, own_deck_folder: Path) -> WrongScenes:
    return WrongScenes(tmp_path_factory.mktemp("scenes"), deck_in(own_deck_folder))


@pytest.mark.parametrize(
    "kind",
    [
        "turned by 90 degrees",
        *(
            pytest.param(kind, marks=pytest.mark.thorough)
            for kind in ("fiducials of another set", "out of focus, 4 px")
        ),
    ],
)
def test_it_is_said_nothing_comes_of_it_and_the_round_goes_on(scenes: WrongScenes, kind: str) -> None:
    assert scenes.show(kind).faults == []
