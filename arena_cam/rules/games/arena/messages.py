"""What the arena game rules, refuses and awaits, as sentences."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence
from arena_cam.rules.messages import Awaited, EventName, HouseRule, Rulebook, RuleNote


class ArenaRefusal(Reason):
    """What the rules of the arena game do not allow."""

    NOT_PROVOCATEUR = "not_provocateur", "%(card)s is %(player)s's, but it is %(player_awaited)s's turn to provoke"
    NO_CARD = "arena_no_card", "card must be a card such as red-8, not %(text)s"
    NO_CHALLENGE_CARD = "arena_no_challenge_card", "the challenge card must be a card such as red-8, not %(text)s"
    NOT_OF_ROUND = "arena_not_of_round", "card must name a card of this round, not %(text)s"
    NOT_IN_HAND = "not_in_hand", "%(card)s is not in %(player)s's hand any more"
    NOBODY_PLAYS = "nobody_plays", "nobody plays %(colour)s, so %(card)s cannot be in the game"
    NOT_LYING_THERE = "not_lying_there", "%(name)s names no card that lies in the arena in this round"
    RESTS_ON_ITSELF = "rests_on_itself", "%(card)s cannot rest on itself"
    BENEATH_ITSELF = "beneath_itself", "%(card)s cannot lie beneath itself; correct who rests on whom"
    FACE_UP_UNNAMED = "face_up_unnamed", "a card that lies face up must be named; say which card was thrown"
    FACE_UP_UNNAMED_LINE = (
        "face_up_unnamed_line",
        "a card that lies face up must be named; amend line %(line)s to say which %(name)s is",
    )
    ADDED_UNNAMED = "added_unnamed", "a throw that is added by an amendment must name its card"
    NO_LIFE_BLOCK = "no_life_block", "%(player)s has no life block left and may not choose conflict"
    NOT_THE_DUELLISTS = (
        "not_the_duellists",
        "choices must hold the choices of %(player)s and %(player_other)s, and nobody else's",
    )
    NO_CHOICES = "no_choices", "say in choices what each of the two duellists chose, peace or conflict"
    NOTHING_CHANGED = "nothing_changed", "say what changed: at least one of landing, face and rests_on"
    COLOUR_TWICE = "colour_twice", "%(colour)s is the colour of two players; give each a colour of their own"


class ArenaRuling(Sentence):
    """What the arena game rules; the codes are those of the record format."""

    RETURNED = "returned", "%(card)s fell beside the arena with only two players left and goes back to %(player)s."
    FORFEITED = "forfeited", "%(card)s fell beside the arena with only two players left: %(provocateur)s wins it."
    BESIDE = "beside", "%(card)s fell beside the arena and leaves the game."
    EDGE = "edge", "%(card)s lies on the edge and leaves the game."
    DIAGONAL = "diagonal", "%(card)s leans and does not lie flat: it leaves the game."
    FACE_DOWN = "face_down", "%(card)s lies face down and leaves the game."
    OWN_CARD = "own_card", "%(card)s is the provocateur's own and leaves the game."
    SAME_VALUE = "same_value", "%(card)s has the challenge card's value and does not count."
    DUELLING = "duelling", "%(card)s lies on the challenge card: %(player)s duels."
    NOT_FIRST = "not_first", "%(card)s came too late, because %(card_duelling)s duels, and leaves the game."
    NOT_ON_CHALLENGE = "not_on_challenge", "%(card)s does not lie on the challenge card and leaves the game."
    RETHROW = "rethrow", "The values are the same: everyone may throw again."
    UNANSWERED = "unanswered", "Nobody answered: %(player)s keeps %(card)s."
    WASTED = "wasted", "No throw counted: the challenge card leaves the game."
    BOTH_PEACE = (
        "both_peace",
        (
            "%(player)s and %(player_other)s both chose peace: "
            "%(player)s takes %(card_duelling)s, %(player_other)s takes %(card)s."
        ),
    )
    ONE_CONFLICT = (
        "one_conflict",
        "%(winner)s chose conflict, wins %(card)s and %(card_duelling)s and gives up a life block.",
    )
    BOTH_CONFLICT = (
        "both_conflict",
        "%(player)s and %(player_other)s both chose conflict: each gives up a life block and the cards leave the game.",
    )


class ArenaEvent(EventName):
    """The events of the arena game."""

    CHALLENGE = "challenge", "a challenge"
    THROW = "throw", "a throw"
    MOVED = "moved", "a moved card"
    CLOSE = "close", "a close"
    DUEL = "duel", "a duel"


class ArenaAwaited(Awaited):
    """What the arena game awaits."""

    CHALLENGE = "challenge", "the next challenge card"
    THROWS = "throws", "the throws"
    DUEL = "duel", "the choices of a duel"
    IDENTIFY = "identify", "the name of a face-down card"


class ArenaBook(Rulebook):
    """The rulebooks of this game."""

    EN = "EN", "English rules"
    FR = "FR", "French rules"


class ArenaRuleNote(RuleNote):
    """What the rules behind this game's rulings say in words of ours."""

    FACE_DOWN = "rule_face_down", "house ruling: a card face down is invalid"
    OWN_CARD = "rule_own_card", "house ruling: the provocateur does not answer"
    OTHER_VALUE = "rule_other_value", "the value must be different"
    ONE_ACCEPTS = "rule_one_accepts", "only one player can accept"
    ON_CHALLENGE = "rule_on_challenge", "only the card on the challenge card counts"
    ANOTHER_CARD = "rule_another_card", "another card"


class ArenaHouseRule(HouseRule):
    """What the options of this game decide, and their values."""

    LIFE_BLOCKS = "life_blocks", "Life blocks for each player"
    LIFE_BLOCKS_PRINTED = "life_blocks null", "as printed: two, three if three play"
    RETHROW = "rethrow", "Cards of the same value again and again"
    RETHROW_REPEAT = 'rethrow "repeat"', "everyone may throw again each time"
    RETHROW_ONCE = 'rethrow "once"', "everyone may throw again once"
    PILE = "pile", "What lies on a card that lies on the challenge card"
    PILE_SAME_VALUE = 'pile "same_value"', "counts only on cards of the same value"
    PILE_ANY = 'pile "any"', "counts on any card"
    MISSED = "missed", "Cards were thrown, none counts"
    MISSED_WINNINGS = 'missed "winnings"', "the provoking player keeps the challenge card"
    MISSED_LOST = 'missed "lost"', "the challenge card leaves the game"
    TWO_LEFT_BESIDE = "two_left_beside", "Two players are left, and the answer falls beside"
    TWO_LEFT_RETURN = 'two_left_beside "return"', "it goes back to the hand"
    TWO_LEFT_REMOVE = 'two_left_beside "remove"', "it leaves the game"
    TWO_LEFT_FORFEIT = 'two_left_beside "forfeit"', "it is lost to the provoking player"
