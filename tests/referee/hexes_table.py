"""A table of hexagons for tests: a session whose photographs are read as the test says."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.no_camera import NoCamera
from arena_cam.referee.game.outfit import unwatched_eye
from arena_cam.referee.session.session import Session
from arena_cam.rules.games.hexes.board import CELLS, TILES
from arena_cam.store.data_folder import DataFolder

PLAYERS = [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
Json = dict[str, Any]


class Reader:
    """Stands for the eye: says what the test put into it, whatever the photograph shows."""

    def __init__(self) -> None:
        self.boards: list[Json] = []
        self.breaks = False
        self.known: Json = {}

    def __call__(self, image: Any, known: Json) -> Json:
        self.known = known
        if self.breaks:
            raise RuntimeError("the eye is broken")
        return {"boards": self.boards, "size_px": [image.shape[1], image.shape[0]], "sure": True, "known": known}

    def sees(self, cells: dict[str, str | None], colour: str | None = "red", **more: Any) -> None:
        board = {
            "colour": colour,
            "cells": dict.fromkeys(CELLS) | cells,
            "likely": {cell: [tile] for cell, tile in cells.items()},
            "doubts": {},
            "cells_px": {cell: [10.0 + number, 20.0] for number, cell in enumerate(CELLS)},
        }
        self.boards = [board | more]


class Table:
    """A session with a scripted eye for photographs."""

    def __init__(self, folder: Path) -> None:
        self.reader = Reader()
        self.folder = folder
        self.open()

    def open(self) -> None:
        self.session = Session(DataFolder(self.folder, keep_free_bytes=0), unwatched_eye(self.reader), NoCamera())

    def again(self) -> None:
        self.session.stop()
        self.open()

    def act(self, action: str, who: str = "referee", **args: Any) -> Json:
        return self.session.act(action, args, who)

    def start(self, players: list[Json] = PLAYERS, **options: Any) -> str:
        return str(self.act("start_game", game="hexes", players=players, options=options)["game"])

    @property
    def game(self) -> Any:
        return self.session.snapshot()["game"]

    def board(self, player: str) -> Any:
        return next(board for board in self.game["boards"] if board["player"] == player)

    def draws(self, tiles: tuple[str, ...] = TILES[:19]) -> None:
        for tile in tiles:
            self.act("draw_tile", tile=tile)

    def photo(self, player: str, shade: int = 0) -> str:
        return str(self.session.take_photo(picture(shade), player, player)["photo"])


def picture(shade: int = 0) -> bytes:
    return cv2.imencode(".jpg", np.full((40, 60, 3), shade, np.uint8))[1].tobytes()


def laid(tiles: tuple[str, ...] = TILES[:19], seed: int = 0) -> dict[str, str | None]:
    """A full board with just these tiles."""
    shuffled = random.Random(seed).sample(tiles, 19)
    return dict(zip(CELLS, shuffled, strict=True))
