"""No page cuts a word: on a laptop, a television and a phone, in two languages, every text lies whole in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from web.conftest import log_in
from web.scripted_session import ScriptedSession, duel_scene, over_scene, question_scene, throws_scene
from web.test_pages import PAGES

# Texts of which a part lies outside the nearest box that hides what overflows. A line of the lesser rulings that has no
# room wraps out of sight whole, which is no cut; places that scroll, and what is only read out, are left out.
CUT = """() => {
        const found = [];
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          if (!node.data.trim()) continue;
          const holder = node.parentElement;
          const apart = holder.closest(".sr, .skip, dialog:not([open]), [hidden], option, .arena");
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
SIZES = [(1366, 768), (1920, 1080), (390, 844)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_text_is_cut_on_any_page(serve: Any, new_page: Callable[..., Any], width: int, height: int) -> None:
    session = ScriptedSession(throws_scene())
    url = serve(session).url
    page = new_page(width, height)
    log_in(page, url)
    cut: list[tuple[Any, ...]] = []
    for language in ("en", "fr"):
        for path in (*PAGES, "/referee"):
            page.goto(f"{url}{path}?lang={language}")
            cut += [(language, path, each) for each in page.evaluate(CUT)]
        for scene in (duel_scene(), question_scene(), over_scene()):
            session.show(scene)
            for path in ("/", "/join", "/referee"):
                page.goto(f"{url}{path}?lang={language}")
                cut += [(language, path, scene["game"]["awaiting"], each) for each in page.evaluate(CUT)]
        session.show(throws_scene())
    assert cut == []
