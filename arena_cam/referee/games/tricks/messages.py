"""Sentences at a table where tricks are played."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class TricksHint(Sentence):
    """The hint: the table waits for this. `suits` are the symbols of suits."""

    DEAL = "deal_cards", "%(player)s deals twelve cards to each. Then say that the cards are dealt."
    LEAD = "lead", "%(player)s leads: any card."
    FOLLOW = "follow", "%(player)s may play %(suits)s."
    ANY_CARD = "any_card", "Neither has one of the suits: %(player)s plays any card."
    GIVEN = "given", "%(player)s plays the card that was given: %(suits)s."
    OVER = "over_points", "The game is over: %(player)s has %(points)s points, and %(target)s end it."


class TricksQuestion(Sentence):
    """Questions to the referee."""

    UNSURE = "unsure_card", "Is this %(card)s?"
    CONFIRM = "confirm_card", "%(player)s plays %(card)s?"
    NOT_ALLOWED = "not_allowed", "%(card)s cannot be played now. What was it?"
    PLAYED_BEFORE = "played_before", "%(card)s was played before in this deal. What lies there?"
    NEXT_DEAL = "next_deal", "%(card)s lies there. Has the deal begun?"


class TricksAnswer(Sentence):
    """Answers to these questions."""

    KEEP = "keep", "Yes, %(card)s"
    CARD = "card", "This is %(card)s"
    OTHER_CARD = "other_card", "Another card:"
    NEVER = "never", "It is no play: strike it"
    NOBODY_HAS = "nobody_has", "Neither has a suit that may be played: it counts"
    BEGUN = "begun", "Yes: %(player)s leads %(card)s"
    TAKEN_BACK = "taken_back", "It is taken back"


class TricksTable(Reason):
    """Refusals at the table."""

    NO_DEAL_AWAITED = "no_deal_awaited", "this deal is being played; the next is dealt after 13 tricks"
    NO_SUIT_ASKED = "no_suit_asked", "say which suit was asked for: S, H, D or C"


class PackRefusal(Reason):
    """Why a set of cards is none for this game."""

    NOT_A_PACK = (
        "not_a_pack_of_52",
        (
            "the deck %(deck)s is no pack of 52 cards called 2S to AC (missing: %(cards)s); "
            "learn the pack that is played with: arena-cam deck learn"
        ),
    )


class PackWarning(Reason):
    """What a set of cards lacks, where tricks may be watched all the same."""

    LACKS = "pack_lacks", "the deck %(deck)s does not have %(cards)s: of them none is counted"


class TricksOption(Reason):
    """Why tricks are not watched as it was typed."""

    PACK_OR_NONE = (
        "pack_or_none",
        (
            "give the pack with --deck FOLDER (arena-cam deck learn makes one), or --deck ordinary for any pack "
            "with corner indices, or none as the source to tell the cards by hand"
        ),
    )
    SIMULATED_PACK = (
        "simulated_pack",
        "the simulated cloth draws its own pack; leave --deck out, or give the folder of one",
    )
    PACK = (
        "pack",
        (
            "watching tricks needs a pack: give --deck FOLDER (arena-cam deck learn makes one), or --deck "
            "ordinary for any pack with corner indices"
        ),
    )
    SIMULATED_TABLE = (
        "simulated_table",
        "the simulated table plays the arena; for tricks give a folder, a video file or a camera",
    )
    PLAYERS = "tricks_players", "--players: %(why)s; give two names, the non-dealer's first: --players Ana,Ben"
