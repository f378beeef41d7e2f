"""A disk that fills in the middle of a game: nothing told is lost, the game waits or goes on, and all is well after."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.ledger import Ledger
from arena_cam.store.data_folder import DataFolder
from referee.builders import Evening
from referee.player_process import play

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("this machine does not let us mount a small disk")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=False)


def fill(disk: Path, leave: int) -> None:
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    (disk / "others.bin").write_bytes(bytes(max(0, free - leave)))


def play_on(evening: Evening, chance: random.Random, steps: int) -> int:
    """Plays `steps` things; how many were refused for want of room."""
    refused = 0
    for _ in range(steps):
        try:
            play(evening, chance)
        except Refused as refusal:
            if refusal.code != "disk_full":
                raise
            refused += 1
    return refused


@pytest.mark.parametrize("leave", [0, 20_000, 300_000])
def test_a_disk_that_fills_and_empties_again_loses_nothing(disk: Path, leave: int) -> None:
    evening, chance = Evening(disk / "data"), random.Random(leave)
    assert play_on(evening, chance, 20) == 0
    (disk / "data" / "reserve.bin").unlink()  # used up already
    fill(disk, leave)
    play_on(evening, chance, 60)
    game, told = evening.game["id"], evening.game["lines"]
    warned = {w["code"] for w in evening.session.snapshot()["warnings"]}
    assert warned & {"disk_full", "not_saved"}
    evening.session.stop()
    data = DataFolder(disk / "data", keep_free_bytes=0)  # starts on the full disk
    kept = [line.event for line in data.matches.lines(game)]
    assert len(kept) + 1 >= told
    Ledger.open(data.matches.game(game).header, kept)
    data.close()
    (disk / "others.bin").unlink()
    again = Evening(disk / "data")
    assert play_on(again, chance, 40) == 0
    assert again.session.snapshot()["warnings"] == []
    again.session.stop()
