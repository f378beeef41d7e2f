"""The context of the set-up's templates: the desk's state in the page's language, the drawing as numbers."""

from __future__ import annotations

import shlex
from typing import Any

from arena_cam.referee.setup.interface import STEPS, BoardSnapshot, SetupPort, SetupSnapshot
from arena_cam.vision.setup.messages import Looked
from arena_cam.web.words import setup_words
from arena_cam.web.words.language import Translate, translator


def setup_context(desk: SetupPort | None, language: str) -> dict[str, Any]:
    """The variables of the set-up's templates, in addition to those of every page."""
    if desk is None:
        return {"setup": None}
    _ = translator(language)
    snapshot = desk.snapshot()
    return {
        "setup": snapshot,
        "setup_steps": [(step, _(setup_words.STEP_NAMES[step])) for step in STEPS],
        "next_step": _next(snapshot),
        "findings": _findings(snapshot, _),
        "lens_name": lambda lens: setup_words.lens_name(lens, _),
        "board": _board(snapshot, _),
        "learn_rows": _rows(snapshot),
        "learned_folder": shlex.quote(f"{snapshot['deck']['folder']}/mine"),
    }


def _rows(snapshot: SetupSnapshot) -> list[tuple[str, list[str]]]:
    """The cards of a deck that is being learned by their colours; what has none, the back, in a row of its own."""
    learning = snapshot["deck"]["learning"]
    rows: dict[str, list[str]] = {}
    for card in learning["cards"] if learning is not None else []:
        rows.setdefault(card.rpartition("-")[0], []).append(card)
    return list(rows.items())


def _next(snapshot: SetupSnapshot) -> str | None:
    place = STEPS.index(snapshot["step"])
    return STEPS[place + 1] if place + 1 < len(STEPS) else None


def _findings(snapshot: SetupSnapshot, _: Translate) -> list[dict[str, str]]:
    return [
        {
            "title": _(Looked.of(finding["what"]).english),
            "grade": finding["grade"],
            "grade_words": _(setup_words.GRADES.get(finding["grade"], finding["grade"])),
            "plainly": setup_words.plainly(finding, _),
            "measured": setup_words.measured(finding, _),
        }
        for finding in setup_words.in_order(snapshot["findings"])
    ]


def _board(snapshot: SetupSnapshot, _: Translate) -> dict[str, Any] | None:
    """The board's progress, and the drawing of the picture: 100 wide, as high as the picture is for that."""
    board, picture = snapshot["lens"]["board"], snapshot["picture"]
    if board is None or picture is None:
        return None
    height = 100.0 * picture[1] / picture[0]
    places = "".join(f"M{100 * x:.1f} {height * y:.1f}h0" for x, y in board["points"])
    corners = []
    for name in setup_words.CORNERS:
        x = 0.0 if "left" in name else 200 / 3
        y = 0.0 if "top" in name else height * 2 / 3
        corners.append({"x": x, "y": y, "w": 100 / 3, "h": height / 3, "reached": name not in board["uncovered"]})
    return {
        "height": height,
        "places": places,
        "corners": corners,
        "uncovered": ", ".join(_(setup_words.CORNERS[name]) for name in board["uncovered"]),
        "needs": [{"words": _(words), "state": state} for words, state in setup_words.needs(board["missing"])],
        "progress": _progress(board),
    }


def _progress(board: BoardSnapshot) -> float:
    """The share, 0 to 1, of the views that calibration needs: places and corners by number, the rest as it is found."""
    places = min(1.0, board["views"] / board["wanted"])
    corners = 1.0 - len(board["uncovered"]) / len(setup_words.CORNERS)
    states = [state for _words, state in setup_words.needs(board["missing"])]
    later = sum(state == "done" for state in states[2:])
    return (places + corners + later) / len(states)
