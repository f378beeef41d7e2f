"""Calls of a generator that knows only the API's description, with and without the PIN: none may end in a 500.

python -m bench.api_calls [CALLS] [FIRST]      50,000 by default, twenty minutes; FIRST: the first round's number

The rounds are evenings of all games in turn, and a table that is being set up.

An answer that is not described is a fault, too. Each call that is made up is sent three times: by a stranger, by a
phone that has a seat, and by the referee.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from attacks.api_calls import call
from attacks.evenings import EVENINGS
from bench.how_many import how_many

AT_A_TIME = 3000  # with a data folder of their own


def main(calls: int, first: int) -> int:
    began, made = time.monotonic(), 0
    answers: Counter[int] = Counter()
    faults: Counter[str] = Counter()
    number = first - 1
    while made < calls:
        number += 1
        with tempfile.TemporaryDirectory(prefix="arena-cam-calls-") as folder:
            game = list(EVENINGS)[number % len(EVENINGS)]
            outcome = call(Path(folder), min(AT_A_TIME, calls - made), number, game)
        made += outcome.calls
        answers += outcome.answers
        faults += outcome.faults
    for fault, times in faults.most_common():
        print(f"{times} times {fault}", flush=True)
    told = ", ".join(f"{status}: {times}" for status, times in sorted(answers.items()))
    print(f"{made} calls, answered {told}; {faults.total()} faults, {time.monotonic() - began:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    asked = how_many("CALLS", 50_000, 1).parse_args()
    sys.exit(main(asked.count, asked.first))
