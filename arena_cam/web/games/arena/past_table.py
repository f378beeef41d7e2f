"""The arena as a round of some evening left it, drawn from what was measured at the round's last throw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena_cam.referee.interface import ArenaSnapshot, CardSnapshot, ThrowDetail
from arena_cam.web.games.arena.arena_view import Drawing, draw_cards
from arena_cam.web.games.arena.how_to_play import ARENA, MARGIN_MM


def past_table(throws: Sequence[ThrowDetail], arena: ArenaSnapshot | None) -> Drawing | None:
    """All cards that lay there then, bottom to top; None where nothing measured is kept any more."""
    measured = [throw for throw in throws if (throw["reading"] or {}).get("cards")]
    if not measured:
        return None
    ruled = {throw["card"]: throw for throw in throws if throw["card"]}
    reading = measured[-1]["reading"] or {}
    cards = [_card(lie, ruled.get(lie["id"]), order) for order, lie in enumerate(reading["cards"])]
    return draw_cards(arena or ARENA, [card for card in cards if card["corners_mm"]], MARGIN_MM)


def _card(lie: Mapping[str, Any], throw: ThrowDetail | None, order: int) -> CardSnapshot:
    """A lie as evidence keeps it, with what was ruled of its throw."""
    return {
        "key": lie["key"],
        "name": lie["id"] or lie["key"],
        "card": lie["id"],
        "face": lie["face"],
        "landing": throw["landing"] if throw is not None else lie["landing"],
        "confidence": lie["confidence"],
        "landing_probabilities": [],
        "tilt_deg": lie["tilt_deg"],
        "tilt_sd_deg": lie["tilt_sd_deg"],
        "angle_deg": lie.get("angle_deg", 0.0),
        "centre_mm": lie["centre_mm"],
        "corners_mm": lie.get("corners_mm"),
        "corners_px": lie["corners_px"],
        "rests_on": lie["rests_on"],
        "order": order,
        "visible_fraction": lie["visible_fraction"],
        "sure": True,  # what was in doubt then has been decided since
        "why_unsure": [],
        "doubts": [],
        "other_names": [],
        "in_round": throw is not None,
        "is_challenge": throw is not None and throw["opens"],
        "thrown_by": throw["player"] if throw is not None else None,
        "line": throw["line"] if throw is not None else None,
        "throw": throw["id"] if throw is not None else None,
        "corrected": throw is not None and throw["corrected"],
        "verdict": throw["verdict"] if throw is not None else None,
    }
