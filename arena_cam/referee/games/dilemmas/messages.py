"""What is told at a table of dilemmas."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class DilemmasHint(Sentence):
    """What the table waits for."""

    LAY_DILEMMAS = "lay_dilemmas", "Lay a dilemma: %(players)s."
    VOTE = "vote_now", "Vote on every dilemma."


class DilemmasTable(Reason):
    """What cannot be done at the table now."""

    NO_TEXT = "no_text", "a dilemma has a good side and a bad side; write both, with at most %(most)s letters each"
    NO_VOTES_NOW = "no_votes_now", "the votes begin when every dilemma is laid"
    NOT_A_VOTER = "not_a_voter", "nobody called %(player)s votes here"
    NO_COUNT_NOW = (
        "no_count_now",
        "tokens are counted when every dilemma is laid and no vote of the round is in the record",
    )
    NO_SUCH_COUNT = "no_such_count", "say which token, and a whole number from 0 to %(most)s"
    NOT_IN_PICTURE = "not_in_picture", "there is no such dilemma in the photograph"
    UNSURE_COUNTS = "unsure_counts", "confirm these counts first: %(players)s"
    UNREAD = "table_unread", "the photograph could not be read; count the tokens by hand, or start with --deck SET"
    EVERY_DILEMMA = "every_dilemma", "vote on every one of the %(count)s dilemmas"


class DilemmasOption(Reason):
    """Why dilemmas are not judged or watched as it was typed."""

    NO_CHALLENGE = "no_challenge", "--challenge is for cards that are thrown; leave it out for dilemmas"
    SET = "set", "give the folder of the set of cards and tokens with --deck SET"
