"""Every page there is, in one table, and what is asked of each: no cut word, no jump, no finding of axe.

`test_every_page.py` holds that the table leaves no page out.
"""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

GAME = "/games/20260101-193000-7c1e"
PAGES = (
    "/", "/?kiosk", "/overlay", "/join", "/how/arena", "/how/tricks", "/how/dilemmas", "/how/hexes", "/throws",
    "/throws/t0009", "/opened/0123456789abcdef", "/games", GAME, f"{GAME}/lines/11", f"{GAME}/rounds/3", "/players",
    "/players/Anna", "/league", "/league?player=Anna&player=Daniel", "/health", "/print",
)  # fmt: skip
# What only a referee sees; everybody else is asked for the PIN there.
REFEREES_PAGES = ("/referee", "/setup", "/upkeep", "/programs", "/camera")

# Texts of which a part lies outside the nearest box that hides what overflows. A line of the lesser rulings that has no
# room wraps out of sight whole, which is no cut; left out are places that scroll or zoom, and what is only read out.
_CUT = """() => {
        const found = [];
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          if (!node.data.trim()) continue;
          const holder = node.parentElement;
          const apart = holder.closest(".sr, .skip, dialog:not([open]), [hidden], option, .arena, .film-overlay");
          if (apart || !holder.checkVisibility({visibilityProperty: true})) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          for (const rect of range.getClientRects()) {
            if (!rect.width || !rect.height) continue;
            for (let box = holder; box && box !== document.body; box = box.parentElement) {
              const style = getComputedStyle(box), clip = box.getBoundingClientRect();
              if (/(auto|scroll)/.test(style.overflow)) break;
              if (style.overflow === "visible") continue;
              const slack = rect.height * .16;
              const gone = rect.top >= clip.bottom - slack || rect.left >= clip.right - 1;
              const out = rect.bottom > clip.bottom + slack || rect.top < clip.top - slack
                || rect.right > clip.right + 1.5 || rect.left < clip.left - 1.5;
              if (out && !(gone && box.matches(".others"))) {
                found.push(`${box.className || box.tagName}: ${node.data.trim().slice(0, 60)}`);
                break;
              }
            }
          }
        }
        return [...new Set(found)];
      }"""

# Two frames: what a window's new size asks of a script is done in the first.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Counts how far things jumped; to be run before the page's own scripts. Its layout-shift entries are chromium's.
WATCH_SHIFT = """
window.shift = 0; window.shifted = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    window.shift += entry.value;
    for (const {node} of entry.sources ?? [])  // the nearest class, or what kind of thing it is
      window.shifted.push(node?.getAttribute?.("class") || node?.parentElement?.className || String(node?.nodeName));
  }
}).observe({type: "layout-shift", buffered: true});
"""
MOST_SHIFT = 0.01  # ten times less than what is called good


def cut_texts(page: Any) -> list[str]:
    """Texts that are cut on `page`, each with the box that cuts it."""
    found: list[str] = page.evaluate(_CUT)
    return found


def cut_or_beside(page: Any, width: int) -> list[str]:
    """Texts that are cut on `page`, and its width where it is wider than the window."""
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    return [*cut_texts(page), *([f"{wide} px wide"] if wide > width else [])]


def violations(page: Any, *rules: str) -> list[str]:
    """What axe-core finds against the page's accessibility, its contrast among it; or by some of its rules alone."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    options = {"resultTypes": ["violations"], "iframes": False, "preload": False}
    if rules:
        options["runOnly"] = [*rules]
    return [
        f"{found['id']}: {found['help']} {[node['html'][:120] for node in found['nodes'][:3]]}"
        for found in axe.Axe().run(page, options=options).response["violations"]
    ]


def violations_by_day_and_night(page: Any) -> list[str]:
    """What axe-core finds in the light scheme, and in the dark one, of which only the colours are others."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = [f"light: {each}" for each in violations(page)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return [*found, *(f"dark: {each}" for each in violations(page, "color-contrast"))]


def jumps(page: Any) -> list[str]:
    """What jumped on a page that ran WATCH_SHIFT, if more than a trifle did."""
    shift, names = page.evaluate("() => [window.shift, window.shifted]")
    return [f"{shift:.3f}: {', '.join(sorted(set(names)))}"] if shift > MOST_SHIFT else []


def with_everything(served: Any) -> Any:
    """`served` with an upkeep and programs that have something to show."""
    now = time.time()
    lines = [(now, "WARNING", "arena_cam: the camera gave no picture for 3 s " * 3), (now, "ERROR", "x" * 120)]
    log = [{"at": at, "level": level, "text": text} for at, level, text in lines]
    token = {"id": "1", "name": "The lamp in the hall", "scopes": ["watch", "referee"], "made": now, "used": now}
    receiver = {
        "id": "2", "kind": "webhook", "address": "http://192.168.1.20:1880/" + "table" * 20, "state": "failing",
        "why": "Connection refused", "waiting": 12,
    }  # fmt: skip
    shared = served.app.extensions["arena_cam"]
    restored = {"games": 12, "aside": "/var/lib/arena-cam.before-restore-1", "why": None}
    state = {"version": "0.2.0", "newer": "0.3.0", "started": now, "restored": restored, "log": log}
    shared.upkeep = SimpleNamespace(state=lambda: state)
    shared.programs = SimpleNamespace(snapshot=lambda: {"tokens": [token], "receivers": [receiver]})
    return served
