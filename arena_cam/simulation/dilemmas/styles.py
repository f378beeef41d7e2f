"""Sets of dilemmas drawn unlike ours and unlike each other: a reader that knows only one style of art fails here."""

from __future__ import annotations

from arena_cam.simulation.dilemmas.drawn_sets import BLACK, WHITE, Style

CREAM = (246, 238, 220)
GREEN, RED, BLUE, GOLD = (40, 150, 70), (200, 50, 45), (50, 90, 190), (214, 170, 60)

STYLES: dict[str, Style] = {
    style.name: style
    for style in (
        # White words on dark cards, gold signs on dark tokens.
        Style(
            "night",
            (63.0, 88.0),
            3.0,
            ((28, 40, 58), (52, 24, 34), (40, 38, 44)),
            (236, 230, 214),
            ((70, 160, 150), (206, 92, 70), (150, 150, 150)),
            "frame",
            "none",
            6.2,
            0.45,
            22.0,
            ((24, 70, 60), (90, 24, 28), (24, 70, 60), (90, 24, 28), (30, 30, 36)),
            "letter",
            GOLD,
            0.86,
            18.0,
            True,
        ),
        # Hardly anything but words on white.
        Style(
            "plain",
            (56.0, 87.0),
            2.5,
            (WHITE, WHITE, WHITE),
            BLACK,
            (GREEN, RED, BLUE),
            "corner",
            "none",
            5.6,
            0.4,
            25.0,
            (GREEN, RED, (120, 200, 60), (236, 120, 30), (90, 90, 96)),
            "mark",
            WHITE,
            0.0,
            25.0,
            True,
        ),
        # Full pictures, words in a box.
        Style(
            "comic",
            (70.0, 95.0),
            4.0,
            ((250, 214, 120), (150, 190, 230), (220, 200, 230)),
            BLACK,
            ((240, 150, 30), (40, 80, 150), (120, 60, 140)),
            "none",
            "full",
            5.4,
            0.75,
            28.0,
            ((250, 200, 40), (60, 60, 160), (255, 230, 150), (120, 120, 220), (180, 60, 110)),
            "word",
            BLACK,
            0.8,
            24.0,
            False,
        ),
        # Small cards, cream, pictures drawn in lines, wooden tokens.
        Style(
            "small",
            (44.0, 68.0),
            3.0,
            (CREAM, CREAM, CREAM),
            (60, 40, 30),
            ((120, 140, 60), (150, 60, 40), (90, 100, 120)),
            "band",
            "shapes",
            4.6,
            0.4,
            18.0,
            ((214, 180, 130), (120, 80, 50), (232, 206, 160), (90, 56, 34), (180, 150, 110)),
            "mark",
            (40, 26, 18),
            0.8,
            16.0,
            False,
        ),
        # Grey on grey: kinds told by how dark their band is.
        Style(
            "mono",
            (63.0, 88.0),
            3.0,
            ((240, 240, 238), (226, 226, 226), (200, 200, 200)),
            (30, 30, 32),
            ((120, 120, 120), (40, 40, 44), (160, 160, 160)),
            "band",
            "shapes",
            5.8,
            0.42,
            24.0,
            ((236, 236, 236), (36, 36, 40), (210, 210, 214), (80, 80, 84), (140, 140, 144)),
            "word",
            (128, 128, 128),
            0.84,
            20.0,
            False,
        ),
        # Bright paper, black words, one large letter on each token.
        Style(
            "candy",
            (59.0, 92.0),
            5.0,
            ((190, 240, 200), (250, 200, 210), (205, 220, 250)),
            (40, 20, 60),
            ((60, 190, 110), (235, 90, 130), (90, 130, 230)),
            "frame",
            "shapes",
            5.6,
            0.36,
            20.0,
            ((60, 190, 110), (235, 90, 130), (30, 220, 160), (250, 60, 160), (140, 120, 200)),
            "letter",
            WHITE,
            0.9,
            20.0,
            True,
        ),
    )
}
