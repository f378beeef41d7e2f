"""Tokens that were missed at first: looked for where something in their colour is left over, lying askew, too.

A token that leans on another is seen as an ellipse, and one in a reflection in another light than its card's.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.rims import Edges
from arena_cam.vision.tokens.discs.token_colours import COLOUR_SD, TokenColours
from arena_cam.vision.tokens.discs.token_search import LEAST_ALIKE, DiscSearch, Light, SeenDisc, is_good, strength
from arena_cam.vision.tokens.discs.token_trust import told_by_likeness
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]

NEAR, MOST_NEAR = 0.9, 6  # of the radius: circles about a patch that are tried, and how many of them
# How much narrower a leaning token is seen (about 15 and 25 degrees at a slant), and in how many directions.
SQUEEZED, WAYS = (0.86, 0.74), 6
# Of a token that nothing but a second look speaks for: how well it is seen, how far ahead of other kinds, how much.
LEAST_STRENGTH, LEAST_AHEAD, LEAST_VISIBLE = 0.5, 0.08, 0.3
UNSEEN_RIM = 0.3  # of a token whose rim is no circle: it is doubtful
# About a circle that nothing else explains: how far aside a token is tried, in radii (its side is a sixth of one thick
# and seen askew), its rim, and the correlation from which its kind is said: of nine that had been missed, in 24
# photographs of eight styles, six were of the kind said.
ASIDE, WHOLE, LEAST_LIKE = 0.25, 0.8, 0.45
# Grey levels by which colours must tell a kind: by which the odds of two kinds change e times.
COLOURS_AHEAD = COLOUR_SD
# About a patch of any colour: how many are looked at, on how fine a grid in radii, how many places in each light. A
# token without any circle of edges about it has hardly a rim.
MOST_PATCHES, FINE, STARTS, RIM_NEAR, NO_RIM = 12, 0.22, 3, 0.2, 0.1
MOST_TOLD = 4  # of the likeliest that are not seen as printed: for so many other evidence is asked for
# All over a card: how fine a grid in radii, how many places, and the correlation that speaks for itself.
DENSE, MOST_DENSE, MUCH_ALIKE = 0.3, 8, 0.75
# Beneath a token: how far off its middle another's may be, in radii (nearer its face is hidden, farther it shows enough
# to stand out among all places of a card), on how fine a grid, and how many places are looked at closely.
BENEATH, BESIDE_IT, MOST_BENEATH = (0.4, 1.4), 0.2, 4
# Two tokens of a kind of which each shows less than so much, nearer than so many radii to each other, may be one that
# was laid aside at first. It may lie beyond the second, so many times as far from the first; and it correlates as well,
# but for so little. Two that lie there in truth show less if one is taken for both: most of one is the other's.
HALF_SEEN, ONE_PLACE, BEYOND, AS_WELL = 0.5, 0.8, (-0.5, 0.0, 0.5), 0.05
_ALONG = np.arange(-1.0, 1.0 + 1e-6, FINE)
_AROUND = np.array([[x, y] for x in _ALONG for y in _ALONG if x * x + y * y <= 1.05])
_WITHIN = np.arange(-BENEATH[1], BENEATH[1] + 1e-6, BESIDE_IT)
_BENEATH = np.array([[x, y] for x in _WITHIN for y in _WITHIN if BENEATH[0] <= np.hypot(x, y) <= BENEATH[1]])
_GRID = np.array([[x, y] for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)])


# Of places (N, 2) in mm, whether what is open of a token's face there is the print of cards.
IsPrint = Callable[[Floats], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Patch:
    """Something left over: its middle in mm, and its size as a share of a token's face."""

    middle: Floats
    share: float


