"""Any number of styles of art, drawn by chance, so that a reader can be tried on sets that nobody has looked at."""

from __future__ import annotations

import colorsys
from dataclasses import replace

import numpy as np

from arena_cam.simulation.dilemmas.drawn_sets import BLACK, SIGNS, WHITE, Rgb, Style

HEADS, ARTS = ("band", "frame", "corner"), ("none", "shapes", "full")
UNUSUAL_HEADS, UNUSUAL_ARTS = ("side", "seal"), ("dots", "stripes", "none")
# Lightness (0..1) by which a sign differs from its token, and ink from its paper: less would be hard for people, too.
SIGN_CONTRAST = 0.4
LIGHT, DARK = (0.82, 0.96), (0.12, 0.2)  # lightness of paper


def random_style(seed: int) -> Style:
    """The style of that number, always the same: two kinds of token differ in colour, in sign or in both."""
    rng = np.random.default_rng([seed, 4177])
    width = float(rng.uniform(46.0, 72.0))
    dark = rng.random() < 0.2
    hues = (float(rng.uniform(0, 1)) + np.array([0.0, 0.38, 0.68]) + rng.uniform(-0.08, 0.08, 3)) % 1.0
    tinted = float(rng.choice([0.0, 0.15, 0.6]))
    paper = tuple(_colour(h, float(rng.uniform(*(DARK if dark else LIGHT))), tinted) for h in hues)
    kinds = tuple(_colour(h, float(rng.uniform(0.6, 0.75) if dark else rng.uniform(0.3, 0.55)), 0.6) for h in hues)
    tokens, ink = _token_colours(rng)
    token_mm = float(rng.uniform(17.0, 28.0))
    head = str(rng.choice(HEADS))
    art = str(rng.choice(ARTS))
    return Style(
        f"random-{seed}",
        (width, width * float(rng.uniform(1.35, 1.6))),
        float(rng.uniform(1.5, 5.0)),
        (paper[0], paper[1], paper[2]),
        WHITE if dark and art != "full" else BLACK,
        (kinds[0], kinds[1], kinds[2]),
        head,
        art,
        width * float(rng.uniform(0.085, 0.105)),
        0.75 if art == "full" else float(rng.uniform(0.34, 0.46)),
        token_mm,
        tokens,
        str(rng.choice(list(SIGNS))),
        ink,
        float(rng.choice([0.0, 0.8, 0.88])),
        float(rng.uniform(16.0, 26.0)),
        bool(rng.random() < 0.4),
    )


def unusual_style(seed: int) -> Style:
    """The random style of that number with a head and a ground that `random_style` does not know."""
    rng = np.random.default_rng([seed, 5081])
    plain = random_style(seed)
    art = str(rng.choice(UNUSUAL_ARTS))
    words_at = float(rng.uniform(0.4, 0.6))
    head = str(rng.choice(UNUSUAL_HEADS))
    ink = WHITE if max(plain.paper[0]) < 90 else BLACK
    return replace(plain, name=f"unusual-{seed}", head=head, art=art, words_at=words_at, ink=ink)


def _token_colours(rng: np.random.Generator) -> tuple[tuple[Rgb, Rgb, Rgb, Rgb, Rgb], Rgb]:
    """The colours of a set's tokens, and of the signs on them."""
    hue = float(rng.uniform(0, 1))
    other = (hue + float(rng.uniform(0.25, 0.5))) % 1.0
    strong = float(rng.uniform(0.35, 0.8))
    pale = rng.random() < 0.35
    base = float(rng.uniform(0.66, 0.78) if pale else rng.uniform(0.25, 0.45))
    step = float(rng.uniform(0.08, 0.14))
    far = SIGN_CONTRAST + base + step < 1.0
    ink = _colour(hue, 0.97 if far else 0.08, 0.1)
    back = _colour(float(rng.uniform(0, 1)), base, float(rng.choice([0.0, 0.3])))
    return (
        (
            _colour(hue, base, strong),
            _colour(other, base, strong),
            _colour(hue, base + step, strong),
            _colour(other, base + step, strong),
            back,
        ),
        ink,
    )


def _colour(hue: float, lightness: float, saturation: float) -> Rgb:
    r, g, b = (round(255 * each) for each in colorsys.hls_to_rgb(float(hue), lightness, saturation))
    return r, g, b
