"""What people ask of a match -> the match after it. Pure, like match.py: the session keeps and tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.referee.game import corrections
from arena_cam.referee.game.match import Match, append
from arena_cam.referee.game.snapshots import duellists
from arena_cam.referee.games.arena import questions
from arena_cam.referee.games.arena.seeing import caught_up
from arena_cam.referee.interface import MODES

Json = dict[str, Any]
LEAST_QUIET_S, MOST_QUIET_S = 1.0, 120.0
CHOICES = ("peace", "conflict")


@dataclass(frozen=True)
class Request:
    """What `who` asks, at `now_s` of the source."""

    args: Mapping[str, Any]
    who: str
    now_s: float


def close_challenge(match: Match, request: Request) -> Match:
    _awaits(match, "throws", "no challenge is open that could be closed")
    return append(match, [{"type": "close", "who": request.who}], request.who, request.now_s)


def duel(match: Match, request: Request) -> Match:
    """The referee enters both choices."""
    choices = request.args.get("choices")
    _awaits(match, "duel", "no duel is awaited")
    if not isinstance(choices, Mapping) or set(choices) != set(duellists(match)):
        raise Refused("bad_argument", f"give the choices of {' and '.join(duellists(match))}, and nobody else's")
    for player, choice in choices.items():
        checked_choice(match, player, choice)
    event = {"type": "duel", "choices": dict(choices), "who": request.who}
    return append(match, [event], request.who, request.now_s)


def duel_from(match: Match, choices: Mapping[str, str], now_s: float) -> Match:
    """The duel that follows when both have chosen in secret."""
    return append(match, [{"type": "duel", "choices": dict(choices)}], "players", now_s)


def checked_choice(match: Match, player: Any, choice: Any) -> str:
    """The choice of one duellist. Refused `not_yours`, `bad_argument` or `no_life_block`."""
    _awaits(match, "duel", "no duel is awaited")
    if player not in duellists(match):
        raise Refused("not_yours", "only the two duellists choose")
    if choice not in CHOICES:
        raise Refused("bad_argument", "choose peace or conflict")
    if choice == "conflict" and match.ledger.state["lives"][player] <= 0:
        raise Refused("no_life_block", f"{player} has no life block left and cannot choose conflict")
    return str(choice)


def lay_challenge(match: Match, request: Request) -> Match:
    _awaits(match, "challenge", "a challenge is not awaited")
    event = {"type": "challenge", "card": request.args.get("card"), "who": request.who}
    match = append(match, [event], request.who, request.now_s)
    return replace(match, auto_close=True, questions=tuple(q for q in match.questions if q.line is not None))


def set_mode(match: Match, request: Request) -> Match:
    mode = request.args.get("mode")
    if mode not in MODES:
        raise Refused("bad_argument", f"mode must be one of {', '.join(MODES)}")
    return replace(match, mode=mode)


def set_quiet_time(match: Match, request: Request) -> Match:
    seconds = request.args.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise Refused("bad_argument", "seconds must be a number")
    if not LEAST_QUIET_S <= seconds <= MOST_QUIET_S:
        raise Refused("bad_argument", f"seconds must lie between {LEAST_QUIET_S:g} and {MOST_QUIET_S:g}")
    return replace(match, quiet_s=float(seconds))


def pause(match: Match, _request: Request) -> Match:
    if match.paused:
        raise Refused("not_now", "the game is paused already")
    return replace(match, paused=True)


def resume(match: Match, request: Request) -> Match:
    if not match.paused:
        raise Refused("not_now", "the game is not paused")
    going_on = replace(match, paused=False, auto_close=True, quiet_since_s=request.now_s)
    return caught_up(going_on, request.now_s)


def answer_question(match: Match, request: Request) -> Match:
    wanted = request.args.get("id")
    question = next((q for q in match.questions if q.id == wanted), None)
    if question is None:
        raise Refused("unknown", "this question is not asked any more")
    choice, card = str(request.args.get("choice")), request.args.get("card")
    return questions.answer(match, question, choice, card, request.who, request.now_s)


Correction = Callable[[Match, Mapping[str, Any], str], list[Json]]
CORRECTIONS: Mapping[str, Correction] = {
    "amend": corrections.amend,
    "correct_card": corrections.correct_card,
    "throw_missed": corrections.throw_missed,
    "throw_never_happened": corrections.throw_never_happened,
    "undo": corrections.undo,
}


def corrected(match: Match, events: list[Json], request: Request) -> Match:
    """`match` with a correction in its record. A round that it opens again is not closed behind the referee's back."""
    before = match.ledger.awaiting
    match = append(match, events, request.who, request.now_s)
    reopened = match.ledger.awaiting == "throws" and before != "throws"
    return replace(match, auto_close=False) if reopened else match


ACTIONS: Mapping[str, Callable[[Match, Request], Match]] = {
    "close_challenge": close_challenge,
    "duel": duel,
    "lay_challenge": lay_challenge,
    "set_mode": set_mode,
    "set_quiet_time": set_quiet_time,
    "pause": pause,
    "resume": resume,
    "answer_question": answer_question,
}


def _awaits(match: Match, awaiting: str, otherwise: str) -> None:
    if match.ledger.awaiting != awaiting:
        raise Refused("not_now", f"{otherwise}: what the game awaits is {match.ledger.awaiting}")
