"""Resident memory of a playing `arena-cam referee sim` with pages open, minute by minute.

Run: python -m bench.memory [--minutes 10]. Scoreboards hang on, the live picture is fetched with everything drawn over
it, and throws are judged again. Bars: at most 350 MB at any time, and flat: the last third no higher than the second by
more than 5 %.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from bench.simulated_referee import simulated_referee
from bench.viewers import Viewers

BAR_MB = 350.0
FLAT = 1.05
VIEWERS = 10
PIN = "135790"
PICTURE = "/api/live.jpg?layers=outlines,names,tilt,boundary,fiducials"
PAGES = ("/", "/join", "/throws", "/games", "/health")


def resident_mb(pid: int) -> tuple[float, float]:
    """(now, highest so far)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    now, high = (re.search(rf"{name}:\s+(\d+) kB", status) for name in ("VmRSS", "VmHWM"))
    assert now is not None
    assert high is not None
    return int(now[1]) / 1024, int(high[1]) / 1024


class RefereeDesk:
    """A browser that is logged in as the referee."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.post("/login", f"csrf={self._token()}&pin={PIN}".encode(), "application/x-www-form-urlencoded")

    def get(self, path: str) -> bytes:
        with self._browser.open(self._url + path, timeout=60) as answer:
            content: bytes = answer.read()
        return content

    def _token(self) -> str:
        found = re.search(rb'name="csrf-token" content="([^"]+)"', self.get("/"))
        assert found is not None
        return found[1].decode()

    def post(self, path: str, body: bytes = b"{}", kind: str = "application/json") -> None:
        headers = {"X-CSRF-Token": self._token(), "Content-Type": kind}
        with self._browser.open(urllib.request.Request(self._url + path, body, headers), timeout=120) as answer:
            answer.read()

    def judge_newest_again(self) -> None:
        throws = re.findall(rb'href="/throws/([\w-]+)"', self.get("/throws"))
        if throws:
            self.post(f"/api/throws/{throws[0].decode()}/judge-again")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    args = parser.parse_args()
    with simulated_referee("--pin", PIN) as (pid, url):
        return measure(pid, url, args.minutes)


def measure(pid: int, url: str, minutes: float) -> int:
    """Prints one line; 0 if both bars are met."""
    viewers, desk = Viewers(url, VIEWERS), RefereeDesk(url)
    until = time.monotonic() + 60 * minutes
    samples = []
    while time.monotonic() < until:
        viewers.listen(4.0)
        viewers.heard.clear()
        for page in (*PAGES, *[PICTURE] * 3):
            desk.get(page)
        samples.append(resident_mb(pid)[0])
        if len(samples) % 12 == 0:
            desk.judge_newest_again()
    third = len(samples) // 3
    second, last = (sum(part) / len(part) for part in (samples[third : 2 * third], samples[2 * third :]))
    high = resident_mb(pid)[1]
    flat = last <= FLAT * second
    print(
        f"memory of the referee over {minutes:g} min with {VIEWERS} scoreboards: {samples[0]:.0f} MB at first, "
        f"{second:.0f} in the second third, {last:.0f} in the last ({'flat' if flat else 'growing'}), "
        f"highest {high:.0f} (bar {BAR_MB:g})"
    )
    return 0 if flat and high <= BAR_MB else 1


if __name__ == "__main__":
    sys.exit(main())
