"""What must be asked about a picture: where, what it may be, and what would settle it."""

from __future__ import annotations

from typing import Any

from arena_cam.domain.doubts import chances, settled_by
from arena_cam.domain.lies import Lie, Reading, Unknown
from arena_cam.domain.messages import Message, message_to_json


def questions_to_json(reading: Reading) -> list[dict[str, Any]]:
    """One object a doubt about a card or about something unknown, from the bottom of the pile to the top.

    `about` is the card's key, None for something unknown; `why` and `settle` are a doubt and its remedy, each as a code
    with parameters and, as `text`, in English; `may_be` are two or three names or landings with their probabilities,
    likeliest first. The place is `corners_px`, as the card's; of something unknown `area_mm2` and `centre_mm`, or
    without a calibrated table `ring_px`, points round it in the picture.
    """
    asked = [_of_card(lie, doubt) for lie in reading.lies for doubt in lie.doubts]
    return asked + [
        _question(None, thing.doubt) | {"area_mm2": round(thing.area_mm2, 1)} | place_to_json(thing)
        for thing in reading.unknown
    ]


def place_to_json(thing: Unknown) -> dict[str, Any]:
    """Where something unknown lies: `centre_mm`, or without a calibrated table `ring_px`."""
    if thing.centre_mm is not None:
        return {"centre_mm": [round(v, 1) for v in thing.centre_mm]}
    return {"ring_px": [[round(x, 1), round(y, 1)] for x, y in thing.ring_px]}


def _of_card(lie: Lie, doubt: Message) -> dict[str, Any]:
    return _question(lie.key, doubt) | {"corners_px": [[round(x, 2), round(y, 2)] for x, y in lie.corners_px]}


def _question(about: str | None, doubt: Message) -> dict[str, Any]:
    settle = settled_by(doubt)
    return {
        "about": about,
        "why": _said(doubt),
        "may_be": [[name, probability] for name, probability in chances(doubt)],
        "settle": None if settle is None else _said(settle),
    }


def _said(message: Message) -> dict[str, Any]:
    return {"text": str(message), **message_to_json(message)}
