"""Words that are printed on the sheets of the game."""

from __future__ import annotations

from arena_cam.domain.messages import Word


class Printed(Word):
    """The sentences on the rules card and the score sheet; the page that teaches the game has most of them, too."""

    HOW = "how", "How to play"
    PROVOKES = "provokes", "One player provokes: she lays a card open in the arena. That is the challenge card."
    ANSWERS = "answers", "Whoever wants to answers, as fast as he likes: he throws a card onto it."
    FIRST = (
        "first",
        "The first card that counts duels with the challenge card. All other cards that were thrown leave the game.",
    )
    LEFT = "left", "The two duel in secret. Then the player to the left provokes."
    COUNTS = "counts", "What counts"
    FLAT = (
        "flat",
        (
            "The card lies flat on the floor of the arena or on other cards, face up. It neither leans nor lies over "
            "the wall."
        ),
    )
    OTHER = "other", "It lies on the challenge card, and its number is another one."
    DUEL = "duel", "The duel: peace or conflict"
    SWAP = "swap", "They swap: each wins the other's card."
    BOTH = "both", "Conflict wins both cards and gives up a life block; peace goes away with nothing."
    NOBODY = "nobody", "Nobody wins a card; both give up a life block."
    UNANSWERED = "unanswered", "If nobody answers, the provoking player keeps the challenge card as points."
    END = "end", "The game is over when at most one player has cards left in the hand."
    WORTH = (
        "worth",
        "Win cards in duels. A card is worth its number, from 1 to 10; who has the most points at the end wins.",
    )
    SHEET = "sheet", "Points won, a line for each duel"
    SUM = "sum", "Sum"
