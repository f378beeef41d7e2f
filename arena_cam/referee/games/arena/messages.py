"""What the arena game tells people: doubts of a still picture, hints, questions and their answers."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class DeckRefusal(Reason):
    """Why a deck is none for this game."""

    OTHER_GAME = (
        "deck_of_another_game",
        (
            "the deck %(deck)s has no card of this game (its cards are called %(card)s and the like, not red-1); "
            "give the game it belongs to with --game, or another deck with --deck"
        ),
    )


class Watched(Sentence):
    """Beside the lines of the record, while a video or a camera is watched."""

    BLIND = "blind", "at %(at_s)s s blind: %(why)s"
    BACK_FIRST = "back_first", "a card came to rest face down in the empty arena; it cannot be a challenge"
    EMPTIED = "arena_emptied", "the arena has been emptied; the next card is a challenge"
    NEVER_AT_REST = (
        "never_at_rest",
        "the arena was never seen at rest; change what is said above, or give more pictures",
    )


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
    MAY_LIE_FACE_DOWN = "may_lie_face_down", "%(card)s may lie face down"
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


class ArenaHint(Sentence):
    """What the table waits for."""

    LAY_CHALLENGE = "lay_challenge", "%(player)s, lay a challenge card."
    TURN_UP = "turn_up", "Lay the challenge card face up."
    SWEEP_ARENA = "sweep_arena", "Take the cards out of the arena."
    THROW_NOW = "throw_now", "Throw onto %(card)s."
    THROW_AGAIN = "throw_again", "Throw again onto %(card)s."
    DUEL = "duel", "%(players)s: peace or conflict?"
    DUEL_BLOCKS = "duel_blocks", "%(players)s: peace or conflict? By phone or by block."
    IDENTIFY = "identify", "The referee says which card lies face down."
    OVER_ONE = "over_one_left", "The game is over: only %(player)s has cards left."
    OVER_NONE = "over_none_left", "The game is over: nobody has cards left."


class ArenaQuestion(Sentence):
    """What the referee is asked."""

    UNSURE = "unsure", "Is this right: %(card)s lies %(landing)s?"
    CONFIRM = "confirm", "Please confirm: %(card)s lies %(landing)s."
    OUT_OF_GAME = "out_of_game", "This looks like %(card)s, which has left the game. What is it?"
    NOT_IN_GAME = "not_in_game", "This looks like %(card)s, which nobody plays. What is it?"
    TWICE = "twice", "This looks like %(card)s, which lies there already. What is it?"
    WRONG_PROVOCATEUR = (
        "wrong_provocateur",
        "This looks like %(card)s, but it is %(player)s's turn to lay the challenge. What is it?",
    )
    IMPOSSIBLE = "impossible", "The rules do not allow what %(card)s seems to do. What is it?"
    IDENTIFY = "identify", "Which card was thrown face down here?"
    ORDER = "order", "%(first)s and %(second)s came to rest together. Which was first?"
    TAKEN_BACK = "taken_back", "%(card)s was taken away again. Does the throw count?"
    TWO_BLOCKS = "two_blocks", "%(player)s shows both peace and conflict. What counts?"
    NO_LIFE_BLOCK = "no_life_block", "%(player)s shows conflict, but has no life block left. What counts?"


class ArenaAnswer(Sentence):
    """What the referee may answer."""

    KEEP = "keep", "Yes, %(card)s lies %(landing)s"
    LANDING = "landing", "%(card)s lies %(landing)s"
    CARD = "card", "It is %(card)s"
    OTHER_CARD = "other_card", "Another card"
    NEVER = "never", "It was not thrown"
    FIRST = "first", "%(card)s was first"
    COUNTS = "counts", "It counts as it lay"
    LAY_ANEW = "lay_anew", "Lay the block anew"
    PEACE = "peace", "Peace"
    CONFLICT = "conflict", "Conflict"


class ArenaOption(Reason):
    """Why pictures of thrown cards are not judged or watched as it was typed."""

    CHALLENGES = "challenges", "must hold an object from file names to card ids"
    NO_SUCH_CARD = "arena_no_such_card", "the deck %(deck)s has no card %(text)s; its first is called %(name)s"
    PLAYER = "player", "--player %(text)s: give NAME=COLOUR with a colour of %(names)s"
    PLAYERS = "players", "--player: %(why)s; give one --player NAME=COLOUR for each"
    TABLE_AND_DECK = (
        "table_and_deck",
        "a table and a deck are needed; give --table table.json --deck FOLDER (only sim brings its own)",
    )


class ArenaJudgement(Sentence):
    """What `arena-cam judge` says of a picture before it names the cards."""

    DUELS = "picture_duels", "challenge %(card)s, duelling card %(card_duelling)s"
    NOBODY_DUELS = "picture_nobody_duels", "challenge %(card)s, no duelling card"
    NO_CHALLENGE = "picture_no_challenge", "no challenge, no duelling card"
