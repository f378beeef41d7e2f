"""What is seen of dilemmas in a photograph: their cards, whose they are, the tokens on them, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

from arena_cam.domain.lies import Point2
from arena_cam.domain.messages import Message


@dataclass(frozen=True, slots=True)
class TokenReading:
    """One token: `kind` (a TokenKind's value; "back" face down), the middle of its upper side in the photograph, its
    radius there, and the probability that its kind is right."""

    kind: str
    centre_px: Point2
    radius_px: float
    confidence: float


@dataclass(frozen=True, slots=True)
class DilemmaReading:
    """Cards that lie together, None where one is not recognised (or there is no neutral one), and their tokens.

    `owner`: the colour of the disc beside them, None where none lies there. `confidence`: probability that the tokens
    are those that lie there, no more and no fewer. `outlines_px`: the corners of each card in the photograph.
    """

    owner: str | None
    positive: str | None
    negative: str | None
    neutral: str | None
    tokens: tuple[TokenReading, ...]
    centre_px: Point2
    outlines_px: tuple[tuple[Point2, ...], ...]
    confidence: float
    doubts: tuple[Message, ...] = ()

    @property
    def sure(self) -> bool:
        return not self.doubts


@dataclass(frozen=True, slots=True)
class DilemmasReading:
    """All dilemmas of a photograph; `elsewhere` are the tokens that lie on none. Sure if each dilemma is, and one is
    seen."""

    frame: str
    dilemmas: tuple[DilemmaReading, ...]
    elsewhere: tuple[TokenReading, ...]
    doubts: tuple[Message, ...] = ()

    @property
    def sure(self) -> bool:
        return not self.doubts
