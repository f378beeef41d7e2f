"""Writes what `judge --game hexes` says of a photograph of boards, as JSON and for people."""

from __future__ import annotations

from typing import Any

from arena_cam.domain.board_readings import BoardReading, BoardsReading
from arena_cam.domain.messages import Message, message_to_json
from arena_cam.formats.messages import Photographed
from arena_cam.formats.wording import COLOURS, on_terminal, photograph_said, say


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


def boards_in_words(reading: BoardsReading, language: str = "en") -> str:
    """The same for people: a line a photograph, and for each board its columns from A to E, top to bottom."""
    _, count = on_terminal(language), len(reading.boards)
    found = Photographed.ONE_BOARD() if count == 1 else Photographed.BOARDS(count=count)
    lines = [photograph_said(reading.frame, found, reading.sure, _)]
    if not reading.boards:
        lines += [f"  {say(doubt, _)}" for doubt in reading.doubts]
    for board in reading.boards:
        filled = sum(cell.tile is not None for cell in board.cells)
        tiles = say(Photographed.ONE_TILE() if filled == 1 else Photographed.TILES(count=filled), _)
        lines.append(f"  {_(COLOURS.get(board.colour or '', board.colour or Photographed.A_BOARD.english))}: {tiles}")
        for column in "ABCDE":
            there = [f"{cell.cell} {cell.tile or '-'}" for cell in board.cells if cell.cell.startswith(column)]
            lines.append("    " + "  ".join(there))
        lines += [f"    ? {say(doubt, _)}" for doubt in board.doubts]
    return "\n".join(lines)
