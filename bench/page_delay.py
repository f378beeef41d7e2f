"""How long after the rules have spoken their ruling stands on an open page, in a real browser.

Run: python -m bench.page_delay [--seconds 90]. The simulated table plays; the page notes when each ruling that is
announced appears in it, and the server says when it was made, before it was written to disk. Bar: 0.5 s.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import time
import urllib.request

from playwright.sync_api import sync_playwright

from bench.simulated_referee import simulated_referee

BAR_S = 0.5
# What the page came with was not waited for.
NOTES_WHEN_SHOWN = """() => {
  const announced = () => document.querySelector('[data-announcement]')?.dataset.announcement;
  const first = announced();
  window.shown = {};
  new MutationObserver(() => {
    const id = announced();
    if (id !== undefined && id !== first) window.shown[id] ??= Date.now() / 1000;
  }).observe(document.body, {subtree: true, childList: true});
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90.0)
    args = parser.parse_args()
    with simulated_referee() as (_, url):
        delays = delays_s(url, args.seconds)
    if not delays:
        sys.exit("page_delay: no ruling was announced; let it run for longer with --seconds")
    late = sum(delay > BAR_S for delay in delays)
    print(
        f"page_delay: {len(delays)} rulings, on the page after {statistics.median(delays):.2f} s (median), "
        f"the slowest after {max(delays):.2f} s; {late} later than the bar of {BAR_S} s"
    )


def delays_s(url: str, seconds: float) -> list[float]:
    """From each ruling announced while `seconds` passed to its place on the page."""
    made: dict[str, float] = {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(url)
        page.evaluate(NOTES_WHEN_SHOWN)
        page.wait_for_timeout(1000)  # until its stream is open
        listening = time.time()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            page.wait_for_timeout(300)  # an announcement stands longer than that
            with urllib.request.urlopen(f"{url}/api/state", timeout=30) as answer:
                announcement = json.load(answer)["announcement"]
            if announcement is not None:
                made[str(announcement["id"])] = float(announcement["at"])
        shown: dict[str, float] = page.evaluate("() => window.shown")
        browser.close()
    return [at - made[number] for number, at in shown.items() if made.get(number, 0.0) > listening]


if __name__ == "__main__":
    main()
