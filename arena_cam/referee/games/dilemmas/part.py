"""This game's part of the referee, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.referee.arguments import Nothing
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import PLAYERS, Match
from arena_cam.referee.game.part import Action, Photo, Request
from arena_cam.referee.game.snapshots import phrase
from arena_cam.referee.games.any_game import AnyGame
from arena_cam.referee.games.dilemmas import ballots, laid_cards, reports, snapshots, token_counts
from arena_cam.referee.games.dilemmas.messages import DilemmasHint, DilemmasTable
from arena_cam.referee.games.dilemmas.values import (
    CorrectCount,
    LayDilemma,
    OfDilemma,
    PhotoOfTable,
    TapToken,
    WhoseDilemma,
)
from arena_cam.referee.interface import Phrase

Json = dict[str, Any]
LONGEST_TEXT = 140


def lay_dilemma(match: Match, request: Request) -> Match:
    """A dilemma with its words."""
    sides = {key: " ".join(str(request.args.get(key) or "").split()) for key in ("positive", "negative", "neutral")}
    written = sides["positive"] and sides["negative"]
    if not written or any(len(text) > LONGEST_TEXT or not text.isprintable() for text in sides.values()):
        raise Refused("bad_argument", DilemmasTable.NO_TEXT(most=LONGEST_TEXT))
    event = {"type": "dilemma", "player": request.args.get("player")}
    if sides["neutral"] and request.args.get("neutral_by"):
        event["neutral_by"] = request.args["neutral_by"]
    return append(match, [event | {key: text for key, text in sides.items() if text}], request.who, request.now_s)


def turn_tokens(match: Match, request: Request) -> Match:
    """The tokens are turned; what cards the photograph shows goes into the record with it."""
    return token_counts.turn_tokens(match, request, laid_cards.told(match))


class DilemmasPart(AnyGame):
    """referee.game.part.Part for the Game of Dilemmas: votes in secret on phones, or tokens counted on the table."""

    hints = DilemmasHint
    actions: Mapping[str, Action] = {
        **AnyGame.actions,
        "lay_dilemma": Action(LayDilemma, lay_dilemma),
        "correct_count": Action(CorrectCount, token_counts.correct_count),
        "whose_dilemma": Action(WhoseDilemma, token_counts.whose_dilemma),
        "tap_token": Action(TapToken, token_counts.tap_token),
        "confirm_count": Action(OfDilemma, token_counts.confirm_count),
        "turn_tokens": Action(Nothing, turn_tokens),
    }
    phone_actions = frozenset({"lay_dilemma"})
    secret_action = "vote_in_secret"
    takes_photos = True
    photo_shape = PhotoOfTable
    keeps_throws = True

    def photographed(self, match: Match, photo: Photo, now_s: float) -> Match:
        """The tokens as the photograph shows them; nothing counts before people say so."""
        del now_s
        return token_counts.photographed(match, photo)

    def choosers(self, match: Match) -> tuple[str, ...]:
        return ballots.voters(match)

    def may_choose(self, match: Match, made: Sequence[str]) -> dict[str, list[str]]:
        return {name: list(ballots.LETTERS) for name in ballots.voters(match) if name not in made}

    def checked_choice(self, match: Match, player: Any, choice: Any) -> str:
        return ballots.checked(match, player, choice)

    def revealed(self, match: Match, choices: Mapping[str, str], now_s: float) -> Match:
        return append(match, ballots.revealed(match, choices, laid_cards.told(match)), PLAYERS, now_s)

    def legal(self, match: Match) -> list[str]:
        """Counting is offered while tokens can be counted, and their turning once every count is sure."""
        counting = bool(ballots.voters(match))
        turns = counting and token_counts.all_sure(match)
        offered = {
            "correct_count": counting,
            "confirm_count": counting,
            "whose_dilemma": counting,
            "tap_token": counting and bool(token_counts.counts_of(match)["seen"]),
            "turn_tokens": turns,
        }
        return [action for action in super().legal(match) if offered.get(action, True)]

    def hint(self, match: Match, sense_reads: bool) -> Phrase:
        if match.ledger.awaiting == "dilemmas":
            laid = match.ledger.played.state.dilemmas
            return phrase(
                DilemmasHint.LAY_DILEMMAS, players=[name for name in match.ledger.players if name not in laid]
            )
        if match.ledger.awaiting == "votes" and not ballots.voters(match):
            missing = ballots.missing(match)
            return phrase(DilemmasHint.VOTES_MISSING, players=missing) if missing else phrase(DilemmasHint.VOTES_IN)
        return _vote_or_count(match) if ballots.voters(match) else super().hint(match, sense_reads)

    def snapshot(self, match: Match, sense_reads: bool) -> Json:
        return super().snapshot(match, sense_reads) | snapshots.snapshot(match) | token_counts.snapshot(match)

    def rounds(self, ledger: Ledger) -> int:
        return sum(ruling["code"] == "round" for ruling in ledger.result["rulings"])

    def statistics(self, ledger: Ledger) -> dict[str, dict[str, float]]:
        return reports.statistics(ledger)


def _vote_or_count(match: Match) -> Phrase:
    """What the table waits for before the votes of the round are in the record."""
    if not token_counts.begun(match):
        return phrase(DilemmasHint.VOTE)
    return phrase(DilemmasHint.COUNT_SURE if token_counts.all_sure(match) else DilemmasHint.COUNT_UNSURE)


PART = DilemmasPart()
