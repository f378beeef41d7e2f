"""Files that are handed out say by their names what is in them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena_cam.web.words.file_names import file_name
from web.scripted_session import ScriptedSession, throws_scene

NOON = 1795348800.0  # 2026-11-22 12:00 UTC


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("Sunday evening", "record"), "sunday-evening-record-2026-11-22.jsonl"),
        (("Guðrún & Þór", "points"), "gudrun-thor-points-2026-11-22.jsonl"),
        (('../"a"\r\nb', ""), "a-b-2026-11-22.jsonl"),
        (("日本", ""), "2026-11-22.jsonl"),
        (("a" * 300, ""), "a" * 40 + "-2026-11-22.jsonl"),
    ],
)
def test_a_name_is_of_plain_letters_and_has_the_day(words: tuple[str, ...], expected: str) -> None:
    assert file_name(words, NOON, ".jsonl") == expected


def test_what_is_downloaded_is_named_after_what_is_in_it(serve: Any) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    game, throw = (client.get(f"/api/{kind}").json[0]["id"] for kind in ("games", "throws"))
    for address, what in (
        (f"games/{game}/record.jsonl", r"\w-record\.jsonl"),
        (f"games/{game}/scores.csv", r"\w-points\.csv"),
        (f"throws/{throw}/export.zip", r"filename=\"throw-[a-z0-9-]+\d{4}-\d\d-\d\d\.zip"),
    ):
        assert re.search(what, client.get(f"/api/{address}").headers["Content-Disposition"]), address
