"""A disk that fills at a random moment of a game and empties again: what was told is there, and it goes on."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.ledger import Ledger
from arena_cam.store.data_folder import DataFolder
from referee.builders import Evening
from referee.player_process import play

SIZE_MB = 20


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A disk of its own on `folder`; False where this machine does not let us make one."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(command, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)


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


def fill_once(disk: Path, seed: int) -> list[str]:
    """Plays, fills the disk, plays on, stops, starts on the full disk, makes room, plays on; what was wrong."""
    chance = random.Random(seed)
    data = disk / f"data-{seed}"
    evening = Evening(data)
    found = [] if play_on(evening, chance, chance.randint(1, 40)) == 0 else ["refused with room left"]
    if chance.random() < 0.5:
        (data / "reserve.bin").unlink(missing_ok=True)  # used up already
    fill(disk, chance.choice((0, 1, 4096, 20_000, 100_000, 500_000)))
    play_on(evening, chance, chance.randint(1, 40))
    game, told = evening.game["id"], evening.game["lines"]
    evening.session.stop()
    kept = DataFolder(data, keep_free_bytes=0)
    lines = [line.event for line in kept.matches.lines(game)]
    if len(lines) + 1 < told:
        found.append(f"{told} lines were told, {len(lines) + 1} are there")
    Ledger.open(kept.matches.game(game).header, lines)
    kept.close()
    (disk / "others.bin").unlink()
    again = Evening(data)
    if play_on(again, chance, 20) or again.session.snapshot()["warnings"]:
        found.append("does not go on with room again")
    again.session.stop()
    subprocess.run(["rm", "-rf", str(data)], check=False)
    return found
