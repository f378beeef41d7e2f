"""Points over the rounds as lines for a template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640.0, 260.0
# Room for the axes' numbers: four digits in any font are up to 36 wide, and stand 8 beside the axis.
LEFT, RIGHT, TOP, BOTTOM = 48.0, 16.0, 14.0, 30.0
MOST_TICKS = 5
DASHES = 5  # as many as the style sheet has, `.l0` to `.l4`


@dataclass(frozen=True)
class Line:
    """One player's points: `points` for a polyline, `end` its last place, `seat` from 0.

    `look` names the line's classes: its dashes, and the player's own colour where there is one. From the sixth line on
    the dashes of the first ones come again, thinner.
    """

    player: str
    seat: int
    look: str
    points: str
    end: tuple[float, float]
    total: int


@dataclass(frozen=True)
class Chart:
    """`ticks_y` are (place, points), `ticks_x` (place, round)."""

    width: float
    height: float
    left: float
    right: float
    bottom: float
    lines: tuple[Line, ...]
    ticks_y: tuple[tuple[float, int], ...]
    ticks_x: tuple[tuple[float, int], ...]


def points_chart(
    by_round: Sequence[Mapping[str, int]], players: Sequence[str], colours: Mapping[str, str] | None = None
) -> Chart | None:
    """The chart of a game of at least one round, else None. `colours` by player, of those who have one."""
    if not by_round:
        return None
    rounds = len(by_round)
    most = max([1, *(score for scores in by_round for score in scores.values())])

    def at(round_: int, points: int) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * round_ / rounds
        return round(x, 1), round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * points / most, 1)

    lines = []
    for seat, player in enumerate(players):
        scores = [0, *(scores.get(player, 0) for scores in by_round)]
        places = [at(index, score) for index, score in enumerate(scores)]
        look = _look(seat, (colours or {}).get(player))
        lines.append(Line(player, seat, look, " ".join(f"{x},{y}" for x, y in places), places[-1], scores[-1]))
    step_y, step_x = _step(most), _step(rounds)
    return Chart(
        WIDTH,
        HEIGHT,
        LEFT,
        WIDTH - RIGHT,
        HEIGHT - BOTTOM,
        tuple(lines),
        tuple((at(0, value)[1], value) for value in range(0, most + 1, step_y)),
        tuple((at(value, 0)[0], value) for value in range(0, rounds + 1, step_x)),
    )


def _look(seat: int, colour: str | None) -> str:
    turn, dashes = divmod(seat, DASHES)
    return f"l{dashes}{' again' if turn else ''}{f' c-{colour}' if colour else ''}"


def _step(most: int) -> int:
    """The round number between ticks: 1, 2 or 5 times a power of ten, for at most five of them."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if most / (size * factor) <= MOST_TICKS:
                return size * factor
        size *= 10
