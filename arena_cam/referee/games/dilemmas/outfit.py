"""Photographs of dilemmas: which cards lie together, whose they are, and the tokens on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena_cam.camera.frame import Frame, Image
from arena_cam.camera.no_camera import NO_CAMERA, NoCamera
from arena_cam.camera.open_source import open_source
from arena_cam.domain.dilemma_sets import DilemmaSet
from arena_cam.domain.errors import BadInput
from arena_cam.domain.messages import Message, message_to_json
from arena_cam.formats.dilemmas.dilemma_line import dilemmas_in_words, dilemmas_to_json
from arena_cam.formats.dilemmas.dilemma_set_toml import read_dilemma_set
from arena_cam.referee.game.outfit import (
    Answer,
    Evening,
    EveningOptions,
    JudgeOptions,
    LearnOptions,
    Outfit,
    unwatched_eye,
)
from arena_cam.referee.games.dilemmas import learned_set
from arena_cam.referee.games.dilemmas.messages import DilemmasOption
from arena_cam.referee.messages import OutfitRefusal
from arena_cam.vision.tokens.token_table import TokenTableReader


class DilemmaJudge:
    """referee.game.outfit.PictureJudge."""

    def __init__(self, options: JudgeOptions) -> None:
        if options.challenge is not None or options.challenge_file is not None:
            raise BadInput(DilemmasOption.NO_CHALLENGE())
        self._reader, self._language = TokenTableReader(read_dilemma_set(options.deck)), options.language

    def judge(self, frame: Frame) -> Answer:
        reading = self._reader.read(frame.image_bgr, frame.name)
        return Answer(dilemmas_to_json(reading), dilemmas_in_words(reading, self._language))


class TablePhotographs:
    """Reads photographs for a session: what token_counts.py of this game understands, as plain JSON."""

    def __init__(self, dilemma_set: DilemmaSet) -> None:
        self._reader = TokenTableReader(dilemma_set)
        self._words = {card.id: card.text for card in dilemma_set.cards if card.text}

    def __call__(self, image: Image, known: dict[str, Any]) -> dict[str, Any]:
        """The judgement line with `size_px`; `words`: what the cards that are seen say, by their names, as far as the
        set tells; and `table_doubts`: the doubts that are of no single dilemma."""
        del known
        reading = self._reader.read(image, "photograph")
        single = {doubt for each in reading.dilemmas for doubt in each.doubts}
        cards = [card for each in reading.dilemmas for card in (each.positive, each.negative, each.neutral) if card]
        return {
            **dilemmas_to_json(reading),
            "words": {card: self._words[card] for card in cards if card in self._words},
            "size_px": [image.shape[1], image.shape[0]],
            "table_doubts": [message_to_json(doubt) for doubt in reading.doubts if doubt not in single],
        }


class DilemmasOutfit(Outfit):
    def open_judge(self, options: JudgeOptions) -> DilemmaJudge:
        return DilemmaJudge(options)

    def photo_reader(self, deck: Path) -> TablePhotographs:
        return TablePhotographs(read_dilemma_set(deck))

    def learn(self, options: LearnOptions) -> Message:
        return learned_set.learn(options)

    def evening(self, options: EveningOptions) -> Evening:
        """Phones, with or without a camera over the table. Without a set its tokens are counted by people."""
        if options.source != "sim":
            return self._watched(options)
        # Imported only here: the texts of our set are needed only where nobody writes his own.
        from arena_cam.referee.games.dilemmas.stand_ins.simulated_players import SimulatedPlayers

        return Evening(NoCamera(), unwatched_eye(), lambda session, seated: SimulatedPlayers(session, seated))

    def _watched(self, options: EveningOptions) -> Evening:
        if options.source != NO_CAMERA and options.deck is None:
            raise BadInput(DilemmasOption.SET())
        eye = unwatched_eye()
        if options.deck is not None:
            dilemma_set = read_dilemma_set(options.deck)
            eye = unwatched_eye(TablePhotographs(dilemma_set), _files(options.deck, dilemma_set))
        source = NoCamera() if options.source == NO_CAMERA else open_source(options.source, options.fps, pages=True)
        if not source.live:
            source.close()
            raise BadInput(OutfitRefusal.RECORDED(game=self.game), about=options.source)
        return Evening(source, eye)


def _files(folder: Path, dilemmas: DilemmaSet) -> dict[str, bytes]:
    """The set as it is kept with the games: deck.toml and the pictures that it names."""
    files = [folder / "deck.toml", *(card.image for card in dilemmas.cards)]
    files += [disc.image for disc in (*dilemmas.tokens, *dilemmas.owners)]
    files += [dilemmas.back] if dilemmas.back is not None else []
    return {f"deck/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in dict.fromkeys(files)}


OUTFIT = DilemmasOutfit("dilemmas")
