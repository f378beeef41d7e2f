"""What `arena-cam deck learn` and `deck check` say at the terminal."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


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
    DURATION = "duration", "%(count)s cards take about %(minutes)s min, %(seconds)s s a card"
    STOPPED = "stopped", "stopped; %(count)s cards are kept in %(folder)s"
    ENDED = (
        "ended",
        "%(source)s ended before all cards were learned; still missing: %(listed)s; the same line goes on",
    )
    MISSED = (
        "missed",
        (
            "%(name)s was not taken (%(why)s), and in a recording those after it would get wrong names: what was "
            "learned before is kept; show %(source)s from there on once more, without --in-order or with the --names "
            "that follow"
        ),
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
        "%(count)s cards could not be learned (%(listed)s); photograph them anew, then the same line",
    )
    WHICH_IN_FILE = (
        "which_in_file",
        "%(file)s: which card is it? (like %(like)s, %(back)s, or nothing to leave it out)",
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


class DeckCommandRefusal(Reason):
    """Why a deck is not learned, checked or printed as it was typed."""

    TABLE_OR_PHOTOS = (
        "table_or_photos",
        "a table is needed; give --table table.json, which arena-cam calibrate makes, or --photos",
    )
    CARDS_SEEN = (
        "cards_seen",
        (
            "named after %(wanted)s cards, but %(seen)s are seen whole; lay them apart, on something plain and "
            "dark, or photograph one at a time"
        ),
    )
    PX_PER_MM = "px_per_mm", "--px-per-mm is %(rate)s; cameras over a table see 0.5 to 8 pixels a millimetre"
    SIZE_OF_PHOTOGRAPHED = (
        "size_of_photographed",
        "a photograph does not tell how large a card is; give --card-size, like 63x88",
    )
    NO_FOLDER = "no_folder", "is no folder; give one with a photograph of each card"
    NO_PHOTOGRAPHS = "no_photographs", "holds no pictures; put a photograph of each card in it, named like %(name)s.jpg"
    SAME_NAME = "same_name", "%(file)s and %(other)s are both %(name)s; take one out, or rename it"
    SOURCE_OR_PHOTOS = (
        "source_or_photos",
        "give either SOURCE, a camera over the table, or --photos, a folder of photographs",
    )
    AMONG_PHOTOS = (
        "among_photos",
        "--out is the folder of the photographs, which would be written over; give another folder",
    )
    CORNER_RADIUS = "corner_radius", "--corner-radius is %(radius)s; give millimetres, 0 for square corners"
    SET_FROM_PHOTOS = "set_from_photos", "a game's set is learned from photographs; give their folder with --photos"
    CARD_SIZE = "card_size", "--card-size is %(text)s; give width x height in millimetres, like 63x88"
    NO_TERMINAL = (
        "no_terminal",
        (
            "%(text)s -- there is no terminal to ask at; say it beforehand: name the photograph after its card "
            "(red-1.jpg), or give --names and --in-order"
        ),
    )
    OWN_DECK_ONLY = "own_deck_only", "--folder writes the project's own deck; leave it out where --deck names another"
    NO_LANGUAGE = "no_language", "there is no set in %(text)s; give --language one of %(names)s"
    FOLDER_MISSING = "folder_missing", "there is no such folder; make it, or choose another place with --out"
    NO_PART = "no_part", "there is no part %(text)s to print; give --only one of %(names)s"
    DECK_OR_GAME = "deck_or_game", "--deck is for decks of cards; leave it out where --game names a set of ours"


class Printing(Sentence):
    """What was printed into files."""

    WRITTEN = "written", "written to %(file)s: print it at 100 %%, and check the ruler at the foot of the page"
    DECK_FOLDER = "deck_folder", "the deck's folder is %(folder)s: give it with --deck"
