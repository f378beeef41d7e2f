"""Which of a few inks is it? By the light that each of them would need.

Light adds: of an ink that sends back `F` of it the picture shows `S = G F + H` in each channel, under a light `G` that
the fiducials' paper tells and a haze `H` of gloss, both of the colour of white but for what mixed lamps change. As grey
levels are about roots of light, a haze lifts dark channels by more levels than bright ones: of a violet card under a
sheen the picture had the levels of a blue one, and of its light a blue one could have sent back none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.softness import Levels
from arena_cam.vision.faces.telling import AGAINST_PAPER, GAIN_SHARE_SD

# Mixed light (lamps and daylight) changes blue against red from place to place, and green hardly against their middle:
# the colours of glowing bodies lie on one line. Standard deviations of natural logarithms; of the light on a card and
# of the haze over it each by itself.
BLUE_RED_SD, GREEN_SD = 0.35, 0.065
_FULL = 255.0
_HAZE_SD = 150.0  # of light that is as much of white's: that of 60 on a table on which paper sends 0.4
_TONE_SHARE, _TONE = 0.1, 4.0  # by which camera and print render an ink otherwise: of its light, and of full light
_STEPS = 4
_BLUE_RED, _GREEN = np.array([0.5, 0.0, -0.5]), np.array([-1.0, 2.0, -1.0]) / 3.0
_MIXED = BLUE_RED_SD**2 * np.outer(_BLUE_RED, _BLUE_RED) + GREEN_SD**2 * np.outer(_GREEN, _GREEN)


@dataclass(frozen=True, eq=False)
class InkSeen:
    """What is seen of a card as light, against that of white paper (3,), in its middle; and for each of some inks what
    it sends back there, `drawn` (J, 3), and by how much the seen light varies with it over the card, `gain` (J, 3),
    known to `gain_sd` (J, 3)."""

    seen: Array
    drawn: Array
    gain: Array
    gain_sd: Array


def ink_seen(
    faces: Levels, seen: Array, weight: Array, plane: Array, white: Array, noise: float, alike: float
) -> InkSeen:
    """Faces (J, 3, N) and what is `seen` (N, 3), in grey levels, at points that count by `weight` (N,), with a light
    that varies as the `plane` (N, 3) over the card. `white` (3,) is the share of full light that paper sends. The
    seen levels have `noise`; of so many points as are `alike` one is independent."""
    share = weight / weight.sum()
    root = np.sqrt(share)
    basis = np.linalg.qr(plane * root[:, None])[0]
    light = seen * seen / (_FULL * white)
    inks = np.asarray(faces, np.float64) ** 2 / _FULL

    def varying(values: Array) -> Array:
        rows = values * root
        return np.asarray(rows - (rows @ basis) @ basis.T)

    drawn, of_seen = varying(inks), varying(light.T)
    energy = np.maximum((drawn**2).sum(axis=2), 1e-3)
    gain = (drawn * of_seen).sum(axis=2) / energy
    levels = np.sqrt(np.maximum(share @ light * white, 1.0) * _FULL)
    sd = 2.0 * levels * noise / (_FULL * white)  # of light, of so many levels
    gain_sd = sd / np.sqrt(energy * max(float(weight.sum()) / alike, 1.0))
    return InkSeen(share @ light, inks @ share, gain, gain_sd)


def light_needed(ink: InkSeen) -> Array:
    """How unlike what light does it is that each of the inks (J,) is seen so: squared standard deviations, with the
    logarithms of what each leaves open."""
    return np.array([_needed(ink.seen, *of) for of in zip(ink.drawn, ink.gain, ink.gain_sd, strict=True)])


def _needed(seen: Array, drawn: Array, gain: Array, gain_sd: Array) -> float:
    """The same of one ink: generalised least squares for the light and the haze that all channels share."""
    design = np.zeros((8, 2))
    design[:3, 0], design[:3, 1], design[3:6, 0], design[6, 0], design[7, 1] = drawn, 1.0, 1.0, 1.0, 1.0
    target = np.concatenate([seen, gain, [AGAINST_PAPER, 0.0]])
    light = np.array([AGAINST_PAPER, max(float((seen - AGAINST_PAPER * drawn).mean()), 0.0)])
    for _ in range(_STEPS):
        spread = np.zeros((8, 8))
        of_gain = np.concatenate([light[0] * drawn, np.full(3, light[0])])
        spread[:6, :6] = np.outer(of_gain, of_gain) * np.tile(_MIXED, (2, 2))
        spread[:3, :3] += light[1] ** 2 * _MIXED + np.diag((_TONE_SHARE * light[0] * drawn) ** 2 + _TONE**2)
        spread[3:6, 3:6] += np.diag(gain_sd**2 + (_TONE_SHARE * light[0]) ** 2)
        spread[6, 6], spread[7, 7] = (AGAINST_PAPER * GAIN_SHARE_SD) ** 2, _HAZE_SD**2
        weighted = np.linalg.solve(spread, design)
        light = np.maximum(np.linalg.solve(design.T @ weighted, weighted.T @ target), (0.05, 0.0))
    off = target - design @ light
    return float(off @ np.linalg.solve(spread, off) + np.linalg.slogdet(spread)[1])
