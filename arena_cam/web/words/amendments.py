"""The changes that a correction would make, in the page's language: words beside the codes that the referee answers."""

from __future__ import annotations

from typing import Any

from arena_cam.formats.wording import capital
from arena_cam.web.words.events import event_in_words
from arena_cam.web.words.forms import forms_said
from arena_cam.web.words.language import Translate
from arena_cam.web.words.said import doubts_said, ruling_sentence
from arena_cam.web.words.wording import Words

Json = dict[str, Any]


def preview_in_words(answer: Json, game: str, _: Translate, words: Words) -> Json:
    """`answer` of a preview in the game called `game`, with `said_before` and `said_after` in each change and step.

    What is impossible is translated.
    """
    if "changed" not in answer:
        return answer
    changed = [
        each
        | {f"said_{when}": ruling_sentence(each[when], game, _) if each[when] else None for when in ("before", "after")}
        for each in answer["changed"]
    ]
    steps = [
        each
        | {
            f"said_{when}": capital(event_in_words(each[when], _, words)) if each[when] else None
            for when in ("before", "after")
        }
        for each in answer.get("steps", [])
    ]
    impossible = answer.get("impossible")
    if impossible:
        impossible = impossible | {
            "text": capital(_("; ").join(doubts_said(impossible, _))),
            "forms": forms_said(impossible.get("may_come", []), _, words),
        }
    return answer | {"changed": changed, "steps": steps, "impossible": impossible}
