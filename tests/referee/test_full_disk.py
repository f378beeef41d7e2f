"""A disk that fills in the middle of a game: nothing told is lost, the game waits or goes on, and all is well after."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_cam.domain.errors import CannotDo
from arena_cam.referee.game.ledger import Ledger
from arena_cam.store.data_folder import DataFolder
from attacks.full_disks import fill, fill_once, play_on, small_disk
from referee.builders import Evening


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk") as mounted:
        if not mounted:
            pytest.skip("this machine does not let us mount a small disk")
        yield tmp_path / "disk"


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
    (disk / "data" / "reserve.bin").unlink()  # as if it had gone on all the time
    assert play_on(again, chance, 40) == 0
    assert again.session.snapshot()["warnings"] == []
    assert (disk / "data" / "reserve.bin").exists(), "the next full disk finds a reserve"
    again.session.stop()


def test_disks_that_fill_at_random_moments_lose_nothing(disk: Path) -> None:
    assert [fault for seed in range(4) for fault in fill_once(disk, seed)] == []


def _fails(disk: Path) -> None:
    """Takes the disk out of use for writing, as the system does with an SD card that fails."""
    device = next(line.split()[0] for line in Path("/proc/mounts").read_text().splitlines() if f" {disk} " in line)
    Path(f"/sys/fs/ext4/{Path(device).name}/trigger_fs_error").write_text("1")


def test_a_disk_that_takes_nothing_any_more_is_said_and_nothing_is_told_that_is_not_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It was called a full one, and each picture wrote fifty lines into the log of the same card."""
    disk, image = tmp_path / "disk", tmp_path / "image"
    disk.mkdir()
    image.write_bytes(bytes(24 * 2**20))
    make = shutil.which("mkfs.ext4", path="/usr/sbin:/sbin") or "false"
    made = subprocess.run([make, "-q", "-F", str(image)], check=False).returncode == 0
    if not made or subprocess.run(["mount", "-o", "loop,errors=remount-ro", image, disk], check=False).returncode:
        pytest.skip("this machine does not let us mount a disk of our own")
    try:
        evening = Evening(disk / "data")
        evening.start()
        evening.rests("red-8")
        told = evening.game["lines"]
        _fails(disk)
        caplog.clear()
        evening.rests("blue-3", on=["red-8"])
        evening.waits(3.0)
        (warning,) = evening.session.snapshot()["warnings"]
        assert warning["code"] == "disk_failed"
        assert "Read-only file system" in str(warning["params"]["why"])
        assert evening.game["lines"] == told, "nothing is told that is not kept"
        assert evening.session.health()["ok"] is False
        with pytest.raises(CannotDo, match="Read-only"):
            evening.act("pause")
        assert [record for record in caplog.records if record.exc_info] == []
        evening.session.stop()
    finally:
        subprocess.run(["umount", "-l", disk], check=False)
