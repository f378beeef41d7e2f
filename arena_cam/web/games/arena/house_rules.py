"""The house rules that a form offers: what is asked, and what may be answered, the printed rule first."""

from __future__ import annotations

import json

from arena_cam.rules.game import Option
from arena_cam.rules.games.arena import GAME
from arena_cam.rules.house_rules import answered, asked
from arena_cam.web.words.language import Translate

MOST_LIFE_BLOCKS = 5  # that a form offers; a record may have more


def house_rules_said(_: Translate) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """(name, question, [(value as JSON, answer)]) of each house rule; the usual answer first, its value empty."""
    return [
        (
            name,
            _(asked(GAME, name)),
            [("", _(answered(GAME, name, option.default)))]
            + [(json.dumps(value), _(answered(GAME, name, value))) for value in _others(option)],
        )
        for name, option in GAME.options.items()
    ]


def _others(option: Option) -> list[object]:
    """What may be answered but the usual."""
    values = range(1, MOST_LIFE_BLOCKS + 1) if isinstance(option.values, range) else option.values
    return [value for value in values if value != option.default]
