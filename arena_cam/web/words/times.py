"""Moments as the page's language writes them, in the time zone of the program's machine.

A browser elsewhere shows them in its own zone (static/js/times.js). At home both agree, and nothing on a page moves.
"""

from __future__ import annotations

from datetime import UTC, datetime

from babel.dates import format_date, format_time
from markupsafe import Markup

_LOCALES = {"en": "en_GB"}  # day before month, as everywhere but in one country
_TITLE = "%Y-%m-%d %H:%M"  # what a game is called that nobody gave a title


def moment(seconds: float, language: str, day: bool = True) -> Markup:
    """A <time> element for seconds since 1970: day and minute, or without the `day` the time to the second.

    `data-time` holds how many minutes the text is ahead of UTC, for browsers to compare with their own.
    """
    at, locale = datetime.fromtimestamp(seconds).astimezone(), _LOCALES.get(language, language)
    time = format_time(at, "short" if day else "medium", locale=locale)
    text = f"{_day(at, locale)}, {time}" if day else time
    offset = at.utcoffset()
    ahead_min = round(offset.total_seconds() / 60) if offset is not None else 0
    exact = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Markup('<time datetime="{}" data-time="{}">{}</time>').format(exact, ahead_min, text)


def day_as_title(title: str, language: str) -> str | None:
    """The title of a game that is called after the minute in which it began, as `language` writes it; None: it has
    another title."""
    try:
        at = datetime.strptime(title, _TITLE)
    except ValueError:
        return None
    locale = _LOCALES.get(language, language)
    return f"{_day(at, locale)}, {format_time(at, 'short', locale=locale)}" if at.strftime(_TITLE) == title else None


def _day(at: datetime, locale: str) -> str:
    return format_date(at, "medium", locale=locale)
