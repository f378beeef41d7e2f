"""The announcement, said aloud once: the ruling that matters most of those just made, or that a call was corrected."""

from __future__ import annotations

from typing import Any

from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import part_of
from arena_cam.referee.game.snapshots import ruling_snapshot
from arena_cam.referee.interface import Announcement
from arena_cam.rules.entries import is_correction


def announcement_of(before: Match, match: Match, last_id: int, at: float) -> Announcement | None:
    """The announcement for the entries that `match` has not kept yet; None if there is nothing to say.

    A correction is announced with the ruling that it takes back and the one that stands instead, if it changes any.
    """
    if not match.unsaved:
        return None
    part, lines = part_of(match), [entry.line for entry in match.unsaved]
    if any(is_correction(entry.event) for entry in match.unsaved):
        told, now = before.ledger.result["rulings"], match.ledger.result["rulings"]
        decided = part.decisive([r for r in now if r not in told])
        text = "Corrected. " + (decided[-1]["text"] if decided else "")
        said = _announcement(last_id + 1, "correction", lines, text.strip(), at, decided, [])
        gone = part.decisive([r for r in told if r not in now])
        gone = [r for r in gone if decided and r["line"] == decided[-1]["line"]] or gone
        said["was"] = ruling_snapshot(gone[-1]) if gone else None
        return said
    rulings = [ruling for entry in match.unsaved for ruling in entry.rulings]
    decided = part.decisive(rulings)
    if not decided:
        return None
    text = decided[-1]["text"]
    kind, winners = "ruling", []
    if match.ledger.result["over"]:
        winners = match.ledger.result["winners"]
        kind, text = "game_over", f"{text} The game is over: {' and '.join(winners)} won."
    return _announcement(last_id + 1, kind, lines, text, at, decided, winners)


def _announcement(
    id: int, kind: str, lines: list[int], text: str, at: float, decided: list[Any], winners: list[str]
) -> Announcement:
    return {
        "id": id,
        "kind": kind,
        "lines": lines,
        "text": text,
        "at": at,
        "ruling": ruling_snapshot(decided[-1]) if decided else None,
        "was": None,
        "winners": winners,
    }
