"""What a correction would change, in the page's language: words beside the codes that the referee answers."""

from __future__ import annotations

from typing import Any

from arena_cam.referee.interface import RulingSnapshot
from arena_cam.web.words.forms import forms_said
from arena_cam.web.words.language import Translate
from arena_cam.web.words.said import doubts_said
from arena_cam.web.words.wording import Words, capital, ruling_sentence

Json = dict[str, Any]


def preview_in_words(answer: Json, _: Translate, words: Words) -> Json:
    """`answer` of a preview with `said_before` and `said_after` in each change, and what is impossible translated."""
    if "changed" not in answer:
        return answer
    changed = [
        each | {"said_before": _said(each["before"], _, words), "said_after": _said(each["after"], _, words)}
        for each in answer["changed"]
    ]
    impossible = answer.get("impossible")
    if impossible:
        impossible = impossible | {
            "text": capital(_("; ").join(doubts_said(impossible, _))),
            "forms": forms_said(impossible.get("may_come", []), _, words),
        }
    return answer | {"changed": changed, "impossible": impossible}


def _said(ruling: Json | None, _: Translate, words: Words) -> str | None:
    if ruling is None:
        return None
    snapshot: RulingSnapshot = {
        "line": ruling["line"],
        "code": ruling["code"],
        "card": ruling.get("card"),
        "player": ruling.get("player"),
        "text": ruling["text"],
        "rule": ruling.get("rule", ""),
        "details": ruling,
    }
    return ruling_sentence(snapshot, snapshot["card"], snapshot["player"], _, words)
