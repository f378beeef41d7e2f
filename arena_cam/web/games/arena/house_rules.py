"""The house rules that a form offers: what is asked, and what may be answered, the printed rule first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import N_


@dataclass(frozen=True)
class HouseRule:
    """One option of the game: its name in the record, the question, and the answer for each value but the usual one."""

    name: str
    question: str
    usual: str
    answers: Mapping[Any, str]


HOUSE_RULES = (
    HouseRule(
        "life_blocks",
        N_("Life blocks for each player"),
        N_("as printed: two, three if three play"),
        {number: str(number) for number in range(1, 6)},
    ),
    HouseRule(
        "rethrow",
        N_("Cards of the same value again and again"),
        N_("everyone may throw again each time"),
        {"once": N_("everyone may throw again once")},
    ),
    HouseRule(
        "pile",
        N_("What lies on a card that lies on the challenge card"),
        N_("counts only on cards of the same value"),
        {"any": N_("counts on any card")},
    ),
    HouseRule(
        "missed",
        N_("Cards were thrown, none counts"),
        N_("the provoking player keeps the challenge card"),
        {"lost": N_("the challenge card leaves the game")},
    ),
    HouseRule(
        "two_left_beside",
        N_("Two players are left, and the answer falls beside"),
        N_("it goes back to the hand"),
        {"remove": N_("it leaves the game"), "forfeit": N_("it is lost to the provoking player")},
    ),
)


def house_rules_said(_: Translate) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """(name, question, [(value as JSON, answer)]) of each house rule; the usual answer first, its value empty."""
    return [
        (
            rule.name,
            _(rule.question),
            [("", _(rule.usual))] + [(json.dumps(value), _(said)) for value, said in rule.answers.items()],
        )
        for rule in HOUSE_RULES
    ]
