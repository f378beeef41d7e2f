"""Codes of this game to English sentences, for the catalogues."""

from __future__ import annotations

from arena_cam.web.words.wording import N_, Words

RULINGS = {
    "duelling": N_("%(card)s lies on the challenge card: %(player)s duels."),
    "beside": N_("%(card)s fell beside the arena and leaves the game."),
    "edge": N_("%(card)s lies on the edge and leaves the game."),
    "diagonal": N_("%(card)s leans and does not lie flat: it leaves the game."),
    "face_down": N_("%(card)s lies face down and leaves the game."),
    "own_card": N_("%(card)s is the provocateur's own and leaves the game."),
    "same_value": N_("%(card)s has the challenge card's value and does not count."),
    "not_first": N_("%(card)s came too late: another card duels. It leaves the game."),
    "not_on_challenge": N_("%(card)s does not lie on the challenge card and leaves the game."),
    "returned": N_("%(card)s fell beside and goes back to %(player)s."),
    "forfeited": N_("%(card)s fell beside and is lost to the provocateur."),
    "rethrow": N_("The values are the same: everyone may throw again."),
    "unanswered": N_("Nobody answered: %(player)s keeps %(card)s."),
    "wasted": N_("No throw counted: the challenge card leaves the game."),
    "both_peace": N_("Both chose peace: they swap their cards."),
    "one_conflict": N_("%(winner)s chose conflict, wins both cards and gives up a life block."),
    "both_conflict": N_("Both chose conflict: each gives up a life block and the cards leave the game."),
}

BADGES = {
    "duelling": N_("duels"),
    "beside": N_("beside"),
    "edge": N_("on the edge"),
    "diagonal": N_("leans"),
    "face_down": N_("face down"),
    "own_card": N_("own card"),
    "same_value": N_("same value"),
    "not_first": N_("too late"),
    "not_on_challenge": N_("missed"),
    "returned": N_("goes back"),
    "forfeited": N_("lost"),
    "challenge": N_("challenge"),
}

HINTS = {
    "lay_challenge": N_("%(player)s, lay a challenge card."),
    "turn_up": N_("Lay the challenge card face up."),
    "sweep_arena": N_("Take the cards out of the arena."),
    "throw_now": N_("Throw onto %(card)s."),
    "throw_again": N_("Throw again onto %(card)s."),
    "duel": N_("%(players)s: peace or conflict?"),
    "duel_blocks": N_("%(players)s: peace or conflict? By phone or by block."),
    "identify": N_("The referee says which card lies face down."),
}

QUESTIONS = {
    "unsure": N_("Is this right: %(card)s lies %(landing)s?"),
    "confirm": N_("Please confirm: %(card)s lies %(landing)s."),
    "out_of_game": N_("This looks like %(card)s, which has left the game. What is it?"),
    "not_in_game": N_("This looks like %(card)s, which nobody plays. What is it?"),
    "twice": N_("This looks like %(card)s, which lies there already. What is it?"),
    "wrong_provocateur": N_("This looks like %(card)s, but it is %(player)s's turn to lay the challenge. What is it?"),
    "impossible": N_("The rules do not allow what %(card)s seems to do. What is it?"),
    "identify": N_("Which card was thrown face down here?"),
    "order": N_("%(first)s and %(second)s came to rest together. Which was first?"),
    "taken_back": N_("%(card)s was taken away again. Does the throw count?"),
    "two_blocks": N_("%(player)s shows both peace and conflict. What counts?"),
    "no_life_block": N_("%(player)s shows conflict, but has no life block left. What counts?"),
}

ANSWERS = {
    "keep": N_("Yes, %(card)s lies %(landing)s"),
    "landing": N_("%(card)s lies %(landing)s"),
    "card": N_("It is %(card)s"),
    "other_card": N_("Another card"),
    "never": N_("It was not thrown"),
    "first": N_("%(card)s was first"),
    "counts": N_("It counts as it lay"),
    "lay_anew": N_("Lay the block anew"),
    "peace": N_("Peace"),
    "conflict": N_("Conflict"),
}

EVENTS = {
    "challenge": N_("challenge card"),
    "throw": N_("throw"),
    "moved": N_("moved"),
    "close": N_("end of throwing"),
    "duel": N_("duel"),
}
CHOICES = {"peace": N_("Peace"), "conflict": N_("Conflict")}

WORDS = Words(RULINGS, BADGES, HINTS, QUESTIONS, ANSWERS, EVENTS, CHOICES)
