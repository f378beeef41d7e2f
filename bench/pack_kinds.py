"""Ordinary packs of kinds that a drawer holds less often: printed on black, with tinted corners, with crests, and of
another size than poker's and bridge's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.simulation.photographs import Image8
from arena_cam.simulation.things.ordinary_pack import PX_PER_MM, Ink, PackStyle, draw_face, random_style

# Skat cards, Jass cards, and a patience pack's (mm).
SIZES_MM = ((59.0, 91.0), (57.0, 89.0), (54.0, 100.0), (44.0, 68.0))
_CORNER_MM = (15.0, 29.0)  # what is tinted, from a card's corner
FaceDrawer = Callable[[PackStyle, str], Image8]


def usual(seed: int, fonts: Sequence[Path]) -> tuple[PackStyle, FaceDrawer]:
    """A white pack of poker or bridge size."""
    return random_style(seed, fonts), draw_face


def black(seed: int, fonts: Sequence[Path]) -> tuple[PackStyle, FaceDrawer]:
    """White and light red print on black paper."""
    rng = np.random.default_rng([seed, 341])
    dark = rng.uniform(16.0, 40.0, 3)
    paper, light, red = (float(dark[0]), float(dark[1]), float(dark[2])), (235.0, 238.0, 240.0), (70.0, 60.0, 235.0)
    return replace(random_style(seed, fonts), paper=paper, inks=(light, red, red, light)), draw_face


def tinted(seed: int, fonts: Sequence[Path]) -> tuple[PackStyle, FaceDrawer]:
    """A jumbo index on a plate of a pale colour in each corner."""
    style, rng = random_style(seed, fonts), np.random.default_rng([seed, 342])
    large = float(rng.uniform(12.0, 15.0))
    style = replace(style, rank_mm=large, suit_mm=0.7 * large, index_x_mm=7.5, index_top_mm=3.2, gap_mm=1.2)
    tint = np.array([(150, 235, 250), (250, 225, 175), (190, 235, 185), (200, 190, 250)][int(rng.integers(4))])

    def drawn(style: PackStyle, card: str) -> Image8:
        face = draw_face(style, card).astype(np.float64)
        for turned in (face, face[::-1, ::-1]):
            turned[: _px(_CORNER_MM[1]), : _px(_CORNER_MM[0])] *= tint / 255.0
        return np.asarray(face, np.uint8)

    return style, drawn


def crested(seed: int, fonts: Sequence[Path]) -> tuple[PackStyle, FaceDrawer]:
    """Four colours, and a pale crest behind the pips of every card."""
    inks: tuple[Ink, Ink, Ink, Ink] = ((30, 30, 30), (40, 35, 205), (190, 90, 25), (45, 120, 30))
    style, rng = replace(random_style(seed, fonts), inks=inks), np.random.default_rng([seed, 343])
    colour, wide = rng.uniform(170.0, 235.0, 3), float(rng.uniform(13.0, 17.0))

    def drawn(style: PackStyle, card: str) -> Image8:
        face = draw_face(style, card)
        plate: NDArray[np.uint8] = np.zeros(face.shape[:2], np.uint8)
        shield = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 0.3), (0.0, 1.2), (-1.0, 0.3)]) * _px(wide)
        middle = np.array(face.shape[1::-1]) / 2
        cv2.fillPoly(plate, [np.round(shield + middle).astype(np.int32)], (255,))
        cv2.polylines(plate, [np.round(0.85 * shield + middle).astype(np.int32)], True, (120,), _px(0.8))
        share = (plate.astype(np.float64) / 255.0)[..., None]
        return np.asarray(face * (1.0 - share + share * colour / 255.0), np.uint8)

    return style, drawn


def other_size(seed: int, fonts: Sequence[Path]) -> tuple[PackStyle, FaceDrawer]:
    """As white as the usual one, but as large as Skat, Jass or patience cards."""
    style = random_style(seed, fonts)
    width, height = SIZES_MM[int(np.random.default_rng([seed, 344]).integers(len(SIZES_MM)))]
    small = min(1.0, width / style.width_mm)
    sizes = {name: getattr(style, name) * small for name in ("rank_mm", "suit_mm", "index_x_mm", "pip_mm")}
    return replace(style, width_mm=width, height_mm=height, **sizes), draw_face


KINDS = {"usual": usual, "black": black, "tinted": tinted, "crested": crested, "other-size": other_size}


def _px(mm: float) -> int:
    return round(mm * PX_PER_MM)
