"""Discs that lie beside cards: told by their rim and their colour in the light of the nearest card, plain ones too.

A correlation knows neither black from white nor a disc without print; here the colours themselves are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.faint_rims import faint_rim, printed_rings
from arena_cam.vision.tokens.discs.lit_discs import LitDiscs
from arena_cam.vision.tokens.discs.rims import (
    ABOUT,
    ARC,
    RIM_STEP,
    ROUND,
    Edges,
    changes,
    closed_rim,
    levels,
    sharpness,
)
from arena_cam.vision.tokens.discs.token_search import Light, SeenDisc
from arena_cam.vision.tokens.view.top_view import TopView, away_in_part

Floats = NDArray[np.float64]

LEAST_SLOPE, FULL_SLOPE = 4.0, 16.0  # of edges: a black disc on a dark cloth has faint ones
MOST_TRIED = 60
LEAST_VOTES, LEAST_RIM = 0.5, 0.5  # of a circle that is looked at closely: of edges, of its rim
# What two things differ by is a share of the light that they send back: a cloth so bright (grey levels of its brightest
# channel) and brighter needs a rim's usual step, a darker one less, down to what noise leaves. A black disc on wood of
# 47 levels had half of its rim beyond 12 levels, all of it beyond 7, and of the wood none; on marble of 200 levels
# veins have rims by steps of 5 and 8.
USUAL_CLOTH, LEAST_STEP = 100.0, 5.0
# Rim times share of the face that is explained. In photographs that were rendered discs had 0.69 (black on brown) and
# more, veins of marble 0.66 and less; what lies between is asked about, and so is any other thing with a whole rim.
LEAST_EVIDENCE, ODD_EVIDENCE, SURE_RIM = 0.67, 0.55, 0.85
PLAIN_GLOSS = 0.06  # so pale a reflection makes many things look like some disc: its rim must be whole
DARK = 90.0  # grey levels of a print, of its brightest channel: a dark disc on a dark cloth has a faint rim
SURE_CHANCE, SURE_EXPLAINED = 0.95, 0.75  # that it is the likeliest colour, of the colours; of its samples
# A rim no part of which is missing is a disc's, and only its colour is asked for. In 14 photographs of five sets 38
# things had so much of one, each the colour of a disc that lay there; of seven that were none the most was 0.88.
ALL_ROUND = 0.95
# Of nine veins and corners of checks with less, in 24 photographs of six sets, none had a rim more than 0.61 times as
# sharp as whole tokens of the same photograph; of four discs with less none had one less than 0.86 times as sharp.
# Discs with a whole rim, 47 of them, had 0.56 and more. Of a token: share seen.
SOFT, WHOLE_TOKEN = 0.62, 0.9


@dataclass(frozen=True, eq=False)
class RoundThing:
    """Something round of a disc's size: its middle in mm, and the `disc` it is, None where no colour explains it.

    The disc's `margin` is the probability of its colour, if it has one of the discs'. `cost`: negative log likelihood
    of what is seen there, if it is that disc, or the likeliest where it is none. `rim`: the share of its rim that is a
    sharper edge than the cloth has; `is_dark`: whether the colour that it is most like and the cloth are so dark that
    its rim may be faint."""

    middle: Floats
    radius_mm: float
    disc: SeenDisc | None
    cost: float = 0.0
    rim: float = 1.0
    is_dark: bool = False


class OwnerSearch:
    """Finds discs of one diameter beside cards in top views."""

    def __init__(self, prints: DiscPrints) -> None:
        self.prints = prints
        self._lit = LitDiscs(prints)
        colours = (prints.polar * prints.area[..., None]).sum(axis=(1, 2))
        self._dark = colours.max(axis=1) < DARK

    def search(self, view: TopView, lights: Sequence[Light], usable: NDArray[np.bool_]) -> list[RoundThing]:
        """The round things with middles where the view is `usable` (h, w), the likeliest first, none on another: each
        in the first of the `lights` in which it is a known disc."""
        middles, votes = Edges(view, LEAST_SLOPE, FULL_SLOPE).circles(self.prints.radius_mm)
        if not len(middles):
            return []
        at = np.clip(np.round(view.at(middles)).astype(int), 0, np.array(usable.shape[::-1]) - 1)
        good = usable[at[:, 1], at[:, 0]] & (votes > LEAST_VOTES)
        tried = []
        for middle, edged in zip(middles[good][:MOST_TRIED], votes[good][:MOST_TRIED], strict=True):
            step = _rim_step(view, middle, self.prints.radius_mm)
            rims = [closed_rim(view, middle, self.prints.radius_mm, arc, step) for arc in (1, ARC)]
            at_rim, rim = max(rims, key=lambda each: each[1])
            if rim > LEAST_RIM:
                tried.append(self._in_some_light(view, lights, at_rim, (min(rim, float(edged)), float(edged))))
        found: list[RoundThing] = []
        for thing, _ in sorted(((t, s) for t, s in tried if t is not None), key=lambda each: -each[1]):
            if all(np.linalg.norm(thing.middle - other.middle) > 1.2 * self.prints.radius_mm for other in found):
                found.append(thing)
        return found

    def ringed(
        self, view: TopView, lights: Sequence[Light], usable: NDArray[np.bool_], cloth: NDArray[np.bool_]
    ) -> list[RoundThing]:
        """The round things whose rims do not show, as they have a disc's printed rings: these stand for its rim. Their
        middles lie on the bare `cloth` (h, w), where the view is `usable` (h, w)."""
        found = []
        for middle, alike in printed_rings(view, self.prints, usable & cloth):
            thing, _ = self._in_some_light(view, lights, middle, (alike, alike))
            found.append(thing or RoundThing(middle, self.prints.radius_mm, None, rim=alike))
        return found

    def faint(
        self, view: TopView, lights: Sequence[Light], usable: NDArray[np.bool_], cloth: NDArray[np.bool_]
    ) -> list[RoundThing]:
        """The round thing, if there is one, that differs from the bare `cloth` (h, w) by the shadow about its foot
        alone; its middle lies where the view is `usable` (h, w)."""
        found = faint_rim(view, self.prints.radius_mm, cloth, usable)
        if found is None:
            return []
        middle, rim = found
        thing, _ = self._in_some_light(view, lights, middle, (rim, rim))
        return [replace(thing or RoundThing(middle, self.prints.radius_mm, None, rim=rim), is_dark=True)]

    def _in_some_light(
        self, view: TopView, lights: Sequence[Light], middle: Floats, rim: tuple[float, float]
    ) -> tuple[RoundThing | None, float]:
        """What is round there in the first of the lights in which it is a disc, in the first where it is none."""
        first = self._looked_at(view, lights[0], middle, rim)
        if first[0] is not None and first[0].disc is not None:
            return first
        others = (self._looked_at(view, light, middle, rim) for light in lights[1:])
        return next((each for each in others if each[0] is not None and each[0].disc is not None), first)

    def _looked_at(
        self, view: TopView, light: Light, middle: Floats, rims: tuple[float, float]
    ) -> tuple[RoundThing | None, float]:
        """What is round there, and how much speaks for it. `rims`: the share of its rim that is a sharper edge than the
        cloth has, and that is an edge at all: a dark disc on a dark cloth has the second alone, and is asked about."""
        fits = self._lit.fits(view, light, middle)
        kind, (rim, edged) = fits.best, rims
        best, chance = float(fits.shares[kind]), float(fits.chances()[kind])
        evidence, plain, cost = best * rim, bool(fits.gloss[kind] <= PLAIN_GLOSS), float(fits.details[kind])
        dark = bool(self._dark[kind]) and _cloth_level(view, middle, self.prints.radius_mm) < USUAL_CLOTH
        known = evidence >= LEAST_EVIDENCE and (plain or rim >= SURE_RIM)
        if not known and not (plain and best * edged >= LEAST_EVIDENCE):
            odd = rim > SURE_RIM or evidence > ODD_EVIDENCE
            thing = RoundThing(fits.middle, self.prints.radius_mm, None, cost, rim, dark)
            return (thing if odd else None), evidence
        told = best if known else min(best, evidence)
        disc = SeenDisc(kind, fits.middle, self.prints.radius_mm, best, told, fits.visible, chance, rim)
        return RoundThing(fits.middle, disc.radius_mm, disc, cost, rim, dark), evidence


def free_rim(view: TopView, thing: RoundThing, is_free: Callable[[Floats], NDArray[np.bool_]]) -> float:
    """The share of a thing's rim that is a sharper edge than the cloth has, where its points, and those (N, 2) of the
    circles on the cloth that it is compared with, are free."""
    step, shares = _rim_step(view, thing.middle, thing.radius_mm), [thing.rim]
    for arc in (1, ARC):
        at, _ = closed_rim(view, thing.middle, thing.radius_mm, arc, step)
        about: list[float] = []
        for reach in (thing.radius_mm, *(wider * thing.radius_mm for wider in ABOUT)):
            free = is_free(at + reach * ROUND)
            if free.any():
                about.append(float((changes(view, at[None], reach, arc)[0, free] > step).mean()))
        edged, least = about[0], min(about[1:], default=0.0)
        shares.append((edged - least) / max(1.0 - least, 1e-6))
    return max(shares)


def _rim_step(view: TopView, middle: Floats, radius_mm: float) -> float:
    """Grey levels by which the picture changes at a disc's rim about there (2,), on a cloth so bright."""
    return float(np.clip(RIM_STEP * _cloth_level(view, middle, radius_mm) / USUAL_CLOTH, LEAST_STEP, RIM_STEP))


