"""Reads board.json: which calibration board the pictures beside it show."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena_cam.domain.errors import BadInput
from arena_cam.formats.checked_values import number, numbers, object_, part, text
from arena_cam.formats.messages import FileTrouble, TableTrouble, ValueTrouble

FEWEST_CORNERS = 2  # along either side; fewer is no grid
MOST_CORNERS = 100
# A square of a thousandth of a millimetre or of a kilometre is a slip; boards may be given in any unit of length.
LEAST_SQUARE_MM, MOST_SQUARE_MM = 1e-3, 1e6


@dataclass(frozen=True, slots=True)
class Chessboard:
    """`corners` counts inner corners along the board's width and height; `square_mm` is a square's side."""

    corners: tuple[int, int]
    square_mm: float


@dataclass(frozen=True, slots=True)
class Charuco:
    """A chessboard with a marker in each white square. `squares` counts squares along the board's width and height.

    `legacy_pattern` is for boards with an even number of rows as OpenCV drew them before 4.6.
    """

    squares: tuple[int, int]
    square_mm: float
    marker_mm: float
    dictionary: str
    legacy_pattern: bool = False

    @property
    def corners(self) -> tuple[int, int]:
        return self.squares[0] - 1, self.squares[1] - 1


Board = Chessboard | Charuco


def read_board(file: Path | str) -> Board:
    """The board that `file` describes. Raises BadInput, saying what is wrong and what to do, if it cannot be used."""
    file = Path(file)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(TableTrouble.BOARD_NOT_READ(text=error.strerror), about=file) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(FileTrouble.IS_NOT_JSON(text=str(error)), about=file) from None
    try:
        return _board(object_(data, ""))
    except BadInput as error:
        raise BadInput(TableTrouble.BOARD_NEEDS(why=error.said), about=file) from None


def board_to_json(board: Board) -> dict[str, Any]:
    """`board` as the object that board.json holds."""
    if isinstance(board, Chessboard):
        return {"type": "chessboard", "corners": list(board.corners), "square_mm": board.square_mm}
    return {
        "type": "charuco",
        "squares": list(board.squares),
        "square_mm": board.square_mm,
        "marker_mm": board.marker_mm,
        "dictionary": board.dictionary,
        "legacy_pattern": board.legacy_pattern,
    }


def _board(data: dict[str, Any]) -> Board:
    kind = part(data, "type")
    if kind == "chessboard":
        return Chessboard(_counts(data, "corners", FEWEST_CORNERS), _length(data, "square_mm"))
    if kind != "charuco":
        raise BadInput(ValueTrouble.NONE_OF(place="type", words='"charuco", "chessboard"'))
    board = Charuco(
        squares=_counts(data, "squares", FEWEST_CORNERS + 1),
        square_mm=_length(data, "square_mm"),
        marker_mm=_length(data, "marker_mm"),
        dictionary=text(part(data, "dictionary"), "dictionary"),
        legacy_pattern=bool(data.get("legacy_pattern", False)),
    )
    if board.marker_mm >= board.square_mm:
        raise BadInput(ValueTrouble.MARKER_TOO_LARGE(place="marker_mm", other="square_mm"))
    return board


def _counts(data: dict[str, Any], key: str, fewest: int) -> tuple[int, int]:
    across, down = numbers(part(data, key), key, 2, fewest, MOST_CORNERS)
    return int(across), int(down)


def _length(data: dict[str, Any], key: str) -> float:
    return number(part(data, key), key, LEAST_SQUARE_MM, MOST_SQUARE_MM)
