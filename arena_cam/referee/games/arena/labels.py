"""A card's name over the camera's picture: the colour's shape and the value on a plate of that colour.

It needs no language, and no eye for colours.
"""

from __future__ import annotations

from arena_cam.printing.shapes import SHAPES
from arena_cam.vision.drawing.overlay import Colour, Label

# Blue, green, red. The pages' colours (static/style.css), and white or black, whichever stands out more.
PLATES: dict[str, tuple[Colour, Colour]] = {
    "red": ((46, 38, 196), (255, 255, 255)),
    "blue": ((184, 88, 29), (255, 255, 255)),
    "green": ((60, 121, 22), (255, 255, 255)),
    "yellow": ((7, 165, 219), (20, 20, 20)),
    "violet": ((152, 49, 111), (255, 255, 255)),
}


def card_label(card: str) -> Label:
    """The label of "red-8": a triangle and 8 on red. A card of another kind of deck is written as it is called."""
    colour, _, value = card.partition("-")
    return Label(value, *PLATES[colour], SHAPES[colour]) if colour in PLATES and value else Label(card)
