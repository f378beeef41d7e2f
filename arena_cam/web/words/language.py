"""The page's language: chosen on the page, else the browser's, else English; sentences from the catalogues."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from babel import Locale
from babel.numbers import format_decimal, get_decimal_symbol
from flask import request, session

from arena_cam.formats.wording import sentences

LANGUAGES = {"en": "English", "fr": "Français", "is": "Íslenska"}
Translate = Callable[..., str]

# French puts a space before these, and no line may break there. Catalogues hold plain spaces, which translators see.
_BREAKABLE = re.compile(r" (?=[:;?!]|%%)")

# A number, or a size such as "53.98 x 85.6", with a decimal point in it.
_DECIMAL = re.compile(r"(?=.*\.)-?\d+(?:\.\d+)?(?: x \d+(?:\.\d+)?)*")
# First words of the names of values that may look like a number and are none: people, files, versions, addresses.
_CALLED = frozenset(
    ["player", "players", "winner", "name", "names", "who", "title", "event", "reason", "text"]
) | frozenset(["file", "path", "folder", "version", "newer", "port", "host", "address"])


@lru_cache
def translator(language: str) -> Translate:
    """A function from an English message and its named values to the sentence in `language`.

    A message that has no translation is shown in English; a test holds that there is none.
    """
    messages: Mapping[str, str] = sentences(language)
    if language == "fr":
        messages = {message: _BREAKABLE.sub("\N{NO-BREAK SPACE}", text) for message, text in messages.items()}

    point = get_decimal_symbol(language)

    def translate(message: str, **values: object) -> str:
        text = messages.get(message) or message
        if not values:
            return text.replace("%%", "%")
        return text % {name: _written(name, value, point) for name, value in values.items()}

    return translate


def _written(name: str, value: object, point: str) -> object:
    """A value as the language writes it: "0.8" with its own decimal point. What things are called stays as it is."""
    if point != "." and isinstance(value, str | float) and name.partition("_")[0] not in _CALLED:
        return str(value).replace(".", point) if _DECIMAL.fullmatch(str(value)) else value
    return value


WRITTEN_OUT = 1e12  # a float has its digits up to a hundred times as much


def decimal(value: float, digits: int | None, language: str) -> str:
    """A number with so many decimals, as `language` writes it; None: as many of its six digits as it needs, as a length
    that was typed. One that cannot have been measured: its power of ten."""
    if abs(value) >= WRITTEN_OUT:
        return f"{value:.1e}"
    if digits is None:
        return f"{value:g}".replace(".", get_decimal_symbol(language))
    pattern = "0." + "0" * digits if digits else "0"
    return format_decimal(round(value, digits), pattern, locale=language)


Counted = Callable[..., str]


def counter(language: str) -> Counted:
    """A function that says a number of things: the sentence for one or the one for many, as `language` counts.

    Both have a place %(count)s.
    """
    translate, form = translator(language), Locale(language).plural_form

    def counted(one: str, many: str, count: int) -> str:
        return translate(one if form(count) == "one" else many, count=count)

    return counted


def page_language() -> str:
    """The language of this request; `?lang=` chooses it for later pages too."""
    asked = request.args.get("lang", "")
    if asked in LANGUAGES:
        session["lang"] = asked
        return asked
    chosen = session.get("lang")
    if chosen in LANGUAGES:
        return str(chosen)
    return request.accept_languages.best_match(list(LANGUAGES), default="en") or "en"


THEMES = ("auto", "light", "dark")


def page_theme() -> str:
    """The theme: light, dark, or that of the browser; `?theme=` sets it for later pages, too."""
    asked = request.args.get("theme", "")
    if asked in THEMES:
        session["theme"] = asked
        return asked
    chosen = session.get("theme", "auto")
    return chosen if chosen in THEMES else "auto"
