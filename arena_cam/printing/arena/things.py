"""Things to cut out beside the cards: life blocks, the stumbling block, score sheets, a box for the deck."""

from __future__ import annotations

import numpy as np

from arena_cam.printing.arena.messages import Printed
from arena_cam.printing.arena.rules_card import INK, said
from arena_cam.printing.card_canvas import Bgr, CardCanvas, Image
from arena_cam.printing.deck import COLOURS, NIGHT
from arena_cam.printing.lettering import write
from arena_cam.printing.scenes import PAPER, draw_window
from arena_cam.printing.shapes import SHAPES, placed
from arena_cam.printing.sheets import Piece

LIFE_MM, STUMBLING_MM = 20.0, (40.0, 28.0)
LIVES = 12  # three for each of three, two for each of five, and two to spare
SHEET_MM, SHEET_ROWS, SHEET_PLAYERS = (186.0, 118.0), 14, 5
# The deck with its rules cards, 55 cards of 0.33 mm, in its box; paper folds round by as much as it is thick.
BOX_MM = (65.0, 90.5, 20.0)
GLUE_MM, TUCK_MM = 11.0, 14.0
LINE: Bgr = (150, 150, 150)


def life_blocks() -> list[Piece]:
    """Hearts to glue onto small blocks of wood."""
    angles = np.linspace(0.0, 2 * np.pi, 200)
    x = 16 * np.sin(angles) ** 3
    y = -(13 * np.cos(angles) - 5 * np.cos(2 * angles) - 2 * np.cos(3 * angles) - np.cos(4 * angles))
    canvas = CardCanvas((LIFE_MM, LIFE_MM), PAPER)
    middle = (LIFE_MM / 2, LIFE_MM / 2 - 0.4)
    canvas.fill(placed(np.column_stack([x, y]) / 17.0, middle, 7.2), COLOURS["red"][0])
    return [Piece(canvas.image(), LIFE_MM, LIFE_MM, "") for _ in range(LIVES)]


def stumbling_block() -> Piece:
    """A stone in the way of whoever provokes."""
    width, height = STUMBLING_MM
    canvas = CardCanvas(STUMBLING_MM, PAPER)
    stone = np.array([(4, 24), (7, 13), (14, 5), (25, 4), (33, 10), (36, 24)], float)
    canvas.fill(stone, (92, 100, 110))
    for shade, part in (
        ((122, 132, 142), [(7, 13), (14, 5), (25, 4), (20, 12)]),
        ((72, 78, 88), [(33, 10), (36, 24), (24, 24)]),
    ):
        canvas.fill(part, shade)
    canvas.line([(20, 12), (24, 24)], 0.5, (72, 78, 88))
    return Piece(canvas.image(), width, height, "")


def score_sheet(language: str) -> Piece:
    """A table to write on: a column for each colour, a line for each duel that somebody won, the sum below."""
    width, height = SHEET_MM
    say = said(language)
    canvas = CardCanvas(SHEET_MM, (255, 255, 255))
    column, head, row = width / SHEET_PLAYERS, 20.0, (height - 22.0) / (SHEET_ROWS + 1)
    for place, colour in enumerate(COLOURS):
        left = place * column
        canvas.fill(
            [(left + 1, 7), (left + column - 1, 7), (left + column - 1, head), (left + 1, head)], COLOURS[colour][1]
        )
        canvas.fill(placed(SHAPES[colour], (left + 6.5, 13.5), 3.6), COLOURS[colour][0])
        canvas.line([(left + 12.5, 18.0), (left + column - 3, 18.0)], 0.2, LINE)
        for line in range(1, SHEET_ROWS + 1):
            y = head + line * row
            thick = 0.6 if line == SHEET_ROWS else 0.18
            canvas.line([(left + 1, y), (left + column - 1, y)], thick, INK if line == SHEET_ROWS else LINE)
    image = write(canvas.image(), say[Printed.SHEET], (1.0, 1.2), 3.0, INK, anchor="la", bold=True)
    image = write(image, say[Printed.SUM], (1.0, height - 1.5), 2.4, LINE, anchor="ls")
    return Piece(image, width, height, "")


