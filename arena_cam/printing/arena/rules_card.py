"""The rules card: how a round goes and what counts on one side, what a duel brings on the other."""

from __future__ import annotations

from collections.abc import Mapping

from arena_cam.formats.wording import sentences
from arena_cam.printing.arena.messages import Printed
from arena_cam.printing.card_canvas import Bgr, CardCanvas, Image
from arena_cam.printing.deck import COLOURS, NIGHT
from arena_cam.printing.lettering import write, write_block
from arena_cam.printing.scenes import HEIGHT_MM, PAPER, WIDTH_MM
from arena_cam.printing.shapes import SHAPES, placed

INK: Bgr = (40, 30, 26)
LEFT_MM, BODY_MM, HEAD_MM = 6.0, 2.35, 3.3
PARAGRAPH_MM = 1.0


def rules_card(language: str) -> tuple[Image, Image]:
    """Front and back in `language`, each (1056, 756, 3), blue-green-red."""
    say = said(language)
    front = _headed(say[Printed.HOW])
    front, y = _numbered(front, [say[word] for word in _STEPS], 14.2)
    front = write(front, say[Printed.COUNTS], (LEFT_MM, y + 1.2), HEAD_MM, COLOURS["red"][0], anchor="la", bold=True)
    y += 1.2 + HEAD_MM * 1.6
    for word in (Printed.FLAT, Printed.OTHER):
        front, y = write_block(front, say[word], (LEFT_MM, y), BODY_MM, WIDTH_MM - 2 * LEFT_MM, INK)
        y += PARAGRAPH_MM
    return front, _duel_side(language)


def said(language: str) -> Mapping[Printed, str]:
    """The text of the card in `language`."""
    known = sentences(language)
    return {word: known.get(word.english, word.english) for word in Printed}


_STEPS = (Printed.PROVOKES, Printed.ANSWERS, Printed.FIRST, Printed.LEFT)


def _headed(title: str) -> Image:
    """A card with the night's rim and a title on it, the five signs in a row beneath the edge."""
    canvas = CardCanvas((WIDTH_MM, HEIGHT_MM), NIGHT)
    canvas.panel(2.4, 2.6, PAPER)
    for place, colour in enumerate(COLOURS):
        canvas.fill(
            placed(SHAPES[colour], (WIDTH_MM / 2 + (place - 2) * 6.0, HEIGHT_MM - 6.4), 2.0), COLOURS[colour][0]
        )
    return write(canvas.image(), title, (LEFT_MM, 5.6), 4.0, INK, anchor="la", bold=True)


def _numbered(image: Image, steps: list[str], y: float) -> tuple[Image, float]:
    for number, step in enumerate(steps, start=1):
        image = write(image, str(number), (LEFT_MM, y), BODY_MM, COLOURS["red"][0], anchor="la", bold=True)
        image, y = write_block(image, step, (LEFT_MM + 3.6, y), BODY_MM, WIDTH_MM - 2 * LEFT_MM - 3.6, INK)
        y += PARAGRAPH_MM
    return image, y


def _duel_side(language: str) -> Image:
    say, known = said(language), sentences(language)
    back = _headed("")
    y = 5.6
    back, y = write_block(back, say[Printed.DUEL], (LEFT_MM, y), HEAD_MM, WIDTH_MM - 2 * LEFT_MM, COLOURS["red"][0])
    y += 1.5
    peace, conflict = (known.get(choice, choice) for choice in ("Peace", "Conflict"))
    for pair, word in (
        ((peace, peace), Printed.SWAP),
        ((conflict, peace), Printed.BOTH),
        ((conflict,) * 2, Printed.NOBODY),
    ):
        back = write(back, " · ".join(pair), (LEFT_MM, y), BODY_MM + 0.2, INK, anchor="la", bold=True)
        back, y = write_block(back, say[word], (LEFT_MM, y + 3.6), BODY_MM, WIDTH_MM - 2 * LEFT_MM, INK)
        y += 1.6
    y += 1.2
    for word in (Printed.UNANSWERED, Printed.END, Printed.WORTH):
        back, y = write_block(back, say[word], (LEFT_MM, y), BODY_MM, WIDTH_MM - 2 * LEFT_MM, INK)
        y += 1.2
    return back
