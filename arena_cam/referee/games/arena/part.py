"""This game's part of the referee, put together (referee.game.part.Part)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Lie, Reading
from arena_cam.formats.judgement import Judged
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Asked, Match
from arena_cam.referee.game.part import Request, Seen
from arena_cam.referee.games.any_game import AnyGame
from arena_cam.referee.games.arena import desk, questions, reports, rounds, seeing, snapshots
from arena_cam.referee.games.arena.block_duel import BlockDuel, BlockSight
from arena_cam.referee.games.arena.readings.judging import judge_reading
from arena_cam.referee.interface import CardSnapshot, Countdown, Phrase
from arena_cam.rules.games.arena.awaiting import AFTER_A_ROUND, IN_A_ROUND, Awaiting

Json = dict[str, Any]
# Of the rulings that one event brings, the one that the table waits to hear.
DECISIVE = ("both_peace", "one_conflict", "both_conflict", "duelling", "rethrow", "unanswered", "wasted")


class ArenaPart(AnyGame):
    """Cards are thrown into an arena, and two players choose between peace and conflict."""

    actions = desk.ACTIONS
    corrections = desk.CORRECTIONS
    secret_action = "duel_choice"
    keeps_throws = True

    def begun(self, match: Match) -> Match:
        """Of several cards that lie there already nobody can say which was laid first."""
        return replace(match, stale=frozenset(match.table)) if len(rounds.in_arena(match)) > 1 else match

    def observe(self, match: Match, seen: Sequence[Seen]) -> Match:
        return seeing.observe(match, seen)

    def tick(self, match: Match, now_s: float, moving: bool, unseen_s: float) -> Match:
        return rounds.tick(match, now_s, moving, unseen_s)

    def resumed(self, match: Match, now_s: float) -> Match:
        return seeing.caught_up(match, now_s)

    def relinked(self, match: Match, before: Ledger) -> Match:
        return rounds.relinked(match, before)

    def corrected(self, match: Match, before: Match) -> Match:
        """A round that a correction opens again is not closed behind the referee's back."""
        reopened = match.ledger.awaiting == Awaiting.THROWS and before.ledger.awaiting != Awaiting.THROWS
        return replace(match, auto_close=False) if reopened else match

    def open_sense(self, make_sight: Callable[[], BlockSight] | None) -> BlockDuel:  # type: ignore[override]
        return BlockDuel(make_sight() if make_sight is not None else None)

    def question(self, match: Match, asked: Asked) -> Json:
        return questions.to_json(match, asked)

    def answered(self, match: Match, asked: Asked, choice: str, request: Request) -> Match:
        return questions.answer(match, asked, choice, request)

    def choosers(self, match: Match) -> tuple[str, ...]:
        return rounds.duellists(match)

    def may_choose(self, match: Match, made: Sequence[str]) -> dict[str, list[str]]:
        return snapshots.may_choose(match, made)

    def checked_choice(self, match: Match, player: Any, choice: Any) -> str:
        return desk.checked_choice(match, player, choice)

    def revealed(self, match: Match, choices: Mapping[str, str], now_s: float) -> Match:
        return desk.duel_from(match, choices, now_s)

    def legal(self, match: Match) -> list[str]:
        by_state = {"challenge": ["lay_challenge"], "throws": ["close_challenge"], "duel": ["duel", "duel_choice"]}
        return by_state.get(match.ledger.awaiting, [])

    def snapshot(self, match: Match, sense_reads: bool) -> Json:
        return snapshots.snapshot(match, sense_reads)

    def card(self, match: Match, lie: Lie) -> Json:
        return snapshots.card(match, lie)

    def told_cards(self, match: Match) -> list[CardSnapshot]:
        return snapshots.told_cards(match)

    def hint(self, match: Match, sense_reads: bool) -> Phrase:
        return snapshots.hint(match, sense_reads)

    def over(self, match: Match) -> Phrase:
        return snapshots.over(match)

    def countdown(self, match: Match, now_s: float, moving: bool) -> Countdown | None:
        return snapshots.countdown(match, now_s, moving)

    def latest_rulings(self, match: Match) -> list[Json]:
        return snapshots.latest_rulings(match)

    def decisive(self, rulings: Sequence[Json]) -> list[Json]:
        return [ruling for ruling in rulings if ruling["code"] in DECISIVE]

    def rounds(self, ledger: Ledger) -> int:
        return reports.rounds(ledger)

    def owner(self, ledger: Ledger, card: str | None) -> str | None:
        return reports.owner(ledger, card)

    def opens(self, event: Mapping[str, Any]) -> bool:
        return event.get("type") == "challenge"

    def ends_round(self, event: Mapping[str, Any], before: Json, after: Json) -> bool:
        del event
        return before["awaiting"] in IN_A_ROUND and after["awaiting"] in AFTER_A_ROUND

    def line(self, ledger: Ledger, line: int) -> Json:
        return reports.line(ledger, line)

    def statistics(self, ledger: Ledger) -> dict[str, dict[str, float]]:
        return reports.statistics(ledger)

    def asked_of(self, ledger: Ledger, line: int) -> str | None:
        return reports.challenge_at(ledger, line)

    def judge(self, reading: Reading, deck: Deck, asked_of: str | None) -> Judged | None:
        return judge_reading(reading, deck, asked_of)


PART = ArenaPart()