def box() -> Piece:
    """The net of a tuck box: cut along its outline, fold along the dashes, glue the strip at the left."""
    wide, high, deep = BOX_MM
    top = TUCK_MM + deep
    size = (GLUE_MM + 2 * (wide + deep), high + 2 * top)
    canvas = CardCanvas(size, (255, 255, 255))
    columns = [GLUE_MM, GLUE_MM + wide, GLUE_MM + wide + deep, GLUE_MM + 2 * wide + deep, size[0]]
    canvas.fill([(GLUE_MM, top), (size[0], top), (size[0], top + high), (GLUE_MM, top + high)], NIGHT)
    for y0, y1 in ((TUCK_MM, top), (top + high, top + high + deep)):
        canvas.fill([(GLUE_MM, y0), (GLUE_MM + wide, y0), (GLUE_MM + wide, y1), (GLUE_MM, y1)], NIGHT)
    _window_on_the_box(canvas, (columns[2] + wide / 2, top + high / 2))
    for side in (columns[1] + deep / 2, columns[3] + deep / 2):
        for place, colour in enumerate(COLOURS):
            canvas.fill(placed(SHAPES[colour], (side, top + 15.0 + place * 15.0), 4.2), COLOURS[colour][1])
    for x in columns[:-1]:
        _folded(canvas, (x, top), (x, top + high))
    for y in (TUCK_MM, top, top + high, top + high + deep):
        _folded(canvas, (GLUE_MM, y), (columns[1], y))
    for y in (top, top + high):
        for left in (columns[1], columns[3]):
            _folded(canvas, (left, y), (left + deep, y))
    for outline in _outlines(columns, top):
        canvas.line([*outline, outline[0]], 0.25, INK)
    return Piece(_titled(canvas.image(), columns, top), *size, "", cut_marks=False)


def _window_on_the_box(canvas: CardCanvas, middle: tuple[float, float]) -> None:
    """On the front the five signs round a land, as on the cards."""
    draw_window(canvas, "violet", 7, middle)
    for place, colour in enumerate(COLOURS):
        angle = np.radians(-150 + 30 * place)
        at = (middle[0] + 26.5 * float(np.cos(angle)), middle[1] + 26.5 * float(np.sin(angle)))
        canvas.fill(placed(SHAPES[colour], at, 3.4), COLOURS[colour][1])


def _titled(image: Image, columns: list[float], top: float) -> Image:
    high = BOX_MM[1]
    for left in (columns[0], columns[2]):
        at = (left + BOX_MM[0] / 2, top + high - 13.0)
        image = write(image, "ARENA", at, 8.0, PAPER, anchor="mm", bold=True)
    return image


def _outlines(columns: list[float], top: float) -> list[list[tuple[float, float]]]:
    """The outline to cut: the body with its glue strip, lid and bottom with their tucks, and the four dust flaps."""
    _, high, deep = BOX_MM
    end, left, right = top + high, columns[0], columns[1]
    cut = 2.0  # corners are cut off so that flaps slide in
    shapes = [
        [(0.0, top + 4.0), (left, top), (columns[4], top), (columns[4], end), (left, end), (0.0, end - 4.0)],
        _tuck(left, right, top, TUCK_MM, 0.0),
        _tuck(left, right, end, end + deep, end + deep + TUCK_MM),
    ]
    for side in (columns[1], columns[3]):
        for edge, way in ((top, -1), (end, 1)):
            far = edge + way * (deep - 3.0)
            flap = [(side, edge), (side + cut, far), (side + deep - cut, far), (side + deep, edge)]
            shapes.append(flap)
    return shapes


def _tuck(left: float, right: float, at: float, fold: float, far: float) -> list[tuple[float, float]]:
    """A lid from `at` on, with its tuck from `fold` to `far`."""
    return [(left, at), (left, fold), (left + 4, far), (right - 4, far), (right, fold), (right, at)]


def _folded(canvas: CardCanvas, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A line of dashes."""
    length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    for at in np.arange(0.0, length, 3.0):
        part, to = at / length, min(at + 1.6, length) / length
        points = [(start[0] + (end[0] - start[0]) * p, start[1] + (end[1] - start[1]) * p) for p in (part, to)]
        canvas.line(points, 0.2, LINE)
