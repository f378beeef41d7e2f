"""Actions on the simulated table. Times are seconds of the table's own clock, lengths mm."""

from __future__ import annotations

from dataclasses import dataclass

from arena_cam.domain.lies import Face, Landing


@dataclass(frozen=True)
class LayChallenge:
    """A hand lays a card face up near the middle of the arena, or at `at_mm`."""

    card: str
    at_mm: tuple[float, float] | None = None


@dataclass(frozen=True)
class Throw:
    """A card flies in and lands; a landing at random if none is wanted. `together`: with the throw before it."""

    card: str
    landing: Landing | None = None
    face: Face = Face.UP
    aim_mm: tuple[float, float] | None = None
    together: bool = False


@dataclass(frozen=True)
class Disturb:
    """A hand pushes a card that lies already; it comes to rest elsewhere, as `landing`."""

    card: str
    landing: Landing | None = None
    face: Face | None = None


@dataclass(frozen=True)
class RemoveCard:
    """A hand takes one card away (a card taken back, a won card)."""

    card: str


@dataclass(frozen=True)
class Sweep:
    """Hands clear all cards off the table."""


@dataclass(frozen=True)
class ReachIn:
    """A hand hovers over the arena and touches nothing."""

    seconds: float = 1.5
    at_mm: tuple[float, float] | None = None


@dataclass(frozen=True)
class LayBlock:
    """A player lays a duelling block beside the arena, keeps the hand on it for `covered_s`, and lifts it.

    It lies at `at_mm` turned by `angle_deg`, else near the player's own place. `together`: with the one before it.
    """

    colour: str
    choice: str
    at_mm: tuple[float, float] | None = None
    angle_deg: float | None = None
    covered_s: float = 1.0
    together: bool = False


@dataclass(frozen=True)
class TakeBlock:
    """A player takes back all blocks of that colour from the table."""

    colour: str


@dataclass(frozen=True)
class CoverBlock:
    """A hand lies on a player's blocks for so long and is lifted again; they stay where they are."""

    colour: str
    seconds: float = 1.0


@dataclass(frozen=True)
class Wait:
    """Nothing happens."""

    seconds: float


@dataclass(frozen=True)
class Lights:
    """The lamps go on or off."""

    on: bool


@dataclass(frozen=True)
class Sun:
    """Over `seconds` the light of one side of the table grows by `gain` (1: unchanged), as at a window in the sun."""

    gain: float
    seconds: float = 20.0


@dataclass(frozen=True)
class BumpCamera:
    """The camera is knocked: it stays where it lands, about `shift_mm` and `turn_deg` from where it was."""

    shift_mm: float = 12.0
    turn_deg: float = 1.5


@dataclass(frozen=True)
class ShiftTray:
    """The tray is pushed along the table and turned, the cards in it with it; the fiducials stay."""

    x_mm: float
    y_mm: float
    turn_deg: float = 0.0


@dataclass(frozen=True)
class Unplug:
    """The camera is gone for so long: reading raises CameraLost."""

    seconds: float = 3.0


@dataclass(frozen=True)
class CoverFiducials:
    """Sleeves lie over `count` (2 or 4) of the fiducials for so long."""

    seconds: float = 3.0
    count: int = 4


@dataclass(frozen=True)
class RestArm:
    """An arm lies over the arena for so long, its finger tips at `at_mm`, whatever else happens meanwhile.

    It comes from the side that `angle_deg` points away from: 0 is from the near side.
    """

    seconds: float
    at_mm: tuple[float, float] = (0.0, 0.0)
    angle_deg: float = 0.0


@dataclass(frozen=True)
class PutGlass:
    """A glass is put down beside the arena, at `at_mm`."""

    at_mm: tuple[float, float] = (250.0, 20.0)


@dataclass(frozen=True)
class Spoil:
    """The camera delivers "black", "white" or "frozen" pictures for so long."""

    how: str
    seconds: float = 2.0


Action = (
    LayChallenge
    | Throw
    | Disturb
    | RemoveCard
    | Sweep
    | ReachIn
    | LayBlock
    | TakeBlock
    | CoverBlock
    | Wait
    | Lights
    | Sun
    | BumpCamera
    | ShiftTray
    | Unplug
    | CoverFiducials
    | RestArm
    | PutGlass
    | Spoil
)
