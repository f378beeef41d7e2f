"""English sentences of the rooms below, said in the page's language.

Those rooms speak to programs and logs too and know no languages; their sentences are fixed but for the words filled in.
So a page knows each sentence by its message and finds the words in it again. A word is translated by what it is called
in the message: `card` and `card_2` are names of cards, `landing` is how one lies, `reason` is such a sentence itself.
A sentence that is not known is said as it came: never nothing. A test holds that all of them are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from arena_cam.web.words.language import Translate

Say = Callable[[str, Translate], str]
_PLACE = re.compile(r"%\((\w+)\)s")


class Sentences:
    """The sentences of `messages`. `words` says how what stands in a place of that name is translated."""

    def __init__(self, messages: Iterable[str], words: Mapping[str, Say]) -> None:
        self.messages = tuple(messages)
        self._words = dict(words)
        # the most words of its own first: "it may be %(card)s instead of %(landing)s" before "it may be %(card)s"
        by_length = sorted(self.messages, key=lambda message: -len(_PLACE.sub("", message)))
        self._patterns = [(message, _pattern(message)) for message in by_length]

    def knows(self, text: str) -> bool:
        """Whether `text` is one of the sentences, or several with "; " between them."""
        return self._found(text) is not None or all(self._found(part) for part in text.split("; "))

    def say(self, text: str, _: Translate) -> str:
        """`text` in the language of `_`."""
        parts = text.split("; ")
        if len(parts) > 1 and all(self._found(part) for part in parts):
            return _("; ").join(self._said(part, _) or part for part in parts)
        return self._said(text, _) or text

    def _said(self, text: str, _: Translate) -> str | None:
        found = self._found(text)
        if found is None:
            return None
        message, words = found
        values = {name: self._word(name, word, _) for name, word in words.items()}
        return _(message, **values) if values else _(message)

    def _found(self, text: str) -> tuple[str, dict[str, str]] | None:
        for message, pattern in self._patterns:
            match = pattern.fullmatch(text)
            if match is not None:
                return message, match.groupdict()
        return None

    def _word(self, name: str, word: str, _: Translate) -> str:
        kind = name.partition("_")[0]
        if kind == "reason":
            return self.say(word, _)
        return self._words[kind](word, _) if kind in self._words else word


def _pattern(message: str) -> re.Pattern[str]:
    parts = _PLACE.split(message)
    return re.compile(
        "".join(
            f"(?P<{part}>.+?)" if place % 2 else re.escape(part.replace("%%", "%")) for place, part in enumerate(parts)
        ),
        re.DOTALL,
    )
