"""A set of dilemmas: cards of three kinds, round tokens, owners' discs. Plain values, pictures as files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class CardKind(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"
    NEUTRAL = "neutral"


class TokenKind(StrEnum):
    """A token's face; HIDDEN is one that lies face down."""

    YES = "yes"
    NO = "no"
    SUPER_YES = "super_yes"
    SUPER_NO = "super_no"
    HIDDEN = "back"


@dataclass(frozen=True, slots=True)
class DilemmaCard:
    """A card: its id, its kind, the picture of its face, and its words where the set tells them."""

    id: str
    kind: CardKind
    image: Path
    text: str = ""


@dataclass(frozen=True, slots=True)
class Disc:
    """A round piece: `name` is a token's kind or an owner's colour."""

    name: str
    diameter_mm: float
    image: Path


@dataclass(frozen=True)
class DilemmaSet:
    """A set folder. All cards have one size; tokens are those of TokenKind that the set has, one each."""

    name: str
    width_mm: float
    height_mm: float
    corner_radius_mm: float
    cards: tuple[DilemmaCard, ...]
    tokens: tuple[Disc, ...]
    owners: tuple[Disc, ...] = ()
    back: Path | None = None
