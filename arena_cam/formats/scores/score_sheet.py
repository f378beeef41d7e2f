"""A game record as a score sheet for people: a table with every ruling, its line, its rule and the scores after it."""

from __future__ import annotations

import textwrap
from typing import Any

from arena_cam.formats.game_record import Record, play_steps
from arena_cam.formats.messages import CardName
from arena_cam.formats.scores.messages import Sheet
from arena_cam.formats.wording import Translate, cited, on_terminal, ruling_said, sentences, told
from arena_cam.rules.house_rules import answered, asked
from arena_cam.rules.messages import Awaited

_NO_BREAK = "\N{NO-BREAK SPACE}"
_NARROWEST = 30  # characters of the column of sentences, however narrow the terminal is


def score_sheet(record: Record, language: str = "en", width: int = 100) -> str:
    """The sheet of `record`, in lines of at most `width` characters if there is room. Raises BadRecord if it is bad."""
    rows, result = _rows(record, language)
    players = list(result["scores"])
    heads = [*(told(head(), language) for head in (Sheet.LINE, Sheet.RULING, Sheet.RULE)), *players]
    widths = _widths([heads, *rows], width)
    lines = [_row(heads, widths, players), "  ".join("-" * column for column in widths)]
    lines += [_row(row, widths, players) for row in rows]
    chosen, others = _options(record, language)
    house_rules = [told(Sheet.HOUSE_RULES(told=chosen), language)] if chosen else []
    by_the_book = [told(Sheet.BY_THE_BOOK(told=others), language)] if others else []
    rules = [line for each in (*house_rules, *by_the_book) for line in textwrap.wrap(each, max(width, _NARROWEST))]
    return "\n".join([*rules, "", *lines, "", summary(result, language)])


def summary(result: dict[str, Any], language: str = "en") -> str:
    """How a game stands, in one line: the scores, and who won or what is awaited."""
    scores = ", ".join(f"{name} {points}" for name, points in result["scores"].items())
    if result["over"]:
        end = told(Sheet.OVER(names=", ".join(result["winners"])), language)
    else:
        awaiting = str(result["state"]["awaiting"])
        awaited = Awaited.named(awaiting)
        english = awaited.english if awaited is not None else awaiting
        end = told(Sheet.NEXT(awaited=sentences(language).get(english, english)), language)
    return f"{scores}. {end}"


def _rows(record: Record, language: str) -> tuple[list[list[str]], dict[str, Any]]:
    """A row for each ruling: line, sentence, rule, and the score of each player after it; with them the last result."""
    result = record.game.result(record.start)
    rows, translate = [], _unbroken(on_terminal(language))
    for _, state, rulings in play_steps(record):
        result = record.game.result(state)
        scores = [str(points) for points in result["scores"].values()]
        for ruling in rulings:
            after = scores if ruling is rulings[-1] else [""] * len(scores)
            rule = cited(ruling.rule, translate)
            rows.append([str(ruling.line), ruling_said(ruling, translate), rule, *after])
    return rows, result


def _unbroken(translate: Translate) -> Translate:
    """The same, but that no line ends between a card's colour and its value."""

    def translated(english: str, **values: object) -> str:
        said = translate(english, **values)
        return said.replace(" ", _NO_BREAK) if english == CardName.OF_COLOUR.english else said

    return translated


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
    return "\n".join(lines).replace(_NO_BREAK, " ")


def _options(record: Record, language: str) -> tuple[str, str]:
    """The options that the header sets otherwise than the rulebook, and all others, each in words."""
    options, named = record.start.setup.options, record.header.data.get("options") or {}
    defaults = {name: option.default for name, option in record.game.options.items()}
    own = [name for name in options if name in named and options[name] != defaults[name]]
    by_the_book = [name for name in options if name not in own]
    chosen, others = ("; ".join(_in_words(record, name, language) for name in names) for names in (own, by_the_book))
    return chosen, others


def _in_words(record: Record, name: str, language: str) -> str:
    """What the option `name` asks, and the record's answer: "Cards were thrown, none counts (it leaves the game)"."""
    question = asked(record.game, name)
    answer = answered(record.game, name, record.start.setup.options[name])
    said = sentences(language)
    return f"{said.get(question, question)} ({said.get(answer, answer)})"
