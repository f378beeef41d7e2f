"""Codes of this game to English sentences, for the catalogues."""

from __future__ import annotations

from arena_cam.referee.games.arena.messages import ArenaAnswer, ArenaHint, ArenaQuestion
from arena_cam.web.words.wording import N_, Words, sentences

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

EVENTS = {
    "challenge": N_("challenge card"),
    "throw": N_("throw"),
    "moved": N_("moved"),
    "close": N_("end of throwing"),
    "duel": N_("duel"),
}
CHOICES = {"peace": N_("Peace"), "conflict": N_("Conflict")}

WORDS = Words(RULINGS, BADGES, sentences(ArenaHint), sentences(ArenaQuestion), sentences(ArenaAnswer), EVENTS, CHOICES)
