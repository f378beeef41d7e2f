"""Pictures are there whole or not at all, the budget is kept, and nothing unknown is ever removed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.store.database import Database
from arena_cam.store.matches import Change, KeptThrow, Matches
from arena_cam.store.pictures import Pictures
from arena_cam.store.room import RoomGuard
from store.test_matches import a_game

MB = 2**20


class Shelf:
    """Games g1 (ended) and g2 with throws of one megabyte each, and a disk whose free space is said by the test."""

    def __init__(self, folder: Path) -> None:
        self.matches = Matches(Database(folder / "arena-cam.db"))
        self.pictures = Pictures(folder / "games")
        self.free = 1000 * MB
        self.guard = RoomGuard(self.matches, self.pictures, 4 * MB, 100 * MB, lambda _: self.free)
        self.matches.begin(a_game("g1", 1.0), {})
        self.matches.begin(a_game("g2", 2.0), {}, end_before="g1")

    def throw(self, game: str, name: str, at: float) -> None:
        size = self.pictures.keep_throw(game, name, {"judged.png": bytes(MB)})
        self.matches.commit(game, Change(throws=(KeptThrow(name, game, at, size, {}),)))

    def kept(self) -> list[str]:
        return [t.id for t in self.matches.throws() if t.removed is None and self.pictures.names(t.game, t.id)]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_kept_files_come_back_as_they_were(shelf: Shelf) -> None:
    files = {"frame-000.jpg": b"one", "reading.json": b"{}"}
    assert shelf.pictures.keep_throw("g1", "t1", files) == 5
    assert shelf.pictures.names("g1", "t1") == ["frame-000.jpg", "reading.json"]
    assert shelf.pictures.read("g1", "t1", "frame-000.jpg") == b"one"


@pytest.mark.parametrize("name", ["../arena-cam.db", "/etc/passwd", "a/b", "", ".hidden", "x\x00y", "t1.part", "é.jpg"])
def test_names_that_lead_elsewhere_are_refused(shelf: Shelf, name: str) -> None:
    for attempt in (
        lambda: shelf.pictures.read("g1", "t1", name),
        lambda: shelf.pictures.throw_folder("g1", name),
        lambda: shelf.pictures.game_folder(name),
        lambda: shelf.pictures.keep_throw("g1", "t9", {f"{name or '..'}/../x": b""}),
    ):
        with pytest.raises(Refused):
            attempt()


def test_the_oldest_pictures_of_ended_games_make_room_first(shelf: Shelf) -> None:
    shelf.throw("g2", "early-but-running", 1.0)
    shelf.throw("g1", "old", 2.0)
    shelf.throw("g1", "newer", 3.0)
    shelf.throw("g2", "new", 4.0)
    assert shelf.guard.make_room(MB, at=5.0) == ["old"]
    assert shelf.kept() == ["early-but-running", "newer", "new"]
    assert shelf.matches.throw("old").removed == 5.0


def test_disputed_throws_and_those_of_the_round_stay(shelf: Shelf) -> None:
    for number in range(4):
        shelf.throw("g1", f"t{number}", float(number))
    shelf.matches.pin("t0", True)
    assert shelf.guard.make_room(MB, at=9.0, protected={"t1"}) == ["t2"]
    with pytest.raises(Refused) as refusal:
        shelf.guard.make_room(4 * MB, at=9.0, protected={"t1"})
    assert refusal.value.code == "disk_full"
    assert shelf.kept() == ["t0", "t1", "t3"], "a refusal removes nothing"


def test_a_disk_that_others_fill_makes_room_too_and_says_so(shelf: Shelf) -> None:
    shelf.throw("g1", "t0", 1.0)
    shelf.free = 100 * MB
    assert shelf.guard.state().ok
    assert shelf.guard.make_room(MB, at=2.0) == ["t0"]
    shelf.free = 50 * MB
    assert not shelf.guard.state().ok
    assert "50 MB are free" in str(shelf.guard.state().why)


def test_a_data_folder_that_is_gone_is_told_and_costs_no_picture(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    matches, pictures = Matches(Database(tmp_path / "arena-cam.db")), Pictures(data / "games")
    guard = RoomGuard(matches, pictures)
    matches.begin(a_game("g1", 1.0), {})
    matches.commit("g1", Change(throws=(KeptThrow("t0", "g1", 1.0, MB, {}),)))
    pictures.folder.rmdir()
    assert guard.state().ok, "a folder of pictures that is not there yet is made when one comes"
    data.rmdir()
    assert not guard.state().ok
    assert f"{data} is gone" in str(guard.state().why)
    with pytest.raises(Refused, match="is gone") as refusal:
        guard.make_room(MB, at=2.0)
    assert refusal.value.code == "disk_full"
    assert matches.throw("t0").removed is None


def test_files_the_database_does_not_know_are_left_alone(shelf: Shelf) -> None:
    shelf.pictures.keep_throw("g1", "nobody-knows", {"judged.png": bytes(10 * MB)})
    (shelf.pictures.folder / "g1" / "holiday.jpg").write_bytes(b"mine")
    shelf.throw("g1", "known", 1.0)
    shelf.free = 90 * MB
    with pytest.raises(Refused):
        shelf.guard.make_room(50 * MB, at=2.0)
    shelf.free = 100 * MB
    shelf.guard.make_room(MB, at=2.0)
    shelf.pictures.remove_unfinished()
    assert (shelf.pictures.folder / "g1" / "holiday.jpg").read_bytes() == b"mine"
    assert shelf.pictures.names("g1", "nobody-knows") == ["judged.png"]
    assert shelf.kept() == []


def test_a_removal_cut_short_is_finished_when_opened_again(shelf: Shelf) -> None:
    shelf.throw("g1", "t0", 1.0)
    shelf.matches.mark_removed(["t0"], 2.0)
    RoomGuard(shelf.matches, shelf.pictures)
    assert shelf.pictures.names("g1", "t0") == []


FILL = """
import resource, signal, sys
from pathlib import Path
from arena_cam.domain.errors import Refused
from arena_cam.store.database import Database
from arena_cam.store.matches import Change, LoggedLine, Matches
from arena_cam.store.pictures import Pictures
from store.test_matches import a_game

