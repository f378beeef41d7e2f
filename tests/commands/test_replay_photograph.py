"""`arena-cam replay` of an exported photograph: read again with the set in it, or one that is given."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.commands.main import main
from arena_cam.referee.games.hexes.outfit import HexesOutfit
from referee.hexes_table import Table, laid

SET = 'game = "hexes"\n[[card]]\nid = "9-4-7"\nimage = "%s"\n'


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "data")
    yield table
    table.session.stop()


@pytest.fixture
def export(table: Table, tmp_path: Path) -> Path:
    table.start()
    table.draws()
    table.reader.sees(laid())
    photo = table.photo("Anna")
    file = tmp_path / "export.zip"
    file.write_bytes(table.session.export_throw(photo))
    return file


def packed(file: Path, members: dict[str, bytes]) -> Path:
    """The zip with more, or other, members."""
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()} | members
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return file


def test_the_photograph_is_read_again_and_what_differs_is_said(
    table: Table, export: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read: list[Path] = []

    def reader(_self: HexesOutfit, deck: Path) -> Any:
        read.append(deck)
        return table.reader

    monkeypatch.setattr(HexesOutfit, "photo_reader", reader)
    packed(export, {"setup/deck/deck.toml": (SET % "9-4-7.png").encode()})
    assert main(["replay", str(export)]) == 0
    assert capsys.readouterr().out == "nothing differs\n"
    assert read[0].name == "deck"
    other = table.reader.boards[0]["cells"]
    other["A1"], other["A2"] = other["A2"], other["A1"]
    assert main(["replay", str(export), "--json", "--deck", str(export.parent)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [each["card"] for each in answer["differences"]] == ["A1", "A2"]
    assert not answer["same"]
    assert read[1] == export.parent


def test_what_cannot_be_read_again_is_said_in_one_line(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = export.read_bytes()
    cases = [
        ({}, (), "give the set's folder with --deck"),
        ({}, ("--table", "table.json"), "leave --table out"),
        ({}, ("--deck", str(tmp_path / "none")), "none"),
        ({"setup/deck/deck.toml": (SET % "../../../secret.png").encode()}, (), "secret.png"),
        ({"more.exe": b"x"}, (), "do not trust this file"),
        ({"reading.json": b"{"}, (), "export.zip"),
        ({"game.jsonl": b"{}\n"}, (), "export.zip"),
        ({"game.jsonl": b'{"type":"game","game":"tricks","players":["A","B"]}\n'}, (), "export.zip"),
    ]
    for members, more, said in cases:
        export.write_bytes(whole)
        packed(export, members)
        assert main(["replay", str(export), *more]) == 2, members
        error = capsys.readouterr().err
        assert said in error, error
        assert error.count("\n") == 1, error


def test_a_torn_photograph_is_said(
    table: Table, export: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(HexesOutfit, "photo_reader", lambda _self, _deck: table.reader)
    packed(export, {"photo.jpg": b"\xff\xd8\xff\xe0 torn"})
    assert main(["replay", str(export), "--deck", "set"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
