"""A game record as a score sheet for people: a table with every ruling, its line, its rule and the scores after it."""

from __future__ import annotations

import textwrap
from typing import Any

from arena_cam.formats.game_record import Record, play_steps
from arena_cam.formats.wording import sentences, text
from arena_cam.rules.game import msg

_NARROWEST = 30  # characters of the column of sentences, however narrow the terminal is

_LINE, _RULING, _RULE = msg("Line"), msg("Ruling"), msg("Rule")
_HOUSE_RULES = msg("House rules: %(told)s")
_OVER = msg("The game is over. Won by: %(names)s.")
_AWAITED = {
    "challenge": msg("A challenge is awaited."),
    "throws": msg("Throws are awaited, or the close."),
    "duel": msg("The duel is awaited."),
    "identify": msg("The referee must say which card lies face down."),
    "deal": msg("A deal is awaited."),
    "play": msg("A card is awaited."),
    "dilemmas": msg("Dilemmas are awaited."),
    "votes": msg("Votes are awaited."),
    "draw": msg("A draw is awaited."),
    "place": msg("Everybody lays the tile."),
}


def score_sheet(record: Record, language: str = "en", width: int = 100) -> str:
    """The sheet of `record`, in lines of at most `width` characters if there is room. Raises BadRecord if it is bad."""
    rows, result = _rows(record, language)
    players = list(result["scores"])
    heads = [_say(_LINE, language), _say(_RULING, language), _say(_RULE, language), *players]
    widths = _widths([heads, *rows], width)
    lines = [_row(heads, widths, players), "  ".join("-" * column for column in widths)]
    lines += [_row(row, widths, players) for row in rows]
    house_rules = ", ".join(f"{name} {_word(value)}" for name, value in record.start.setup.options.items())
    return "\n".join([_say(_HOUSE_RULES, language) % {"told": house_rules}, "", *lines, "", summary(result, language)])


def summary(result: dict[str, Any], language: str = "en") -> str:
    """How a game stands, in one line: the scores, and who won or what is awaited."""
    scores = ", ".join(f"{name} {points}" for name, points in result["scores"].items())
    if result["over"]:
        end = _say(_OVER, language) % {"names": ", ".join(result["winners"])}
    else:
        awaiting = result["state"]["awaiting"]
        end = _say(_AWAITED.get(awaiting, awaiting), language)
    return f"{scores}. {end}"


def _rows(record: Record, language: str) -> tuple[list[list[str]], dict[str, Any]]:
    """A row for each ruling: line, sentence, rule, and the score of each player after it; with them the last result."""
    result = record.game.result(record.start)
    rows = []
    for _, state, rulings in play_steps(record):
        result = record.game.result(state)
        scores = [str(points) for points in result["scores"].values()]
        for ruling in rulings:
            after = scores if ruling is rulings[-1] else [""] * len(scores)
            rows.append([str(ruling.line), text(ruling, language), ruling.rule, *after])
    return rows, result


def _widths(rows: list[list[str]], width: int) -> list[int]:
    """The width of each column: as wide as its longest entry, but for sentence and rule, which share what is left."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    left = width - sum(widths) + widths[1] + widths[2] - 2 * (len(widths) - 1)
    widths[2] = min(widths[2], max(left // 3, _NARROWEST // 2))
    widths[1] = min(widths[1], max(left - widths[2], _NARROWEST))
    return widths


def _row(row: list[str], widths: list[int], players: list[str]) -> str:
    """One row of the table, in as many lines as its sentence and its rule need."""
    cells = [textwrap.wrap(entry, column) or [""] for entry, column in zip(row, widths, strict=True)]
    lines = []
    for number in range(max(len(cell) for cell in cells)):
        parts = [cell[number] if number < len(cell) else "" for cell in cells]
        words = [part.ljust(column) for part, column in zip(parts[1:3], widths[1:3], strict=True)]
        figures = [part.rjust(column) for part, column in zip(parts[3:], widths[-len(players) :], strict=True)]
        lines.append("  ".join([parts[0].rjust(widths[0]), *words, *figures]).rstrip())
    return "\n".join(lines)


def _say(sentence: str, language: str) -> str:
    return sentences(language).get(sentence, sentence)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
