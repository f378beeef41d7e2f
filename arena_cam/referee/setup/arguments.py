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
    """An action without arguments."""


class Go(TypedDict):
    step: Step


class ChooseLens(TypedDict):
    """`lens`: id of one of `lens.choices`."""

    lens: Word


class ChooseDeck(TypedDict):
    """`deck`: id of one of `deck.choices`."""

    deck: Word


class StartLearning(TypedDict):
    """Learns the deck of that name, a to z, 0 to 9 and hyphens, or goes on with it. `card_mm`: measured if not told;
    `in_order`: cards are laid in the order of the list, and nothing is asked."""

    name: Word
    card_mm: NotRequired[tuple[CardSide, CardSide]]
    in_order: NotRequired[bool]


class NameCard(TypedDict):
    """Says which card `taken`, one of `deck.learning.waiting`, is; `replace` an earlier picture of it."""

    taken: Word
    card: Word
    replace: NotRequired[bool]


class TakenCardOnly(TypedDict):
    """`taken`: one of `deck.learning.waiting`."""

    taken: Word


class LearnAgain(TypedDict):
    """`card`: one that shall be learned anew."""

    card: Word


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
    "start_learning": StartLearning,
    "name_card": NameCard,
    "turn_card": TakenCardOnly,
    "leave_out_card": TakenCardOnly,
    "learn_again": LearnAgain,
    "stop_learning": Press,
    "hold_film": Press,
    "run_film": Press,
    "next_picture": Press,
    "finish": Press,
}
