"""Rulings and questions in a language, for programs that are told of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from arena_cam.referee.interface import Question
from arena_cam.web.games.part import find_web_part
from arena_cam.web.words import wording
from arena_cam.web.words.language import translator
from arena_cam.web.words.said import ruling_sentence


class PageWords:
    """The words of the pages (referee.integrations.payloads.Say)."""

    def ruling(self, ruling: Mapping[str, Any], game: str, language: str) -> str:
        return ruling_sentence(ruling, game, translator(language))

    def question(self, question: Mapping[str, Any], game: str, language: str) -> str:
        words = find_web_part(game).words
        return wording.phrase(cast(Question, question), translator(language), words.questions)
