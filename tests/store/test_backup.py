"""A backup brings everything back, and nothing that comes from elsewhere is trusted."""

from __future__ import annotations

import gc
import json
import stat
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

from arena_cam.commands.main import main
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.store.archives import Limits, read_archive, read_member
from arena_cam.store.backup import DATABASE, backup, restore
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.matches import Change, KeptThrow
from store.test_matches import a_game, a_line


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = DataFolder(tmp_path / "data", keep_free_bytes=0)
    folder.matches.begin(a_game(), {"mode": "automatic"})
    size = folder.pictures.keep_throw("g1", "t1", {"manifest.json": b"{}", "frames.bin": b"x" * 1000})
    folder.matches.commit("g1", Change((a_line(2, "t1"),), (KeptThrow("t1", "g1", 5.0, size, {}),)))
    folder.setups.keep_setup("abc", {"table.json": b"{}", "deck/red-8.png": b"png"})
    folder.close()
    return tmp_path / "data"


def contents(data: Path) -> tuple[object, ...]:
    folder = DataFolder(data, keep_free_bytes=0)
    try:
        matches = folder.matches
        lines, throws = matches.lines("g1"), matches.throws()
        return lines, throws, folder.pictures.files("g1", "t1"), folder.setups.setup("abc"), matches.settings()
    finally:
        folder.close()


def test_what_was_backed_up_is_there_again(data: Path, tmp_path: Path) -> None:
    before = contents(data)
    report = backup(data, tmp_path / "b.zip")
    assert (report.games, report.throws) == (1, 1)
    restored = restore(tmp_path / "b.zip", tmp_path / "elsewhere")
    assert (restored.games, restored.throws) == (1, 1)
    assert contents(tmp_path / "elsewhere") == before


def test_a_backup_is_taken_while_games_go_on(data: Path, tmp_path: Path) -> None:
    folder = DataFolder(data, keep_free_bytes=0)
    stop = threading.Event()

    def play() -> None:
        line = 3
        while not stop.is_set():
            folder.matches.commit("g1", Change((a_line(line),)))
            line += 1

    player = threading.Thread(target=play)
    player.start()
    try:
        for number in range(3):
            backup(data, tmp_path / f"{number}.zip")
    finally:
        stop.set()
        player.join()
        folder.close()
    for number in range(3):
        restore(tmp_path / f"{number}.zip", tmp_path / f"at-{number}")
        lines = contents(tmp_path / f"at-{number}")[0]
        assert [n.line for n in lines] == list(range(2, 2 + len(lines)))  # type: ignore[attr-defined, arg-type]


def test_a_folder_that_holds_games_is_moved_aside_only_when_asked(data: Path, tmp_path: Path) -> None:
    backup(data, tmp_path / "b.zip")
    before = contents(data)
    with pytest.raises(CannotDo, match="--replace"):
        restore(tmp_path / "b.zip", data)
    (data / "holiday.jpg").write_bytes(b"mine")
    restore(tmp_path / "b.zip", data, replace=True)
    assert contents(data) == before
    assert (tmp_path / "data.before-restore-1" / "holiday.jpg").read_bytes() == b"mine"


def test_what_was_played_since_the_backup_does_not_count_against_it(data: Path, tmp_path: Path) -> None:
    backup(data, tmp_path / "b.zip")
    before = contents(data)
    folder = DataFolder(data)
    for number in range(3, 9):
        folder.matches.commit("g1", Change((a_line(number),)))
    folder.close()
    restore(tmp_path / "b.zip", data, replace=True)
    assert contents(data) == before
    kept = DataFolder(tmp_path / "data.before-restore-1", keep_free_bytes=0)
    assert len(kept.matches.lines("g1")) == 7
    kept.close()


def test_a_folder_in_use_is_left_alone(data: Path, tmp_path: Path) -> None:
    backup(data, tmp_path / "b.zip")
    folder = DataFolder(data)
    with pytest.raises(CannotDo, match="another arena-cam"):
        restore(tmp_path / "b.zip", data, replace=True)
    assert folder.matches.lines("g1") == [a_line(2, "t1")]
    folder.close()


def test_nothing_to_back_up_is_said(tmp_path: Path) -> None:
    with pytest.raises(CannotDo, match="nothing recorded"):
        backup(tmp_path / "none", tmp_path / "b.zip")
    assert not (tmp_path / "none").exists()


