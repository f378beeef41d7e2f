"""What a score sheet says."""

from __future__ import annotations

from arena_cam.domain.messages import Sentence


class Sheet(Sentence):
    """The heads of a score sheet, and how the game stands."""

    LINE = "line", "Line"
    RULING = "ruling", "Ruling"
    RULE = "rule", "Rule"
    HOUSE_RULES = "house_rules", "House rules: %(told)s"
    BY_THE_BOOK = "by_the_book", "As in the rulebook: %(told)s"
    OVER = "over", "The game is over. Won by: %(names)s."
    NEXT = "next", "Next: %(awaited)s."
