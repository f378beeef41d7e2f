"""A person's action in this game -> the match after it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import Refused
from arena_cam.referee.arguments import Nothing
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.desk import awaits
from arena_cam.referee.game.match import PLAYERS, Match
from arena_cam.referee.game.part import Action, Correction, Request
from arena_cam.referee.games.arena import corrections
from arena_cam.referee.games.arena.rounds import duellists
from arena_cam.referee.games.arena.values import CorrectCard, EnterDuel, LayChallenge, ThrowMissed, ThrowNeverHappened
from arena_cam.referee.messages import Refusal
from arena_cam.rules.games.arena.messages import ArenaRefusal

CHOICES = ("peace", "conflict")


def close_challenge(match: Match, request: Request) -> Match:
    awaits(match, "throws", Refusal.NO_OPEN_CHALLENGE)
    return append(match, [{"type": "close", "who": request.who}], request.who, request.now_s)


def duel(match: Match, request: Request) -> Match:
    """The referee enters both choices."""
    choices = request.args.get("choices")
    awaits(match, "duel", Refusal.NO_DUEL_AWAITED)
    one, other = duellists(match)
    if not isinstance(choices, Mapping) or set(choices) != {one, other}:
        raise Refused("bad_argument", ArenaRefusal.NOT_THE_DUELLISTS(player=one, player_other=other))
    for player, choice in choices.items():
        checked_choice(match, player, choice)
    event = {"type": "duel", "choices": dict(choices), "who": request.who}
    return append(match, [event], request.who, request.now_s)


def duel_from(match: Match, choices: Mapping[str, str], now_s: float) -> Match:
    """The duel that follows when both have chosen in secret."""
    return append(match, [{"type": "duel", "choices": dict(choices)}], PLAYERS, now_s)


def checked_choice(match: Match, player: Any, choice: Any) -> str:
    """The choice of one duellist. Refused `not_yours`, `bad_argument` or `no_life_block`."""
    awaits(match, "duel", Refusal.NO_DUEL_AWAITED)
    if player not in duellists(match):
        raise Refused("not_yours", Refusal.DUELLISTS_CHOOSE())
    if choice not in CHOICES:
        raise Refused("bad_argument", ArgumentRefusal.ONE_OF(name="choice", names=", ".join(CHOICES)))
    if choice == "conflict" and match.ledger.state["lives"][player] <= 0:
        raise Refused("no_life_block", Refusal.NO_LIFE_FOR_CONFLICT(player=player))
    return str(choice)


def lay_challenge(match: Match, request: Request) -> Match:
    awaits(match, "challenge", Refusal.NO_CHALLENGE_AWAITED)
    event = {"type": "challenge", "card": request.args.get("card"), "who": request.who}
    match = append(match, [event], request.who, request.now_s)
    return replace(match, auto_close=True, questions=tuple(q for q in match.questions if q.line is not None))


ACTIONS: Mapping[str, Action] = {
    "close_challenge": Action(Nothing, close_challenge),
    "duel": Action(EnterDuel, duel),
    "lay_challenge": Action(LayChallenge, lay_challenge),
}
CORRECTIONS: Mapping[str, Correction] = {
    "correct_card": Correction(CorrectCard, corrections.correct_card),
    "throw_missed": Correction(ThrowMissed, corrections.throw_missed),
    "throw_never_happened": Correction(ThrowNeverHappened, corrections.throw_never_happened),
}
