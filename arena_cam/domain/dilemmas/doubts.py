"""Why a dilemma in a photograph, or a count of its tokens, is not sure, and what to do about it."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class DilemmaDoubt(Reason):
    """Of a dilemma, or of a photograph of dilemmas."""

    NO_DILEMMA = "no_dilemma", "no dilemma of this set is seen; take the picture from above, with all cards in it"
    PARTNER_UNSEEN = (
        "partner_unseen",
        "only %(card)s is recognised of its dilemma; uncover the card beside it, or say which it is",
    )
    CARD_UNCLEAR = (
        "card_unclear",
        "whether this is %(card)s cannot be read clearly; uncover its words, or say which it is",
    )
    TOKEN_UNCLEAR = (
        "token_unclear",
        "a token on %(card)s can hardly be seen; lay the tokens side by side, or correct the count",
    )
    SOMETHING_UNKNOWN = (
        "something_unknown",
        "something on %(card)s is not recognised; a token may lie there: correct the count, or take it away",
    )
    ON_THE_EDGE = "on_the_edge", "a token lies half on %(card)s and half beside it; push it on or off"
    OWNER_UNCLEAR = "owner_unclear", "whose disc lies beside %(card)s is unclear; move it closer, or say whose it is"
    OUTSIDE = "outside", "%(card)s reaches out of the picture; take one with all cards and tokens in it"
    TOKENS_ELSEWHERE = (
        "tokens_elsewhere",
        "%(count)s tokens lie together on no card that is recognised; uncover the cards there, or take the tokens away",
    )
