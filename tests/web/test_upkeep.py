"""Backup, restore, the log and a start anew, in the browser."""

from __future__ import annotations

import errno
import json
import logging
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.commands.process.upkeep import OwnUpkeep
from arena_cam.domain.errors import BadInput, CannotDo, Refused
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.messages import BackupTrouble
from web.conftest import log_in
from web.every_page import violations
from web.scripted_session import ScriptedSession, throws_scene
from web.test_security import headers
from web.test_security import log_in as client_log_in


@pytest.fixture
def upkeep(tmp_path: Path) -> Iterator[OwnUpkeep]:
    folder = tmp_path / "data"
    DataFolder(folder).close()
    (folder / "calibration" / "home").mkdir(parents=True)
    (folder / "calibration" / "home" / "table.json").write_text("{}")
    with OwnUpkeep(folder, threading.Event()) as made:
        yield made


@pytest.fixture
def served(serve: Callable[..., Any], upkeep: OwnUpkeep) -> Any:
    served = serve(ScriptedSession(throws_scene()))
    served.app.extensions["arena_cam"].upkeep = upkeep
    return served


def test_a_backup_is_downloaded_and_holds_tables_too(served: Any, upkeep: OwnUpkeep, tmp_path: Path) -> None:
    client = served.app.test_client()
    assert client.get("/api/upkeep/backup.zip").status_code == 403
    client_log_in(client)
    answer = client.get("/api/upkeep/backup.zip")
    file = tmp_path / "got.zip"
    file.write_bytes(answer.data)
    with zipfile.ZipFile(file) as archive:
        assert {"arena-cam.db", "calibration/home/table.json"} <= set(archive.namelist())
    assert not list((tmp_path / "data").glob("backup-*")), "nothing is left behind"
    assert upkeep.state()["newer"] is None


