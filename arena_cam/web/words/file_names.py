"""Names of files that are handed out: what is in them, whose it is, and from when."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

LONGEST_WORD = 40
# Letters of the pages' languages that do not come apart into a letter and its accent.
_LETTERS = str.maketrans(
    {"ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "æ": "ae", "Æ": "Ae", "ø": "o", "œ": "oe", "ß": "ss"}
)


def file_name(words: tuple[str, ...], at: float, suffix: str) -> str:
    """ "sunday-evening-record-2026-11-22.jsonl": plain letters that need no quoting; `at` in seconds since 1970."""
    told = [_plain(word) for word in words]
    day = datetime.fromtimestamp(at).strftime("%Y-%m-%d")
    return "-".join(word for word in (*told, day) if word) + suffix


def _plain(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word.translate(_LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters.lower())[:LONGEST_WORD].strip("-")
