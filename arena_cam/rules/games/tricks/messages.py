"""What David Parlett's Dilemma rules, refuses and awaits, as sentences."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence
from arena_cam.rules.messages import Awaited, EventName, HouseRule, Rulebook


class TricksRefusal(Reason):
    """What the rules of the game of tricks do not allow. A suit is one of the letters S, H, D and C."""

    HALF_KNOWN = "half_known", "a deal names both hands and stock, or neither"
    NOT_A_PACK = "not_a_pack", "hands and stock must hold all 52 cards, each once"
    HAND_SIZE = "hand_size", "the hand of %(player)s must be a list of %(count)s cards"
    STOCK_SIZE = "stock_size", "the stock must be a list of %(count)s cards"
    NOT_THE_PLAYERS = (
        "hands_of_others",
        "hands must hold the hands of %(player)s and %(player_other)s, and nobody else's",
    )
    UNKNOWN_CARD = "unknown_card", "a card is a rank and a suit such as TH, not %(text)s"
    NONE_NOT_TRUE = "none_not_true", "none must be true if the opponent has none, else left out, not %(text)s"
    NONE_AND_CARDS = "none_and_cards", "an exchange names cards, or none, but not both"
    NOT_YOUR_TURN = "not_your_turn", "it is %(player)s's turn, not that of %(name)s"
    CARD_PLAYED = "card_played", "%(card)s was played before in this deal"
    NOT_HELD = "not_held", "%(player)s does not hold %(card)s"
    OWED = "owed", "after the exchange %(player)s must play %(card_owed)s, not %(card)s"
    SUIT_IN_TRICK = "suit_in_trick", "%(card)s cannot be played: the suits not yet in the trick are %(suits)s"
    LEADER_ASKS = "leader_asks", "%(player)s leads and may play any card, so cannot ask for one"
    EXCHANGED_BEFORE = "exchanged_before", "%(player)s has had an exchange in this turn and must play now"
    SUIT_NOT_OPEN = (
        "suit_not_open",
        "%(player)s cannot ask for %(suit)s: only for a suit that could be played, and each once",
    )
    GIVEN_OTHER_SUIT = "given_other_suit", "%(card)s is not of the suit asked for, %(suit)s"
    RETURNED_SAME_SUIT = (
        "returned_same_suit",
        "%(card)s is of the suit asked for; a card of another suit is given in return",
    )
    CAN_PLAY = "can_play", "%(player)s holds a card that can be played, so may not ask for one"
    MUST_GIVE = "must_give", "%(player)s holds a card of %(suit)s and must give one"
    EXCHANGE_UNNAMED = "exchange_unnamed", "with known hands an exchange must name the cards given and returned"


class TricksRuling(Sentence):
    """What the game of tricks rules: a trick won by the sum, by the product or by who was first; a deal's end."""

    SUM = "sum", "%(winner)s wins trick %(trick)s, %(high)s against %(low)s, and scores %(points)s with the last card."
    PRODUCT = (
        "product",
        (
            "%(winner)s wins trick %(trick)s: the sums are equal, but the product %(high)s is more than %(low)s; "
            "the last card scores %(points)s."
        ),
    )
    FIRST = (
        "first",
        (
            "%(winner)s wins trick %(trick)s: both played equal cards, and %(winner)s was first with the highest; "
            "the last card scores %(points)s."
        ),
    )
    DEAL_END = "deal_end", "Deal %(deal)s is over: %(told)s."


class TricksEvent(EventName):
    """The events of the game of tricks."""

    DEAL = "deal", "a deal"
    PLAY = "play", "a card played"
    EXCHANGE = "exchange", "an exchange"


class TricksAwaited(Awaited):
    """What the game of tricks awaits."""

    DEAL = "deal", "the next deal"
    PLAY = "play", "a card to the trick"


class TricksBook(Rulebook):
    """The rulebooks of this game."""

    DP = "DP", "David Parlett's rules"


class TricksHouseRule(HouseRule):
    """What the options of this game decide, and their values."""

    TARGET = "target", "Points that end the game"
    TIE = "tie", "Both have enough points, and as many"
    TIE_SHARE = 'tie "share"', "they win together"
    TIE_PLAY_ON = 'tie "play_on"', "further deals decide"
