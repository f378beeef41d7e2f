"""A round as the record and the table have it: which card is which line, what of it still lies there. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena_cam.domain.lies import Landing, Lie
from arena_cam.domain.messages import Message
from arena_cam.referee.game import match as matches
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import CLOCK, Asked, Match, evidence_of
from arena_cam.rules.games.arena.awaiting import AFTER_A_ROUND, IN_A_ROUND, Awaiting
from arena_cam.rules.games.arena.pile import Lying

Json = dict[str, Any]


def lying_in(ledger: Ledger) -> tuple[Lying, ...]:
    """The challenge card and the cards of this round, in the order of throwing; empty between rounds."""
    lying: tuple[Lying, ...] = ledger.played.state.lying
    return lying


def name_of(match: Match, key: str) -> str | None:
    """The record's name of the card `key` now; None if it is no card of this round."""
    line = match.lines.get(key)
    return next((card.name for card in lying_in(match.ledger) if line is not None and card.line == line), None)


def in_hand(match: Match, card: str) -> bool:
    return any(card in hand for hand in match.ledger.state["hands"].values())


def player_of(ledger: Ledger) -> Mapping[str, str]:
    """The player of each colour."""
    by_colour: Mapping[str, str] = ledger.played.state.setup.player_of
    return by_colour


def duellists(match: Match) -> tuple[str, ...]:
    """The provocateur and the opponent while their duel is awaited, else nobody."""
    state = match.ledger.state
    return (state["provocateur"], state["opponent"]) if state["awaiting"] == Awaiting.DUEL else ()


def ask(
    match: Match,
    kind: str,
    lie: Lie | None,
    line: int | None,
    throw: str | None,
    doubts: Sequence[Message] = (),
    about: Sequence[str] = (),
) -> Match:
    """`match` with one more question. Between rounds there is nothing that one about no line could hold up."""
    holds_up = line is not None or match.ledger.awaiting == Awaiting.THROWS
    question = Asked("", kind, lie, line, throw, 0.0, tuple(doubts), tuple(about))
    return matches.ask(match, question, holds_up=holds_up)


def tick(match: Match, now_s: float, moving: bool, unseen_s: float = 0.0) -> Match:
    """The effect of time: it closes the challenge after the quiet time, or at once when a card duels.

    `moving` also stands for an eye that cannot see: then no time counts as quiet. Nor do the `unseen_s` seconds for
    which no frame came: nobody knows what moved in them.
    """
    if moving:
        return replace(match, quiet_since_s=now_s)
    if unseen_s or now_s < match.quiet_since_s:
        match = replace(match, quiet_since_s=min(match.quiet_since_s + unseen_s, now_s))
    if match.ledger.awaiting != Awaiting.THROWS or match.paused or match.blocked or not match.auto_close:
        return match
    duels = any(ruling["code"] == "duelling" for ruling in match.ledger.preview)
    if duels or now_s - match.quiet_since_s >= match.quiet_s:
        return append(match, [{"type": "close", "at": round(now_s, 3)}], CLOCK, now_s)
    return match


def relinked(match: Match, before: Ledger) -> Match:
    """Ties the cards on the table to the record's lines again after the record has changed."""
    ledger = match.ledger
    lying = {card.line: card for card in lying_in(ledger)}
    lines = {key: line for key, line in match.lines.items() if line in lying}
    for card in lying_in(ledger):
        if card.line not in lines.values() and card.name in match.table and card.name not in lines:
            lines[card.name] = card.line
    stale = match.stale - set(lines)
    ended = before.awaiting in IN_A_ROUND and ledger.awaiting in AFTER_A_ROUND
    if ended:
        stale = frozenset(match.table)
    lives = {each.number for each in ledger.amended if each.data["type"] != "note"}
    round_open = ledger.awaiting == Awaiting.THROWS
    left_duel = before.awaiting == Awaiting.DUEL and ledger.awaiting != Awaiting.DUEL
    questions = tuple(
        q
        for q in match.questions
        if (q.line is None and not ended and not left_duel and q.kind != "identify") or (round_open and q.line in lives)
    )
    match = replace(match, lines=lines, stale=stale, questions=questions)
    if ledger.awaiting == Awaiting.IDENTIFY:
        for name in ledger.state["unidentified"]:
            line = int(name[1:])
            match = ask(match, "identify", None, line, evidence_of(match, line))
    return match


def in_arena(match: Match) -> list[str]:
    """Keys of the cards in the arena or on its wall, bottom to top; what lies beside is nobody's business."""
    return [key for key, lie in match.table.items() if lie.landing is not Landing.BESIDE]


def swapped(match: Match, first: int, second: int) -> list[Json]:
    """The corrections that exchange what lines `first` and `second` say was thrown."""
    keys = ("card", "landing", "face", "rests_on")
    a, b = match.ledger.event(first), match.ledger.event(second)
    return [
        {"type": "amend", "line": first, "set": {k: b.get(k) for k in keys}, "reason": "order of throwing"},
        {"type": "amend", "line": second, "set": {k: a.get(k) for k in keys}, "reason": "order of throwing"},
    ]