def zip_of(file: Path, members: dict[str, bytes], link: str | None = None) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        if link is not None:
            info = zipfile.ZipInfo(link)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    return file


MANIFEST = {"backup.json": json.dumps({"program": "arena-cam"}).encode()}


@pytest.mark.parametrize(
    ("members", "link", "why"),
    [
        ({}, None, "this is no backup"),
        ({"backup.json": b"{}"}, None, "this is no backup"),
        (MANIFEST, None, "holds no arena-cam.db"),
        (MANIFEST | {DATABASE: b"torn" * 2000}, None, "damaged"),
        (MANIFEST | {"../evil": b""}, None, "not one that arena-cam writes"),
        (MANIFEST | {"/etc/evil": b""}, None, "not one that arena-cam writes"),
        (MANIFEST | {"games/../../evil": b""}, None, "not one that arena-cam writes"),
        (MANIFEST | {"games\\evil": b""}, None, "not one that arena-cam writes"),
        (MANIFEST | {"bomb": bytes(50_000_000)}, None, "unpacks to far more"),
        (MANIFEST, "games", "is a link"),
    ],
)
def test_what_is_no_backup_is_refused_and_leaves_nothing(
    tmp_path: Path, members: dict[str, bytes], link: str | None, why: str
) -> None:
    file = zip_of(tmp_path / "bad.zip", members, link)
    with pytest.raises(BadInput, match=why):
        restore(file, tmp_path / "data")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.zip"]


def test_a_torn_zip_is_refused(data: Path, tmp_path: Path) -> None:
    backup(data, tmp_path / "b.zip")
    whole = (tmp_path / "b.zip").read_bytes()
    for size in (0, 10, len(whole) // 2, len(whole) - 5):
        (tmp_path / "torn.zip").write_bytes(whole[:size])
        with pytest.raises(BadInput):
            restore(tmp_path / "torn.zip", tmp_path / "new")
    spoilt = bytearray(whole)
    place = whole.index(b"x" * 500)
    spoilt[place] ^= 255
    (tmp_path / "torn.zip").write_bytes(spoilt)
    with pytest.raises(BadInput, match="damaged"):
        restore(tmp_path / "torn.zip", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_limits_are_kept(tmp_path: Path) -> None:
    file = zip_of(tmp_path / "many.zip", {f"f{i}": b"abc" for i in range(5)})
    with pytest.raises(BadInput, match="more than the 4"):
        read_archive(file, Limits(4, 1000))
    with pytest.raises(BadInput, match="unpacks to"):
        read_archive(file, Limits(10, 14))
    with read_archive(file, Limits(5, 15)) as archive, pytest.raises(BadInput, match="is missing"):
        read_member(archive, "other")


def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unraised: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: unraised.append(what.exc_value))
    with pytest.raises(BadInput, match="cannot be read"):
        read_archive(tmp_path / "none.zip", Limits(4, 1000))
    gc.collect()  # what was never opened is closed, too
    assert unraised == []


def test_a_directory_of_nothing_but_entries_is_counted_before_it_is_read(tmp_path: Path) -> None:
    """64 MB of them took 21 seconds and half a gigabyte before they were refused."""
    entry = b"PK\1\2" + bytes(24) + b"\1" + bytes(17) + b"a"
    number = 200_000
    end = b"PK\5\6" + bytes(4) + 2 * b"\xff\xff" + (number * len(entry)).to_bytes(4, "little") + bytes(6)
    (tmp_path / "directory.zip").write_bytes(number * entry + end)
    began = time.process_time()
    with pytest.raises(BadInput, match=f"holds {number} files, more than the 1500"):
        read_archive(tmp_path / "directory.zip", Limits(1500, 10**9))
    assert time.process_time() - began < 0.5


def test_the_commands_say_what_they_did(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, new = str(tmp_path / "b.zip"), str(tmp_path / "new")
    assert main(["backup", out, "--data", str(data)]) == 0
    assert "1 games, 1 throws" in capsys.readouterr().out
    assert main(["restore", out, "--data", new]) == 0
    assert main(["restore", out, "--data", new]) == 1
    assert "--replace" in capsys.readouterr().err
    assert main(["restore", str(data / "lock"), "--data", new, "--replace"]) == 2
    assert main(["backup", out, "--data", str(tmp_path / "none")]) == 1
    assert main(["replay", str(data / "lock")]) == 2
    for line in capsys.readouterr().err.splitlines():
        assert line.startswith("arena-cam ")
