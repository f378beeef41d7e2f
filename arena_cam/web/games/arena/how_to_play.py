"""The drawings that teach the game: tables that were never played, drawn as the scoreboard draws a real one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena_cam.referee.interface import ArenaSnapshot, CardSnapshot, VerdictPreview
from arena_cam.web.games.arena.arena_view import Drawing, draw_cards

CARD_MM = (59.0, 91.0)
MARGIN_MM = 70.0  # of the table round the tray: a card that fell beside is seen whole
ARENA: ArenaSnapshot = {
    "inner_mm": [280.0, 280.0],
    "wall_height_mm": 15.0,
    "wall_thickness_mm": 8.0,
    "deck": "",
    "card_width_mm": CARD_MM[0],
    "card_height_mm": CARD_MM[1],
    "card_corner_radius_mm": 3.0,
    "fiducials_mm": {},
    "fiducial_size_mm": 0.0,
}


@dataclass(frozen=True)
class Shown:
    """A card of an example: its middle in mm (x right, y away from the viewer), how far it is turned counter-clockwise,
    what the rules say of it (nothing: it is the challenge card), and by how much it is tilted about its short sides."""

    card: str
    x_mm: float
    y_mm: float
    angle_deg: float
    verdict: str = ""
    tilt_deg: float = 0.0


# One table with each way of landing, and one with two cards of the challenge card's value.
COUNTS = (
    Shown("red-7", -46, -4, 8),
    Shown("yellow-2", 62, -92, 20, "diagonal", 32.0),
    Shown("violet-5", 118, 96, 62, "edge"),
    Shown("blue-9", -180, -72, 12, "beside"),
    Shown("green-4", 0, 30, -48, "duelling"),
)
SAME_VALUE = (
    Shown("red-8", -64, -40, -6),
    Shown("green-8", -10, -16, 62, "same_value"),
    Shown("blue-3", -46, 30, -30, "duelling"),
    Shown("yellow-10", 20, 62, -62, "not_first"),
)


def example(cards: tuple[Shown, ...]) -> Drawing:
    """The drawing of an example, its cards from the lowest to the uppermost."""
    return draw_cards(ARENA, [_snapshot(card, order) for order, card in enumerate(cards)], MARGIN_MM)


def _snapshot(shown: Shown, order: int) -> CardSnapshot:
    landing = shown.verdict if shown.verdict in ("diagonal", "edge", "beside") else "flat"
    verdict: VerdictPreview | None = {"code": shown.verdict, "text": "", "said": None} if shown.verdict else None
    return {
        "key": shown.card,
        "name": shown.card,
        "card": shown.card,
        "face": "up",
        "landing": landing,
        "confidence": 1.0,
        "landing_probabilities": [(landing, 1.0)],
        "tilt_deg": shown.tilt_deg,
        "tilt_sd_deg": 0.0,
        "angle_deg": shown.angle_deg,
        "centre_mm": [shown.x_mm, shown.y_mm],
        "corners_mm": _corners(shown),
        "corners_px": [],
        "rests_on": [],
        "order": order,
        "visible_fraction": 1.0,
        "sure": True,
        "why_unsure": [],
        "doubts": [],
        "other_names": [],
        "in_round": True,
        "is_challenge": not shown.verdict,
        "thrown_by": None,
        "line": None,
        "throw": None,
        "corrected": False,
        "verdict": verdict,
    }


def _corners(shown: Shown) -> list[list[float]]:
    """The four corners seen from straight above, from the card's top left clockwise, in mm (y away from the viewer)."""
    half_w, half_h = CARD_MM[0] / 2, CARD_MM[1] / 2 * math.cos(math.radians(shown.tilt_deg))
    cos, sin = math.cos(math.radians(shown.angle_deg)), math.sin(math.radians(shown.angle_deg))
    return [
        [shown.x_mm + cos * x - sin * y, shown.y_mm + sin * x + cos * y]
        for x, y in ((-half_w, half_h), (half_w, half_h), (half_w, -half_h), (-half_w, -half_h))
    ]
