"""Names of players as people read them: no two in one game may look the same on a scoreboard."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.referee.messages import Refusal
from arena_cam.rules.messages import RuleRefusal


def as_read(name: str) -> str:
    """What a reader takes a name for: without regard to case, to spaces and to how Unicode writes its letters.

    NFKC makes one of a letter with its accent and of both apart, of wide letters and ordinary ones (Unicode Standard
    Annex 15); folding can bring about what it would compose anew, so it comes before and after.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())


def refuse_names_alike(players: Any) -> None:
    """Raises Refused where two of a header's `players`, not yet checked, are read as the same name.

    Only for games that begin here: a record may hold what its writer told apart.
    """
    before: dict[str, str] = {}
    for name in _names(players):
        read = as_read(name)
        if before.get(read) == name:
            raise Refused("bad_argument", RuleRefusal.NAME_TWICE(name=name))
        if read in before:
            raise Refused("bad_argument", Refusal.NAMES_ALIKE(first=before[read], second=name))
        before[read] = name


def _names(players: Any) -> Iterator[str]:
    for entry in players if isinstance(players, list) else []:
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and name.strip():
            yield name
