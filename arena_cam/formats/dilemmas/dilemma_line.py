"""Writes what `judge --game dilemmas` says of a photograph, as JSON and for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from arena_cam.domain.dilemmas.readings import DilemmaReading, DilemmasReading, TokenReading
from arena_cam.domain.messages import messages_to_json
from arena_cam.formats.messages import Photographed, TokenName
from arena_cam.formats.wording import Translate, on_terminal, photograph_said, say

_TOKENS = {word.value: word.english for word in TokenName}
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


def dilemmas_in_words(reading: DilemmasReading, language: str = "en") -> str:
    """The same for people: a line a photograph, a line a dilemma."""
    _, count = on_terminal(language), len(reading.dilemmas)
    found = Photographed.ONE_DILEMMA() if count == 1 else Photographed.DILEMMAS(count=count)
    lines = [photograph_said(reading.frame, found, reading.sure, _)]
    if not reading.dilemmas:
        lines += [f"  {say(doubt, _)}" for doubt in reading.doubts]
    for each in reading.dilemmas:
        cards = " + ".join(card for card in (each.positive, each.negative, each.neutral) if card)
        owner = each.owner or say(Photographed.NOBODY(), _)
        lines.append(f"  {owner}: {cards}: {_in_words(each.tokens, _)} ({each.confidence:.0%})")
        lines += [f"    ? {say(doubt, _)}" for doubt in each.doubts]
    if reading.elsewhere:
        lines.append(f"  {say(Photographed.ELSEWHERE(text=_in_words(reading.elsewhere, _)), _)}")
    return "\n".join(lines)


def _in_words(tokens: Sequence[TokenReading], _: Translate) -> str:
    said = [f"{count} {_(_TOKENS.get(kind, kind))}" for kind, count in counted(tokens).items() if count]
    return ", ".join(said) or say(Photographed.NO_TOKENS(), _)
