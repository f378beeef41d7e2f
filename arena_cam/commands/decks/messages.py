"""What `arena-cam deck learn` and `deck check` say at the terminal."""

from __future__ import annotations

from arena_cam.domain.messages import Sentence


class Learning(Sentence):
    """While a deck is learned."""

    ALL_THERE = "all_there", "all cards are there already; --again learns some of them anew"
    HOW = (
        "how",
        (
            "clear the arena, then lay card after card into it, upright as the camera sees it; Ctrl-C stops, and the "
            "same line goes on later"
        ),
    )
    DURATION = "duration", "%(count)s cards take about %(minutes)s minutes, %(seconds)s seconds a card"
    STOPPED = "stopped", "stopped; %(count)s cards are kept in %(folder)s"
    ENDED = (
        "ended",
        "%(source)s ended before all cards were learned; still missing: %(listed)s; the same line goes on",
    )
    ARENA_EMPTY = "arena_empty", "the arena is empty: lay the next card"
    ARENA_EMPTY_LAY = "arena_empty_lay", "the arena is empty: lay %(name)s, and no other"
    NOT_TAKEN = "not_taken", "not taken: %(why)s"
    NOT_TAKEN_STILL = "not_taken_still", "not taken (still %(name)s): %(why)s"
    MEASURED = (
        "measured",
        "the card measures %(width_mm)s x %(height_mm)s mm; give --card-size if you know it better",
    )
    BEFORE = "before", "%(name)s is learned already: lay the next card"
    BEFORE_LAY = "before_lay", "%(name)s is learned already: lay %(wanted)s, and no other"
    LEFT_OUT = "left_out", "left out"
    LEARNED = "learned", "%(name)s learned at %(px_mm)s px/mm (%(done)s of %(total)s)"
    WHICH = "which", "which card is it? (%(hint)s, back, t: it lay upside down, x: leave it out)"
    HINT_GUESS = "hint_guess", "Enter for %(name)s"
    HINT_COLOUR = "hint_colour", "7 for %(name)s"
    HINT_ANY = "hint_any", "like red-7 or r7"
    TURNED = "turned", "turned"
    NAMES_LIKE = "names_like", "that is no card of this deck; its names are like %(name)s"
    REPLACE = "replace", "%(name)s is learned already; take this picture instead? (y/n)"
    MISSING = "missing", "still missing (%(count)s): %(listed)s"
    MISSING_MORE = "missing_more", "still missing (%(count)s): %(listed)s and %(more)s more"
    FOUND = "found", "%(name)s: found at %(px_mm)s px/mm (%(done)s of %(total)s)"
    CARDS_LEARNED = "cards_learned", "%(count)s cards learned; corners rounded by %(radius_mm)s mm"
    CARDS_LEARNED_MORE = (
        "cards_learned_more",
        (
            "%(count)s cards learned, %(left)s were there already (--again learns them anew); corners rounded by "
            "%(radius_mm)s mm"
        ),
    )
    STILL_MISSING = "still_missing", "still missing: %(listed)s"
    UNUSABLE = (
        "unusable",
        "%(count)s photographs could not be used (%(listed)s); take them anew, then the same line",
    )
    WHICH_IN_FILE = (
        "which_in_file",
        "%(file)s: which card is it? (like red-1, %(back)s, or nothing to leave it out)",
    )
    NO_CARD_OF_DECK = "no_card_of_deck", "that is no card of this deck"
    LETTERS = "letters", "give letters, digits and hyphens, like red-1"
    OVERVIEW = (
        "overview",
        "all cards side by side: %(file)s; look whether each is whole, upright and under its own name",
    )
    LOOKING = "looking", "looking for cards that are too alike..."


class Alike(Sentence):
    """Which cards the camera may take for one another, and what to do."""

    ALL_APART = (
        "all_apart",
        "at %(px_mm)s px/mm all cards are told apart, also where %(percent)s %% of a card is in view",
    )
    ALWAYS = "always", "too alike even in full view; the referee will ask each time:"
    TWICE = "twice", "is one of them there twice, or under the other's name? else mark one, as below"
    PARTLY = "partly", "told apart when they lie open, but not where only %(percent)s %% of the card is in view:"
    ASKED = "asked", "the referee will ask when they are covered so far; that is all"
    FAINT = "faint", "little is drawn on these; where only %(percent)s %% of one is in view it may not be found:"
    FAINT_ASKED = (
        "faint_asked",
        "the referee will ask what lies there if the table was set up with the empty arena's picture",
    )
    BETTER = (
        "better",
        (
            "to tell cards better: bring the camera closer, or put a bold mark on one card, in two opposite corners, "
            "and learn it again"
        ),
    )
    PAIR = "pair", "%(name)s and %(other)s"
