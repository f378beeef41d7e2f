"""Writes what `judge --game dilemmas` says of a photograph, as JSON and for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from arena_cam.domain.dilemmas.readings import DilemmaReading, DilemmasReading, TokenReading
from arena_cam.domain.messages import messages_to_json
from arena_cam.formats.wording import quantity

# The contract's names; a token face down is "back" in a set, "hidden" where it is counted.
KINDS = ("yes", "no", "super_yes", "super_no", "hidden")


def dilemmas_to_json(reading: DilemmasReading) -> dict[str, Any]:
    """The contract's object of one photograph. `why_unsure` is English, `doubts` the same with codes, for programs."""
    elsewhere = counted(reading.elsewhere)
    return {
        "frame": reading.frame,
        "sure": reading.sure,
        **messages_to_json(reading.doubts),
        "dilemmas": [_dilemma(each) for each in reading.dilemmas],
        "elsewhere": {kind: count for kind, count in elsewhere.items() if count},
    }


def counted(tokens: Sequence[TokenReading]) -> dict[str, int]:
    """How many there are of each of KINDS."""
    counts = Counter("hidden" if token.kind == "back" else token.kind for token in tokens)
    return {kind: counts[kind] for kind in KINDS}


def _dilemma(dilemma: DilemmaReading) -> dict[str, Any]:
    return {
        "owner": dilemma.owner,
        "positive": dilemma.positive,
        "negative": dilemma.negative,
        "neutral": dilemma.neutral,
        "tokens": counted(dilemma.tokens),
        "centre_px": list(dilemma.centre_px),
        "confidence": dilemma.confidence,
        "sure": dilemma.sure,
        **messages_to_json(dilemma.doubts),
        "token_list": [_token(token) for token in dilemma.tokens],
        "outlines_px": [[list(corner) for corner in outline] for outline in dilemma.outlines_px],
    }


def _token(token: TokenReading) -> dict[str, Any]:
    return {
        "kind": "hidden" if token.kind == "back" else token.kind,
        "centre_px": list(token.centre_px),
        "radius_px": token.radius_px,
        "confidence": token.confidence,
    }


def dilemmas_in_words(reading: DilemmasReading) -> str:
    """The same for people: a line a photograph, a line a dilemma."""
    lines = [f"{reading.frame}: {quantity(len(reading.dilemmas), 'dilemma')}" + ("" if reading.sure else " - not sure")]
    if not reading.dilemmas:
        lines += [f"  {doubt}" for doubt in reading.doubts]
    for each in reading.dilemmas:
        cards = " + ".join(card for card in (each.positive, each.negative, each.neutral) if card)
        lines.append(f"  {each.owner or 'nobody told'}: {cards}: {_in_words(each.tokens)} ({each.confidence:.0%})")
        lines += [f"    ? {doubt}" for doubt in each.doubts]
    if reading.elsewhere:
        lines.append(f"  elsewhere: {_in_words(reading.elsewhere)}")
    return "\n".join(lines)


def _in_words(tokens: Sequence[TokenReading]) -> str:
    said = [f"{count} {kind.replace('_', ' ')}" for kind, count in counted(tokens).items() if count]
    return ", ".join(said) or "no tokens"
