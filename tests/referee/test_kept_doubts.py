"""What a kept game doubts is said after a restart, also where no eye is there: without a set, without a camera."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena_cam.domain.board_doubts import BoardDoubt
from arena_cam.domain.dilemmas.doubts import DilemmaDoubt
from arena_cam.domain.messages import Reason

_SAID = """
import importlib, sys
from arena_cam.domain.messages import Reason
importlib.import_module(f"arena_cam.referee.games.{sys.argv[1]}.part")
print(*(code.value for table in Reason.__subclasses__() for code in table))
"""


@pytest.mark.parametrize(("game", "table"), [("hexes", BoardDoubt), ("dilemmas", DilemmaDoubt)])
def test_a_games_part_alone_knows_every_doubt_of_its_eye(game: str, table: type[Reason]) -> None:
    known = subprocess.run([sys.executable, "-c", _SAID, game], capture_output=True, text=True, check=True)
    assert {code.value for code in table} <= set(known.stdout.split())
