"""What was set up last is taken up again at the next start, unless something else is given."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.commands.options.unfinished_deck import finish_learning
from arena_cam.commands.tables.setting_up import chosen_or_last, remember
from arena_cam.domain.errors import BadTable
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.table_json import table_to_json
from arena_cam.referee.setup.desk import Chosen
from arena_cam.referee.setup.lesson import unfinished
from arena_cam.simulation.rendering.scene import default_scene
from arena_cam.store.data_folder import DataFolder
from shared_decks import deck_in


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    data = DataFolder(tmp_path / "data")
    yield data
    data.close()


def written(folder: Path) -> Path:
    folder.mkdir()
    file = folder / "table.json"
    file.write_text(json.dumps(table_to_json(default_scene().table)), encoding="utf-8")
    return file


def left_as_taken(folder: Path, deck_folder: Path) -> Path:
    """A deck as a program leaves it that is killed while it is learned."""
    deck = DeckFolder(folder, (63.0, 88.0))
    for card in deck_in(deck_folder).cards[:2]:
        deck.put(card.id, card.image.read_bytes(), 3.0, taken=True)
    return folder


def arguments(tmp_path: Path, **given: Any) -> argparse.Namespace:
    values = {"table": None, "deck": None, "data": tmp_path, "calibration": tmp_path, "decks": tmp_path}
    return argparse.Namespace(source="usb:0", lang="en", **(values | given))


def test_the_next_start_needs_no_table_and_no_deck(data: DataFolder, tmp_path: Path, deck_folder: Path) -> None:
    args = arguments(tmp_path)
    assert chosen_or_last(args, data) == Chosen()
    table = written(tmp_path / "home")
    remember(data, table, deck_folder)
    chosen = chosen_or_last(args, data)
    assert (chosen.table_file, chosen.deck_folder) == (table, deck_folder.resolve())
    assert chosen.table == default_scene().table
    assert chosen.deck is not None


def test_what_is_given_comes_first(data: DataFolder, tmp_path: Path, deck_folder: Path) -> None:
    remember(data, written(tmp_path / "home"), deck_folder)
    other = written(tmp_path / "other")
    chosen = chosen_or_last(arguments(tmp_path, table=other), data)
    assert (chosen.table_file, chosen.deck_folder) == (other, deck_folder.resolve())


def test_what_is_gone_is_set_up_anew_and_what_is_given_must_be_there(
    data: DataFolder, tmp_path: Path, deck_folder: Path
) -> None:
    table = written(tmp_path / "home")
    remember(data, table, deck_folder)
    table.unlink()
    chosen = chosen_or_last(arguments(tmp_path), data)
    assert chosen.table is None
    assert chosen.deck is not None
    with pytest.raises(BadTable, match="cannot be read"):
        chosen_or_last(arguments(tmp_path, table=table), data)


def test_a_picture_of_the_empty_arena_that_is_gone_is_told_and_left_out(
    data: DataFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = written(tmp_path / "home")
    table.write_text(json.dumps(json.loads(table.read_text()) | {"empty": "empty.png"}), encoding="utf-8")
    chosen = chosen_or_last(arguments(tmp_path, table=table), data)
    assert chosen.table == default_scene().table
    assert "arena-cam referee: warning" in capsys.readouterr().err


def test_a_deck_whose_program_was_killed_while_it_was_learned_is_finished_at_the_next_start(
    data: DataFolder, tmp_path: Path, deck_folder: Path
) -> None:
    left = left_as_taken(tmp_path / "mine", deck_folder)
    remember(data, written(tmp_path / "home"), left)
    assert chosen_or_last(arguments(tmp_path), data).deck is not None
    assert unfinished(left) is None


def test_a_deck_that_is_given_is_finished_too(
    tmp_path: Path, deck_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left = left_as_taken(tmp_path / "mine", deck_folder)
    finish_learning(left, "en")
    assert unfinished(left) is None
    assert "bringing all pictures into one light" in capsys.readouterr().err
    finish_learning(left, "en")
    finish_learning(Path("ordinary"), "en")
    assert capsys.readouterr().err == ""
