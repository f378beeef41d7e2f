"""Photographs of dilemmas: which cards lie together, whose they are, and the tokens on them."""

from __future__ import annotations

from arena_cam.camera.frame import Frame
from arena_cam.camera.no_camera import NoCamera
from arena_cam.domain.errors import BadInput
from arena_cam.formats.dilemma_set_toml import read_dilemma_set
from arena_cam.formats.dilemmas.dilemma_line import dilemmas_in_words, dilemmas_to_json
from arena_cam.referee.game.outfit import Answer, Evening, EveningOptions, JudgeOptions, Outfit, unwatched_eye
from arena_cam.vision.tokens.token_table import TokenTableReader


class DilemmaJudge:
    """referee.game.outfit.PictureJudge."""

    def __init__(self, options: JudgeOptions) -> None:
        if options.challenge is not None or options.challenge_file is not None:
            raise BadInput("--challenge is for cards that are thrown; leave it out for dilemmas")
        self._reader = TokenTableReader(read_dilemma_set(options.deck))

    def judge(self, frame: Frame) -> Answer:
        reading = self._reader.read(frame.image_bgr, frame.name)
        return Answer(dilemmas_to_json(reading), dilemmas_in_words(reading))


class DilemmasOutfit(Outfit):
    def open_judge(self, options: JudgeOptions) -> DilemmaJudge:
        return DilemmaJudge(options)

    def evening(self, options: EveningOptions) -> Evening | None:
        if options.source != "sim":
            return super().evening(options)
        # Imported only here: the texts of our set are needed only where nobody writes his own.
        from arena_cam.referee.games.dilemmas.stand_ins.simulated_players import SimulatedPlayers

        return Evening(NoCamera(), unwatched_eye(), lambda session, seated: SimulatedPlayers(session, seated))


OUTFIT = DilemmasOutfit("dilemmas")
