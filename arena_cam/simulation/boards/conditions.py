"""Photographs taken under harder conditions than most: tables with a pattern, few hard lamps, wide lenses, JPEG."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from arena_cam.simulation.boards.photographs import Shot, random_shot
from arena_cam.simulation.rendering.look import Bgr, Lamp, Look, light_colour, random_look

TABLES = ("granite", "flowers", "lacquer", "oak", "walnut", "gingham", "marble", "white", "black")
LIGHTS = ("hard", "two", "dim", "window")
QUALITY = 60  # of a JPEG as messengers send it


def hard_shot(rng: np.random.Generator, seed: int) -> Shot:
    """A shot by a wide telephone, up to 45 degrees askew, on one of the `TABLES` under one of the `LIGHTS`."""
    shot = random_shot(rng)
    look = random_look(np.random.default_rng([seed, 71]), width_px=shot.size_px[0])
    look = lit_by(replace(look, table=str(rng.choice(TABLES))), str(rng.choice(LIGHTS)), rng)
    wide = bool(rng.random() < 0.5)
    lens = (float(rng.uniform(0.55, 0.66)), float(rng.uniform(-0.10, 0.06))) if wide else None
    height = shot.height_mm * (0.75 if wide else 1.0)
    steep = float(rng.uniform(35, 45)) if rng.random() < 0.3 else shot.tilt_deg
    return replace(shot, look=look, lens=lens, height_mm=height, tilt_deg=steep)


def lit_by(look: Look, light: str, rng: np.random.Generator) -> Look:
    """The look under another light: a small hard lamp, two of unlike colours, next to none, or a window's glare."""
    if light == "hard":
        return replace(look, lamps=(_lamp(rng, 0.85, 3000, 15.0, 1100.0),), sky=_grey(0.18), exposure=0.75)
    if light == "two":
        lamps = (_lamp(rng, 0.5, 2800, 60.0, 1200.0), _lamp(rng, 0.45, 6500, 60.0, 1200.0))
        return replace(look, lamps=lamps, sky=_grey(0.2), exposure=0.7)
    if light == "dim":
        return replace(look, exposure=0.3, noise=float(rng.uniform(3.5, 5.5)), blur_px=look.blur_px * 1.4)
    return replace(look, lamps=(_lamp(rng, 0.8, 6000, 420.0, 1500.0),), sky=_grey(0.3), exposure=0.62)


def _grey(light: float) -> Bgr:
    return light, light, light


def _lamp(rng: np.random.Generator, strength: float, kelvin: float, radius_mm: float, distance_mm: float) -> Lamp:
    way, height = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.6, 1.3))
    at = (
        distance_mm * math.cos(height) * math.cos(way),
        distance_mm * math.cos(height) * math.sin(way),
        distance_mm * math.sin(height),
    )
    blue, green, red = light_colour(kelvin)
    return Lamp(at, radius_mm, (strength * blue, strength * green, strength * red))