def test_a_backup_comes_back_from_the_page(
    served: Any, upkeep: OwnUpkeep, new_page: Callable[..., Any], tmp_path: Path
) -> None:
    page = new_page(390, 844)
    log_in(page, served.url)
    page.goto(f"{served.url}/upkeep")
    assert violations(page) == []
    with page.expect_download() as download:
        page.click("text=Download a backup")
    file = tmp_path / "evening.zip"
    download.value.save_as(file)
    assert download.value.suggested_filename.startswith("arena-cam-20")
    asked: list[str] = []

    def agree(dialog: Any) -> None:
        asked.append(dialog.message)
        dialog.accept()

    page.on("dialog", agree)
    page.set_input_files("#restore input", file)
    page.click("#restore button")
    page.wait_for_selector("#restore [data-far]:has-text('starts anew')")
    page.wait_for_timeout(3000)  # longer than a toast is shown
    assert page.is_visible("#restore [data-far]:has-text('starts anew')"), "as long as it takes"
    assert page.is_disabled("#restore button")
    assert "Games in it: 0." in asked[0]
    (tmp_path / "data" / "calibration" / "home" / "table.json").write_text("later")
    (tmp_path / "data" / "web-pin").write_text("135790")
    restored: list[list[str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.execv", lambda program, words: restored.append([program, *words]))
        upkeep.start_anew()
    assert restored[0][2:4] == ["-m", "arena_cam"], "the program starts again"
    assert (tmp_path / "data" / "calibration" / "home" / "table.json").read_text() == "{}"
    assert (tmp_path / "data" / "web-pin").read_text() == "135790", "the PIN is this machine's"
    aside = tmp_path / "data.before-restore-1"
    assert (aside / "calibration" / "home" / "table.json").read_text() == "later"
    with OwnUpkeep(tmp_path / "data", threading.Event()) as after:
        assert after.state()["restored"] == {"games": 0, "aside": str(aside), "why": None}
        served.app.extensions["arena_cam"].upkeep = after
        page.wait_for_selector("text=The backup was brought back", timeout=10_000)  # by itself: it started later
        assert str(aside) in page.inner_text("main")
    with OwnUpkeep(tmp_path / "data", threading.Event()) as later:
        assert later.state()["restored"] is None, "it is said once"


def test_a_backup_that_cannot_be_brought_back_is_said_after_the_start(
    served: Any, upkeep: OwnUpkeep, new_page: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hollow = tmp_path / "hollow.zip"
    with zipfile.ZipFile(hollow, "w") as archive:
        archive.writestr("backup.json", json.dumps({"program": "arena-cam"}))
    upkeep.take(hollow.read_bytes(), 0, hollow.stat().st_size)
    upkeep.restore()
    monkeypatch.setattr("os.execv", lambda *_: None)
    upkeep.start_anew()
    with OwnUpkeep(tmp_path / "data", threading.Event()) as after:
        served.app.extensions["arena_cam"].upkeep = after
        page = new_page(locale="fr")
        log_in(page, served.url)
        page.goto(f"{served.url}/upkeep")
        said = page.inner_text("[role=alert].error-text")
        assert "tout est resté comme avant" in said
        assert "arena-cam.db" in said


def test_a_backup_for_which_there_is_no_room_says_so_on_a_page(
    served: Any, new_page: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_cam.store.backup.free_bytes", lambda _: 1000)
    page = new_page(390, 844, locale="is")
    log_in(page, served.url)
    page.goto(f"{served.url}/upkeep")
    page.click("a[href$='backup.zip']")
    page.wait_for_selector("main:has-text('MB')")
    assert "losið pláss" in page.inner_text("main")
    assert not list((tmp_path / "data").glob("backup-*")), "not a byte was written"
    client = served.app.test_client()
    client_log_in(client)
    assert client.get("/api/upkeep/backup.zip").json["error"]["code"] == "cannot", "programs are answered as before"


def test_an_empty_file_is_said_to_be_empty(served: Any, new_page: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "empty.zip").touch()
    page = new_page()
    log_in(page, served.url)
    page.goto(f"{served.url}/upkeep")
    page.set_input_files("#restore input", tmp_path / "empty.zip")
    page.click("#restore button")
    page.wait_for_selector("#toast:has-text('empty')")


def test_within_a_folder_whose_neighbours_may_not_be_written(
    upkeep: OwnUpkeep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a service has it: /var/lib/arena-cam is its own, /var/lib is not."""
    content = upkeep.backup().read_bytes()
    (tmp_path / "data" / "web-pin").write_text("135790")
    upkeep.take(content, 0, len(content))
    upkeep.restore()
    monkeypatch.setattr("arena_cam.store.backup.os.access", lambda *_: False)
    monkeypatch.setattr("os.execv", lambda *_: None)
    upkeep.start_anew()
    inside = tmp_path / "data"
    assert (inside / "before-restore-1" / "arena-cam.db").is_file()
    assert (inside / "arena-cam.db").is_file()
    assert (inside / "web-pin").read_text() == "135790"
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_torn_or_foreign_backup_is_refused(upkeep: OwnUpkeep, tmp_path: Path) -> None:
    content = upkeep.backup().read_bytes()
    half = len(content) // 2
    assert upkeep.take(content[:half], 0, len(content))["whole"] is False
    with pytest.raises(Refused):
        upkeep.restore()
    with pytest.raises(Refused):
        upkeep.take(content[half + 1 :], half + 1, len(content))
    assert upkeep.take(content[half:], half, len(content))["whole"] is True
    with pytest.raises(BadInput):
        upkeep.take(b"no zip at all", 0, 13)
    with pytest.raises(Refused):
        upkeep.restore()
    foreign = tmp_path / "foreign.zip"
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("backup.json", json.dumps({"program": "another"}))
    with pytest.raises(BadInput):
        upkeep.take(foreign.read_bytes(), 0, foreign.stat().st_size)


def test_the_log_is_shown_to_the_referee_alone(served: Any, upkeep: OwnUpkeep, new_page: Callable[..., Any]) -> None:
    logging.getLogger("arena_cam.tests").warning("the lamp was switched on")
    client = served.app.test_client()
    assert client.get("/api/upkeep").status_code == 403
    assert client.post("/api/upkeep/restart", json={}, headers=headers(client)).status_code == 403
    page = new_page()
    log_in(page, served.url)
    page.goto(f"{served.url}/upkeep")
    assert "the lamp was switched on" in page.inner_text(".log")
    assert upkeep.state()["log"][0]["level"] == "WARNING"


def test_an_update_on_the_disk_is_noticed(
    served: Any, new_page: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = new_page()
    log_in(page, served.url)
    page.goto(f"{served.url}/upkeep")
    assert "the one that is installed" in page.inner_text("main")
    monkeypatch.setattr("arena_cam.__version__", "0.1.9")
    page.reload()
    assert "still runs" in page.inner_text("main")


def test_on_a_disk_that_may_only_be_read_the_fault_that_is_told_is_the_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was told that arriving-backup.zip cannot be used, which nobody had sent."""

    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def ends() -> None:
        with OwnUpkeep(tmp_path, threading.Event()):
            monkeypatch.setattr(Path, "unlink", read_only)
            raise CannotDo(BackupTrouble.NOT_USED(text=os.strerror(errno.EROFS)), about=tmp_path)

    with pytest.raises(CannotDo, match="cannot be used"):
        ends()
