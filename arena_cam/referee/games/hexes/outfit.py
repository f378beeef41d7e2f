"""Photographs of boards: which tile lies in which cell of every board; and the evening that they make."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.frame import Frame, Image
from arena_cam.camera.no_camera import NO_CAMERA, NoCamera
from arena_cam.camera.open_source import open_source
from arena_cam.domain.board_doubts import BoardDoubt
from arena_cam.domain.board_readings import BoardReading
from arena_cam.domain.errors import BadInput
from arena_cam.domain.messages import Message, message_to_json
from arena_cam.domain.tile_sets import TileSet
from arena_cam.formats.boards.boards_line import boards_in_words, boards_to_json
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.game.outfit import (
    Answer,
    Evening,
    EveningOptions,
    JudgeOptions,
    LearnOptions,
    Outfit,
    unwatched_eye,
)
from arena_cam.referee.games.hexes import learned_set
from arena_cam.referee.games.hexes.messages import HexesOption
from arena_cam.referee.interface import SessionPort
from arena_cam.referee.messages import OutfitRefusal
from arena_cam.vision.boards.board_reader import BoardReader

Json = dict[str, Any]


class BoardJudge:
    """referee.game.outfit.PictureJudge."""

    def __init__(self, options: JudgeOptions) -> None:
        if options.table is not None or options.challenge is not None or options.challenge_file is not None:
            raise BadInput(HexesOption.NO_TABLE())
        self._reader, self._language = BoardReader(read_tile_set(options.deck)), options.language

    def judge(self, frame: Frame) -> Answer:
        reading = self._reader.read(frame.image_bgr, frame.name)
        return Answer(boards_to_json(reading), boards_in_words(reading, self._language))


class BoardPhotographs:
    """Reads photographs for a session: what part.py of this game understands, as plain JSON."""

    def __init__(self, tile_set: TileSet) -> None:
        self._set, self._reader = tile_set, BoardReader(tile_set)

    def __call__(self, image: Image, known: Json) -> Json:
        """{boards, size_px, known}: each board as the judgement line has it; by cell `likely`, `doubts`, `cells_px`.

        `colour_sure` of a board: whether the picture says plainly whose it is. `known`: {drawn}, the tiles of the
        round, where no other can lie there; or nothing.
        """
        reading = self._reader.read(image, "photograph", known.get("drawn"))
        line = boards_to_json(reading)
        boards = [each | self._more(board) for each, board in zip(line["boards"], reading.boards, strict=True)]
        return {**line, "boards": boards, "size_px": [image.shape[1], image.shape[0]], "known": known}

    def _more(self, board: BoardReading) -> Json:
        return {
            "likely": {cell.cell: [cell.tile, *cell.others] for cell in board.cells},
            "doubts": {cell.cell: message_to_json(cell.doubt) for cell in board.cells if cell.doubt is not None},
            "cells_px": self._cells_px(board),
            "colour_sure": all(doubt.sentence is not BoardDoubt.COLOUR for doubt in board.doubts),
        }

    def _cells_px(self, board: BoardReading) -> dict[str, list[float]]:
        """Where the cells' middles are in the photograph."""
        printed = next((each for each in self._set.boards if each.colour == board.colour), self._set.boards[0])
        w, h = printed.width_mm, printed.height_mm
        corners_mm = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        px_from_mm = cv2.getPerspectiveTransform(corners_mm, np.array(board.corners_px, np.float32))
        middles = np.array([at for _, at in printed.cells_mm], np.float64)[None]
        px = cv2.perspectiveTransform(middles, px_from_mm)[0]
        names = [name for name, _ in printed.cells_mm]
        return {name: [round(float(x), 1), round(float(y), 1)] for name, (x, y) in zip(names, px, strict=True)}


class HexesOutfit(Outfit):
    def evening(self, options: EveningOptions) -> Evening:
        """Phones, with or without a camera over the table. Without a set boards are laid on the phones alone."""
        if options.source == "sim":
            return self._simulated(options)
        source = NoCamera() if options.source == NO_CAMERA else open_source(options.source, options.fps, pages=True)
        if not source.live:
            source.close()
            raise BadInput(OutfitRefusal.RECORDED(game=self.game), about=options.source)
        if options.deck is None:
            if options.source != NO_CAMERA:
                source.close()
                raise BadInput(HexesOption.SET())
            return Evening(source, unwatched_eye())
        return Evening(source, _eye(options.deck, read_tile_set(options.deck)))

    def _simulated(self, options: EveningOptions) -> Evening:
        """Renderer and printer are imported only here."""
        from arena_cam.printing.hexes.set_folder import write_set
        from arena_cam.printing.hexes.style import Style
        from arena_cam.referee.games.hexes.stand_ins.simulated_players import SimulatedPlayers
        from arena_cam.simulation.boards.printed import printed_set

        folder = options.deck
        if folder is None:
            folder = options.scratch / "boards"
            if not (folder / "deck.toml").is_file():
                write_set(folder, Style())
        tile_set = read_tile_set(folder)

        def players(session: SessionPort, seated: Callable[[str], bool]) -> SimulatedPlayers:
            return SimulatedPlayers(session, printed_set(tile_set), seated)

        return Evening(NoCamera(), _eye(folder, tile_set), players)

    def open_judge(self, options: JudgeOptions) -> BoardJudge:
        return BoardJudge(options)

    def photo_reader(self, deck: Path) -> BoardPhotographs:
        return BoardPhotographs(read_tile_set(deck))

    def learn(self, options: LearnOptions) -> Message:
        return learned_set.learn(options)


def _eye(folder: Path, tile_set: TileSet) -> Eye:
    marks = {tile.id: tile.mark for tile in tile_set.tiles}
    suns = [tile for tile, mark in marks.items() if mark == "sun"]
    headers = {"hexes": {"suns": suns}} if all(marks.values()) else {}
    return unwatched_eye(BoardPhotographs(tile_set), _files(folder, tile_set), headers)


def _files(folder: Path, tile_set: TileSet) -> dict[str, bytes]:
    """The set as it is kept with the games: deck.toml and the pictures that it names."""
    files = [folder / "deck.toml", *(tile.image for tile in tile_set.tiles)]
    files += [file for board in tile_set.boards for file in (board.image, board.back) if file is not None]
    return {f"deck/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in dict.fromkeys(files)}


OUTFIT = HexesOutfit("hexes")
