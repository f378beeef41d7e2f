"""The house rules in words: what an option asks, and what each of its values answers."""

from __future__ import annotations

import json

from arena_cam.rules.game import Game
from arena_cam.rules.messages import AnyHouseRule


def asked(game: Game, name: str) -> str:
    """What the option `name` decides, in English; its name where the game has no words for it."""
    return _english(game, name) or name


def answered(game: Game, name: str, value: object) -> str:
    """What `value` of the option `name` says, in English; a number, or a value without words, as it is written."""
    said = json.dumps(False if value == "off" else value)
    return _english(game, f"{name} {said}") or _english(game, said) or str(value)


def _english(game: Game, code: str) -> str | None:
    tables = (game.house_rules, AnyHouseRule)
    return next((word.english for table in tables if table is not None for word in table if word.value == code), None)
