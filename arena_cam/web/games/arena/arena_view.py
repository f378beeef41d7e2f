"""The arena from above as numbers for a template: where each card is drawn and where its label can be read.

World frame in, drawing frame out: millimetres, x right, y *down*, origin at the middle of the arena. A card that leans
is drawn as it looks from straight above, foreshortened. Where no table is calibrated the camera's pixels stand in for
millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from arena_cam.referee.interface import ArenaSnapshot, CardSnapshot, Snapshot

Point = tuple[float, float]

# Of the table round the tray: enough to see a card that fell beside it, without losing the arena.
TABLE_MARGIN_MM = 36.0
# Of a live drawing: as near as what lies there allows; a card farther off is drawn at the drawing's border.
NEAR_MARGIN_MM, FAR_MARGIN_MM = 9.0, 75.0
LABEL_INSET = 0.24  # of the card's side: the middle of a label that sits in a corner
LABEL_ROOM = 46.0  # from a label's middle to the drawing's border: half of the longest word under it
LABEL_BOX = (48.0, 47.0)  # what one label takes, its word included; the longest words may touch
PUSHES = 12  # enough for a pile of ten
CARD_MM = (63.0, 88.0)  # stands in for the deck's size in a drawing without an arena


@dataclass(frozen=True)
class DrawnCard:
    """A card: `matrix` takes its own millimetres (x right, y down from its top-left corner) to the drawing's."""

    card: CardSnapshot
    matrix: str
    label: Point
    outline: str


@dataclass(frozen=True)
class Drawing:
    """Everything that a template needs to draw. Boxes are (x, y, width, height)."""

    view_box: str
    floor: tuple[float, float, float, float] | None
    wall: tuple[float, float, float, float] | None
    card_size: Point
    corner_radius: float
    label_scale: float
    cards: tuple[DrawnCard, ...]


def draw_arena(snapshot: Snapshot) -> Drawing:
    """The drawing of all cards on the table now, bottom to top."""
    arena = snapshot["arena"]
    cards = sorted(snapshot["cards"], key=lambda card: card["order"])
    if arena is None:
        return _draw_picture(snapshot, cards)
    return draw_cards(arena, cards, _margin_mm(arena, cards))


def _margin_mm(arena: ArenaSnapshot, cards: Sequence[CardSnapshot]) -> float:
    """The margin of table that is drawn round the tray, so that the cards beside it are in the picture."""
    wall = arena["wall_thickness_mm"]
    half = [side / 2 + wall for side in arena["inner_mm"]]
    beyond = [
        max(abs(x) - half[0], abs(y) - half[1])
        for card in cards
        if card["in_round"]
        for x, y, *_ in card["corners_mm"] or ()
    ]
    return min(max([NEAR_MARGIN_MM, *(far + 4.0 for far in beyond)]), FAR_MARGIN_MM)


def draw_cards(arena: ArenaSnapshot, cards: Sequence[CardSnapshot], margin_mm: float = TABLE_MARGIN_MM) -> Drawing:
    """The drawing of `cards`, given bottom to top, on `arena`, with `margin_mm` of the table round the tray."""
    width, depth = arena["inner_mm"]
    wall = arena["wall_thickness_mm"]
    size = (arena["card_width_mm"], arena["card_height_mm"])
    half_w, half_d = width / 2 + wall + margin_mm, depth / 2 + wall + margin_mm
    placed = [(card, _inside(_corners_mm(card), (half_w, half_d))) for card in cards if card["corners_mm"]]
    return Drawing(
        view_box=f"{-half_w:g} {-half_d:g} {2 * half_w:g} {2 * half_d:g}",
        floor=(-width / 2, -depth / 2, width, depth),
        wall=(-width / 2 - wall, -depth / 2 - wall, width + 2 * wall, depth + 2 * wall),
        card_size=size,
        corner_radius=arena["card_corner_radius_mm"],
        label_scale=_label_scale(arena),
        cards=_drawn(placed, size, (half_w, half_d)),
    )


