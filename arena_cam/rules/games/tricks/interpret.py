"""What a card that was seen to lie face up in the middle means in a game of tricks. Pure."""

from __future__ import annotations

from collections.abc import Collection


def is_play(card: str, seen_before: Collection[str]) -> bool:
    """Whether a card that came to rest is a play: of a pack each card is played once, so one that was seen before in
    this deal was put aside, pushed or uncovered."""
    return card not in seen_before
