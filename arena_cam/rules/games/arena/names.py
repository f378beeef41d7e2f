"""Which card of the round a name in a record means, also after corrections of who is who.

A name means the card that the record called so when the line with the name was written; if there was none, the card
called so now; of several, the last thrown. A card thrown face down is called `?N`, N being the line of its throw, and
keeps that name for good.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from arena_cam.rules.game import History
from arena_cam.rules.games.arena.messages import ArenaRefusal
from arena_cam.rules.games.arena.pile import Lying
from arena_cam.rules.reading import refuse, shown

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


def find(lying: Sequence[Lying], name: str, written: int, in_hand: Container[int] = ()) -> int:
    """The place of the card that `name`, written in line `written`, means; Refused if it means none that lies there.

    `in_hand` are the places of the cards that lie there no more, because their throw was undone.
    """
    called_now = None
    place = len(lying)
    for card in reversed(lying):
        place -= 1
        if card.name != name and not card.names:
            continue  # so with nearly every card: it has one name, and it is another
        if place in in_hand:
            continue
        if card.line <= written if not card.names else _called(card, name, written):
            return place
        if called_now is None and (card.name == name or (name[:1] == "?" and any(n == name for _, n in card.names))):
            called_now = place
    if called_now is None:
        refuse("not_there", ArenaRefusal.NOT_LYING_THERE(name=shown(name)))
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
