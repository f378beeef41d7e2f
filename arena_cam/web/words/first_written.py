"""What a line of a record said before it was corrected, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena_cam.formats.wording import capital
from arena_cam.web.words.events import event_in_words, value_said
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import Words

Json = Mapping[str, Any]


def first_written(written: Json, event: Json, _: Translate, words: Words) -> str:
    """The sentence of `written`; where `event`, which stands now, has the same, the places in which they differ.

    A round of boards, for instance, is one sentence whatever lies on them: "Anna B3 1-3-7".
    """
    sentence = event_in_words(written, _, words)
    if sentence != event_in_words(event, _, words):
        return capital(sentence)
    places = (" ".join([*place[1:], value_said(value, _, words)]) for place, value in _differing(written, event))
    return ", ".join(places) or capital(sentence)


def _differing(before: Json, after: Json, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The innermost values of `before` that `after` has otherwise, each with the keys that lead to it."""
    for key, value in before.items():
        other = after.get(key)
        if isinstance(value, Mapping) and isinstance(other, Mapping):
            yield from _differing(value, other, (*place, key))
        elif value != other:
            yield (*place, key), value
