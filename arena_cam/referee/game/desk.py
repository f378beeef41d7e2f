"""A person's request of any match -> the match after it. Pure, like match.py: the session keeps and tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import Refused
from arena_cam.referee.arguments import Amend, Previewed
from arena_cam.referee.game import corrections
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Correction, Request, part_of
from arena_cam.referee.interface import MODES, Mode
from arena_cam.referee.messages import Refusal

Json = dict[str, Any]
LEAST_QUIET_S, MOST_QUIET_S = 1.0, 120.0


def checked_mode(args: Mapping[str, Any]) -> Mode:
    mode: Any = args.get("mode")
    if mode not in MODES:
        raise Refused("bad_argument", ArgumentRefusal.ONE_OF(name="mode", names=", ".join(MODES)))
    return cast(Mode, mode)


def checked_quiet_s(args: Mapping[str, Any]) -> float:
    seconds = args.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise Refused("bad_argument", Refusal.SECONDS_NO_NUMBER())
    if not LEAST_QUIET_S <= seconds <= MOST_QUIET_S:
        raise Refused("bad_argument", Refusal.SECONDS_OUT_OF_RANGE(low=f"{LEAST_QUIET_S:g}", high=f"{MOST_QUIET_S:g}"))
    return float(seconds)


def pause(match: Match, _request: Request) -> Match:
    if match.paused:
        raise Refused("not_now", Refusal.PAUSED_ALREADY())
    return replace(match, paused=True)


def resume(match: Match, request: Request) -> Match:
    if not match.paused:
        raise Refused("not_now", Refusal.NOT_PAUSED())
    going_on = replace(match, paused=False, auto_close=True, quiet_since_s=request.now_s)
    return part_of(match).resumed(going_on, request.now_s)


def answer_question(match: Match, request: Request) -> Match:
    wanted = request.args.get("id")
    question = next((q for q in match.questions if q.id == wanted), None)
    if question is None:
        raise Refused("unknown", Refusal.QUESTION_GONE())
    return part_of(match).answered(match, question, str(request.args.get("choice")), request)


def corrected(match: Match, events: list[Json], request: Request) -> Match:
    """`match` with a correction in its record."""
    events = corrections.together(match.ledger, events)
    return part_of(match).corrected(append(match, events, request.who, request.now_s), match)


# What every game offers; a game's part has its own beside these.
CORRECTIONS: Mapping[str, Correction] = {
    "amend": Correction(Amend, corrections.amend),
    "undo": Correction(Previewed, corrections.undo),
    "redo": Correction(Previewed, corrections.redo),
}
ACTIONS: Mapping[str, Callable[[Match, Request], Match]] = {
    "pause": pause,
    "resume": resume,
    "answer_question": answer_question,
}


def awaits(match: Match, awaiting: str, otherwise: Refusal) -> None:
    """Raises Refused `not_now` unless that is what the game awaits."""
    if match.ledger.awaiting != awaiting:
        raise Refused("not_now", otherwise(awaited=match.ledger.awaiting))
