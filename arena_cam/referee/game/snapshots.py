"""A match and what the eye sees -> the parts of a snapshot for pages (interface.Snapshot)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Lie
from arena_cam.domain.messages import Sentence, messages_to_json
from arena_cam.domain.table import Table
from arena_cam.referee.game.corrections import can_redo
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import find_part, part_of
from arena_cam.referee.interface import (
    ArenaSnapshot,
    CardSnapshot,
    GameSnapshot,
    Phrase,
    RulingSnapshot,
    VerdictPreview,
)
from arena_cam.referee.messages import Hint

Json = dict[str, Any]


def phrase(sentence: Sentence, **params: Any) -> Phrase:
    """A sentence for pages, with its English."""
    said = {
        name: ", ".join(map(str, each)) if isinstance(each, (list, tuple)) else each for name, each in params.items()
    }
    return {"code": sentence.value, "text": str(sentence(**said)), "params": params}


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
    known = {"line", "code", "text", "rule", "said"}
    return {
        "line": ruling["line"],
        "code": ruling["code"],
        "card": ruling.get("card"),
        "player": ruling.get("player"),
        "text": ruling["text"],
        "rule": ruling["rule"],
        "said": ruling.get("said"),
        "details": {key: value for key, value in ruling.items() if key not in known},
    }


def preview_of(ruling: Json) -> VerdictPreview:
    return {"code": ruling["code"], "text": ruling["text"], "said": ruling.get("said")}


def game_snapshot(
    match: Match, id: str, name: str, ended: bool, choices_made: Sequence[str], sense_reads: bool = False
) -> GameSnapshot:
    """The game as it stands: what all games have, and what its own part adds."""
    part, state, result = part_of(match), match.ledger.state, match.ledger.result
    common: Json = {
        "id": id,
        "name": name,
        "game": result["game"],
        "options": result["options"],
        "lines": match.ledger.next_line - 1,
        "awaiting": state["awaiting"],
        "round": state.get("round", 1),
        "players": [{"name": player, "points": points} for player, points in result["scores"].items()],
        "rulings": [ruling_snapshot(ruling) for ruling in part.latest_rulings(match)],
        "over": result["over"],
        "ended": ended,
        "winners": result["winners"],
        "choices_made": list(choices_made),
        "may_choose": part.may_choose(match, choices_made),
        "hint": hint(match, sense_reads),
        "why_over": part.over(match) if result["over"] else None,
        "earned": _earned(match) if result["over"] or ended else {},
    }
    own = part.snapshot(match, sense_reads and not match.paused and not ended)
    return cast(GameSnapshot, common | own)


def points_by_round(ledger: Ledger) -> list[tuple[int, dict[str, int]]]:
    """The last line of each finished round, and the scores after it."""
    part, points = find_part(ledger.record.game.name), []
    before = ledger.record.game.result(ledger.record.start)["state"]
    for line, event, result, _ in ledger.steps:
        if part.ends_round(event, before, result["state"]):
            points.append((line, dict(result["scores"])))
        before = result["state"]
    return points


def _earned(match: Match) -> dict[str, list[int]]:
    """How each player came to the score: what the rounds brought, without those that brought nothing."""
    scores = [points for _, points in points_by_round(match.ledger)]
    scores = [dict.fromkeys(match.ledger.players, 0), *scores, match.ledger.result["scores"]]
    return {
        name: [after[name] - before[name] for before, after in pairwise(scores) if after[name] != before[name]]
        for name in match.ledger.players
    }


def hint(match: Match, sense_reads: bool = False) -> Phrase:
    """The hint: the table is waiting for this."""
    if match.paused:
        return phrase(Hint.PAUSED)
    if match.blocked:
        return phrase(Hint.ANSWER_QUESTION)
    if match.ledger.awaiting == "nothing":
        return part_of(match).over(match)
    return part_of(match).hint(match, sense_reads)


def cards_snapshot(match: Match | None, lies: Sequence[Lie], watched: bool = True) -> list[CardSnapshot]:
    """The cards on the table, bottom to top, with what the game knows of each; not `watched`: as they were told."""
    if not watched:
        return part_of(match).told_cards(match) if match is not None else []
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
        **messages_to_json(lie.doubts),
        "other_names": [(name, round(p, 4)) for name, p in lie.other_names],
        "in_round": False,
        "is_challenge": False,
        "thrown_by": None,
        "line": None,
        "throw": None,
        "corrected": False,
        "verdict": None,
    }
    return cast(CardSnapshot, card | (part_of(match).card(match, lie) if match is not None else {}))


def _rounded(value: float | None) -> float | None:
    return round(value, 2) if value is not None else None


def legal_actions(match: Match | None, ended: bool, *, covered: bool = False) -> list[str]:
    """The names of the actions that would not be refused now; `covered`: something covers cards on the table."""
    always = ["start_game", "resume_game", "rename_game", "delete_game", "pin_throw", "set_mode", "set_quiet_time"]
    if covered:
        always.append("covered_cards_gone")
    if match is None or ended:
        return always
    part = part_of(match)
    actions = [*always, "end_game", "resume" if match.paused else "pause", "amend"]
    if match.ledger.record.events:
        actions += [*part.corrections, "undo"]
        actions += ["redo"] if can_redo(match) else []
    actions += part.legal(match)
    if match.questions:
        actions.append("answer_question")
    return list(dict.fromkeys(actions))
