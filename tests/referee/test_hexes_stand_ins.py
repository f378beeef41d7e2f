"""The simulated evening of hexagons: whole games, with photographs that a real eye reads."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.domain.errors import BadInput
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.printing.hexes.style import Style
from arena_cam.referee.game.outfit import EveningOptions, find_outfit
from arena_cam.referee.games.hexes.outfit import BoardPhotographs
from arena_cam.referee.games.hexes.stand_ins import simulated_players
from arena_cam.referee.games.hexes.stand_ins.simulated_players import SimulatedPlayers
from arena_cam.rules.games.hexes.board import CELLS, TILES
from arena_cam.simulation.boards.photographs import LaidBoard, PrintedSet, Shot, render_boards
from arena_cam.simulation.boards.printed import printed_set
from referee.hexes_table import Table, laid


@pytest.fixture(scope="module")
def set_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_set(tmp_path_factory.mktemp("set"), Style(colours=("red", "blue")))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


def players_at(table: Table, monkeypatch: pytest.MonkeyPatch, misread: int = 0, seated: str = "") -> SimulatedPlayers:
    """Players who do not think; what they photograph is read at once, `misread` cells of it as empty."""
    shots = iter(range(10_000))

    def photographed(_printed: object, boards: list[LaidBoard], _shot: object, _seed: int) -> tuple[Any, list[Any]]:
        seen = dict(boards[0].cells)
        for cell in list(CELLS)[:misread]:
            seen[cell] = None
        table.reader.sees(seen, boards[0].colour)
        return np.full((30, 40, 3), next(shots) * 5 % 250, np.uint8), []

    monkeypatch.setattr(simulated_players, "render_boards", photographed)
    printed = PrintedSet({}, dict.fromkeys(("red", "blue", "green")), {}, (40, 34), (186, 206), {})  # type: ignore[arg-type]
    return SimulatedPlayers(table.session, printed, lambda name: name == seated, pace=0.0)


def play(table: Table, players: SimulatedPlayers, steps: int) -> None:
    for _ in range(steps):
        if table.game is not None and table.game["over"]:
            return
        players.play(table.session.snapshot(), time.monotonic())


def test_a_whole_game_is_played_to_its_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    play(table, players_at(table, monkeypatch), 1000)
    assert table.game["over"]
    detail = table.session.game(table.game["id"])
    assert (detail["rounds"], len(detail["points_by_round"]), detail["throws"]) == (3, 3, 9)
    assert min(detail["scores"].values()) > 200, "they lay lines, not anywhere"


def test_what_was_read_wrongly_is_mended_before_it_is_confirmed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    players = players_at(table, monkeypatch, misread=3)
    play(table, players, 1000)
    assert table.game["over"]


def test_nobody_plays_for_who_sits_at_a_phone(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    players = players_at(table, monkeypatch, seated="Bernhard")
    play(table, players, 300)
    assert not table.board("Bernhard")["placed"]
    assert len(table.game["drawn"]) == 1, "the next tile waits for him"


def test_the_eye_of_an_evening_reads_a_photograph_and_says_where_the_cells_are(set_folder: Path) -> None:
    tile_set = read_tile_set(set_folder)
    cells = laid(TILES[4:23], seed=3)
    image, truth = render_boards(
        printed_set(tile_set), [LaidBoard("blue", (0.0, 0.0, 12.0), cells)], Shot((900, 1200), 460, 15, 4, loose=1), 5
    )
    reading = BoardPhotographs(tile_set)(image, {})
    (board,) = reading["boards"]
    assert board["cells"] == cells
    assert board["colour"] == "blue"
    for cell, (x, y) in truth[0]["cells_px"].items():
        assert np.hypot(board["cells_px"][cell][0] - x, board["cells_px"][cell][1] - y) < 6.0
    assert board["likely"]["C3"][0] == cells["C3"]


def test_an_evening_may_do_without_a_set_but_a_camera_may_not(tmp_path: Path, set_folder: Path) -> None:
    outfit = find_outfit("hexes")
    evening = outfit.evening(EveningOptions("none", tmp_path, 15.0))
    assert evening is not None
    assert evening.eye.read_photo is None
    with_set = outfit.evening(EveningOptions("none", tmp_path, 15.0, set_folder))
    assert with_set is not None
    assert with_set.eye.headers["hexes"]["suns"]
    assert "deck/deck.toml" in with_set.eye.setup
    video = tmp_path / "boards.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    with pytest.raises(BadInput, match="judge"):
        outfit.evening(EveningOptions(str(video), tmp_path, 15.0, set_folder))


def test_any_game_can_be_told_without_a_camera_and_none_watches_a_table_that_needs_one(tmp_path: Path) -> None:
    for game in ("dilemmas", "tricks", "arena"):
        outfit = find_outfit(game)
        assert outfit.evening(EveningOptions("none", tmp_path, 15.0)) is not None
    assert find_outfit("arena").evening(EveningOptions("usb:0", tmp_path, 15.0)) is None
    for game, remedy in {"tricks": "with --deck FOLDER", "dilemmas": "with --deck SET"}.items():
        with pytest.raises(BadInput, match=remedy):
            find_outfit(game).evening(EveningOptions("usb:0", tmp_path, 15.0))
