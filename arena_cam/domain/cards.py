"""What is printed: an identity, the cards of a deck and their one physical size. Not where a card lies."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PrintedMarker:
    """A square fiducial printed on a card's face; its centre in mm from the card's top-left corner, y down."""

    dictionary: str
    id: int
    size_mm: float
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class PrintedQr:
    """A QR code printed on a card's face; its centre in mm from the card's top-left corner, y down."""

    text: str
    size_mm: float
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Card:
    """One card of a deck. `image` is the picture of its face, upright and cut to the card's outline."""

    id: str
    image: Path
    colour: str | None = None
    value: int | None = None
    markers: tuple[PrintedMarker, ...] = ()
    qr: PrintedQr | None = None


@dataclass(frozen=True)
class Deck:
    """A deck folder as read: all cards have one size. `back` is None where the deck has no picture of its back."""

    name: str
    width_mm: float
    height_mm: float
    corner_radius_mm: float
    cards: tuple[Card, ...]
    back: Path | None = None
    by_id: dict[str, Card] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {card.id: card for card in self.cards})

    @property
    def card_mm2(self) -> float:
        """The area of a card, its corners square."""
        return self.width_mm * self.height_mm