class SecondLook:
    """Looks once more for the tokens of a set."""

    def __init__(self, prints: DiscPrints) -> None:
        self.radius_mm = prints.radius_mm
        self._round = DiscSearch(prints)
        self._leaning = [DiscSearch(each) for each in _bent(prints)]

    def search(
        self, view: TopView, edges: Edges, lights: Sequence[Light], known: Sequence[SeenDisc], patches: Sequence[Patch]
    ) -> list[SeenDisc]:
        """The tokens that explain patches, the best seen first; `lights` are those that they may lie in."""
        middles, rims = edges.circles(self.radius_mm) if patches else (np.zeros((0, 2)), np.zeros(0))
        left, found = list(patches), list[SeenDisc]()
        while left:
            tried = [
                disc
                for patch in left
                for disc in self._about(view, (middles, rims), lights, [*known, *found], patch.middle)
            ]
            best = max(tried, key=strength, default=None)
            if best is None or strength(best) < LEAST_STRENGTH:
                break
            found.append(best)
            left = [patch for patch in left if np.linalg.norm(patch.middle - best.middle) > best.radius_mm]
        return found

    def within(
        self,
        edges: Edges,
        lights: Sequence[Light],
        known: Sequence[SeenDisc],
        patches: Sequence[Patch],
        speaks: Callable[[SeenDisc], bool] = lambda _: False,
    ) -> list[SeenDisc]:
        """The tokens that explain patches, which may be a crescent of one of which no whole rim is seen: its middle may
        lie anywhere within a radius of the patch.

        Where none there is seen as printed, one that other evidence `speaks` for: in a stack's shadow none may be."""
        found: list[SeenDisc] = []
        for patch in patches[:MOST_PATCHES]:
            if any(np.linalg.norm(patch.middle - disc.middle) < disc.radius_mm for disc in found):
                continue
            so_far = [*known, *found]
            tried = self._around(edges, lights, so_far, patch.middle)
            good = [disc for disc in tried if _stands(disc) and strength(disc) > LEAST_STRENGTH]
            best = max(good, key=strength, default=None)
            if best is None:
                told = sorted((d for d in tried if _may_stand(d)), key=strength, reverse=True)
                best = next((disc for disc in told[:MOST_TOLD] if speaks(disc)), None)
            if best is not None:
                found.append(replace(best, rim=_rim_there(edges, best, NO_RIM)))
        return found

    def _around(
        self, edges: Edges, lights: Sequence[Light], known: Sequence[SeenDisc], middle: Floats
    ) -> list[SeenDisc]:
        """What is most like some token within a radius of there (2,), and what circles of edges there may be."""
        around = middle + self.radius_mm * _AROUND
        circles, _ = edges.circles(self.radius_mm)
        near = np.flatnonzero(np.linalg.norm(circles - middle, axis=1) < NEAR * self.radius_mm)[:MOST_NEAR]
        starts = [(light, self._round.likely(edges.view, light, around, known, STARTS)) for light in lights]
        starts += [(light, list(circles[near])) for light in lights[:1]]
        tried = (disc for light, at in starts for disc in self._tried(edges.view, light, at, UNSEEN_RIM, known))
        return [disc for disc in tried if disc is not None]

    def _tried(
        self,
        view: TopView,
        light: Light,
        starts: Sequence[Floats],
        rim: float,
        known: Sequence[SeenDisc],
        least: float = 0.0,
    ) -> list[SeenDisc | None]:
        """What is tried about each of the starts (2,)."""
        at = np.array(starts).reshape(-1, 2)
        return self._round.tried_all(view, light, at, [rim] * len(at), known, least)

    def all_over(
        self,
        view: TopView,
        edges: Edges,
        light: Light,
        known: Sequence[SeenDisc],
        outlines: Sequence[Floats],
        is_print: IsPrint | None = None,
    ) -> list[SeenDisc]:
        """What is much like a token anywhere on cards with these outlines (M, 2), whatever circles of edges say: on a
        dark card a dark token has no edge. Nowhere where it `is_print`. None lies on another, the best seen first."""
        at = _but_for(_spread(outlines, DENSE * self.radius_mm), is_print)
        starts = self._round.likely(view, light, at, known, MOST_DENSE) if len(at) else []
        tried = self._tried(view, light, starts, UNSEEN_RIM, known, MUCH_ALIKE)
        good = [d for d in tried if d is not None and _stands(d) and d.alike > MUCH_ALIKE]
        middles, rims = edges.circles(self.radius_mm) if good else (np.zeros((0, 2)), np.zeros(0))
        found: list[SeenDisc] = []
        for disc in sorted(good, key=strength, reverse=True):
            if all(np.linalg.norm(disc.middle - other.middle) > disc.radius_mm for other in found):
                near = np.linalg.norm(middles - disc.middle, axis=1) < RIM_NEAR * self.radius_mm
                found.append(replace(disc, rim=float(rims[near].max(initial=NO_RIM))))
        return found

    def beneath(
        self,
        edges: Edges,
        light: Light,
        known: Sequence[SeenDisc],
        tokens: Sequence[SeenDisc],
        speaks: Callable[[SeenDisc], bool] = lambda _: False,
        is_print: IsPrint | None = None,
    ) -> list[SeenDisc]:
        """What is much like a token beneath one of the `tokens`, all of them `known`, whatever circles of edges say and
        whatever is left over, but not where it `is_print`: on a ground in its own colour a token leaves nothing over,
        and of a crescent no whole rim is seen. The best seen first.

        A face of next to no print correlates little, however well it is seen: where none is much like a token, one that
        is as printed counts if other evidence `speaks` for it. A grey back on a black card had 0.61."""
        found: list[SeenDisc] = []
        for token in tokens:
            so_far = [*known, *found]
            places = _but_for(token.middle + self.radius_mm * _BENEATH, is_print)
            if not len(places):
                continue
            starts = self._round.likely(edges.view, light, places, so_far, MOST_BENEATH)
            tried = self._tried(edges.view, light, starts, UNSEEN_RIM, so_far, LEAST_ALIKE)
            stands = [d for d in tried if d is not None and _stands(d)]
            best = max((d for d in stands if d.alike > MUCH_ALIKE), key=strength, default=None)
            if best is None:
                told = sorted((d for d in stands if d.visible > LEAST_VISIBLE), key=strength, reverse=True)
                best = next((disc for disc in told[:1] if speaks(disc)), None)
            if best is not None:
                found.append(replace(best, rim=_rim_there(edges, best, NO_RIM)))
        return found

    def at_rims(
        self,
        view: TopView,
        lights: Sequence[Light],
        known: Sequence[SeenDisc],
        middles: Sequence[Floats],
        told: Callable[[SeenDisc], SeenDisc] = lambda token: token,
    ) -> list[SeenDisc]:
        """The tokens about circles (2,) that nothing else explains, their kinds as they are `told`; the circle may be a
        token's lower rim.

        A token that is there, but not seen as printed, or hardly seen, has no rim to speak for it: it is doubtful. A
        whole rim about a token of which others leave a fifth is another's."""
        found: list[SeenDisc] = []
        for middle in middles:
            starts = middle + ASIDE * self.radius_mm * _GRID
            so_far = [*known, *found]
            tried = [disc for light in lights for disc in self._tried(view, light, list(starts), WHOLE, so_far)]
            best = max((told(disc) for disc in tried if disc is not None), key=strength, default=None)
            if best is None or best.alike < LEAST_LIKE or best.margin < LEAST_AHEAD:
                continue
            whole = is_good(best) and best.visible > LEAST_VISIBLE
            found.append(best if whole else replace(best, rim=UNSEEN_RIM))
        return found

    def _about(
        self,
        view: TopView,
        circles: tuple[Floats, Floats],
        lights: Sequence[Light],
        known: Sequence[SeenDisc],
        middle: Floats,
    ) -> Iterable[SeenDisc]:
        """Good tokens about a patch: round ones at circles there first, leaning ones where none is good."""
        near = np.flatnonzero(np.linalg.norm(circles[0] - middle, axis=1) < NEAR * self.radius_mm)[:MOST_NEAR]
        starts = [(circles[0][k], float(circles[1][k])) for k in near]
        at, rims = circles[0][near], circles[1][near].tolist()
        tried = [disc for light in lights for disc in self._round.tried_all(view, light, at, rims, known)]
        good = [disc for disc in tried if disc is not None and _stands(disc)]
        if any(strength(disc) > LEAST_STRENGTH for disc in good):
            return good
        starts = [*((at, UNSEEN_RIM) for at, _ in starts[:2]), (middle, UNSEEN_RIM)]
        tried = [each.tried(view, lights[0], at, rim, known) for each in self._leaning for at, rim in starts]
        return [disc for disc in tried if disc is not None and _stands(disc)]


