"""Sets drawn unlike the project's own and unlike each other: a reader that knows only one style of art fails here."""

from __future__ import annotations

import cv2

from arena_cam.printing.hexes.canvas import Bgr
from arena_cam.printing.hexes.style import NUMBER_COLOURS, Style


def _pale(colour: Bgr) -> Bgr:
    x, y, z = (200 + c // 5 for c in colour)
    return x, y, z


STYLES: dict[str, Style] = {
    # Each number fills a third of its tile; cells are outlines on one flat colour.
    "flat": Style(
        name="flat",
        bands="wedges",
        disc=None,
        ink=(250, 250, 250),
        tile_line_mm=0.0,
        marks=False,
        board_paper=(120, 96, 60),
        cell_tint=False,
        cell_line_mm=0.8,
        frame_mm=0.0,
        title="",
        colours=("red", "blue", "green"),
    ),
    # Burnt numbers on wood: brown on brown, thin bands.
    "wood": Style(
        name="wood",
        tile_paper=(130, 176, 214),
        ink=(24, 40, 66),
        band_mm=2.4,
        disc=(130, 176, 214),
        numbers=dict.fromkeys(NUMBER_COLOURS, (40, 66, 104)),
        number_mm=7.0,
        grain=0.25,
        board_paper=(110, 150, 190),
        cell_tint=False,
        frame_mm=3.0,
        cell_names=False,
        colours=("red", "green"),
    ),
    # Numbers only, on white, on a white board with hardly a print.
    "numbers": Style(
        name="numbers",
        bands="none",
        number_mm=8.0,
        disc=None,
        marks=False,
        tile_paper=(250, 250, 250),
        board_paper=(232, 234, 236),
        cell_tint=False,
        cell_line_mm=0.3,
        cell_names=False,
        frame_mm=0.0,
        title="",
        tile_mm=38.0,
        cell_mm=39.0,
        pitch_mm=35.0,
        board_mm=(180.0, 190.0),
        colours=("blue", "red"),
    ),
    # Pale colours that glare washes out, bands at the sides only.
    "pastel": Style(
        name="pastel",
        bands="edges",
        numbers={n: _pale(c) for n, c in NUMBER_COLOURS.items()},
        ink=(120, 100, 90),
        disc=None,
        number_mm=6.0,
        cell_line_mm=0.0,
        frame_mm=2.0,
        colours=("yellow", "violet", "green"),
    ),
    # Light on black.
    "dark": Style(
        name="dark",
        tile_paper=(44, 36, 32),
        ink=(226, 232, 236),
        disc=(44, 36, 32),
        band_mm=6.0,
        board_paper=(30, 26, 24),
        cell_tint=False,
        title="NIGHT",
        tile_mm=44.0,
        cell_mm=45.0,
        pitch_mm=41.0,
        board_mm=(230.0, 226.0),
        colours=("blue", "black", "red"),
    ),
    # Painted fields and woods in thirds, on a painted board without outlines.
    "lands": Style(
        name="lands",
        bands="wedges",
        land=0.35,
        font=cv2.FONT_HERSHEY_TRIPLEX,
        ink=(30, 30, 34),
        number_mm=5.0,
        tile_line_mm=0.0,
        board_paper=(150, 190, 168),
        cell_tint=False,
        cell_line_mm=0.6,
        frame_mm=4.0,
        title="FIELDS",
        colours=("blue", "violet", "green"),
    ),
    # Thin lines and thin figures on white.
    "thin": Style(
        name="thin",
        tile_paper=(252, 252, 252),
        band_mm=0.9,
        disc=(252, 252, 252),
        font=cv2.FONT_HERSHEY_SIMPLEX,
        number_mm=6.2,
        board_paper=(246, 246, 246),
        cell_tint=False,
        cell_line_mm=0.35,
        frame_mm=1.2,
        title="LINES",
        colours=("red", "blue", "black"),
    ),
    # Gold figures with serifs on bottle green, and strips at the sides.
    "gilt": Style(
        name="gilt",
        bands="edges",
        tile_paper=(52, 70, 28),
        ink=(120, 196, 226),
        disc=None,
        font=cv2.FONT_HERSHEY_COMPLEX,
        number_mm=6.6,
        tile_line_mm=0.6,
        band_mm=5.0,
        board_paper=(70, 60, 50),
        cell_line_mm=0.9,
        frame_mm=6.0,
        title="GILT",
        tile_mm=42.0,
        cell_mm=43.5,
        pitch_mm=39.0,
        board_mm=(200.0, 214.0),
        colours=("red", "green", "blue"),
    ),
    # Almost white: numbers tell by a breath of colour and by grey figures.
    "snow": Style(
        name="snow",
        bands="wedges",
        numbers={n: _pale(_pale(c)) for n, c in NUMBER_COLOURS.items()},
        ink=(150, 146, 140),
        disc=None,
        number_mm=7.4,
        number_weight=0.16,
        tile_line_mm=0.2,
        marks=False,
        board_paper=(250, 250, 248),
        cell_tint=True,
        cell_line_mm=0.25,
        frame_mm=2.0,
        title="",
        colours=("blue", "green"),
    ),
}
