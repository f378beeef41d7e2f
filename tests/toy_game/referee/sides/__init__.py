"""Refereeing Sides: all that any game gets, and the words for what is asked."""

from __future__ import annotations

from arena_cam.domain.messages import Sentence
from arena_cam.referee.games.any_game import AnyGame


class SidesHint(Sentence):
    """What is awaited."""

    TOKEN = "token", "Left or right?"


class SidesQuestion(Sentence):
    """What is asked."""

    BETWEEN = "between", "The token lies between the sides. Which is it?"


class SidesAnswer(Sentence):
    """What may be answered."""

    LEFT = "left", "Left"
    RIGHT = "right", "Right"


class SidesPart(AnyGame):
    hints = SidesHint
    questions = SidesQuestion
    answers = SidesAnswer


PART = SidesPart()
