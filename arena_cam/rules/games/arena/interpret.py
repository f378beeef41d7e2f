"""What the eye saw, in this game's terms: a challenge, a throw, a card that moved, the end of a round, or a question.

Pure: the state of the game and what lies on the table in, events and questions out. How sure the eye must be, who is
asked and what an answer does is the referee's business. `watch`, which knows no players, asks the same function.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from msgspec.structs import replace

from arena_cam.domain.lies import Face, Landing, Lie
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, Observation
from arena_cam.rules.game import Value
from arena_cam.rules.games.arena.awaiting import Awaiting
from arena_cam.rules.games.arena.pile import CARDS, Lying
from arena_cam.rules.interpreting import NOTHING, Event, Ignored, Interpretation, Question

Json = dict[str, Any]


class OnTable(Value, frozen=True):
    """What lies on the table by the eye's keys, and how it is tied to the record.

    rested: when each came to rest, seconds of the source. lines: key -> line of the record that put the card there, for
    cards of this round, also for those out of sight. stale: keys of cards that must be gone before the next round.
    """

    lies: Mapping[str, Lie] = {}
    rested: Mapping[str, float] = {}
    lines: Mapping[str, int] = {}
    stale: frozenset[str] = frozenset()

    @property
    def inside(self) -> list[str]:
        """Keys of the cards in the arena or on its wall; what lies beside is nobody's business between rounds."""
        return [key for key, lie in self.lies.items() if lie.landing is not Landing.BESIDE]

    def after(self, seen: Observation) -> OnTable:
        """The table after what was seen."""
        match seen:
            case CardRested(at_s, lie):
                rested = self.rested if lie.key in self.lies else {**self.rested, lie.key: at_s}
                return replace(self, lies={**self.lies, lie.key: lie}, rested=rested)
            case CardMoved(_, before, lie):
                return self._called(before.key, lie)
            case CardGone(_, before):
                lies, rested = _without(self.lies, before.key), _without(self.rested, before.key)
                return replace(self, lies=lies, rested=rested, stale=self.stale - {before.key})
        return self

    def _called(self, old: str, lie: Lie) -> OnTable:
        """The card that the eye called `old` is what `lie` says, in the same place of the order."""
        lies = _renamed({**self.lies, old: lie}, old, lie.key)
        if old == lie.key:
            return replace(self, lies=lies)
        stale = frozenset(lie.key if key == old else key for key in self.stale)
        lines = _renamed(self.lines, old, lie.key)
        return OnTable(lies, _renamed(self.rested, old, lie.key), lines, stale)


class Observed(Value, frozen=True):
    """One observation, and the table as it lies after it. `what` None: the arena as a whole, at rest."""

    table: OnTable
    what: Observation | None = None


class Round(Value, frozen=True):
    """What interpreting must know of the game. `lying` are the round's cards, the challenge card first.

    `in_hand` are all cards in hands, `opening` those that may open the round, `colours` those that are played. All
    three are None where nobody said who plays: any card may be anybody's, and nobody can be told to clear the arena.
    """

    awaiting: Awaiting
    lying: tuple[Lying, ...] = ()
    in_hand: Container[str] | None = None
    opening: Container[str] | None = None
    colours: Container[str] | None = None

    def card_of(self, line: int | None) -> Lying | None:
        """The card of this round that `line` put there."""
        return next((card for card in self.lying if card.line == line), None)


def interpret(game: Round, seen: Observed) -> Interpretation:
    """What was `seen` in a game that stands so; nothing where it does not matter to the game."""
    what, table = seen.what, seen.table
    if what is None and game.awaiting == Awaiting.THROWS:
        return _swept(table)
    if what is None or (game.awaiting == Awaiting.CHALLENGE and isinstance(what, CardRested)):
        return _opening(game, table)
    if isinstance(what, CardGone):
        return _taken_back(game, table, what.before)
    if isinstance(what, CardMoved):
        return _lies_otherwise(game, table, what.lie, table.lines.get(what.lie.key))
    if isinstance(what, CardRested):
        again = seen_again(game, table, what.lie)
        return _lies_otherwise(game, table, what.lie, again) if again is not None else _thrown(game, table, what.lie)
    return NOTHING


def seen_again(game: Round, table: OnTable, lie: Lie) -> int | None:
    """The line of a card of this round that was out of sight and is seen again; None for a card that is new."""
    if lie.face is Face.UP and game.card_of(table.lines.get(lie.key)) is not None:
        return table.lines[lie.key]  # under whatever name a person gave it
    linked = {line for key, line in table.lines.items() if key in table.lies and key != lie.key}
    for card in game.lying:
        same = card.name == lie.card if lie.card is not None else card.face == "down"
        if same and card.line not in linked:
            return card.line
    return None


# --- the next round ---


