"""Codes of this game to English sentences, for the catalogues."""

from __future__ import annotations

from arena_cam.formats.messages import LandingName
from arena_cam.referee.games.arena.messages import ArenaAnswer, ArenaHint, ArenaQuestion
from arena_cam.web.words.wording import N_, Words, sentences

BADGES = {
    "duelling": N_("duels"),
    "beside": N_("beside"),
    "edge": LandingName.EDGE.english,
    "diagonal": N_("leans"),
    "face_down": N_("face down"),
    "own_card": N_("own card"),
    "same_value": N_("same value"),
    "not_first": N_("too late"),
    "not_on_challenge": N_("missed"),
    "returned": N_("goes back"),
    "forfeited": N_("lost"),
    "opens": N_("challenge"),
}

EVENTS = {
    "challenge": N_("challenge card"),
    "throw": N_("throw"),
    "moved": N_("moved"),
    "close": N_("end of throwing"),
    "duel": N_("duel"),
}
CHOICES = {"peace": N_("Peace"), "conflict": N_("Conflict")}

WORDS = Words(BADGES, sentences(ArenaHint), sentences(ArenaQuestion), sentences(ArenaAnswer), EVENTS, CHOICES)
