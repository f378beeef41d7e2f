"""What the pages that set up a table may ask and do: plain JSON-ready dictionaries, as interface.py has it for a game.

`SetupDesk` in setup_desk.py keeps the promise. Lengths are millimetres; places in the picture are shares of its width
and height, (0, 0) its top-left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypedDict

Step = Literal["camera", "lens", "arena", "deck", "play"]
STEPS: tuple[Step, ...] = ("camera", "lens", "arena", "deck", "play")


class FindingSnapshot(TypedDict):
    """One thing looked at (vision/setup/check.py). `grade`: good, poor, bad. `measured` and `advice` are English,
    `seen` what is measured as {code, params}, `code` that of the advice; `values` are all parameters."""

    what: str
    grade: str
    measured: str
    advice: str
    code: str
    seen: list[dict[str, Any]]
    values: dict[str, float | str]


class LensChoice(TypedDict):
    """Camera parameters that could be used. `kind`: in_use, kept (calibrated here before), shipped (nominal), board."""

    id: str
    kind: str
    name: str
    focal_px: float
    reprojection_px: float | None


class BoardSnapshot(TypedDict):
    """How far the collecting of views is. `points` are all corners found so far; `missing` holds codes of ViewsLack.

    `seen` tells whether the board is in the picture now, `still` whether it is held still.
    """

    views: int
    wanted: int
    points: list[list[float]]
    uncovered: list[str]
    missing: list[str]
    seen: bool
    still: bool


class LensResult(TypedDict):
    """The parameters chosen. `sd` are standard deviations of fx, fy, cx, cy in pixels, empty for nominal values."""

    id: str
    kind: str
    name: str
    focal_px: float
    centre_px: list[float]
    reprojection_px: float | None
    sd: dict[str, float]
    views: int | None


class LensSnapshot(TypedDict):
    choices: list[LensChoice]
    chosen: LensResult | None
    board: BoardSnapshot | None


class MeasuredArena(TypedDict):
    """An arena as measured. `turned` are fiducials that lie askew, by more degrees than is good;
    `things` is how many things seem to lie in the tray, which should be empty."""

    inner_mm: list[float]
    wall_mm: list[float]
    floor_mm: float
    fiducial_mm: float
    fiducials: list[int]
    reprojection_px: float
    turned: dict[str, float]
    height_mm: float
    px_mm: float
    edges: int
    things: int


class ArenaStep(TypedDict):
    """`typed` is what the form was last sent with; `written` the name of the table written in this set-up."""

    typed: dict[str, Any]
    measured: MeasuredArena | None
    written: str | None
    names: list[str]


class DeckChoice(TypedDict):
    """A deck folder. `kind`: own (drawn when it is chosen), in_use, folder; `problem` says why it cannot be chosen.

    `missing`: how many cards of the game, with the back, are still to be learned of a deck that was begun here.

    `folder` is the end of its path, as much of it as no other has; "" for the own one.
    """

    id: str
    kind: str
    name: str
    folder: str
    cards: int
    size_mm: list[float]
    markers: bool
    problem: str
    missing: int


# `looking` for the empty arena; `empty`: lay a card; `taken`: which is it?; `learned`, `known` already: `card`;
# `refused`: `said` tells why; `full`: enough cards wait for their names.
LearnState = Literal["looking", "empty", "taken", "learned", "known", "refused", "full"]


class WaitingCard(TypedDict):
    """A card that was taken and has no name yet; `colour` is what it seems to have."""

    id: str
    colour: str | None
    turned: bool


class FilmSnapshot(TypedDict):
    """The recording that is shown instead of a camera. `held`: the same picture comes again and again."""

    held: bool


class LearnSnapshot(TypedDict):
    """A deck that is being learned. `cards` are all it shall have, the back last; `minutes` are those still needed.

    `in_order`: cards come as they are listed, and nobody is asked; `size_mm` is empty until the first card is measured;
    `taken` counts the pictures taken.
    """

    name: str
    cards: list[str]
    missing: list[str]
    minutes: int
    in_order: bool
    size_mm: list[float]
    state: LearnState
    said: dict[str, Any] | None
    card: str | None
    taken: int
    waiting: list[WaitingCard]


class LightSnapshot(TypedDict):
    """A deck learned at the table whose pictures are being brought into one light; it is done at 100 percent."""

    name: str
    percent: int


class DeckStep(TypedDict):
    """`light`: the deck that can be neither chosen nor learned for some seconds, if there is one. `folder`: where decks
    are looked for; a deck folder made there by a command appears among the choices."""

    folder: str
    choices: list[DeckChoice]
    chosen: str | None
    learning: LearnSnapshot | None
    light: LightSnapshot | None


class SetupSnapshot(TypedDict):
    """The whole state of a set-up. `active`: the camera works for it; `ready`: a table and a deck are there.

    `can_leave`: there is a table to go back to; `film`: what is shown in place of a camera, if anything. `done` are the
    steps that need nothing more; `table`, `deck_name` are what is refereed with outside of a set-up.
    """

    active: bool
    ready: bool
    can_leave: bool
    step: Step
    done: list[Step]
    picture: list[int] | None
    game_on: bool
    film: FilmSnapshot | None
    table: str | None
    deck_name: str | None
    findings: list[FindingSnapshot]
    lens: LensSnapshot
    arena: ArenaStep
    deck: DeckStep


class SetupPort(Protocol):
    """The desk where a table is set up. Every method may be called from any thread."""

    def snapshot(self) -> SetupSnapshot: ...

    def listen(self, heard: Callable[[], None]) -> None:
        """`heard` is called after every change, from any thread; it must return at once."""
        ...

    def picture(self, name: str) -> bytes | None:
        """The PNG of a card of the deck that is being learned: one that waits, by its id, or one learned, by name."""
        ...

    def act(self, action: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Does one of SETUP_ACTIONS (arguments.py). Raises Refused (unknown, bad_argument, not_now, exists) or CannotDo
        and leaves everything as it was."""
        ...
