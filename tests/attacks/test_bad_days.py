"""A clock that jumps, a folder that goes or cannot be written, a second program: said in one line, nothing lost."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from arena_cam.domain.errors import CannotDo
from arena_cam.store.backup import DATABASE
from arena_cam.store.data_folder import DataFolder
from referee.builders import Evening


def played(evening: Evening) -> list[dict[str, object]]:
    return [line.event for line in evening.data.matches.lines(evening.game["id"])]


@pytest.mark.parametrize("jump_s", [-40 * 365 * 86400.0, -3600.0, 3600.0, 60 * 365 * 86400.0])
def test_a_clock_that_jumps_in_the_middle_of_a_game_loses_nothing(tmp_path: Path, jump_s: float) -> None:
    """Summer time, a Pi without a battery that hears from a time server: the record's order is that of its lines."""
    now_s = [1_700_000_000.0]
    evening = Evening(tmp_path, clock=lambda: now_s[0])
    evening.start()
    evening.rests("red-8")
    now_s[0] += jump_s
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.0)
    before = played(evening)
    assert [event["type"] for event in before][:2] == ["challenge", "throw"]
    assert [throw["card"] for throw in evening.session.throws()] == ["red-8", "blue-3"]
    game = evening.game["id"]
    evening.session.game(game)
    evening.session.stop()
    now_s[0] -= 2 * jump_s
    again = Evening(tmp_path, clock=lambda: now_s[0])
    assert again.game["id"] == game
    assert played(again) == before
    again.start()  # a game that is newer by its place, whatever the clock says
    assert again.game["id"] != game
    assert len(again.session.games()) == 2
    again.session.stop()


def test_a_second_program_on_one_folder_is_turned_away_and_the_first_plays_on(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.start()
    with pytest.raises(CannotDo, match="another arena-cam is using this folder") as refused:
        DataFolder(tmp_path)
    assert "\n" not in str(refused.value)
    evening.rests("red-8")
    assert [event["type"] for event in played(evening)] == ["challenge"]
    evening.session.stop()


def test_a_log_that_was_torn_ends_where_it_is_whole(tmp_path: Path) -> None:
    """What SQLite acknowledged is in the log; of a log cut short, what is whole in it is there."""
    evening = Evening(tmp_path / "data")
    evening.start()
    evening.rests("red-8")
    told = played(evening)
    log = tmp_path / "data" / f"{DATABASE}-wal"
    database, whole = (tmp_path / "data" / DATABASE).read_bytes(), log.read_bytes()
    evening.session.stop()
    for share in (0.0, 0.3, 0.7, 0.999):
        folder = tmp_path / f"copy-{share}"
        folder.mkdir()
        (folder / DATABASE).write_bytes(database)
        (folder / f"{DATABASE}-wal").write_bytes(whole[: int(share * len(whole))])
        kept = DataFolder(folder, keep_free_bytes=0)
        lines = [line.event for game in kept.matches.games() for line in kept.matches.lines(game.id)]
        kept.close()
        assert lines == told[: len(lines)]


@pytest.mark.parametrize("beside", ["", "-shm"])
def test_a_log_that_was_deleted_is_said_and_what_was_told_comes_back_with_it(tmp_path: Path, beside: str) -> None:
    """Whoever copies a folder leaves files with strange names behind; the last lines of the game lie in one."""
    folder = tmp_path / "copy"
    shutil.copytree(_killed_in_a_game(tmp_path / "data"), folder)
    log, aside = folder / f"{DATABASE}-wal", tmp_path / "log"
    log.rename(aside)
    if beside:
        (folder / f"{DATABASE}{beside}").unlink()
    before = (folder / DATABASE).read_bytes()
    for _ in range(2):  # saying it changes nothing
        with pytest.raises(CannotDo, match=f"changes are missing; put {log.name} back.*restore") as refused:
            DataFolder(folder)
        assert "\n" not in str(refused.value)
        assert (folder / DATABASE).read_bytes() == before
    for left in folder.glob(f"{DATABASE}-*"):
        left.unlink()
    aside.rename(log)
    kept = DataFolder(folder, keep_free_bytes=0)
    (game,) = kept.matches.games()
    assert [line.event["type"] for line in kept.matches.lines(game.id)][:2] == ["challenge", "throw"]
    kept.close()


def test_a_log_cut_short_is_said_and_one_can_go_on_without_it(tmp_path: Path) -> None:
    folder = _killed_in_a_game(tmp_path / "data")
    log = folder / f"{DATABASE}-wal"
    os.truncate(log, log.stat().st_size - 10)
    with pytest.raises(CannotDo, match=r"remove arena-cam\.acknowledged to go on without them"):
        DataFolder(folder)
    (folder / "arena-cam.acknowledged").unlink()
    kept = DataFolder(folder, keep_free_bytes=0)
    assert len(kept.matches.games()) == 1
    kept.close()


def test_a_log_without_its_database_is_not_thrown_away(tmp_path: Path) -> None:
    """SQLite begins a database anew beside it, and deletes it."""
    folder = _killed_in_a_game(tmp_path / "data")
    shutil.rmtree(folder / "games")
    (folder / "arena-cam.acknowledged").unlink()
    (folder / DATABASE).unlink()
    log = (folder / f"{DATABASE}-wal").read_bytes()
    with pytest.raises(CannotDo, match="empty or gone"):
        DataFolder(folder)
    assert (folder / f"{DATABASE}-wal").read_bytes() == log


def test_an_older_count_accuses_nobody(tmp_path: Path) -> None:
    """It is not synced: a power cut may leave an older one, or none, or half of it."""
    folder = _killed_in_a_game(tmp_path / "data")
    for content in (b"00000000000000000001", b"", b"0000000", b"x" * 20):
        (folder / "arena-cam.acknowledged").write_bytes(content)
        kept = DataFolder(folder, keep_free_bytes=0)
        assert len(kept.matches.games()) == 1
        kept.close()


def _killed_in_a_game(folder: Path) -> Path:
    """A copy of a data folder as it is on disk while a game is on, its last lines in the log alone."""
    evening = Evening(folder)
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])
    killed = folder.with_name("killed")
    shutil.copytree(folder, killed)
    evening.session.stop()
    return killed


def test_an_emptied_database_beside_pictures_is_not_begun_anew(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.start()
    evening.rests("red-8")
    evening.session.stop()
    file = tmp_path / DATABASE
    for content in (b"", None):
        if content is None:
            file.unlink()
        else:
            file.write_bytes(content)
        with pytest.raises(CannotDo, match="empty or gone.*restore"):
            DataFolder(tmp_path)
        assert not file.exists() or file.read_bytes() == b""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(CannotDo):
            DataFolder(tmp_path / "data")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("path", ["/proc/arena-cam", "/dev/null/data"])
def test_a_place_where_no_folder_can_be_is_said_in_one_line(path: str) -> None:
    with pytest.raises(CannotDo) as refused:
        DataFolder(Path(path))
    assert "\n" not in str(refused.value)
