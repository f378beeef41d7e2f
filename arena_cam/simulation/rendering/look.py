"""The look of a simulated table, all of it drawn from one seed: materials, lamps, lens and sensor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

Bgr = tuple[float, float, float]

TABLES = ("oak", "walnut", "ash", "white", "black", "marble", "linen", "felt", "gingham", "speckle")
FLOORS = ("green-felt", "red-felt", "black-felt", "blue-felt", "grey-card", "kraft", "cork", "oak")
WALLS = ("oak", "walnut", "kraft", "black", "white", "grey", "blue")


@dataclass(frozen=True)
class Lamp:
    """One lamp: `position_mm` in the world, `radius_mm` of its luminous disc, `strength` of the light on the floor.

    `strength` is the light (blue, green, red) on a white sheet at the origin, linear, where 1 would be full scale.
    """

    position_mm: tuple[float, float, float]
    radius_mm: float
    strength: Bgr


@dataclass(frozen=True)
class Look:
    """Everything about a scene's appearance. Lengths in mm, `blur_px` a Gaussian's sigma, `noise` in grey levels."""

    table: str
    floor: str
    wall: str
    lamps: tuple[Lamp, ...]
    sky: Bgr
    gloss: float
    exposure: float
    white_balance: Bgr
    vignette: float
    contrast: float
    blur_px: float
    noise: float
    sharpen: float
    seed: int


def light_colour(kelvin: float) -> Bgr:
    """A lamp's colour (blue, green, red), scaled to a mean of 1: a straight-line fit to black bodies 2700 to 7500 K."""
    warm = (5500.0 - kelvin) / 2800.0
    colour = np.clip([1.0 - 0.42 * warm, 1.0 - 0.04 * warm, 1.0 + 0.30 * warm], 0.3, 2.0)
    return tuple(float(c) for c in colour / colour.mean())  # type: ignore[return-value]


def _lamp(rng: np.random.Generator, strength: float, kelvin: float, radius_mm: float, distance_mm: float) -> Lamp:
    azimuth, elevation = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(0.75, 1.35)
    position = (
        distance_mm * math.cos(elevation) * math.cos(azimuth),
        distance_mm * math.cos(elevation) * math.sin(azimuth),
        distance_mm * math.sin(elevation),
    )
    blue, green, red = light_colour(kelvin)
    return Lamp(position, radius_mm, (strength * blue, strength * green, strength * red))


def random_look(rng: np.random.Generator, *, width_px: int = 1536) -> Look:
    """A look at random, as wide as living rooms and clubs are; blur scales with the picture's size."""
    ambient_kelvin, key_kelvin = rng.uniform(3800, 7000), float(rng.choice([2800, 3200, 4000, 5200, 6500]))
    ambient = rng.uniform(0.25, 0.6)
    key = rng.uniform(0.35, 0.75)
    key_radius = float(rng.choice([25.0, 60.0, 140.0, 260.0]))
    lamps = [_lamp(rng, key, key_kelvin, key_radius, rng.uniform(1000, 2200))]
    if rng.random() < 0.6:
        lamps.append(_lamp(rng, rng.uniform(0.05, 0.3), rng.uniform(3500, 6000), rng.uniform(80, 260), 1500.0))
    # The camera's own white balance takes most of the lamps' colour out again, never all of it.
    blue, green, red = light_colour(0.5 * (ambient_kelvin + key_kelvin))
    left = rng.uniform(0.6, 1.0)
    sky = light_colour(ambient_kelvin)
    return Look(
        table=str(rng.choice(TABLES)),
        floor=str(rng.choice(FLOORS)),
        wall=str(rng.choice(WALLS)),
        lamps=tuple(lamps),
        sky=(ambient * sky[0], ambient * sky[1], ambient * sky[2]),
        gloss=float(rng.choice([0.02, 0.05, 0.09])),
        exposure=float(rng.uniform(0.38, 0.80)),
        white_balance=(blue**-left, green**-left, red**-left),
        vignette=float(rng.uniform(0.1, 0.38)),
        contrast=float(rng.uniform(0.0, 0.35)),
        blur_px=float(rng.uniform(0.3, 0.6)) * max(1.0, width_px / 1536),
        noise=float(rng.uniform(0.6, 2.2)),
        sharpen=float(rng.uniform(0.1, 0.5)),
        seed=int(rng.integers(2**31)),
    )


def plain_look(seed: int = 7) -> Look:
    """The look of the simulated table that a visitor sees first: oak, green felt, one soft lamp."""
    return Look(
        table="oak",
        floor="green-felt",
        wall="walnut",
        lamps=(Lamp((-520.0, 640.0, 1150.0), 140.0, (0.40, 0.46, 0.52)),),
        sky=(0.46, 0.44, 0.42),
        gloss=0.04,
        exposure=0.82,
        white_balance=(1.05, 1.0, 0.96),
        vignette=0.16,
        contrast=0.12,
        blur_px=0.42,
        noise=1.2,
        sharpen=0.2,
        seed=seed,
    )
