"""What is told at a table of dilemmas."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class DilemmasHint(Sentence):
    """What the table waits for."""

    LAY_DILEMMAS = "lay_dilemmas", "Lay a dilemma: %(players)s."
    VOTE = "vote_now", "Vote on every dilemma."
    COUNT_UNSURE = "count_unsure", "The tokens are being counted. The referee checks what is unsure."
    COUNT_SURE = "count_sure", "Every token is counted. The referee counts the round."
    VOTES_IN = "votes_in", "All votes are in. The referee turns the tokens, or corrects a vote first."
    VOTES_MISSING = "votes_missing", "Votes are missing, which the referee enters: %(players)s."


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
    SET = (
        "set",
        (
            "give the folder of the set of cards and tokens with --deck SET "
            "(arena-cam deck print --game dilemmas makes one)"
        ),
    )


class Learned(Sentence):
    """What became of the photographs of a set."""

    DONE = (
        "set_learned",
        (
            "%(cards)s cards, %(tokens)s tokens and %(owners)s owners' discs learned (%(each)s): %(folder)s; "
            "look whether each picture is under its own name"
        ),
    )


class LearningRefusal(Reason):
    """Why a set cannot be learned from these photographs."""

    CARD_SIZE = "set_card_size", "give width x height of a card in millimetres: --card-size 57x87"
    TOKEN_WIDTH = "token_width", "%(option)s is %(mm)s; give the millimetres across, from 8 to 100, like %(usual)s"
    NO_FOLDER = (
        "no_photos_of_set",
        "%(folder)s: is no folder; give one with photographs of the cards, the tokens and the owners' discs",
    )
    NO_SUCH_PHOTO = (
        "no_photo_of_kind",
        "%(folder)s: holds no %(stem)s.jpg (or %(stem)s-1.jpg, %(stem)s-2.jpg, ...); name the photographs so",
    )
    NO_TOKENS = (
        "no_photo_of_tokens",
        "%(folder)s: holds no tokens.jpg; photograph one token of each kind and name it so",
    )
    SHOWS = "pieces_seen", "%(count)s in %(file)s"
    CARDS_UNSEEN = (
        "cards_unseen",
        (
            "%(file)s: no card is seen; lay the cards upright in rows, a finger apart, on a plain ground of another "
            "colour, and check --card-size"
        ),
    )
    CARD_UNUSABLE = "card_unusable", "%(file)s, card %(number)s: %(why)s"
    TOKENS_SEEN = (
        "tokens_seen",
        (
            "%(file)s: %(found)s tokens are seen; lay yes, no and back, or yes, no, super yes, super no and back, in "
            "this order, a finger apart on a plain ground of another colour"
        ),
    )
    OWNERS_SEEN = (
        "owners_seen",
        (
            "%(file)s: %(found)s discs are seen instead of %(wanted)s; name the photograph after their colours in the "
            "order in which they lie, like owners-red-blue.jpg, on a plain ground of another colour"
        ),
    )
