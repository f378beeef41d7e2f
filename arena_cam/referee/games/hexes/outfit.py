"""Photographs of boards: which tile lies in which cell of every board."""

from __future__ import annotations

from arena_cam.camera.frame import Frame
from arena_cam.domain.errors import BadInput
from arena_cam.formats.boards.boards_line import boards_in_words, boards_to_json
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.referee.game.outfit import Answer, JudgeOptions, Outfit
from arena_cam.vision.boards.board_reader import BoardReader


class BoardJudge:
    """referee.game.outfit.PictureJudge."""

    def __init__(self, options: JudgeOptions) -> None:
        if options.table is not None or options.challenge is not None or options.challenge_file is not None:
            raise BadInput("--table and --challenge are for cards that are thrown; leave them out for boards")
        self._reader = BoardReader(read_tile_set(options.deck))

    def judge(self, frame: Frame) -> Answer:
        reading = self._reader.read(frame.image_bgr, frame.name)
        return Answer(boards_to_json(reading), boards_in_words(reading))


class HexesOutfit(Outfit):
    def open_judge(self, options: JudgeOptions) -> BoardJudge:
        return BoardJudge(options)


OUTFIT = HexesOutfit("hexes")
