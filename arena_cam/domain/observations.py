"""What the eye saw happen in the arena, named without any game's words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena_cam.domain.lies import Lie, Reading
from arena_cam.domain.messages import Message


class EyeState(StrEnum):
    """What the eye is doing: waiting for a throw, waiting for rest, has said what lies there, cannot see."""

    ARMED = "armed"
    SETTLING = "settling"
    DECIDED = "decided"
    BLIND = "blind"


@dataclass(frozen=True, slots=True)
class CardRested:
    """A card that was not there has come to rest. `at_s` is when it rested, seconds from the source's start."""

    at_s: float
    lie: Lie
    reading: Reading


@dataclass(frozen=True, slots=True)
class CardMoved:
    """A card known before lies otherwise now (landing, face, what it rests on, or its place)."""

    at_s: float
    before: Lie
    lie: Lie
    reading: Reading


@dataclass(frozen=True, slots=True)
class CardGone:
    """A card known before was taken away."""

    at_s: float
    before: Lie
    reading: Reading


@dataclass(frozen=True, slots=True)
class EyeChanged:
    """The eye's state changed; `why` says why it is blind, or what it waits for."""

    at_s: float
    state: EyeState
    why: tuple[Message, ...] = ()


Observation = CardRested | CardMoved | CardGone | EyeChanged
