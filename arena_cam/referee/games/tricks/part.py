"""This game's part of the referee, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import Lie
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Asked, Match
from arena_cam.referee.game.part import Action, Request, Seen
from arena_cam.referee.games.any_game import AnyGame
from arena_cam.referee.games.tricks import questions, reports, seeing, snapshots
from arena_cam.referee.games.tricks.messages import TricksAnswer, TricksHint, TricksQuestion, TricksTable
from arena_cam.referee.games.tricks.values import Dealt, Exchange
from arena_cam.referee.interface import Phrase
from arena_cam.rules.games.tricks.engine import SUITS

Json = dict[str, Any]


def dealt(match: Match, request: Request) -> Match:
    """The next deal begins, with the cards that were laid meanwhile."""
    if match.ledger.awaiting != "deal":
        raise Refused("not_now", TricksTable.NO_DEAL_AWAITED())
    fresh = seeing.fresh(match)
    match = replace(match, questions=())
    match = append(match, [{"type": "deal", "who": request.who}], request.who, request.now_s)
    return seeing.with_waiting(match, fresh)


def exchange(match: Match, request: Request) -> Match:
    """Who is to play asks for a suit, and gets a card of it or hears that there is none."""
    suit = request.args.get("suit")
    if suit not in tuple(SUITS):
        raise Refused("bad_argument", TricksTable.NO_SUIT_ASKED())
    event: Json = {"type": "exchange", "suit": suit, "who": request.who}
    if request.args.get("none"):
        event["none"] = True
    else:
        event |= {key: request.args[key] for key in ("given", "returned") if request.args.get(key)}
    return append(match, [event], request.who, request.now_s)


class TricksPart(AnyGame):
    """referee.game.part.Part for tricks of an ordinary pack: cards are seen, deals and exchanges are told."""

    hints = TricksHint
    questions = TricksQuestion
    answers = TricksAnswer
    actions: Mapping[str, Action] = {
        **AnyGame.actions,
        "dealt": Action(Dealt, dealt),
        "exchange": Action(Exchange, exchange),
    }
    phone_actions = frozenset({"dealt", "exchange"})
    keeps_throws = True

    def begun(self, match: Match) -> Match:
        """Nothing is dealt yet: what lies there is the stock, or cards of the game before."""
        table = {key: lie for key, lie in match.table.items() if lie.card is not None}
        return replace(match, table=table, stale=frozenset(table))

    def observe(self, match: Match, seen: Sequence[Seen]) -> Match:
        return seeing.observe(match, seen)

    def resumed(self, match: Match, now_s: float) -> Match:
        """Cards laid in a pause count for nothing."""
        del now_s
        return match

    def relinked(self, match: Match, before: Ledger) -> Match:
        return match if match.ledger is before else seeing.relinked(match)

    def question(self, match: Match, asked: Asked) -> Json:
        return questions.to_json(match, asked)

    def answered(self, match: Match, asked: Asked, choice: str, request: Request) -> Match:
        return questions.answer(match, asked, choice, request)

    def legal(self, match: Match) -> list[str]:
        if match.ledger.awaiting == "nothing":
            return []
        can_ask = ["exchange"] if snapshots.may_ask(match) else []
        return ["play", *(["dealt"] if match.ledger.awaiting == "deal" else can_ask)]

    def snapshot(self, match: Match, sense_reads: bool) -> Json:
        return super().snapshot(match, sense_reads) | snapshots.snapshot(match)

    def card(self, match: Match, lie: Lie) -> Json:
        line = match.lines.get(lie.key)
        return {"throw": match.throws.get(lie.key), "line": line, "in_round": line is not None}

    def hint(self, match: Match, sense_reads: bool) -> Phrase:
        del sense_reads
        return snapshots.hint(match)

    def over(self, match: Match) -> Phrase:
        return snapshots.over(match)

    def rounds(self, ledger: Ledger) -> int:
        return reports.rounds(ledger)

    def owner(self, ledger: Ledger, card: str | None) -> str | None:
        return reports.owner(ledger, card)

    def opens(self, event: Mapping[str, Any]) -> bool:
        return event.get("type") == "deal"

    def ends_round(self, event: Mapping[str, Any], before: Json, after: Json) -> bool:
        del event
        return bool(before["awaiting"] == "play" != after["awaiting"])

    def line(self, ledger: Ledger, line: int) -> Json:
        return reports.line(ledger, line)

    def statistics(self, ledger: Ledger) -> dict[str, dict[str, float]]:
        return reports.statistics(ledger)


PART = TricksPart()