def with_rims(edges: Edges, colours: TokenColours, tokens: Sequence[SeenDisc]) -> list[SeenDisc]:
    """The tokens; those whose rim was not to be trusted, as they are not seen as printed, with the rim that is seen
    where they lie, if their colours, each sample in a shade of its own, are those of their kind and of no other."""
    found: list[SeenDisc] = []
    for token in tokens:
        if token.rim <= UNSEEN_RIM and token.visible > LEAST_VISIBLE and colours.ahead(token) > COLOURS_AHEAD:
            token = replace(token, rim=_rim_there(edges, token, token.rim))
        found.append(token)
    return found


def joined(search: DiscSearch, view: TopView, light: Light, tokens: Sequence[SeenDisc]) -> list[SeenDisc]:
    """The tokens, but one for each two half-seen ones of a kind that lie nearly in one place, if it alone shows as much
    as both and is seen as well: the first of both was laid aside of it, and the second is what that left over."""
    found = list(tokens)
    for second in tokens:
        for first in [each for each in found if _may_be_one(each, second)] if second in found else []:
            others = [each for each in found if each is not first and each is not second]
            starts = [second.middle + t * (second.middle - first.middle) for t in BEYOND]
            tried = [search.tried(view, light, start, max(first.rim, second.rim), others) for start in starts]
            one = max((each for each in tried if each is not None), key=strength, default=None)
            if one is not None and _shows_both(one, first, second):
                found = [one if each is first else each for each in found if each is not second]
                break
    return found


