"""Where the cache is: named, switched off, the system's usual place, or nowhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena_cam.commands.options.cache_folder import drawing_folder, picture_cache

STACKS = {"small": np.zeros((1, 2, 2, 3), np.uint8)}


def kept_below(folder: Path) -> list[str]:
    cache = picture_cache()
    assert cache is not None
    cache.save("key", STACKS)
    return [str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()]


def test_the_named_folder_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CAM_CACHE", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "usual"))
    assert kept_below(tmp_path) == ["mine/key.npz"]


def test_else_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_CAM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "usual"))
    assert kept_below(tmp_path) == ["usual/arena-cam/key.npz"]


def test_else_below_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_CAM_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert kept_below(tmp_path) == [".cache/arena-cam/key.npz"]


def test_off_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CAM_CACHE", "off")
    assert picture_cache() is None


def test_what_a_simulated_table_draws_lies_where_it_lay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CAM_CACHE", str(tmp_path / "mine"))
    with drawing_folder("sim") as folder:
        (folder / "deck").mkdir()
    with drawing_folder("sim") as again:
        assert again == folder
        assert (again / "deck").is_dir()
    assert folder.is_relative_to(tmp_path / "mine")


@pytest.mark.parametrize(("source", "kept"), [("usb:0", "mine"), ("sim", "off"), ("sim", "a-file/below")])
def test_else_it_is_drawn_into_a_folder_that_goes(
    source: str, kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a camera nothing is drawn; nothing is kept; the folder cannot be made."""
    (tmp_path / "a-file").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_CAM_CACHE", kept)
    with drawing_folder(source) as folder:
        assert folder.is_dir()
    assert not folder.exists()
