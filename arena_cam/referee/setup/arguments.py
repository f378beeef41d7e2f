"""What the actions of a set-up are given, as referee/arguments.py has it for a game's. Lengths are millimetres.

What a person types into the form is refused in the page's language, by the desk; here its range is only described.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NotRequired, TypedDict

from arena_cam.referee.arguments import Word, between
from arena_cam.referee.setup.interface import Step

# What a person may type, in mm: (least, most).
INNER, WALL_HEIGHT, WALL_THICKNESS = (100.0, 1000.0), (1.0, 100.0), (0.5, 100.0)
FLOOR, FIDUCIAL, CARD, CARD_THICKNESS = (-50.0, 50.0), (5.0, 200.0), (20.0, 200.0), (0.0, 5.0)

Width = Annotated[float, between(*INNER)]
CardSide = Annotated[float, between(*CARD)]


class Press(TypedDict):
    """A button is pressed, and that is all."""


class Go(TypedDict):
    step: Step


class ChooseLens(TypedDict):
    """`lens`: id of one of `lens.choices`."""

    lens: Word


class ChooseDeck(TypedDict):
    """`deck`: id of one of `deck.choices`."""

    deck: Word


class Tray(TypedDict):
    """What is known of the tray: `wall_mm` (height, thickness); `floor_mm` above the table, `fiducial_mm` the side of
    a marker's black square."""

    wall_mm: tuple[Annotated[float, between(*WALL_HEIGHT)], Annotated[float, between(*WALL_THICKNESS)]]
    floor_mm: NotRequired[Annotated[float, between(*FLOOR)]]
    fiducial_mm: NotRequired[Annotated[float, between(*FIDUCIAL)]]


class MeasureTray(Tray):
    """Measures the tray by a card that lies in it: `card_mm` (short side, long side). `inner_mm` is not looked at."""

    card_mm: tuple[CardSide, CardSide]
    card_thickness_mm: NotRequired[Annotated[float, between(*CARD_THICKNESS)]]
    inner_mm: NotRequired[tuple[Width, Width]]


class MeasureArena(Tray):
    """Measures the empty arena: `inner_mm` (width, depth)."""

    inner_mm: tuple[Width, Width]


class WriteTable(TypedDict):
    """`name`: a to z, 0 to 9 and hyphens; `replace` puts what is there aside; `not_empty` where what is seen in the
    tray belongs to its floor."""

    name: Word
    replace: NotRequired[bool]
    not_empty: NotRequired[bool]


# Every action that `SetupPort.act` knows. Each answers {}, measure_tray {inner_mm, fiducial_mm}, write_table {name}.
SETUP_ACTIONS: Mapping[str, type] = {
    "begin": Press,
    "leave": Press,
    "go": Go,
    "choose_lens": ChooseLens,
    "start_board": Press,
    "stop_board": Press,
    "measure_tray": MeasureTray,
    "measure_arena": MeasureArena,
    "write_table": WriteTable,
    "choose_deck": ChooseDeck,
    "finish": Press,
}
