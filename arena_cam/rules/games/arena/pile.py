"""Who lies on whom in the arena, and which card duels: the geometry behind `close`, also for a single still picture.

Cards are told by their place in a sequence: 0 is the challenge card, then the thrown cards in the order of throwing.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from arena_cam.domain.colours import COLOURS
from arena_cam.rules.game import Value
from arena_cam.rules.games.arena.messages import ArenaRefusal
from arena_cam.rules.reading import refuse

CARDS: dict[str, tuple[str, int]] = {  # all cards in the order in which a result lists them: by colour, then by value
    f"{colour}-{value}": (colour, value) for colour in COLOURS for value in range(1, 11)
}


class Lying(Value, frozen=True):
    """A card of this round. `name` is the card, or `?N` with `owner` and `value` None while nobody has named it.

    `rests_on` holds the places of the cards directly beneath; `line` is the line of its throw. `names` are the names
    that the record gave it, each with the line from which on it did; empty if it never changed.
    """

    name: str
    owner: str | None
    value: int | None
    landing: str
    face: str
    rests_on: tuple[int, ...]
    line: int
    names: tuple[tuple[int, str | None], ...] = ()


class Pile(Value, frozen=True):
    """What follows from how cards lie, all told by their places. `candidates` are in the order of throwing."""

    on_challenge: set[int]
    candidates: list[int]
    duelling: int | None


def pile_of(
    cards: Sequence[Lying], provocateur: str | None, any_passes: bool = False, ruled_out: Container[int] = ()
) -> Pile:
    """Finds the candidates and the duelling card among `cards`, of which the first is the challenge card.

    A card lies on the challenge card if it rests on it, or on a card that passes this on and itself lies on the
    challenge card. Valid cards of the challenge's value pass it on; with `any_passes` (house rule) every card that
    cannot be the duelling card. Of the candidates with no other candidate anywhere beneath, the first thrown duels.
    `ruled_out` are the places of cards that lie there but are no longer in the round.
    Raises Refused if a card is said to lie beneath itself. Source: EN and FR, The Provocation; EN, Examples 1.
    """
    challenge = cards[0]
    passing_on = {0}
    on_challenge = {0}
    candidates: list[int] = []
    for i in _bottom_up(cards):
        card = cards[i]
        if i == 0 or passing_on.isdisjoint(card.rests_on):
            continue
        on_challenge.add(i)
        valid = card.landing == "flat" and card.face == "up" and i not in ruled_out
        same_value = card.value == challenge.value
        if valid and not same_value and card.owner != provocateur and card.owner is not None:
            candidates.append(i)
        elif any_passes or (valid and same_value):
            passing_on.add(i)
    candidates.sort()
    lowest = candidates if len(candidates) < 2 else [i for i in candidates if beneath(cards, i).isdisjoint(candidates)]
    return Pile(on_challenge, candidates, lowest[0] if lowest else None)


def beneath(cards: Sequence[Lying], place: int) -> set[int]:
    """The places of all cards anywhere beneath the one at `place`, of cards of which none lies beneath itself."""
    found: set[int] = set()
    waiting = list(cards[place].rests_on)
    while waiting:
        below = waiting.pop()
        if below not in found:
            found.add(below)
            waiting += cards[below].rests_on
    return found


def _bottom_up(cards: Sequence[Lying]) -> Sequence[int]:
    """The places of the cards, each after all that it rests on."""
    if not _slid_under(cards):
        return range(len(cards))  # the order of throwing will do
    order: list[int] = []
    waiting = set(range(len(cards)))
    while waiting:
        ready = [i for i in sorted(waiting) if waiting.isdisjoint(cards[i].rests_on)]
        if not ready:
            name = cards[min(waiting)].name
            refuse("beneath_itself", ArenaRefusal.BENEATH_ITSELF(card=name))
        order += ready
        waiting.difference_update(ready)
    return order


def _slid_under(cards: Sequence[Lying]) -> bool:
    """Whether a card rests on one that was thrown after it."""
    for i, card in enumerate(cards):
        for j in card.rests_on:
            if j >= i:
                return True
    return False


class ArenaCard(Value, frozen=True):
    """A card in a still picture of the arena. `name` is the card ("blue-3") or "?1", "?2"... if it is not known.

    `colour` and `value` are None then. `rests_on` names the cards directly beneath it.
    """

    name: str
    colour: str | None
    value: int | None
    landing: str
    face: str = "up"
    rests_on: tuple[str, ...] = ()


def candidates(challenge: str, cards: Sequence[ArenaCard], pile: str = "same_value") -> list[str]:
    """The names of the cards that could answer `challenge`, in the order of `cards`; see `duelling_card`."""
    lying, found = _still(challenge, cards, pile)
    return [lying[i].name for i in found.candidates]


def duelling_card(challenge: str, cards: Sequence[ArenaCard], pile: str = "same_value") -> str | None:
    """The name of the duelling card in a still picture, None if no card counts.

    `challenge` names the challenge card, whose colour is the provocateur's; it may be among `cards` or not. `cards`
    stand in the order of throwing, or bottom to top where that is not known. `pile` is the house rule of that name.
    Names in `rests_on` that no card bears are ignored. Raises Refused if a card is said to lie beneath itself, or if
    `challenge` is no card.
    """
    lying, found = _still(challenge, cards, pile)
    return None if found.duelling is None else lying[found.duelling].name


def _still(challenge: str, cards: Sequence[ArenaCard], pile: str) -> tuple[list[Lying], Pile]:
    if challenge not in CARDS:
        refuse("unknown_card", ArenaRefusal.NO_CHALLENGE_CARD(text=ascii(challenge)))
    colour, value = CARDS[challenge]
    itself = next((card for card in cards if card.name == challenge), ArenaCard(challenge, colour, value, "flat"))
    in_order = [itself, *(card for card in cards if card.name != challenge)]
    places = {card.name: i for i, card in enumerate(in_order)}
    lying = [
        Lying(
            name=card.name,
            owner=card.colour,
            value=value if card is itself else card.value,
            landing=card.landing,
            face=card.face,
            rests_on=tuple(places[name] for name in card.rests_on if name in places),
            line=0,
        )
        for card in in_order
    ]
    return lying, pile_of(lying, provocateur=colour, any_passes=pile == "any")
