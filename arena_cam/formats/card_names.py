"""The names of cards as people type them, and as they name the files of photographs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena_cam.domain.colours import COLOURS
from arena_cam.domain.errors import BadInput
from arena_cam.formats.messages import SetTrouble

BACK_NAME = "back"
# The arena game's: fifty cards, ten of each of five colours.
ARENA_NAMES = tuple(f"{colour}-{value}" for colour in COLOURS for value in range(1, 11))
# An ordinary pack's, as --names pack.
PACK = "pack"
PACK_NAMES = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
_COLOUR_VALUE = re.compile(r"([^\W\d_]+)[ _-]?(\d+)")
_RANK_SUIT = re.compile(r"(10|[2-9TJQKA])[ _-]?([CDHS])", re.IGNORECASE)
# What cameras, phones and scanners call their files: no names of cards.
_NUMBERED = re.compile(
    r"(?:img|dsc[nf]?|pxl|mvimg|photo|picture|image|scan|frame|screenshot|p)?[ _-]*\d.*", re.IGNORECASE
)
_COUNTED = re.compile(r"(?:img|dsc[nf]?|pxl|mvimg|photo|picture|image|scan|frame|screenshot)\W*", re.IGNORECASE)


def name_list(text: str) -> tuple[str, ...]:
    """The names in a list like "red-1,red-2,blue-1". "pack": the 52 of an ordinary pack.

    Raises BadInput if one is there twice or none at all.
    """
    if text.strip() == PACK:
        return PACK_NAMES
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise BadInput(SetTrouble.NAMES_EMPTY())
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice:
        raise BadInput(SetTrouble.NAME_TWICE(name=twice[0]))
    bad = [name for name in names if not re.fullmatch(r"[\w.+-]+", name)]
    if bad:
        raise BadInput(SetTrouble.NAME_LETTERS(name=repr(bad[0])))
    return names


def named_card(text: str, names: Sequence[str], colour: str | None = None) -> str | None:
    """The one of `names` (or the back) that `text` means, None if it means none or several.

    Short forms: "red 7", "red7", "r7"; and "7" alone where the `colour` is known.
    """
    typed = text.strip().lower()
    by_lower = {name.lower(): name for name in (*names, BACK_NAME)}
    if typed in by_lower:
        return by_lower[typed]
    if typed.isdigit() and colour is not None:
        return by_lower.get(f"{colour.lower()}-{int(typed)}")
    match = _COLOUR_VALUE.fullmatch(typed)
    if match is not None:
        meant = [
            by_lower[name]
            for name in by_lower
            if (parts := name.rpartition("-"))[0].startswith(match[1]) and parts[2] == str(int(match[2]))
        ]
        return meant[0] if len(meant) == 1 else None
    match = _RANK_SUIT.fullmatch(typed)
    return None if match is None else by_lower.get(_standard(match).lower())


def name_from_file(stem: str) -> str | None:
    """The card that a file's name (without its ending) tells, None for names that a camera gives."""
    if stem.lower() == BACK_NAME:
        return BACK_NAME
    if (_NUMBERED.fullmatch(stem) and not _RANK_SUIT.fullmatch(stem)) or _COUNTED.fullmatch(stem):
        return None
    match = _RANK_SUIT.fullmatch(stem)
    if match is not None:
        return _standard(match)
    match = _COLOUR_VALUE.fullmatch(stem)
    if match is not None:
        return f"{match[1].lower()}-{int(match[2])}"
    return stem if re.fullmatch(r"[\w.+-]+", stem) else None


def colour_and_value(name: str) -> tuple[str | None, int | None]:
    """The colour and value that a name like "red-7" tells; None, None for others."""
    colour, _, value = name.rpartition("-")
    return (colour, int(value)) if colour and value.isdigit() else (None, None)


def _standard(match: re.Match[str]) -> str:
    return f"{'T' if match[1] == '10' else match[1].upper()}{match[2].upper()}"
