"""Discs that lie beside cards: told by their rim and their colour in the light of the nearest card, plain ones too.

A correlation knows neither black from white nor a disc without print; here the colours themselves are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.tokens.discs.disc_prints import ANGLES, DiscPrints
from arena_cam.vision.tokens.discs.rims import Edges
from arena_cam.vision.tokens.discs.token_search import Light, SeenDisc
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]

LEAST_SLOPE, FULL_SLOPE = 4.0, 16.0  # of edges: a black disc on a dark cloth has faint ones
MOST_TRIED = 60
SHIFTS_MM = (-1.0, -0.5, 0.0, 0.5, 1.0)
# Of a disc's light against its card's: shadow, tilt, and what a shiny disc reflects; grey levels.
DARKEST, BRIGHTEST, LEAST_GLOSS, MOST_GLOSS = 0.5, 1.4, -10.0, 40.0
BRIGHTNESS_SD, GLOSS_SD = 0.2, 15.0
WITHIN = 26.0  # grey levels of the photograph within which a sample is as printed
LEAST_VOTES, LEAST_RIM = 0.5, 0.6  # of a circle that is looked at closely: of edges, of its rim
RIM_MM, RIM_STEP = 0.8, 12.0  # a disc's rim is sharp: within so far of it on both sides the picture changes
# Rim times share of the face that is explained. In photographs that were rendered discs had 0.69 (black on brown) and
# more, veins of marble 0.66 and less; what lies between is asked about, and so is any other thing with a whole rim.
LEAST_EVIDENCE, ODD_EVIDENCE, SURE_RIM = 0.67, 0.55, 0.85
# Steps in which a face is laid on its picture, where so much of it is explained that it may be a disc, and not all is.
ASIDE_MM, LEAST_LIKELY, WHOLLY = (0.7, 0.35), 0.4, 0.9
_AROUND = np.array([[x, y] for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0) if x or y])
SURE_AHEAD, SURE_EXPLAINED = 0.15, 0.75  # of the samples: the best colour explains more than any other, and of all


@dataclass(frozen=True, eq=False)
class RoundThing:
    """Something round of a disc's size: its middle in mm, and the `disc` it is, None where no colour explains it."""

    middle: Floats
    radius_mm: float
    disc: SeenDisc | None


class OwnerSearch:
    """Finds discs of one diameter beside cards in top views."""

    def __init__(self, prints: DiscPrints) -> None:
        self.prints = prints
        self._steps = np.array([[x, y] for x in SHIFTS_MM for y in SHIFTS_MM]) * (prints.radius_mm / 10.0)
        angle = 2 * np.pi * np.arange(ANGLES) / ANGLES
        self._ways = np.column_stack([np.cos(angle), np.sin(angle)])

    def search(self, view: TopView, light: Light, usable: NDArray[np.bool_]) -> list[RoundThing]:
        """The round things with middles where the view is `usable` (h, w), the likeliest first, none on another."""
        middles, votes = Edges(view, LEAST_SLOPE, FULL_SLOPE).circles(self.prints.radius_mm)
        if not len(middles):
            return []
        at = np.clip(np.round(view.at(middles)).astype(int), 0, np.array(usable.shape[::-1]) - 1)
        good = usable[at[:, 1], at[:, 0]] & (votes > LEAST_VOTES)
        whole = [self._whole(view, middle) for middle in middles[good][:MOST_TRIED]]
        tried = [self._looked_at(view, light, middle, rim) for middle, rim in whole if rim > LEAST_RIM]
        found: list[RoundThing] = []
        for thing, _ in sorted(((t, s) for t, s in tried if t is not None), key=lambda each: -each[1]):
            if all(np.linalg.norm(thing.middle - other.middle) > 1.2 * self.prints.radius_mm for other in found):
                found.append(thing)
        return found

    def _whole(self, view: TopView, middle: Floats) -> tuple[Floats, float]:
        """The middle nearby about which most of the rim is an edge, and how much of it is."""
        centres = middle + self._steps
        sides = []
        for aside in (-RIM_MM, RIM_MM):
            mm = centres[:, None] + (self.prints.radius_mm + aside) * self._ways
            at = np.round(view.at(mm.reshape(-1, 2))).astype(int).reshape(mm.shape)
            at = np.clip(at, 0, np.array(view.inside.shape[::-1]) - 1)
            sides.append(view.pixels[at[..., 1], at[..., 0]])
        shares = (greatest(np.abs(sides[1] - sides[0])) > RIM_STEP).mean(axis=1)
        best = np.flatnonzero(shares >= shares.max() - 1e-9)
        return np.asarray(centres[best].mean(axis=0)), float(shares.max())

    def _looked_at(self, view: TopView, light: Light, middle: Floats, rim: float) -> tuple[RoundThing | None, float]:
        """What is round there, and how much speaks for it."""
        white = _white(light, middle[None])[0]
        middle, shares, visible = self._laid_on(view, middle, white)
        kind = int(shares.argmax())
        best, others = float(shares[kind]), np.delete(shares, kind)
        evidence = best * rim
        if evidence < LEAST_EVIDENCE:
            odd = rim > SURE_RIM or evidence > ODD_EVIDENCE
            return (RoundThing(middle, self.prints.radius_mm, None) if odd else None), evidence
        ahead = best - (float(others.max()) if len(others) else 0.0)
        disc = SeenDisc(kind, middle, self.prints.radius_mm, best, best, visible, ahead, rim)
        return RoundThing(middle, disc.radius_mm, disc), evidence

    def _laid_on(self, view: TopView, middle: Floats, white: Floats) -> tuple[Floats, Floats, float]:
        """The face's middle near the rim's, how much of it each print explains (K,), and how much of it is visible.

        The rim that is seen is that of the disc's side, too: a face with a fine print lies up to a millimetre aside.
        """
        seen, free = self.prints.samples(view, middle[None])
        shares = self._explained(seen[0], free[0], white)
        for step in ASIDE_MM if LEAST_LIKELY < shares.max(initial=0.0) < WHOLLY else ():
            at = middle + step * _AROUND
            seen_at, free_at = self.prints.samples(view, at)
            tried = [self._explained(s, f, white) for s, f in zip(seen_at, free_at, strict=True)]
            best = max(range(len(at)), key=lambda k: float(tried[k].max()))
            if tried[best].max() > shares.max():
                middle, shares, free = at[best], tried[best], free_at[best : best + 1]
        return middle, shares, float(free[0].mean())

    def _explained(self, seen: Floats, free: NDArray[np.bool_], white: Floats) -> Floats:
        """(K,): how much of the disc (RINGS, ANGLES) each print explains, in the turn and light that fit it best."""
        weight = free * self.prints.area
        whole = max(float(weight.sum()), 1e-9)
        out = np.zeros(len(self.prints.polar))
        if whole < 0.5:
            return out
        turns = self.prints.likeness(np.asarray(seen / white, np.float32)[None], free[None].astype(np.float64)).turn[0]
        for kind, turn in enumerate(turns):
            printed = self.prints.turned(kind, int(turn)) * white
            off = greatest(np.abs(seen - _in_its_light(printed, seen, weight)))
            out[kind] = float((weight * (off < WITHIN)).sum()) / whole
        return out