def _cloth_level(view: TopView, middle: Floats, radius_mm: float) -> float:
    """Grey levels of the cloth about a disc's place (2,), of its brightest channel."""
    return float(np.median(levels(view, middle, ABOUT[0] * radius_mm)))


def but_for_soft_rims(view: TopView, things: Sequence[RoundThing], tokens: Sequence[SeenDisc]) -> list[RoundThing]:
    """The things; those that lack a part of their rim, and of which the rest is much softer than rims of the picture's
    whole tokens, are no known disc: a closed vein of marble was surely a black one."""
    lacking = [thing for thing in things if thing.disc is not None and thing.rim < ALL_ROUND]
    least = SOFT * usual_sharpness(view, tokens) if lacking else 0.0
    soft = [thing for thing in lacking if sharpness(view, thing.middle, thing.radius_mm) < least]
    return [replace(thing, disc=None) if thing in soft else thing for thing in things]


def usual_sharpness(view: TopView, tokens: Sequence[SeenDisc]) -> float:
    """How sharply whole tokens of a picture end (`sharpness`), the median of them; 0 where there are none."""
    whole = [sharpness(view, token.middle, token.radius_mm) for token in tokens if token.visible > WHOLE_TOKEN]
    return float(np.median(whole)) if whole else 0.0


def is_clear(disc: SeenDisc) -> bool:
    """Whether the disc's colour is not to be mistaken."""
    least = LEAST_EVIDENCE if disc.rim >= ALL_ROUND else SURE_EXPLAINED
    return disc.margin > SURE_CHANCE and disc.explained > least


def is_whole(disc: SeenDisc) -> bool:
    """Whether all of the disc's rim is an edge, as hardly anything on a cloth has it, and its print explains it."""
    return disc.rim >= SURE_RIM and disc.explained > SURE_EXPLAINED


def beside(view: TopView, outlines: Sequence[Floats], reach_mm: float) -> NDArray[np.bool_]:
    """(h, w): where the view is at most so far from an outline (M, 2), and on none."""
    found, part = np.zeros(view.inside.shape, bool), away_in_part(view, outlines, reach_mm)
    if part is not None:
        about, away = part
        found[about] = (away > 0) & (away < reach_mm) & view.inside[about]
    return found