folder, limit = Path(sys.argv[1]), int(sys.argv[2])
database = Database(folder / "arena-cam.db")
matches, pictures = Matches(database), Pictures(folder / "games")
matches.begin(a_game(), {})
if limit:  # no file may grow beyond this: what a full disk looks like from inside
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
acknowledged, refused = 1, 0
for line in range(2, 4000):
    try:
        matches.commit("g1", Change((LoggedLine(acknowledged + 1, 0.0, "camera", {"type": "note", "x": "y" * 900}),)))
        acknowledged += 1
    except Refused as refusal:
        assert refusal.code == "disk_full", refusal
        refused += 1
        if refused > 5:
            break
try:
    pictures.keep_throw("g1", "t1", {"judged.png": bytes(8_000_000)})
    print("kept", end=" ")
except Refused as refusal:
    print(refusal.code, end=" ")
print(acknowledged, refused, database.has_reserve())
"""


def fill(folder: Path, limit: int) -> tuple[str, int, int, bool]:
    run = subprocess.run(
        [sys.executable, "-c", FILL, str(folder), str(limit)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert run.returncode == 0, run.stderr
    picture, acknowledged, refused, reserve = run.stdout.split()
    return picture, int(acknowledged), int(refused), reserve == "True"


def check_after(folder: Path, acknowledged: int) -> None:
    matches = Matches(Database(folder / "arena-cam.db"))
    assert [n.line for n in matches.lines("g1")] == list(range(2, acknowledged + 1))
    assert Pictures(folder / "games").names("g1", "t1") == []
    assert not list((folder / "games").rglob("*.part"))


def test_a_file_size_limit_refuses_and_loses_nothing(tmp_path: Path) -> None:
    picture, acknowledged, refused, _ = fill(tmp_path, 1_500_000)
    assert (picture, refused) == ("disk_full", 6)
    check_after(tmp_path, acknowledged)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root; the limit above is tried everywhere")
def test_a_full_disk_gives_up_the_reserve_first_then_refuses_and_loses_nothing(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=18m", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("this machine does not let us mount a small disk")
    try:
        database = Database(disk / "arena-cam.db")
        assert database.has_reserve(), "with room the reserve is taken"
        database.close()
        (disk / "others.bin").write_bytes(bytes(os.statvfs(disk).f_bavail * 4096 - 300_000))
        picture, acknowledged, refused, reserve = fill(disk, 0)
        assert (picture, refused, reserve) == ("disk_full", 6, False)
        assert acknowledged > 1000, "the reserve carried the record on"
        check_after(disk, acknowledged)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)