def _white(light: Light, centres: Floats) -> Floats:
    """(N, 3): by how much white paper would be dimmed there. What the light says of black is a guess."""
    gain, offset = light(centres)
    return np.maximum(gain + offset / 255.0, 0.05)


def _in_its_light(printed: Floats, seen: Floats, weight: Floats) -> Floats:
    """The print in the light that explains most of what is seen: a brightness about 1 and a gloss about 0, robustly."""
    bright, gloss = 1.0, 0.0
    for _ in range(3):
        off = seen - bright * printed - gloss
        w = weight / (1.0 + greatest(np.square(off)) / WITHIN**2) ** 2
        w = w / max(float(weight.sum()), 1e-9)
        mean, square = float((w[..., None] * printed).sum()), float((w[..., None] * printed * printed).sum())
        # Least squares drawn to (1, 0) as strongly as a tenth of the disc's samples, each good to WITHIN, would.
        pull = 0.1 * WITHIN**2
        normal = np.array([[square + pull / BRIGHTNESS_SD**2, mean], [mean, 3.0 * float(w.sum()) + pull / GLOSS_SD**2]])
        right = np.array([float((w[..., None] * printed * off).sum()), float((w[..., None] * off).sum())])
        right += pull * np.array([(1.0 - bright) / BRIGHTNESS_SD**2, -gloss / GLOSS_SD**2])
        change = np.linalg.solve(normal, right)
        bright = float(np.clip(bright + change[0], DARKEST, BRIGHTEST))
        gloss = float(np.clip(gloss + change[1], LEAST_GLOSS, MOST_GLOSS))
    return bright * printed + gloss


def is_clear(disc: SeenDisc) -> bool:
    """Whether the disc's colour is not to be mistaken."""
    return disc.margin > SURE_AHEAD and disc.explained > SURE_EXPLAINED


def beside(view: TopView, outlines: Sequence[Floats], reach_mm: float) -> NDArray[np.bool_]:
    """(h, w): where the view is at most so far from an outline (M, 2), and on none."""
    on = np.zeros(view.inside.shape, np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(on, np.round(view.at(outline)).astype(np.int32), 1)
    away = cv2.distanceTransform(1 - on, cv2.DIST_L2, 3) / view.px_per_mm
    return np.asarray((away > 0) & (away < reach_mm) & view.inside)