def _draw_picture(snapshot: Snapshot, cards: Sequence[CardSnapshot]) -> Drawing:
    width, height = snapshot["camera"]["width"] or 16, snapshot["camera"]["height"] or 9
    placed = [(card, [(x, y) for x, y, *_ in card["corners_px"]]) for card in cards if card["corners_px"]]
    return Drawing(
        f"0 0 {width:g} {height:g}", None, None, CARD_MM, 3.0, max(width, height) / 400, _drawn(placed, CARD_MM)
    )


def _label_scale(arena: ArenaSnapshot) -> float:
    """Labels keep their share of the drawing whatever the tray's size; 1 for a tray of 280 mm."""
    return max(arena["inner_mm"]) / 280.0


def _corners_mm(card: CardSnapshot) -> list[Point]:
    return [(corner[0], -corner[1]) for corner in card["corners_mm"] or ()]


def _inside(corners: list[Point], reach: Point) -> list[Point]:
    """The card moved so far towards the middle that none of it is cut off."""
    moves = []
    for axis, most in enumerate(reach):
        least, greatest = min(corner[axis] for corner in corners), max(corner[axis] for corner in corners)
        moves.append(min(0.0, most - greatest) + max(0.0, -most - least))
    return [(x + moves[0], y + moves[1]) for x, y in corners]


def _drawn(
    placed: list[tuple[CardSnapshot, list[Point]]], size: Point, reach: Point = (math.inf, math.inf)
) -> tuple[DrawnCard, ...]:
    outlines = [corners for _, corners in placed]
    free = [_label_place(corners, outlines[index + 1 :]) for index, corners in enumerate(outlines)]
    labels = [_within(place, reach) for place in _apart(free)]
    return tuple(
        DrawnCard(card, _matrix(corners, size), label, _outline(corners))
        for (card, corners), label in zip(placed, labels, strict=True)
    )


def _apart(places: list[Point]) -> list[Point]:
    """The labels' places pushed apart, two by two and a little at a time, until hardly any lies over another."""
    width, height = LABEL_BOX
    moved = [list(place) for place in places]
    for _ in range(PUSHES):
        for first, second in combinations(moved, 2):
            dx, dy = second[0] - first[0], second[1] - first[1]
            over_x, over_y = width - abs(dx), height - abs(dy)
            if over_x <= 0 or over_y <= 0:
                continue
            axis, over, gap = (0, over_x, dx) if over_x < over_y else (1, over_y, dy)
            push = math.copysign(over / 4, gap)
            first[axis] -= push
            second[axis] += push
    return [(x, y) for x, y in moved]


def _within(place: Point, reach: Point) -> Point:
    """`place` moved so far into the drawing that its label can be read, also of a card that fell far off."""
    x, y = (max(LABEL_ROOM - most, min(most - LABEL_ROOM, value)) for value, most in zip(place, reach, strict=True))
    return x, y


def _matrix(corners: list[Point], size: Point) -> str:
    (x0, y0), (x1, y1), _, (x3, y3) = corners
    width, height = size
    parts = ((x1 - x0) / width, (y1 - y0) / width, (x3 - x0) / height, (y3 - y0) / height, x0, y0)
    return "matrix(" + " ".join(f"{part:.4f}" for part in parts) + ")"


def _outline(corners: list[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _label_place(corners: list[Point], above: list[list[Point]]) -> Point:
    """The place on the card, of its middle and its corners, that is freest of the cards above."""
    middle = (sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4)
    if not above:
        return middle
    pull = 1 - 2 * LABEL_INSET
    places = [middle] + [(middle[0] + (x - middle[0]) * pull, middle[1] + (y - middle[1]) * pull) for x, y in corners]
    return max(places, key=lambda place: min(_distance_outside(place, outline) for outline in above))


def _distance_outside(point: Point, outline: list[Point]) -> float:
    """Signed distance to a convex outline: positive outside, negative inside (a bound, exact beside the sides)."""
    best = -math.inf
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True))
    turn = 1.0 if area > 0 else -1.0
    for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True):
        length = math.hypot(bx - ax, by - ay) or 1.0
        outward = turn * ((by - ay) * (point[0] - ax) - (bx - ax) * (point[1] - ay)) / length
        best = max(best, outward)
    return best
