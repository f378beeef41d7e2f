"""A match and what the eye sees -> the parts of a snapshot for pages (interface.Snapshot)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Face, Lie
from arena_cam.domain.table import Table
from arena_cam.referee.game.match import Match, in_arena
from arena_cam.referee.interface import (
    ArenaSnapshot,
    CardSnapshot,
    Countdown,
    GameSnapshot,
    Phrase,
    PlayerSnapshot,
    RulingSnapshot,
    VerdictPreview,
)

Json = dict[str, Any]
HINTS = {
    "start_game": "Start a game: say who plays which colour.",
    "lay_challenge": "{player} lays the challenge card.",
    "turn_up": "Lay the challenge card face up.",
    "sweep_arena": "Take the cards out of the arena; then {player} lays the challenge card.",
    "throw_now": "Throw onto {card}.",
    "throw_again": "Everyone may throw again onto {card}.",
    "duel": "Peace or conflict: {players} choose.",
    "duel_blocks": "Peace or conflict: {players} choose by phone, or lay their blocks beside the arena, covered, "
    "and lift their hands together.",
    "identify": "Say which card was thrown face down.",
    "over": "The game is over.",
    "paused": "Paused: nothing counts until the referee goes on.",
    "answer_question": "The referee is asked a question.",
}


def phrase(code: str, texts: Mapping[str, str] = HINTS, **params: Any) -> Phrase:
    return {"code": code, "text": texts[code].format(**params), "params": params}


def arena_snapshot(table: Table | None, deck: Deck | None) -> ArenaSnapshot | None:
    """The tray and the cards; None until a table has been set up."""
    if table is None or deck is None:
        return None
    return {
        "inner_mm": list(table.arena.inner_mm),
        "wall_height_mm": table.arena.wall_height_mm,
        "wall_thickness_mm": table.arena.wall_thickness_mm,
        "deck": deck.name,
        "card_width_mm": deck.width_mm,
        "card_height_mm": deck.height_mm,
        "card_corner_radius_mm": deck.corner_radius_mm,
        "fiducials_mm": {str(number): list(centre) for number, centre in table.fiducials.centres_mm.items()},
        "fiducial_size_mm": table.fiducials.size_mm,
    }


def ruling_snapshot(ruling: Json) -> RulingSnapshot:
    known = {"line", "code", "text", "rule"}
    return {
        "line": ruling["line"],
        "code": ruling["code"],
        "card": ruling.get("card"),
        "player": ruling.get("player"),
        "text": ruling["text"],
        "rule": ruling["rule"],
        "details": {key: value for key, value in ruling.items() if key not in known},
    }


def game_snapshot(
    match: Match, id: str, name: str, ended: bool, choices_made: Sequence[str], reads_blocks: bool = False
) -> GameSnapshot:
    ledger = match.ledger
    state, result = ledger.state, ledger.result
    return {
        "id": id,
        "name": name,
        "game": result["game"],
        "options": result["options"],
        "lines": ledger.next_line - 1,
        "awaiting": state["awaiting"],
        "round": state["round"],
        "provocateur": state["provocateur"],
        "challenge": state["challenge"],
        "duelling": state["duelling"],
        "opponent": state["opponent"],
        "players": _players(match),
        "removed": state["removed"],
        "unidentified": state["unidentified"],
        "rulings": [ruling_snapshot(ruling) for ruling in latest_rulings(match)],
        "over": result["over"],
        "ended": ended,
        "winners": result["winners"],
        "choices_made": list(choices_made),
        "may_choose": may_choose(match, choices_made),
        "awaits_blocks": reads_blocks and state["awaiting"] == "duel" and not match.paused and not ended,
        "hint": hint(match, reads_blocks),
    }


def _players(match: Match) -> list[PlayerSnapshot]:
    state, scores = match.ledger.state, match.ledger.result["scores"]
    colour_of = {player: colour for colour, player in match.ledger.played.state.setup.player_of.items()}
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


def duellists(match: Match) -> tuple[str, ...]:
    """The provocateur and the opponent while their duel is awaited, else nobody."""
    state = match.ledger.state
    return (state["provocateur"], state["opponent"]) if state["awaiting"] == "duel" else ()


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


def hint(match: Match, reads_blocks: bool = False) -> Phrase | None:
    state = match.ledger.state
    awaiting, player = state["awaiting"], state["provocateur"]
    if match.paused:
        return phrase("paused")
    if match.blocked:
        return phrase("answer_question")
    if awaiting == "challenge":
        inside = in_arena(match)
        if match.stale & set(inside) or len(inside) > 1:
            return phrase("sweep_arena", player=player)
        if inside and match.table[inside[0]].face is Face.DOWN:
            return phrase("turn_up", player=player)
        return phrase("lay_challenge", player=player)
    if awaiting == "throws":
        again = any(r["code"] == "rethrow" for r in latest_rulings(match))
        return phrase("throw_again" if again else "throw_now", card=state["challenge"])
    if awaiting == "duel":
        return phrase("duel_blocks" if reads_blocks else "duel", players=" and ".join(duellists(match)))
    return phrase("over" if awaiting == "nothing" else awaiting)


def countdown(match: Match, now_s: float, moving: bool) -> Countdown | None:
    """The time until the challenge closes by itself; None while none is open."""
    if match.ledger.awaiting != "throws" or match.paused:
        return None
    running = not moving and not match.blocked and match.auto_close
    quiet = now_s - match.quiet_since_s if running else 0.0
    left = min(max(match.quiet_s - quiet, 0.0), match.quiet_s)
    return {"seconds_left": round(left, 2), "total": match.quiet_s, "running": running}


def cards_snapshot(match: Match | None, lies: Sequence[Lie]) -> list[CardSnapshot]:
    """The cards on the table, bottom to top, with what the game knows of each."""
    return [_card(match, lie, order) for order, lie in enumerate(lies)]


def _card(match: Match | None, lie: Lie, order: int) -> CardSnapshot:
    card: Json = {
        "key": lie.key,
        "name": lie.card or lie.key,
        "card": lie.card,
        "face": lie.face.value,
        "landing": lie.landing.value if lie.landing is not None else None,
        "confidence": round(lie.confidence, 4),
        "landing_probabilities": [(landing.value, round(p, 4)) for landing, p in lie.landing_probabilities],
        "tilt_deg": _rounded(lie.tilt_deg),
        "tilt_sd_deg": _rounded(lie.tilt_sd_deg),
        "angle_deg": round(lie.angle_deg, 1),
        "centre_mm": [round(v, 1) for v in lie.centre_mm] if lie.centre_mm is not None else None,
        "corners_mm": [[round(v, 1) for v in p] for p in lie.corners_mm] if lie.corners_mm is not None else None,
        "corners_px": [[round(v, 1) for v in p] for p in lie.corners_px],
        "rests_on": list(lie.rests_on),
        "order": order,
        "visible_fraction": round(lie.visible_fraction, 2),
        "sure": lie.sure,
        "why_unsure": list(lie.why_unsure),
        "other_names": [(name, round(p, 4)) for name, p in lie.other_names],
        "in_round": False,
        "is_challenge": False,
        "thrown_by": None,
        "line": None,
        "throw": None,
        "corrected": False,
        "verdict": None,
    }
    return cast(CardSnapshot, card | (_in_game(match, lie) if match is not None else {}))


def _rounded(value: float | None) -> float | None:
    return round(value, 2) if value is not None else None


def _in_game(match: Match, lie: Lie) -> Json:
    """What the record says of a card of this round; it overrules the eye where a person corrected it."""
    throw = match.throws.get(lie.key)
    line = match.lines.get(lie.key)
    lying = match.ledger.lying
    place = next((i for i, card in enumerate(lying) if card.line == line), None) if line is not None else None
    if place is None:
        return {"throw": throw}
    card = lying[place]
    corrected = any(e.data["type"] == "amend" and e.data.get("line") == line for e in match.ledger.record.events)
    known: Json = {
        "name": card.name,
        "in_round": True,
        "is_challenge": place == 0,
        "thrown_by": card.owner,
        "line": line,
        "throw": throw,
        "corrected": corrected,
        "verdict": verdict_of(match, card.line),
    }
    if corrected:
        known |= {"card": None if card.name.startswith("?") else card.name, "face": card.face}
        known |= {"landing": card.landing} if place else {}
    return known


def verdict_of(match: Match, line: int) -> VerdictPreview | None:
    """The last final ruling on the card thrown in `line`, or while throws are awaited what a close would say."""
    rulings = [r for r in match.ledger.result["rulings"] if r.get("thrown") == line]
    rulings += [r for r in match.ledger.preview if r.get("thrown") == line]
    return {"code": rulings[-1]["code"], "text": rulings[-1]["text"]} if rulings else None


def legal_actions(match: Match | None, ended: bool, *, covered: bool = False) -> list[str]:
    """The names of the actions that would not be refused now; `covered`: something covers cards on the table."""
    always = ["start_game", "resume_game", "rename_game", "delete_game", "pin_throw", "set_mode", "set_quiet_time"]
    if covered:
        always.append("covered_cards_gone")
    if match is None or ended:
        return always
    actions = [*always, "end_game", "resume" if match.paused else "pause", "amend"]
    if match.ledger.record.events:
        actions += ["correct_card", "throw_never_happened", "throw_missed", "undo"]
    awaiting = match.ledger.awaiting
    by_state = {"challenge": ["lay_challenge"], "throws": ["close_challenge"], "duel": ["duel", "duel_choice"]}
    actions += by_state.get(awaiting, [])
    if match.questions:
        actions.append("answer_question")
    return list(dict.fromkeys(actions))
