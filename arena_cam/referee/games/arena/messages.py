"""Why a still picture does not decide which card duels, though a game at the table might."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class JudgingDoubt(Reason):
    """Beside the doubts of the eye (domain/doubts.py)."""

    PICTURE_DOUBTFUL = "picture_doubtful", "the picture as a whole is doubtful"
    CHALLENGE_NOT_FOUND = "challenge_not_found", "the challenge card %(card)s was not found; uncover it"
    CHALLENGE_DOUBTED = "challenge_doubted", "the challenge card %(card)s may be another card"
    NO_TABLE = "no_table", "without a calibrated table nobody can tell which cards lie flat; give --table"
    LIE_IN_A_CIRCLE = (
        "lie_in_a_circle",
        "the cards seem to lie on each other in a circle; move one so that it can be seen",
    )
    TWO_LOWEST = (
        "two_lowest",
        "%(card)s lies on the floor as %(card_other)s does: say which is the challenge card",
    )
    MAY_LIE_OTHERWISE = "may_lie_otherwise", "%(card)s may lie %(landing_other)s rather than %(landing)s"
    MAY_BE_ANOTHER = "may_be_another", "%(card)s may be another card"
    MAY_BE = "may_be", "%(card)s may be %(card_other)s"
    OVERLAP_UNTOLD = "overlap_untold", "%(card)s and %(card_other)s overlap and it cannot be told how"
    MAY_LIE_ON = "may_lie_on", "%(card)s may lie on %(card_below)s or just beside it"
    MANY_DOUBTS = "many_doubts", "too many cards lie in doubtful ways"

    # What the answer depends on, of which a still picture shows nothing.
    SIDE_BY_SIDE = "side_by_side", "%(cards)s lie side by side: whichever was thrown first duels"
    CARD_BETWEEN = (
        "card_between",
        "a card that cannot duel lies between: the rulebooks can be read either way (option pile)",
    )
    OWN_COLOUR = (
        "own_colour",
        "a card of the challenge's colour lies on it: a still picture does not say who threw it",
    )
    WHO_THREW = "who_threw", "what lies on the challenge card depends on who threw which card"