def _opening(game: Round, table: OnTable) -> Interpretation:
    """The next round begins when a card that may open it lies in an otherwise empty arena."""
    inside = table.inside
    if game.awaiting != Awaiting.CHALLENGE or table.stale & set(inside) or not inside:
        return NOTHING
    able = [key for key in inside if _may_open(game, table.lies[key].card)]
    if not able:
        return _wrong_card(game, table.lies[inside[0]]) if len(inside) == 1 else NOTHING
    first = min(able, key=lambda key: (table.rested.get(key, 0.0), *_upper_and_askew(table, key, able)))
    laid_before = [key for key in inside if table.rested.get(key, 0.0) < table.rested.get(first, 0.0)]
    if laid_before and game.opening is not None:
        return NOTHING  # somebody's card lay there before: the arena was not empty
    return (Event({"type": "challenge", "card": table.lies[first].card}),)


def _may_open(game: Round, card: str | None) -> bool:
    return card is not None and (game.opening is None or card in game.opening)


def _upper_and_askew(table: OnTable, key: str, able: list[str]) -> tuple[bool, bool]:
    """Of cards that were seen at rest together, the challenge lies beneath the others, and flat."""
    lie = table.lies[key]
    return not set(able).isdisjoint(lie.rests_on), lie.landing is not Landing.FLAT


def _wrong_card(game: Round, lie: Lie) -> Interpretation:
    """One card lies in the empty arena, and it is not one that may open the round."""
    if lie.card is None:
        return (Question("turn_up"),)
    in_hand = game.in_hand is None or lie.card in game.in_hand
    return (Question("wrong_provocateur" if in_hand and _is_played(game, lie.card) else _why_not(game, lie.card)),)


def _why_not(game: Round, card: str) -> str:
    """Why a card that is in nobody's hand cannot be there."""
    return "out_of_game" if _is_played(game, card) else "not_in_game"


def _is_played(game: Round, card: str) -> bool:
    return game.colours is None or (card in CARDS and CARDS[card][0] in game.colours)


# --- throws ---


def _thrown(game: Round, table: OnTable, lie: Lie) -> Interpretation:
    """A card that was not there before. One that cannot be in a hand is a question, or a won card laid beside."""
    if game.awaiting != Awaiting.THROWS:
        return (Ignored(),)  # too late
    event = throw_of(game, table, lie)
    if game.in_hand is None or lie.card is None or lie.card in game.in_hand:
        return (Event(event),)
    if lie.landing is Landing.BESIDE:
        return (Ignored(),)
    lies_there = _is_played(game, lie.card) and any(card.name == lie.card for card in game.lying)
    return (Question("twice" if lies_there else _why_not(game, lie.card), event),)


def throw_of(game: Round, table: OnTable, lie: Lie) -> Json:
    """The event that says how `lie` came to rest."""
    return {
        "type": "throw",
        "card": lie.card if lie.face is Face.UP else None,
        "landing": (lie.landing or Landing.FLAT).value,
        "face": lie.face.value,
        "rests_on": _names_beneath(game, table, lie),
    }


def _names_beneath(game: Round, table: OnTable, lie: Lie) -> list[str]:
    """What the record calls the cards of this round that `lie` rests on."""
    beneath = (game.card_of(table.lines.get(key)) for key in lie.rests_on)
    return [card.name for card in beneath if card is not None]


def _lies_otherwise(game: Round, table: OnTable, lie: Lie, line: int | None) -> Interpretation:
    """What of a card of this round differs from what the record says. How the challenge card lies does not matter."""
    card = game.card_of(line)
    if card is None or game.awaiting != Awaiting.THROWS:
        return NOTHING
    differs: Json = {}
    challenge = card is game.lying[0]
    if lie.landing is not None and lie.landing.value != card.landing and not challenge:
        differs["landing"] = lie.landing.value
    if lie.face.value != card.face:
        differs["face"] = lie.face.value
    rests_on = _names_beneath(game, table, lie)
    if {game.lying[place].name for place in card.rests_on} != set(rests_on) and not challenge:
        differs["rests_on"] = rests_on
    if not differs:
        return NOTHING
    moved = Event({"type": "moved", "card": card.name} | differs)
    if lie.face is Face.UP and lie.card is not None and card.name.startswith("?"):
        named = {"type": "amend", "line": card.line, "set": {"card": lie.card}, "reason": "turned over"}
        return (Event(named), moved)
    return (moved,)


def _taken_back(game: Round, table: OnTable, lie: Lie) -> Interpretation:
    """Somebody took a thrown card back before the challenge was closed: whether it counts, a person must say."""
    card = game.card_of(table.lines.get(lie.key))
    if game.awaiting != Awaiting.THROWS or card is None or card is game.lying[0] or lie.key in table.lies:
        return NOTHING
    return (Question("taken_back"),)


def _swept(table: OnTable) -> Interpretation:
    """All of the round's cards were taken away: nobody throws any more."""
    if not table.lines or set(table.lines) & set(table.lies):
        return NOTHING
    return (Event({"type": "close", "why": "swept"}),)


def _without(by_key: Mapping[str, Any], gone: str) -> dict[str, Any]:
    return {key: value for key, value in by_key.items() if key != gone}


def _renamed(by_key: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    return {(new if key == old else key): value for key, value in by_key.items()}
