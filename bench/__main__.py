"""Every measurement in turn, each in a process of its own: what one leaves in memory does not speed up the next.

Run: python -m bench, or make bench. Some thirty-five minutes; one measurement alone takes its own options. What a
learned deck is worth takes twelve more and is asked for by name: python -m bench.learned_deck.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

# Less than each does by default where that alone would take ten minutes.
MEASUREMENTS = {
    "score_speed": ["--games", "400"],
    "quiet_frame": [],
    "watch_cpu": [],
    "judging": ["--made", "4", "4"],
    "board_speed": [],
    "dilemma_speed": [],
    "decks_unlike": [],
    "kills": ["50"],
    "full_disks": ["20"],
    "mutated_files": ["5000"],
    "picture_kinds": ["40"],
    "api_calls": ["1500"],
    "secret_pictures": ["200"],
    "wrong_scenes": [],
    "slow_clients": [],
    "viewers": [],
    "page_delay": [],
    "many_games": [],
    "memory": ["--minutes", "3"],
    "long_evening": [],
}


def main() -> int:
    """0 when every measurement came to its end; what it measured stands in its own line, beside its bar."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures speed, memory and accuracy.")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"only these: {', '.join(MEASUREMENTS)}")
    names = parser.parse_args().names or list(MEASUREMENTS)
    unknown = sorted(set(names) - set(MEASUREMENTS))
    if unknown:
        parser.error(f"no measurement is called {unknown[0]}; python -m bench --help lists them")
    failed, begin = [], time.monotonic()
    for number, name in enumerate(names, 1):
        minutes = (time.monotonic() - begin) / 60
        print(f"== {number} of {len(names)}, after {minutes:.0f} min: {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{name}", *MEASUREMENTS[name]], check=False).returncode:
            failed.append(name)
    if failed:
        print(f"did not come to its end, or found a fault: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
