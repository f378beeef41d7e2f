"""A match in the words of the interface: what of a snapshot only this game has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_cam.domain.lies import Face, Lie
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.snapshots import phrase, preview_of
from arena_cam.referee.games.arena.messages import ArenaHint
from arena_cam.referee.games.arena.reports import best_throw
from arena_cam.referee.games.arena.rounds import duellists, in_arena, lying_in, player_of
from arena_cam.referee.games.arena.values import ArenaPlayer
from arena_cam.referee.interface import CardSnapshot, Countdown, Phrase, VerdictPreview
from arena_cam.rules.games.arena.awaiting import Awaiting
from arena_cam.rules.games.arena.pile import Lying

Json = dict[str, Any]


def snapshot(match: Match, sense_reads: bool) -> Json:
    """This game's own part of the snapshot."""
    state = match.ledger.state
    own = ("provocateur", "challenge", "duelling", "opponent", "removed", "unidentified")
    return {key: state[key] for key in own} | {
        "players": _players(match),
        "awaits_blocks": sense_reads and state["awaiting"] == Awaiting.DUEL,
        "best_throw": best_throw(match.ledger) if match.ledger.result["over"] else None,
        "lying": [{"name": card.name, "card": card_of(card)} for card in lying_in(match.ledger)],
    }


def _players(match: Match) -> list[ArenaPlayer]:
    state, scores = match.ledger.state, match.ledger.result["scores"]
    colour_of = {player: colour for colour, player in player_of(match.ledger).items()}
    return [
        {
            "name": name,
            "colour": colour_of[name],
            "points": scores[name],
            "lives": state["lives"][name],
            "hand": state["hands"][name],
            "won": state["won"][name],
            "is_provocateur": name == state["provocateur"],
            "is_opponent": name == state["opponent"],
        }
        for name in match.ledger.players
    ]


def may_choose(match: Match, choices_made: Sequence[str]) -> dict[str, list[str]]:
    lives = match.ledger.state["lives"]
    return {
        name: ["peace", "conflict"] if lives[name] > 0 else ["peace"]
        for name in duellists(match)
        if name not in choices_made
    }


def latest_rulings(match: Match) -> list[Json]:
    """The rulings of the round being played, or of the one before until the next challenge lies there."""
    rounds = [line.number for line in match.ledger.amended if line.data["type"] == "challenge"]
    first = rounds[-1] if rounds else 0
    return [r for r in match.ledger.result["rulings"] if r["line"] >= first]


def over(match: Match) -> Phrase:
    """Why the game is over: at most one player has cards left (EN and FR, The end)."""
    left = [name for name, hand in match.ledger.state["hands"].items() if hand]
    return phrase(ArenaHint.OVER_ONE, player=left[0]) if left else phrase(ArenaHint.OVER_NONE)


def hint(match: Match, reads_blocks: bool) -> Phrase:
    """The hint: the table is waiting for this."""
    state = match.ledger.state
    awaiting, player = state["awaiting"], state["provocateur"]
    if awaiting == Awaiting.CHALLENGE:
        inside = in_arena(match)
        if match.stale & set(inside) or len(inside) > 1:
            return phrase(ArenaHint.SWEEP_ARENA, player=player)
        if inside and match.table[inside[0]].face is Face.DOWN:
            return phrase(ArenaHint.TURN_UP, player=player)
        return phrase(ArenaHint.LAY_CHALLENGE, player=player)
    if awaiting == Awaiting.THROWS:
        again = any(r["code"] == "rethrow" for r in latest_rulings(match))
        return phrase(ArenaHint.THROW_AGAIN if again else ArenaHint.THROW_NOW, card=state["challenge"])
    if awaiting == Awaiting.DUEL:
        return phrase(ArenaHint.DUEL_BLOCKS if reads_blocks else ArenaHint.DUEL, players=" and ".join(duellists(match)))
    return phrase(ArenaHint.IDENTIFY)


def countdown(match: Match, now_s: float, moving: bool) -> Countdown | None:
    """The time until the challenge closes by itself; None while none is open."""
    if match.ledger.awaiting != Awaiting.THROWS or match.paused:
        return None
    running = not moving and not match.blocked and match.auto_close
    quiet = now_s - match.quiet_since_s if running else 0.0
    left = min(max(match.quiet_s - quiet, 0.0), match.quiet_s)
    return {"seconds_left": round(left, 2), "total": match.quiet_s, "running": running}


def card(match: Match, lie: Lie) -> Json:
    """The record's entry of a card of this round; it overrules the eye where a person corrected it."""
    throw = match.throws.get(lie.key)
    line = match.lines.get(lie.key)
    lying = lying_in(match.ledger)
    place = next((i for i, each in enumerate(lying) if each.line == line), None) if line is not None else None
    if place is None:
        return {"throw": throw}
    known_as = lying[place]
    corrected = match.ledger.corrected(line)
    known: Json = {
        "name": known_as.name,
        "in_round": True,
        "is_challenge": place == 0,
        "thrown_by": known_as.owner,
        "line": line,
        "throw": throw,
        "corrected": corrected,
        "verdict": verdict_of(match, known_as.line),
    }
    if corrected:
        known |= {"card": card_of(known_as), "face": known_as.face}
        known |= {"landing": known_as.landing} if place else {}
    return known


def card_of(lying: Lying) -> str | None:
    """Which card it is; None while nobody has named it."""
    return None if lying.name.startswith("?") else lying.name


def told_cards(match: Match) -> list[CardSnapshot]:
    """The cards of this round as people told them; where they lie nobody has measured."""
    lying = lying_in(match.ledger)
    return [
        {
            "key": card.name,
            "name": card.name,
            "card": card_of(card),
            "face": card.face,
            "landing": card.landing,
            "confidence": 1.0,
            "landing_probabilities": [],
            "tilt_deg": None,
            "tilt_sd_deg": None,
            "angle_deg": 0.0,
            "centre_mm": None,
            "corners_mm": None,
            "corners_px": [],
            "rests_on": [lying[beneath].name for beneath in card.rests_on],
            "order": order,
            "visible_fraction": 1.0,
            "sure": True,
            "why_unsure": [],
            "doubts": [],
            "other_names": [],
            "in_round": True,
            "is_challenge": order == 0,
            "thrown_by": card.owner,
            "line": card.line,
            "throw": None,
            "corrected": match.ledger.corrected(card.line),
            "verdict": verdict_of(match, card.line),
        }
        for order, card in enumerate(lying)
    ]


def verdict_of(match: Match, line: int) -> VerdictPreview | None:
    """The last final ruling on the card thrown in `line`, or while throws are awaited what a close would say."""
    rulings = [r for r in match.ledger.result["rulings"] if r.get("thrown") == line]
    rulings += [r for r in match.ledger.preview if r.get("thrown") == line]
    return preview_of(rulings[-1]) if rulings else None
