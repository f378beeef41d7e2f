"""Sides: two players lay a token each, left or right; same sides score for the first, different ones for the second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena_cam.domain.messages import AsRecorded, Sentence
from arena_cam.domain.observations import CardRested
from arena_cam.rules.drafts import Playing
from arena_cam.rules.game import NO_RULINGS, Game, Header, History, Kind, Legal, OneOf, Ruling, Value, standing
from arena_cam.rules.interpreting import NOTHING, Event, Interpretation, Question
from arena_cam.rules.reading import Data, refuse, word

SIDES = ("left", "right")
TO_WIN = 3
BETWEEN_MM = 10.0  # a token whose middle is nearer than this to the line may lie on either side


class SidesRuling(Sentence):
    """What is ruled."""

    POINT = "point", "A point for %(player)s."


class Setup(Value, frozen=True):
    players: tuple[str, ...]
    options: Mapping[str, Any]


class State(Playing):
    """`laid` are the sides of this round's tokens; the first one is the first player's."""

    setup: Setup
    laid: list[str]
    points: dict[str, int]
    round: int


class Lay(Value, frozen=True):
    line: int
    side: str


def prepare(header: Header) -> State:
    return State(Setup(header.players, header.options), [], dict.fromkeys(header.players, 0), 1)


def read_lay(data: Data, line: int, _history: History | None) -> Lay:
    return Lay(line, word(data, "side", SIDES))


def lay(state: State, event: Lay) -> Sequence[Ruling]:
    if _over(state):
        refuse("over", AsRecorded.AS_RECORDED(text="a token cannot come here: the game is over"))
    state.laid.append(event.side)
    if len(state.laid) < 2:
        return NO_RULINGS
    first, second = state.laid
    winner = state.setup.players[first != second]
    state.points[winner] += 1
    state.laid, state.round = [], state.round + 1
    facts = {"player": winner, "first": first, "second": second}
    return [Ruling(event.line, "point", facts, SidesRuling.POINT, "Toy rules, 1")]


def _over(state: State) -> bool:
    return max(state.points.values()) >= TO_WIN


def legal(state: State) -> list[Legal]:
    return [] if _over(state) else [Legal("lay", {"side": OneOf(SIDES)})]


def result(state: State) -> dict[str, Any]:
    awaiting = "nothing" if _over(state) else "token"
    told = {"awaiting": awaiting, "round": state.round, "to_lay": state.setup.players[len(state.laid)]}
    return standing(dict(state.points), _over(state), told)


def interpret(state: State, seen: object) -> Interpretation:
    """A token that came to rest was laid where it lies; between the sides it is asked about."""
    if not isinstance(seen, CardRested) or _over(state) or seen.lie.centre_mm is None:
        return NOTHING
    x_mm = seen.lie.centre_mm[0]
    event = {"type": "lay", "side": SIDES[x_mm > 0]}
    if abs(x_mm) >= BETWEEN_MM:
        return (Event(event),)
    answers = [(side, {"type": "lay", "side": side}, dict[str, Any]()) for side in SIDES]
    return (Question("between", event, {}, tuple(answers)),)


GAME = Game(
    name="sides",
    title="Sides (a toy)",
    source="Toy rules",
    players=range(2, 3),
    options={},
    events={"lay": Kind(Lay, frozenset({"side"}), read_lay, lay)},
    prepare=prepare,
    legal=legal,
    result=result,
    interpret=interpret,
    rulings=SidesRuling,
)
