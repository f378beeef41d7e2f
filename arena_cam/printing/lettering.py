"""Words on printed things: in a font that is there wherever the program is, with French and Icelandic letters."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import reportlab
from PIL import Image as Pil
from PIL import ImageDraw, ImageFont

from arena_cam.printing.card_canvas import PX_MM, Bgr, Image

_FONTS = Path(reportlab.__file__).parent / "fonts"  # Bitstream Vera
LINE = 1.32  # from one line to the next, in heights of the letters


@lru_cache
def _font(height_mm: float, bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_FONTS / ("VeraBd.ttf" if bold else "Vera.ttf")), round(height_mm * PX_MM))


def wrapped(text: str, height_mm: float, width_mm: float, bold: bool = False) -> list[str]:
    """The text in lines no wider than `width_mm`; a word that is wider stands alone."""
    font, lines = _font(height_mm, bold), [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width_mm * PX_MM:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def write(
    image: Image,
    text: str,
    at_mm: tuple[float, float],
    height_mm: float,
    colour: Bgr,
    *,
    anchor: str,
    bold: bool = False,
) -> Image:
    """A copy of `image` (12 pixels a mm, blue-green-red) with one line of text on it; `anchor` as Pillow names it."""
    picture = Pil.fromarray(np.ascontiguousarray(image[:, :, ::-1]))
    place = (at_mm[0] * PX_MM, at_mm[1] * PX_MM)
    ImageDraw.Draw(picture).text(place, text, fill=colour[::-1], font=_font(height_mm, bold), anchor=anchor)
    return np.ascontiguousarray(np.asarray(picture, np.uint8)[:, :, ::-1])


def write_block(
    image: Image, text: str, at_mm: tuple[float, float], height_mm: float, width_mm: float, colour: Bgr
) -> tuple[Image, float]:
    """As `write`, in lines from the left; the copy, and where the next block may begin, mm from the top."""
    y = at_mm[1]
    for line in wrapped(text, height_mm, width_mm):
        image = write(image, line, (at_mm[0], y), height_mm, colour, anchor="la")
        y += height_mm * LINE
    return image, y
