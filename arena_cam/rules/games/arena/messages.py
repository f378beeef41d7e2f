"""What the arena game refuses."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class ArenaRefusal(Reason):
    """What the rules of the arena game do not allow."""

    NOT_PROVOCATEUR = "not_provocateur", "%(card)s is %(player)s's, but it is %(player_awaited)s's turn to provoke"
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