def _may_be_one(first: SeenDisc, second: SeenDisc) -> bool:
    """Whether two half-seen tokens of a kind lie so near that most of their faces would be the same."""
    same = first is not second and first.kind == second.kind and max(first.visible, second.visible) < HALF_SEEN
    return same and float(np.linalg.norm(first.middle - second.middle)) < ONE_PLACE * first.radius_mm


def _shows_both(one: SeenDisc, first: SeenDisc, second: SeenDisc) -> bool:
    """Whether one token shows as much as two seem to, as well as the worse of them."""
    as_well = one.kind == first.kind and one.alike > min(first.alike, second.alike) - AS_WELL
    return as_well and one.visible > first.visible + second.visible


def _rim_there(edges: Edges, disc: SeenDisc, least: float) -> float:
    """The share of its rim that is seen of a circle of edges where a disc lies; `least` if there is less, or none."""
    middles, rims = edges.circles(disc.radius_mm)
    near = np.linalg.norm(middles - disc.middle, axis=1) < RIM_NEAR * disc.radius_mm
    return float(rims[near].max(initial=least))


def _spread(outlines: Sequence[Floats], step_mm: float) -> Floats:
    """Points (N, 2), so far apart, on cards with these outlines."""
    if not outlines:
        return np.zeros((0, 2))
    low, high = np.concatenate(outlines).min(axis=0), np.concatenate(outlines).max(axis=0)
    x, y = (np.arange(a, b, step_mm) for a, b in zip(low, high, strict=True))
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    on = np.zeros(len(points), bool)
    for outline in outlines:
        side = np.roll(outline, -1, axis=0) - outline
        away = points[:, None] - outline[None]
        turned = side[:, 0] * away[..., 1] - side[:, 1] * away[..., 0]
        on |= (turned > 0).all(axis=1) | (turned < 0).all(axis=1)
    return np.asarray(points[on])


def _but_for(places: Floats, is_print: IsPrint | None) -> Floats:
    """The places (N, 2) at which something may be no print."""
    return places if is_print is None or not len(places) else places[~is_print(places)]


def _may_stand(disc: SeenDisc) -> bool:
    """Whether a token that is not seen as printed is at least more like one kind than like others, and enough of it."""
    return disc.alike > LEAST_LIKE and disc.margin > LEAST_AHEAD and _tells(disc, LEAST_LIKE)


def _stands(disc: SeenDisc) -> bool:
    return is_good(disc) and disc.margin > LEAST_AHEAD and _tells(disc, MUCH_ALIKE)


def _tells(disc: SeenDisc, alike: float) -> bool:
    """Whether enough is seen of a disc: of less than LEAST_VISIBLE a better correlation tells as much as one of `alike`
    does of that."""
    told, least = told_by_likeness(disc.alike, disc.visible), told_by_likeness(alike, LEAST_VISIBLE)
    return disc.visible > LEAST_VISIBLE or told > least


def _bent(prints: DiscPrints) -> Iterable[DiscPrints]:
    """The prints squeezed to ellipses."""
    for squeeze in SQUEEZED:
        for k in range(WAYS):
            c, s = np.cos(np.pi * k / WAYS), np.sin(np.pi * k / WAYS)
            turn = np.array([[c, -s], [s, c]])
            linear = turn @ np.diag([squeeze, 1.0]) @ turn.T
            leaning = copy.copy(prints)
            leaning.xy_mm = prints.xy_mm @ linear.T
            yield leaning
