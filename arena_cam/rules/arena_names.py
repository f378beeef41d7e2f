"""Which card of the round a name in a record means, also after corrections of who is who.

A name means the card that the record called so when the line with the name was written; if there was none, the card
called so now; of several, the last thrown. A card thrown face down is called `?N`, N being the line of its throw, and
keeps that name for good.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena_cam.rules.arena_pile import IN_HAND, Lying
from arena_cam.rules.game import History

Names = tuple[tuple[int, str | None], ...]


def names_given(line: int, history: History | None) -> Names:
    """What the record called the card of `line`, each with the line from which on it did; empty if it never changed.

    None stands for the time in which the line spoke of no card.
    """
    if history is None or len(history.versions) < 2:
        return ()
    names: list[tuple[int, str | None]] = []
    for since, data in history.versions:
        card = data.get("card")
        name = None
        if data.get("type") == "throw":
            name = f"?{line}" if card is None else card
        elif data.get("type") == "challenge":
            name = card
        names.append((since, name if isinstance(name, str) else None))
    return tuple(names)


def find(lying: Sequence[Lying], name: str, written: int) -> int | None:
    """The place of the card that `name`, written in line `written`, means among those that still lie; None if none."""
    called_now = None
    i = len(lying)
    for card in reversed(lying):
        i -= 1
        if card.names and card.place != IN_HAND:
            if _called(card, name, written):
                return i
            if called_now is None and (
                card.name == name or (name[:1] == "?" and any(n == name for _, n in card.names))
            ):
                called_now = i
        elif card.name == name and card.place != IN_HAND:
            if card.line <= written:
                return i
            if called_now is None:
                called_now = i
    return called_now


def _called(card: Lying, name: str, written: int) -> bool:
    """Whether the record, as it stood when line `written` was written, called `card` so."""
    called: str | None = None
    for since, given in card.names:
        if since > written:
            break
        if given == name and name[:1] == "?":
            return True  # this name keeps working
        called = given
    return called == name
