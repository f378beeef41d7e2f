"""How long things take after a choice was made in secret, and how much they are: neither may tell which it was.

One player changes her mind many times, in no order, and everything is timed each time. Whatever else this machine does
falls on all choices alike. How well a time tells the choice is the share of pairs in which the one took longer than the
other (the area under the ROC curve): one half where it tells nothing, whatever the times are.
"""

from __future__ import annotations

import math
import random
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attacks.secrets import SECRETS
from web.test_security import headers

# What somebody else can ask for at once, and what the phone itself hears.
ASKED_FOR = ("/api/state", "/join", "/api/regions/scoreboard", "/api/health")

Times = Mapping[str, Mapping[str, Sequence[float]]]  # place -> choice -> seconds


@dataclass
class Measured:
    """`seconds` and `sizes` (bytes; of the answer to the choice itself, and of the pages) by place and choice."""

    seconds: dict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    sizes: dict[str, dict[str, set[int]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    told: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))


def measured(
    folder: Path, rounds: int, seed: int = 1, choosing: Callable[[str], None] = lambda _: None, game: str = "arena"
) -> Measured:
    """Chooses `rounds` times; `choosing` is called with the choice in the midst of it."""
    found, chance = Measured(), random.Random(seed)
    begin, choices = SECRETS[game]
    with begin(folder, choices[0]) as (played, phone):
        stranger, sent = phone.application.test_client(), headers(phone)
        act = played.session.act

        def acting(action: str, args: Mapping[str, Any], who: str) -> Any:
            choosing(str(args.get("choice")))
            return act(action, args, who)

        played.session.act = acting
        for _ in range(rounds):
            choice = chance.choice(choices)
            version = played.session.snapshot()["version"]
            body = {"choice": choice}
            _timed(found, "choosing", choice, lambda: phone.post("/api/seat/choice", json=body, headers=sent))  # noqa: B023
            found.told[choice].add(played.session.snapshot()["version"] - version)
            for place in ASKED_FOR:
                _timed(found, place, choice, lambda: stranger.get(place))  # noqa: B023
    return found


def _timed(found: Measured, place: str, choice: str, ask: Callable[[], Any]) -> None:
    began = time.perf_counter()
    answer = ask()
    found.seconds[place][choice].append(time.perf_counter() - began)
    assert answer.status_code == 200
    if place != "/api/health":  # it counts seconds and bytes of its own
        found.sizes[place][choice].add(len(answer.data))


def telling(one: Sequence[float], other: Sequence[float]) -> float:
    """The share of pairs in which `other` took longer; ties count half."""
    ordered = sorted(one)
    shorter = sum(bisect_left(ordered, each) + bisect_right(ordered, each) for each in other)
    return shorter / (2 * len(one) * len(other))


def surprise(one: Sequence[float], other: Sequence[float]) -> float:
    """By how many standard deviations `telling` is off one half, were the two alike (Mann and Whitney 1947)."""
    spread = math.sqrt((len(one) + len(other) + 1) / (12 * len(one) * len(other)))
    return abs(telling(one, other) - 0.5) / spread
