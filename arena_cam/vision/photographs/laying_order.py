"""In which order cards were laid: the one order of all of them that explains best what each pair shows.

Cards are laid one after another, so who lies over whom has no circles. What a pair shows depends on what lies over
both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

# By how many nats what is seen is likelier if card a lies over card b than the other way round, where the cards of the
# bits of the last number lie over a; for b over a it is the opposite.
Support = Callable[[int, int, int], float]

MOST_CARDS = 8  # all sets of more take too long: 2^8 sets of 8 cards are 2048 steps


def margins(count: int, pairs: list[tuple[int, int]], support: Support) -> dict[tuple[int, int], float]:
    """By how many nats the best order of `count` cards with (upper, lower) explains more than the best with that pair
    reversed: for each of `pairs`, the way round that is likelier."""
    if count > MOST_CARDS:
        return dict(_the_likelier(a, b, support(a, b, 0)) for a, b in pairs)
    near = _neighbours(count, pairs)

    @cache
    def gain(card: int, above: int) -> float:
        """What is explained by laying `card` just beneath the cards `above`."""
        return sum(support(card, other, above) for other in near[card] if not above >> other & 1) / 2

    everyone = (1 << count) - 1
    down, up = _best_above(count, gain), _best_below(count, gain)
    found: dict[tuple[int, int], float] = {}
    for a, b in pairs:
        with_a, with_b = (
            max(down[s] + up[s] for s in range(everyone + 1) if s >> one & 1 and not s >> other & 1)
            for one, other in ((a, b), (b, a))
        )
        found.update([_the_likelier(a, b, with_a - with_b)])
    return found


def _the_likelier(a: int, b: int, nats: float) -> tuple[tuple[int, int], float]:
    return ((a, b), nats) if nats >= 0 else ((b, a), -nats)


def _neighbours(count: int, pairs: list[tuple[int, int]]) -> Mapping[int, list[int]]:
    near: dict[int, list[int]] = {n: [] for n in range(count)}
    for a, b in pairs:
        near[a].append(b)
        near[b].append(a)
    return near


def _best_above(count: int, gain: Callable[[int, int], float]) -> list[float]:
    """For each set of cards (bits) what its best order explains if they lie over all others."""
    best = [0.0] + [float("-inf")] * ((1 << count) - 1)
    for above in range(1 << count):
        for card in range(count):
            if not above >> card & 1:
                larger = above | 1 << card
                best[larger] = max(best[larger], best[above] + gain(card, above))
    return best


def _best_below(count: int, gain: Callable[[int, int], float]) -> list[float]:
    """For each set of cards (bits) what the best order of all others explains if those lie beneath the set."""
    everyone = (1 << count) - 1
    best = [0.0] * (everyone + 1)
    for above in range(everyone - 1, -1, -1):
        best[above] = max(best[above | 1 << card] + gain(card, above) for card in range(count) if not above >> card & 1)
    return best
