"""What the Game of Dilemmas rules, refuses and awaits, as sentences."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence, Word
from arena_cam.rules.messages import Awaited, EventName, HouseRule, Rulebook


class Token(Word):
    """The tokens, as people call them."""

    YES = "yes", "YES"
    NO = "no", "NO"
    SUPER_YES = "super_yes", "Super YES"
    SUPER_NO = "super_no", "Super NO"


class DilemmasRefusal(Reason):
    """What the rules of the Game of Dilemmas do not allow."""

    NOT_A_COUNT = "not_a_count", "%(token)s must be a whole number from 0, not %(text)s"
    DILEMMA_LAID = "dilemma_laid", "%(player)s has laid a dilemma in this round"
    NO_NEUTRAL_CARDS = "no_neutral_cards", "neutral cards are a variant; this game is played without them"
    NOT_A_MAKER = (
        "not_a_maker",
        "%(player)s does not work on %(player_other)s's dilemma, so cannot add a neutral card to it",
    )
    NEUTRAL_USED = "neutral_used", "%(player)s has used the one neutral card"
    ROUND_COUNTED = "round_counted", "the tokens of this round were counted; votes cannot be added"
    OWN_VOTE = "own_vote", "%(player)s may not vote on their own dilemma"
    VOTED_BEFORE = "voted_before", "%(player)s has put a token on %(player_other)s's dilemma"
    SUPER_USED = "super_used", "%(player)s has used the one %(token)s"
    TOKENS_PUT = "tokens_put", "%(player)s has put all %(count)s %(token)s tokens of this round"
    ROUND_VOTED = "round_voted", "this round has votes; its tokens cannot be counted as well"
    COUNTED_BEFORE = "counted_before", "the tokens on %(player)s's dilemma were counted before"
    TOKENS_EXPECTED = (
        "tokens_expected",
        "there must be %(count)s tokens on %(player)s's dilemma, one for each voter",
    )
    MORE_THAN_ALL_HAVE = "more_than_all_have", "there are more %(token)s tokens on the table than all players have"
    NO_SUPERVOTES = (
        "no_supervotes",
        "%(token)s is a token of a variant; this game is played without supervotes",
    )
    SUPERS_USED_UP = "supers_used_up", "there are not %(count)s %(token)s tokens left"
    VOTES_MISSING = "votes_missing", "the tokens cannot be turned yet: %(count)s votes or counts are missing"
    SUPERS_UNUSED = (
        "supers_unused",
        "this is the last round, and supervotes must be used before the game is over",
    )


class DilemmasRuling(Sentence):
    """What the game of dilemmas rules at the end of a round."""

    ROUND = (
        "round",
        "Round %(round)s: the vote on the dilemma of %(names)s was closest (%(told)s). Points: %(gains)s.",
    )
    ROUND_BY_NO = (
        "round_by_no",
        (
            "Round %(round)s: several votes were equally close (%(told)s); the most NO are on the dilemma of "
            "%(names)s. Points: %(gains)s."
        ),
    )


class DilemmasEvent(EventName):
    """The events of the game of dilemmas."""

    DILEMMA = "dilemma", "a dilemma"
    VOTE = "vote", "a vote"
    TOKENS = "tokens", "a count of tokens"
    REVEAL = "reveal", "a reveal"


class DilemmasAwaited(Awaited):
    """What the game of dilemmas awaits."""

    DILEMMAS = "dilemmas", "the dilemmas"
    VOTES = "votes", "the votes"


class DilemmasBook(Rulebook):
    """The rulebooks of this game."""

    PQ = "PQ", "pandaqi's rules"


class DilemmasHouseRule(HouseRule):
    """What the options of this game decide, and their values."""

    OWN_VOTE = "own_vote", "Everyone votes on the own dilemma, too"
    NEUTRAL = "neutral", "Each player has one neutral card"
    SUPERVOTES = "supervotes", "Each player has one super YES and one super NO"
    SUPER_POINTS = "super_points", "Points for a super YES"
    UNUSED_SUPERVOTES = "unused_supervotes", "Supervotes that nobody used by the end"
    UNUSED_REFUSE = 'unused_supervotes "refuse"', "must be used"
    UNUSED_ALLOW = 'unused_supervotes "allow"', "may be left over"
    COOP = "coop", "Two players make each dilemma"
