"""The look of a set of boards and tiles."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena_cam.printing.hexes.canvas import Bgr

# Colours of players' boards that stay apart for the colour-blind and under warm light: ink and a pale tint.
BOARD_COLOURS: dict[str, tuple[Bgr, Bgr]] = {
    "red": ((44, 40, 186), (214, 218, 248)),
    "blue": ((160, 84, 20), (246, 228, 206)),
    "green": ((62, 112, 28), (214, 236, 216)),
    "yellow": ((10, 150, 224), (200, 238, 253)),
    "violet": ((130, 42, 100), (242, 218, 232)),
    "black": ((52, 46, 44), (222, 220, 218)),
}

# One colour a number, apart in lightness within each direction: 1, 5, 9 run vertically, 3, 4, 8 fall, 2, 6, 7 rise.
NUMBER_COLOURS: dict[int, Bgr] = {
    1: (150, 150, 150),
    5: (150, 110, 20),
    9: (30, 190, 246),
    3: (190, 120, 232),
    4: (160, 60, 40),
    8: (40, 130, 240),
    2: (60, 90, 130),
    6: (50, 40, 190),
    7: (70, 150, 60),
}


@dataclass(frozen=True)
class Style:
    """The drawing of a set. Lengths in mm; `tile_mm` and `cell_mm` are from corner to corner.

    `bands`: "bars" right across the tile, "wedges" (a third of the tile a number), "edges" (a strip at the two sides),
    "hatch" (bars of thin lines, closer together for larger numbers), "tubes" (two lines), "dots" (discs in a row), or
    "none". `frame_mm` 0: the board has no frame. `cell_line_mm` 0: its cells have no outline. `font`: a Hershey font of
    OpenCV's for the numbers; None: the project's own strokes, `number_weight` wide. `grain`: wood; `land`: blotches of
    light and dark on what is coloured, as a photograph has; `wash`: pigment that runs, and grows paler to one side.
    `surface`: the material that is photographed behind the print. `fade`: by what share a band has faded at its far
    end. `halftone`: printed in dots. `engraved_mm`: how deep it looks cut in. `number_reach` 1: a number stands at its
    edge, 0 in the middle; `number_aside`: so far beside its band, as a share of `tile_mm`. `band_line_mm`: bars have
    an outline.
    `inks`: by colour of a board its ink and its tint.
    """

    name: str = "hexes"
    tile_mm: float = 40.0
    cell_mm: float = 41.0
    pitch_mm: float = 37.0
    board_mm: tuple[float, float] = (186.0, 206.0)
    tile_paper: Bgr = (244, 250, 252)
    ink: Bgr = (36, 28, 24)
    bands: str = "bars"
    band_mm: float = 8.4
    number_mm: float = 5.6
    disc: Bgr | None = (255, 255, 255)
    numbers: dict[int, Bgr] = field(default_factory=lambda: dict(NUMBER_COLOURS))
    tile_line_mm: float = 0.35
    marks: bool = True
    grain: float = 0.0
    land: float = 0.0
    wash: float = 0.0
    surface: str = ""
    fade: float = 0.0
    halftone: bool = False
    engraved_mm: float = 0.0
    band_line_mm: float = 0.0
    font: int | None = None
    number_weight: float = 0.24
    number_reach: float = 1.0
    number_aside: float = 0.0
    coloured_numbers: bool = False
    board_paper: Bgr = (236, 245, 249)
    frame_mm: float = 5.0
    cell_line_mm: float = 0.5
    cell_tint: bool = True
    cell_names: bool = True
    title: str = "HEXES"
    colours: tuple[str, ...] = tuple(BOARD_COLOURS)
    inks: dict[str, tuple[Bgr, Bgr]] = field(default_factory=lambda: dict(BOARD_COLOURS))
