"""Writes what `judge --game hexes` says of a photograph of boards, as JSON and for people."""

from __future__ import annotations

from typing import Any

from arena_cam.domain.board_readings import BoardReading, BoardsReading
from arena_cam.domain.messages import Message, message_to_json
from arena_cam.formats.wording import quantity


def boards_to_json(reading: BoardsReading) -> dict[str, Any]:
    """The contract's object of one photograph. `why_unsure` is English, `doubts` the same with codes, for programs."""
    return {
        "frame": reading.frame,
        "sure": reading.sure,
        **_doubts(reading.doubts),
        "boards": [_board(board) for board in reading.boards],
    }


def _board(board: BoardReading) -> dict[str, Any]:
    return {
        "colour": board.colour,
        "cells": {cell.cell: cell.tile for cell in board.cells},
        "confidence": {cell.cell: cell.confidence for cell in board.cells},
        "corners_px": [list(corner) for corner in board.corners_px],
        "sure": board.sure,
        **_doubts(board.doubts),
    }


def _doubts(doubts: tuple[Message, ...]) -> dict[str, Any]:
    return {"why_unsure": [str(doubt) for doubt in doubts], "doubts": [message_to_json(doubt) for doubt in doubts]}


def boards_in_words(reading: BoardsReading) -> str:
    """The same for people: a line a photograph, and for each board its columns from A to E, top to bottom."""
    lines = [f"{reading.frame}: {quantity(len(reading.boards), 'board')}" + ("" if reading.sure else " - not sure")]
    if not reading.boards:
        lines += [f"  {doubt}" for doubt in reading.doubts]
    for board in reading.boards:
        filled = sum(cell.tile is not None for cell in board.cells)
        lines.append(f"  {board.colour or 'board'}: {quantity(filled, 'tile')}")
        for column in "ABCDE":
            there = [f"{cell.cell} {cell.tile or '-'}" for cell in board.cells if cell.cell.startswith(column)]
            lines.append("    " + "  ".join(there))
        lines += [f"    ? {doubt}" for doubt in board.doubts]
    return "\n".join(lines)
