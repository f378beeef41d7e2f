"""This game's part of the referee, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from arena_cam.domain.errors import Refused
from arena_cam.referee.arguments import Name
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import PLAYERS, Match
from arena_cam.referee.game.part import Action, Request
from arena_cam.referee.game.snapshots import phrase
from arena_cam.referee.games.any_game import AnyGame
from arena_cam.referee.games.dilemmas import ballots, reports, snapshots
from arena_cam.referee.games.dilemmas.messages import DilemmasHint, DilemmasTable
from arena_cam.referee.interface import Phrase

Json = dict[str, Any]
LONGEST_TEXT = 140
Side = Annotated[str, Meta(max_length=400)]


class LayDilemma(TypedDict):
    """`player` lays a dilemma of a good and a bad side, and perhaps a neutral card."""

    player: Name
    positive: Side
    negative: Side
    neutral: NotRequired[Side]
    phone: NotRequired[bool]


def lay_dilemma(match: Match, request: Request) -> Match:
    """A dilemma with its words."""
    sides = {key: " ".join(str(request.args.get(key) or "").split()) for key in ("positive", "negative", "neutral")}
    written = sides["positive"] and sides["negative"]
    if not written or any(len(text) > LONGEST_TEXT or not text.isprintable() for text in sides.values()):
        raise Refused("bad_argument", DilemmasTable.NO_TEXT(most=LONGEST_TEXT))
    event = {"type": "dilemma", "player": request.args.get("player")}
    return append(match, [event | {key: text for key, text in sides.items() if text}], request.who, request.now_s)


class DilemmasPart(AnyGame):
    """referee.game.part.Part for the Game of Dilemmas: votes in secret on phones, all told at once."""

    hints = DilemmasHint
    actions: Mapping[str, Action] = {**AnyGame.actions, "lay_dilemma": Action(LayDilemma, lay_dilemma)}
    phone_actions = frozenset({"lay_dilemma"})
    secret_action = "vote_in_secret"

    def choosers(self, match: Match) -> tuple[str, ...]:
        return ballots.voters(match)

    def may_choose(self, match: Match, made: Sequence[str]) -> dict[str, list[str]]:
        return {name: list(ballots.LETTERS) for name in ballots.voters(match) if name not in made}

    def checked_choice(self, match: Match, player: Any, choice: Any) -> str:
        return ballots.checked(match, player, choice)

    def revealed(self, match: Match, choices: Mapping[str, str], now_s: float) -> Match:
        return append(match, ballots.revealed(match, choices), PLAYERS, now_s)

    def hint(self, match: Match, sense_reads: bool) -> Phrase:
        if match.ledger.awaiting == "dilemmas":
            laid = match.ledger.played.state.dilemmas
            return phrase(
                DilemmasHint.LAY_DILEMMAS, players=[name for name in match.ledger.players if name not in laid]
            )
        return phrase(DilemmasHint.VOTE) if ballots.voters(match) else super().hint(match, sense_reads)

    def snapshot(self, match: Match, sense_reads: bool) -> Json:
        return super().snapshot(match, sense_reads) | snapshots.snapshot(match)

    def rounds(self, ledger: Ledger) -> int:
        return sum(ruling["code"] == "round" for ruling in ledger.result["rulings"])

    def statistics(self, ledger: Ledger) -> dict[str, dict[str, float]]:
        return reports.statistics(ledger)


PART = DilemmasPart()
