"""Tokens on which a hard shadow lies: a lamp or the sun throws it, and of a face one part is lit and one is not.

No one light suits such a face, and it correlates with nothing. But its print says what each sample would be in one
light: how many times as bright it is seen changes only at the shadow's edge, and has two levels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.channels import greatest, summed
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.missed_tokens import UNSEEN_RIM
from arena_cam.vision.tokens.discs.token_colours import WHOLE, TokenColours
from arena_cam.vision.tokens.discs.token_search import HALO, SAME, SeenDisc
from arena_cam.vision.tokens.discs.token_trust import is_doubtful
from arena_cam.vision.tokens.shaded_scene import LIKELY_LEAD

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

SMOOTH_MM = 1.5  # over which a shade is one: stripes and strokes are narrower
ROUNDS = 4
LEVELS = 0.2, 1.3  # of the card's light: from umbra to a slant's shine
# A shadow leaves less than so much of the light, and lies on so much at least of what is seen, and not on as much.
DARKER, LEAST_SHARE = 0.85, 0.08
# Grey levels of print within which a sample is as printed. So much of what is seen of a token is, with such a
# correlation and lead over other kinds: of 59 places on cards where none lay, in nine photographs with hard shadows,
# the best had 0.51 of it; of five backs in such shadows, with 0.07 to 0.63 in one light, none less than 0.77, 0.66 and
# 0.25; of a sixth, and of a red token whose card lay in a reflection, one was too little.
EXPLAINED, LEAST_EXPLAINED, LEAST_ALIKE, LEAST_AHEAD = 40.0, 0.7, 0.6, 0.2
LEAST_VISIBLE, GAINED = 0.3, 0.05  # share of a face; by how much more than in one light it must correlate
ASIDE = 0.25  # of a radius: steps in which its middle is looked for
REACHED = 2.3  # of a radius: tokens farther apart do not touch
REACH = ASIDE * math.sqrt(2.0) + 0.01
_GRID = ASIDE * np.array([[x, y] for x in (0.0, -1.0, 1.0) for y in (0.0, -1.0, 1.0)])


@dataclass(frozen=True)
class TwoLit:
    """The kind likeliest in two lights, its correlation, its lead over the next kind, and the share explained."""

    kind: int
    alike: float
    margin: float
    explained: float

    @property
    def is_plain(self) -> bool:
        """Whether this is a token, and no other kind of it."""
        return self.explained > LEAST_EXPLAINED and self.alike > LEAST_ALIKE and self.margin > LEAST_AHEAD


def in_two_lights(prints: DiscPrints, seen: Grey, free: Mask) -> TwoLit:
    """What samples (RINGS, ANGLES, 3) in their print's light, where they are `free` (RINGS, ANGLES), are likest if a
    part of them lies in a hard shadow."""
    kinds, angles = prints.polar.shape[0], prints.polar.shape[2]
    which, turns = np.repeat(np.arange(kinds), angles), np.tile(np.arange(angles), kinds)
    printed = prints.all_turned(which, turns).reshape(len(which), -1, 3)
    flat, near = seen.reshape(-1, 3), prints.nearness(SMOOTH_MM)
    area = (prints.area * free).reshape(-1).astype(np.float32)
    lit = flat / _levels(flat, printed, area, near)[..., None]
    alike = _correlated(lit, printed, area).reshape(kinds, angles)
    kind = int(alike.max(axis=1).argmax())
    row = kind * angles + int(alike[kind].argmax())
    others = np.delete(alike.max(axis=1), kind).max(initial=0.0)
    off = greatest(np.abs(lit[row] - printed[row]))
    explained = float((area * (off < EXPLAINED)).sum()) / max(float(area.sum()), 1e-9)
    return TwoLit(kind, float(alike.max()), float(alike.max() - others), explained)


def _levels(seen: Grey, printed: Grey, area: Grey, near: Grey) -> Grey:
    """(N, S): of samples (S, 3) of such an `area` (S,) how much light is on each, as each of the prints (N, S, 3) tells
    it: one of two levels, or 1 where they are nearly one."""
    bright = np.maximum(summed(printed * printed), np.float32(1.0))
    shade = np.clip(summed(seen * printed) / bright, *LEVELS)
    told, weight = bright * area, bright * (area > 0)
    smooth = (weight * shade) @ near / np.maximum(weight @ near, 1e-6)
    low = high = between = (told * shade).sum(axis=1) / np.maximum(told.sum(axis=1), 1e-9)
    for _ in range(ROUNDS):
        parts = (smooth < between[:, None], smooth >= between[:, None])
        low, high = ((told * p * shade).sum(axis=1) / np.maximum((told * p).sum(axis=1), 1e-9) for p in parts)
        between = (low + high) / 2.0
    dark = smooth < between[:, None]
    share = (area * dark).sum(axis=1) / max(float(area.sum()), 1e-9)
    two = (low < DARKER * high) & (share > LEAST_SHARE) & (share < 1.0 - LEAST_SHARE)
    level = np.where(dark, low[:, None], high[:, None])
    return np.asarray(np.where(two[:, None], level, np.float32(1.0)), np.float32)


def _correlated(lit: Grey, printed: Grey, area: Grey) -> Grey:
    """(N,): how samples (N, S, 3) correlate with prints (N, S, 3), each sample for its area (S,)."""
    weight = area[:, None] / max(3.0 * float(area.sum()), 1e-9)
    a, b = (each - (weight * each).sum(axis=(1, 2))[:, None, None] for each in (lit, printed))
    power = (weight * a * a).sum(axis=(1, 2)) * (weight * b * b).sum(axis=(1, 2))
    return np.asarray((weight * a * b).sum(axis=(1, 2)) / np.sqrt(np.maximum(power, 1.0)), np.float32)


class ShadowedTokens:
    """Tells tokens on which hard shadows lie, with `rough` prints: every other sample is enough."""

    def __init__(self, rough: DiscPrints) -> None:
        self._prints = rough

    def about(self, colours: TokenColours, places: Sequence[Floats]) -> list[SeenDisc]:
        """The tokens about places (2,), beneath those of `colours` that are not doubtful, that are plain in two lights.
        No rim speaks for them: of a face in a shadow that may be the shadow's."""
        found: list[SeenDisc] = []
        for place in places:
            known = [*(each for each in colours.tokens if not is_doubtful(each)), *found]
            about = place + self._prints.radius_mm * _GRID
            apart = [at for at in about if not any(_is_same(at, each) for each in colours.tokens)]
            tried = [self._tried(colours, at, known) for at in apart]
            best = max((each for each in tried if each is not None), key=_shown, default=None)
            if best is not None:
                found.append(best)
        return found

    def _tried(self, colours: TokenColours, middle: Floats, known: Sequence[SeenDisc]) -> SeenDisc | None:
        told, visible = self._told(colours, middle, known)
        if visible < LEAST_VISIBLE or not told.is_plain:
            return None
        seen = told.alike, told.explained, visible, told.margin
        return SeenDisc(told.kind, middle, self._prints.radius_mm, *seen, UNSEEN_RIM)

    def _told(self, colours: TokenColours, middle: Floats, above: Sequence[SeenDisc]) -> tuple[TwoLit, float]:
        """What is seen about there (2,) beneath those `above`, in two lights, and how much of a face that is."""
        circles = [(each.middle, HALO * each.radius_mm) for each in above]
        light = colours.white(middle[None])
        seen, free = self._prints.lit_samples(colours.view, light, middle[None], circles)
        return in_two_lights(self._prints, seen[0], free[0]), float((free[0] * self._prints.area).sum())

    def relit(self, colours: TokenColours, token: SeenDisc) -> SeenDisc:
        """The token as it is seen in two lights, if these explain it as of its kind, and more like it than one does."""
        told = self._of(colours, token)
        plain = told.explained > LEAST_EXPLAINED and told.kind == token.kind
        if not plain or told.alike < token.alike + GAINED:
            return token
        lead = None if token.lead is None else token.lead + told.alike - token.alike
        margin = max(told.margin, token.margin)
        return replace(token, alike=told.alike, explained=told.explained, margin=margin, of_kind=None, lead=lead)

    def but_for_scene(
        self, colours: TokenColours, tokens: Sequence[SeenDisc], in_shade: Callable[[SeenDisc], float | None]
    ) -> list[SeenDisc]:
        """The tokens; those that are plain in two lights without a small lead over cards and tokens in shade: in a
        shade of its own for each sample white paper is as grey as a token's back, but it has no stripes.

        Unless the lead over these `in_shade`, which changes as smoothly for them, says so, too: a token's shadow is
        dark beside it and ends at paper, as a back's dark band ends at its rim. Correlation does not see the difference
        (0.73, on paper), and two lights allow what was lit to have any colour."""
        found: list[SeenDisc] = []
        for token in tokens:
            if token.visible < WHOLE and token.over_scene is not None and token.over_scene < LIKELY_LEAD:
                told = self._of(colours, token)
                if told.is_plain and told.kind == token.kind and (in_shade(token) or 0.0) >= 0.0:
                    token = replace(token, over_scene=None)
            found.append(token)
        return found

    def _of(self, colours: TokenColours, token: SeenDisc) -> TwoLit:
        """What is seen of a token in two lights, beneath those that lie over it as the rims say, or of which more is
        seen, whichever explains more."""
        near = [each for each in colours.tokens if math.dist(each.middle, token.middle) < REACHED * token.radius_mm]
        others = [each for each in near if each is not token]
        above = [each for each in others if colours.lies_over(each, token)]
        larger = [each for each in others if each.visible > token.visible]
        tried = [self._told(colours, token.middle, each)[0] for each in (above, *([larger] if larger != above else []))]
        return max(tried, key=lambda each: each.alike * each.explained)


def _is_same(middle: Floats, disc: SeenDisc) -> bool:
    return math.dist(middle, disc.middle) < SAME * disc.radius_mm


def _shown(disc: SeenDisc) -> float:
    return disc.alike * disc.explained
