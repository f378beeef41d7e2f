"""Stacks of tokens explained as a whole: which pieces, in which order, leave the least of what is seen unexplained.

Tokens are found one by one, each as the picture shows it so far. One that was taken for the upper of two hides the
other, and one in the others' shadow is as printed in no one light. Here a further token is compared with its absence by
all samples of it: each piece, in a shade that changes smoothly, explains what no piece above it hides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.colour_calls import outside, shades_told, stack_left
from arena_cam.vision.picture.channels import greatest, summed
from arena_cam.vision.tokens.cards.card_groups import outlines_mm, share_on
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.cards.lit_faces import lit_at
from arena_cam.vision.tokens.discs.disc_prints import ANGLES, INNER, OUTER, RINGS, DiscPrints
from arena_cam.vision.tokens.discs.missed_tokens import LEAST_LIKE
from arena_cam.vision.tokens.discs.shades import MISTAKE
from arena_cam.vision.tokens.discs.sides import THICKEST, Sides
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import HALO, SAME, DiscSearch, SeenDisc
from arena_cam.vision.tokens.discs.token_trust import LITTLE, SPEAKING, chance_missed, chance_there, log_odds
from arena_cam.vision.tokens.shaded_scene import FLOOR, SHADE_RANGE, SMOOTH_MM

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

STEP_MM = 1.0  # of the lattice
TOUCHING = 2.1  # in radii: middles so near share some of their faces
LEAST_RIM, FARTHEST = 0.15, 1.9  # of circles beside tokens: share of the rim that is an edge, and radii to the next
LEAST_ON_CARDS = 0.4  # of its face
# Grey levels that the pieces known so far leave of a circle, on the average: less is a camera's noise and blur.
LEAST_LEFT = 8.0
EVERY = 7  # of the samples of a face: so many tell whether all of them must be looked at
LEAST_SEEN = 0.2  # of a face: over so much of it at least something is known
# Nats from which a place is looked at more closely: about the circle's very middle, in all sets of what lies above;
# where its kind is likest nearby; where it explains most a third of a radius about that; and a sixth. In 25 photographs
# of three sets the seven looks that ended as a token had -1.0, -1.4, 0.5 and 2.1 or more; of 1275 circles three
# quarters have less than the first.
ROUGHLY, NEARBY, WORTH, NEARLY = -4.0, -2.5, -1.0, 0.0
ABOUT, FINER = 0.3, (0.15, 0.07)  # those steps, in radii
FLIPPED = 0.3  # nats by which the order of two pieces must explain more
MOST_FURTHER = 4  # tokens that are added to a photograph so
# Radii about a token that was found, beyond which it changes nothing of what another circle shows.
CHANGED = 4.0
LIGHT_MM = 15.0  # a light that whole tokens tell changes over twice as much: so far apart it is asked for
PLAIN, MORE_THAN_HALF = 0.9, 0.6  # share that is explained of what nothing covers; share seen of what lies above
LIKELY_ONE = 0.99  # a chance from which a token is one whatever else is seen
# Nats by which what is seen must be likelier with a further token, and log odds, with those of how it looks, from which
# it is counted. In 19 photographs of two sets that were looked at four missed tokens explained 1.7 to 3.1 nats and had
# 2.4 to 4.2; what was none explained at most 0.6, but for one with 3.1 that looked like nothing, and had less than 0.
# In 87 photographs of six sets twelve are counted so: all are tokens of that kind, at most 0.06 radii aside.
LEAST_NATS, LEAST_TOLD = 1.0, 2.0
# Of a patch of a card as wide as a radius: so much of it must be open; how many of a dilemma are looked at; and by how
# many nats something else than print must be likelier there than elsewhere on its cards: print a little aside has more,
# too, so that this alone tells nothing. Of 43 tokens of which a quarter to three quarters show, each left out in one of
# eight photographs of three sets, 36 are asked about so (37 with a second patch), and nothing is in their 23 dilemmas.
LEAST_OPEN, MOST_PATCHES, LEAST_ELSE = 0.4, 1, 2.5
# The middle of a token that shows there is looked for about the patch's, in radii; how many of these places are looked
# at closely, and how far about each.
MOST_CLOSELY, CLOSELY = 3, 0.2
_SIXTHS = np.arange(6) * (np.pi / 3.0)
_AROUND = 0.55 * np.vstack([np.zeros(2), np.column_stack([np.cos(_SIXTHS), np.sin(_SIXTHS)])])
_NEXT = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
_WAYS = np.array([[x, y] for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0) if x or y])


class StackPicture:
    """What is seen of a table on a lattice of STEP_MM, and what its cards and the `tokens`, each in shade, leave of it:
    `left` (h, w), in grey levels, MISTAKE at most, not a number on the cloth; `bare` (h, w): where cards are open, a
    cell off all edges. The first cell lies at `origin` (2,)."""

    def __init__(
        self,
        scene: tuple[CardSearch, SeenTable, TokenColours],
        prints: DiscPrints,
        tokens: Sequence[SeenDisc],
        outlines: Floats,
    ) -> None:
        """`prints`: those that tokens are tried with; `outlines` (M, 2): corners of all cards."""
        search, table, colours = scene
        self.colours, self._sides, self._size = colours, Sides.of(table.camera), search.prints.size_mm
        self._rough = prints
        reach = (1.0 + THICKEST) * prints.radius_mm
        self.origin = np.floor(outlines.min(axis=0) - reach)
        self._shape = tuple((np.ceil(outlines.max(axis=0) + reach - self.origin).astype(int) + 1).tolist()[::-1])
        steps = table.view.at(self.origin + STEP_MM * np.array([[0.0, 0.0], [1.0, 0.0]]))
        per_cell, first = float(steps[1, 0] - steps[0, 0]), steps[0]
        affine = np.array([[per_cell, 0.0, first[0]], [0.0, per_cell, first[1]]])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        self._seen = np.asarray(cv2.warpAffine(table.view.pixels, affine, self._shape[::-1], flags=how), np.float32)
        self.left = np.full(self._shape, np.nan, np.float32)
        self._lay(search, table.cards, sorted(tokens, key=lambda each: -each.visible))

    def _lay(self, search: CardSearch, cards: Sequence[LaidCard], tokens: Sequence[SeenDisc]) -> None:
        """Explains what is seen by the cards and the tokens, the top one first."""
        covered = np.zeros(self._shape, bool)
        shown: list[tuple[SeenDisc, list[SeenDisc], tuple[slice, slice], Mask, Mask]] = []
        for k, disc in enumerate(tokens):
            window, points = self._about(disc.middle, (1.0 + THICKEST) * disc.radius_mm)
            if not points.size:
                continue
            face = np.hypot(*np.moveaxis(points - disc.middle, 2, 0)) < disc.radius_mm
            side = self._sides.on(disc, points.reshape(-1, 2)).reshape(face.shape)
            above = [each for each in tokens[:k] if _touch(each, disc)]
            shown.append((disc, above, window, face & ~covered[window], side & ~covered[window]))
            covered[window] |= face
        for card in cards:
            self._lay_card(search, card, covered)
        bare = np.isfinite(self.left)
        for _, _, window, _, side in shown:
            bare[window] &= ~side
        self.bare = cv2.erode(bare.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        for disc, above, window, face, side in reversed(shown):
            if not (face.any() or side.any()):
                continue
            printed, rim = self._laid(disc, above, window)
            seen, left = self._seen[window], self.left[window]
            beside = np.fmin(left, _off(seen, np.broadcast_to(rim, seen.shape), side))
            self.left[window] = np.where(face, _off(seen, printed, face), np.where(side, beside, left))

    def _about(self, middle: Floats, reach_mm: float) -> tuple[tuple[slice, slice], Floats]:
        """The lattice's rows and columns so far about a place (2,), and their places (h, w, 2)."""
        low = np.maximum(np.floor(middle - reach_mm - self.origin), 0).astype(int)
        high = np.minimum(np.ceil(middle + reach_mm - self.origin).astype(int) + 1, np.array(self._shape[::-1]))
        window = slice(low[1], max(high[1], low[1])), slice(low[0], max(high[0], low[0]))
        rows, columns = (np.arange(each.start, each.stop) * STEP_MM for each in window)
        at = np.empty((len(rows), len(columns), 2))
        at[..., 0], at[..., 1] = self.origin[0] + columns, (self.origin[1] + rows)[:, None]
        return window, at

    def _lay_card(self, search: CardSearch, card: LaidCard, covered: Mask) -> None:
        grid, half = search.prints.cards(1.0), np.asarray(self._size) / 2
        window, points = self._about(card.motion[:, 2], float(np.hypot(*half)))
        local = (points - card.motion[:, 2]) @ np.linalg.inv(card.motion[:, :2]).T
        on = (np.abs(local[..., 0]) < half[0]) & (np.abs(local[..., 1]) < half[1]) & ~covered[window]
        if not on.any():
            return
        cell = np.clip(np.round(local[on] + half - 0.5).astype(int), 0, np.array(grid.mask.shape[::-1]) - 1)
        lit = np.zeros((*on.shape, 3), np.float32)
        lit[on] = lit_at(grid, card.face, card.light, self._size, cell)
        self.left[window] = np.fmin(self.left[window], _off(self._seen[window], lit, on))

    def _laid(self, disc: SeenDisc, above: Sequence[SeenDisc], window: tuple[slice, slice]) -> tuple[Grey, Grey]:
        """The colours (h, w, 3) of a token's face in the turn in which what those above it leave open is likest, and
        the mean colour (3,) of its rim."""
        colours, prints, at = self.colours, self.colours.prints, disc.middle[None]
        lit, free = prints.lit_samples(colours.view, colours.white(at), at, _halos(above))
        turn = int(prints.likeness(lit, free).turn[0, disc.kind])
        gain, offset = colours.light(disc.middle, disc.kind)
        polar = np.asarray(prints.turned(disc.kind, turn) * gain + offset, np.float32)
        x = (np.arange(window[1].start, window[1].stop) * STEP_MM + self.origin[0] - disc.middle[0]) / disc.radius_mm
        y = (np.arange(window[0].start, window[0].stop) * STEP_MM + self.origin[1] - disc.middle[1]) / disc.radius_mm
        away = np.hypot(x[None], y[:, None])
        ring = np.clip((away - INNER) / (OUTER - INNER) * RINGS - 0.5, 0, RINGS - 1).astype(np.float32)
        around = np.mod(np.arctan2(y[:, None], x[None]) / (2.0 * np.pi) * ANGLES, ANGLES).astype(np.float32)
        padded = np.concatenate([polar, polar[:, :1]], axis=1)
        printed = cv2.remap(padded, around, ring, cv2.INTER_LINEAR)
        return np.asarray(printed, np.float32), np.asarray(polar[-1].mean(axis=0), np.float32)

    def at(self, points: Floats) -> Grey:
        """(...): what is left at points (..., 2); not a number off the lattice."""
        cell = np.rint((points - self.origin) / STEP_MM).astype(np.intp)
        column, row = cell[..., 0], cell[..., 1]
        height, width = self._shape
        there = (column >= 0) & (column < width) & (row >= 0) & (row < height)
        left = self.left.take(np.where(there, row * width + column, 0))
        return np.where(there, left, np.float32(np.nan))

    def least_explained(self, outlines: Sequence[Floats], tokens: Sequence[SeenDisc]) -> Floats:
        """(N, 2): the places on cards with `outlines` (M, 2), beside tokens, about which what is seen is farthest from
        the print of the cards, for what that leaves elsewhere on them: the likeliest to be something else first."""
        radius, corners = self._rough.radius_mm / STEP_MM, [(each - self.origin) / STEP_MM for each in outlines]
        low = np.clip(np.floor(np.concatenate(corners).min(axis=0)).astype(int), 0, self._shape[::-1])
        high = np.clip(np.ceil(np.concatenate(corners).max(axis=0)).astype(int) + 1, low, self._shape[::-1])
        window = slice(low[1], high[1]), slice(low[0], high[0])
        of_cards, beside = (np.zeros(tuple(np.subtract(high, low)[::-1]), np.uint8) for _ in range(2))
        if not of_cards.size:
            return np.zeros((0, 2))
        for each in corners:
            cv2.fillConvexPoly(of_cards, np.round(each - low).astype(np.int32), 1)
        for token in tokens:
            at = np.round((token.middle - self.origin) / STEP_MM - low).astype(int).tolist()
            cv2.circle(beside, at, round(2.0 * radius), 1, -1)
        open_ = (self.bare[window] & (of_cards > 0)).astype(np.float32)
        side = 2 * round(0.5 * radius) + 1
        left = np.where(open_ > 0, self.left[window], np.float32(0.0))
        count, sums = (
            cv2.boxFilter(each, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
            for each in (open_, left)
        )
        known = count > LEAST_OPEN * side**2
        if not known.any():
            return np.zeros((0, 2))
        mean = sums / np.maximum(count, 1.0)
        usual = float(np.median(mean[known]))
        speaking = SPEAKING / (math.pi * radius**2)
        nats = np.where(known & (beside > 0), speaking * count * np.log((mean + FLOOR) / (usual + FLOOR)), 0.0)
        found: list[Floats] = []
        while len(found) < MOST_PATCHES and nats.max() > LEAST_ELSE:
            row, column = (int(each) for each in np.unravel_index(int(nats.argmax()), nats.shape))
            found.append(self.origin + STEP_MM * (low + np.array([column, row])))
            cv2.rectangle(nats, (column - side // 2, row - side // 2), (column + side // 2, row + side // 2), 0.0, -1)
        return np.array(found).reshape(-1, 2)

    def is_unexplained(self, middles: Floats) -> Mask:
        """(N,): whether so much of what is known of a circle about each middle (N, 2) is unexplained that a token may
        lie there."""
        left = self.at(middles[:, None] + self._rough.xy_mm.reshape(-1, 2)[::EVERY])
        area = np.broadcast_to(self._rough.area.reshape(-1)[::EVERY], left.shape)
        known = np.isfinite(left)
        weight = known * area
        share = weight.sum(axis=1) / area.sum(axis=1)
        mean = (weight * np.where(known, left, 0.0)).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
        return np.asarray((share > LEAST_SEEN) & (mean > LEAST_LEFT))

    def nats(
        self,
        prints: DiscPrints,
        middles: Floats,
        above: Sequence[Sequence[SeenDisc]],
        kinds: Sequence[int] | None = None,
    ) -> Floats:
        """(N,): how much likelier what is seen is with a token about each of the middles (N, 2), beneath those `above`
        it (N sets) and on all others, than without it: as of noise of a size that nobody knows. Of those `kinds` (N,),
        or of the kind that correlates best."""
        white = self.colours.white(middles)
        samples, free = prints.lit_samples(self.colours.view, white, middles, [])
        likeness = prints.likeness(samples, free & _open(prints, middles, above, HALO))
        which = likeness.alike.argmax(axis=1) if kinds is None else np.asarray(kinds, np.intp)
        lights = self._lights(middles, which.tolist())
        open_ = _open(prints, middles, above, 1.0)
        turns = likeness.turn[np.arange(len(which)), which]
        shown = shades_told(
            samples, open_, prints.polar, (which, turns), (lights, np.stack(white, axis=1)), SHADE_RANGE
        )
        if shown is not None:
            places = middles, prints.xy_mm.reshape(-1, 2), prints.area
            smooth = shown.told @ prints.nearness(SMOOTH_MM)
            told = stack_left(shown, smooth, open_, places, (self.left, self.origin), MISTAKE)
            if told is not None:
                return _likelier(*told.T)
        turned = prints.all_turned(which, turns)
        gain, offset = lights[:, 0, None, None], lights[:, 1, None, None]
        seen = samples * np.float32(white[0][:, None, None]) + np.float32(white[1][:, None, None])
        before = self.at(middles[:, None, None] + prints.xy_mm)
        known = np.isfinite(before)
        weight = prints.area * known
        faces = np.maximum(weight.sum(axis=(1, 2)), 1e-9)
        before = np.where(known, before, 0.0)
        own = _off_samples(seen, turned * gain + offset, open_, prints.nearness(SMOOTH_MM))
        after = np.where(open_, own, before)
        then, now = ((weight * each).sum(axis=(1, 2)) / faces for each in (before, after))
        return _likelier(faces, then, now)

    def _lights(self, middles: Floats, kinds: Sequence[int]) -> Grey:
        """(N, 2, 3): gain and offset of each of the kinds (N,) about each of the middles (N, 2)."""
        about = np.round(middles / LIGHT_MM) * LIGHT_MM
        asked = [(*place, kind) for place, kind in zip(about.tolist(), kinds, strict=True)]
        places = dict(zip(asked, about, strict=True))
        told = {each: self.colours.light(place, each[2]) for each, place in places.items()}
        return np.array([told[each] for each in asked], np.float32)


def _likelier(faces: Floats, before: Floats, after: Floats) -> Floats:
    """(N,): nats by which what is seen of so much of faces is likelier where it is off by `after` than by `before`."""
    return np.asarray(SPEAKING * faces * np.log((before + FLOOR) / (after + FLOOR)))


def _open(prints: DiscPrints, middles: Floats, above: Sequence[Sequence[SeenDisc]], reach: float) -> Mask:
    """(N, RINGS, ANGLES): which samples about the middles (N, 2) lie outside `reach` radii of those above (N sets)."""
    circles = np.array([(*disc.middle.tolist(), disc.radius_mm) for each in above for disc in each]).reshape(-1, 3)
    first = np.cumsum([0, *map(len, above)], dtype=np.int64)
    compiled = outside(middles, prints.xy_mm.reshape(-1, 2), first, circles, reach)
    if compiled is not None:
        return compiled.reshape(len(middles), *prints.xy_mm.shape[:2])
    open_ = np.ones((len(middles), *prints.xy_mm.shape[:2]), bool)
    rows: dict[SeenDisc, list[int]] = {}
    for row, each in enumerate(above):
        for disc in each:
            rows.setdefault(disc, []).append(row)
    for disc, at in rows.items():
        open_[at] &= prints.beyond(middles[at], disc.middle, reach * disc.radius_mm)
    return open_


def _off_samples(seen: Grey, printed: Grey, open_: Mask, near: Grey) -> Grey:
    """(N, RINGS, ANGLES): as `_off` of the samples (N, RINGS, ANGLES, 3) of faces, which are so `near` (S, S)."""
    bright = np.maximum(summed(printed * printed), np.float32(1.0))
    weight, shape = bright * open_, (len(seen), -1)
    shade = np.clip(summed(seen * printed) / bright, *SHADE_RANGE)
    both = np.concatenate([weight.reshape(shape), (weight * shade).reshape(shape)]) @ near
    smooth = (both[len(seen) :] / np.maximum(both[: len(seen)], 1e-6)).reshape(bright.shape)
    off = greatest(np.abs(seen - smooth[..., None] * printed))
    return np.asarray(np.minimum(off, MISTAKE), np.float32)


def _off(seen: Grey, printed: Grey, where: Mask) -> Grey:
    """(h, w): by how much what is seen there is off a print (h, w, 3) in a shade that changes smoothly; else not a
    number."""
    weight = np.maximum(summed(printed * printed), np.float32(1.0)) * where
    shade = np.clip(summed(seen * printed) / np.maximum(weight, np.float32(1.0)), *SHADE_RANGE)
    both = cv2.GaussianBlur(np.stack([weight, weight * shade], axis=-1), (0, 0), SMOOTH_MM / STEP_MM)
    smooth = both[..., 1] / np.maximum(both[..., 0], 1e-6)
    off = np.minimum(greatest(np.abs(seen - smooth[..., None] * printed)), MISTAKE)
    return np.asarray(np.where(where, off, np.nan), np.float32)


@dataclass(frozen=True, eq=False)
class Further:
    """A token that may lie beneath those `above`: by how many `nats` what is seen is likelier with it."""

    nats: float
    disc: SeenDisc
    above: tuple[SeenDisc, ...]
    ahead: float = 0.0  # nats to the next kind

    @property
    def counts(self) -> bool:
        """Whether enough of it is seen, and it explains enough, to be a token."""
        return self.disc.visible >= LITTLE and self.nats > LEAST_NATS and _told(self) > LEAST_TOLD

    def as_seen(self, discs: DiscSearch, colours: TokenColours) -> SeenDisc:
        """The token as what those above leave open of it looks."""
        prints, at = discs.prints, self.disc.middle[None]
        seen, free = prints.lit_samples(colours.view, colours.white(at), at, _halos(self.above))
        visible = float((free[0] * prints.area).sum())
        alike = prints.likeness(seen, free).alike[0]
        own, next_ = float(alike[self.disc.kind]), float(np.delete(alike, self.disc.kind).max(initial=0.0))
        of_kind = None if own > next_ else self.ahead  # where correlation leads it tells more
        return replace(self.disc, alike=own, visible=visible, margin=own - next_, of_kind=of_kind, over_stack=self.nats)


class StackSearch:
    """Looks in one photograph for tokens that its cards and known tokens do not explain."""

    def __init__(
        self,
        scene: tuple[CardSearch, SeenTable, TokenColours],
        discs: DiscSearch,
        circles: tuple[Floats, Floats],
        outlines: Sequence[Floats],
    ) -> None:
        """`circles`: middles (N, 2) in mm and shares (N,) of their rims; `outlines` (M, 2) of the cards."""
        self._scene, self._discs, self._colours, self._outlines = scene, discs, scene[2], outlines
        self._radius = discs.prints.radius_mm
        self._last: tuple[list[SeenDisc], StackPicture] | None = None
        drawn = circles[1] > LEAST_RIM
        self._middles, self._rims = circles[0][drawn], circles[1][drawn]

    def further(
        self, tokens: Sequence[SeenDisc], others: Sequence[Floats]
    ) -> tuple[list[SeenDisc], list[tuple[SeenDisc, float]]]:
        """The tokens, with those that explain enough more of what is seen, and those beneath these as they are then
        seen; none about the middles of `others` (2,). And what may be one, and does not explain enough to be counted,
        with the probability that it is one."""
        found, tried = list(tokens), dict[int, Further | None]()
        if not self._colours.kinds:
            return found, []
        for _ in range(MOST_FURTHER):
            beside = self._beside(found, others)
            if not len(beside):
                break
            picture = self._picture_of(found)
            beside = beside[picture.is_unexplained(self._middles[beside])]
            fresh = [k for k in beside.tolist() if k not in tried and self._is_on_cards(self._middles[k])]
            self._try(picture, fresh, found, others, tried)
            best = max((each for each in tried.values() if each is not None and each.counts), key=_told, default=None)
            if best is None:
                break
            found = self._with(found, best)
            away = np.linalg.norm(self._middles - best.disc.middle, axis=1) > CHANGED * self._radius
            tried = {k: each for k, each in tried.items() if away[k]}
        rest = [each.disc for each in tried.values() if each is not None and not each.counts]
        return found, [(disc, chance_missed(disc)) for disc in rest]

    def hidden(
        self, tokens: Sequence[SeenDisc], others: Sequence[Floats], outlines: Sequence[Floats]
    ) -> SeenDisc | None:
        """What is like a further token, and makes likelier what is seen, beneath the others where the print of cards
        with these `outlines` (M, 2) leaves most unexplained beside them.

        Such a one may show neither a colour that print has not, nor enough of its rim: a pale violet token between two
        green ones, on white paper with words, was surely missed."""
        if not tokens or not self._colours.kinds:
            return None
        picture = self._picture_of(tokens)
        places, above = self._about_patches(picture, tokens, others, outlines)
        if not len(places):
            return None
        kinds, ways = len(self._discs.prints.polar), CLOSELY * self._radius * np.vstack([_WAYS, np.zeros(2)])
        at, beneath = (places[:, None] + ways).reshape(-1, 2), [each for each in above for _ in ways]
        looks, any_there = _Looks(picture, self._discs.rough), SeenDisc(0, at[0], self._radius, 0.0, 0.0, 0.0, 0.0, 0.0)
        best = looks.of_kinds(any_there, range(kinds), at, beneath)
        if best.nats < NEARLY:
            return None
        best = looks.of_kind(self._moved(looks, best, best.above), kinds)
        disc = best.as_seen(self._discs, self._colours)
        shows = disc.alike > LEAST_LIKE and disc.visible > LEAST_SEEN and best.nats > NEARLY
        return disc if shows and not self._is_near(disc.middle, [*(each.middle for each in tokens), *others]) else None

    def _about_patches(
        self,
        picture: StackPicture,
        tokens: Sequence[SeenDisc],
        others: Sequence[Floats],
        outlines: Sequence[Floats],
    ) -> tuple[Floats, list[list[SeenDisc]]]:
        """The places (N, 2) at which a further token, beneath those that touch it (N sets), makes most likely what the
        cards with these outlines leave unexplained; none where it would make that plainly less likely."""
        known = np.array([*(each.middle for each in tokens), *others])
        places = (picture.least_explained(outlines, tokens)[:, None] + self._radius * _AROUND).reshape(-1, 2)
        away = np.hypot(places[:, :1] - known[:, 0], places[:, 1:] - known[:, 1])
        tried = (away > SAME * self._radius).all(axis=1) & picture.is_unexplained(places)
        places, near = places[tried], (away[tried, : len(tokens)] < TOUCHING * self._radius).tolist()
        above = [[each for each, is_near in zip(tokens, row, strict=True) if is_near] for row in near]
        nats = picture.nats(self._discs.rough, places, above) if len(places) else np.zeros(0)
        worth = [k for k in np.argsort(-nats)[:MOST_CLOSELY].tolist() if nats[k] > NEARBY]
        worth = [k for k in worth if self._is_on_cards(places[k])]
        return places[worth], [above[k] for k in worth]

    def _picture_of(self, tokens: Sequence[SeenDisc]) -> StackPicture:
        """What the cards and these tokens leave; the last one that was asked for is kept."""
        if self._last is None or self._last[0] != list(tokens):
            picture = StackPicture(self._scene, self._discs.rough, tokens, np.concatenate(self._outlines))
            self._last = list(tokens), picture
        return self._last[1]

    def _beside(self, tokens: Sequence[SeenDisc], others: Sequence[Floats]) -> NDArray[np.intp]:
        """Which of the circles lie beside or between the tokens, and on none of the `others`."""
        if not tokens:
            return np.empty(0, np.intp)
        known = np.array([each.middle for each in tokens])
        x, y = self._middles[:, :1] - known[:, 0], self._middles[:, 1:] - known[:, 1]
        away = np.sqrt((x * x + y * y).min(axis=1)) / self._radius
        near = np.flatnonzero((away > SAME) & (away < FARTHEST))
        return np.array([k for k in near.tolist() if not self._is_near(self._middles[k], others)], np.intp)

    def _is_on_cards(self, middle: Floats) -> bool:
        return share_on(middle, self._radius, self._outlines) > LEAST_ON_CARDS

    def _try(
        self,
        picture: StackPicture,
        circles: Sequence[int],
        tokens: Sequence[SeenDisc],
        others: Sequence[Floats],
        tried: dict[int, Further | None],
    ) -> None:
        """Adds the likeliest further token about each of the circles; None where none is worth a closer look."""
        order = sorted(tokens, key=lambda each: -each.visible)
        known = [*(each.middle for each in tokens), *others]
        touching = self._touching(circles, order)
        rows = [(k, above) for k, near in touching.items() for above in _may_cover(near)]
        if not rows:
            return
        nats = picture.nats(self._discs.rough, self._middles[[k for k, _ in rows]], [above for _, above in rows])
        looks = _Looks(picture, self._discs.rough)
        for k in circles:
            worth = [above for (row, above), told in zip(rows, nats, strict=True) if row == k and told > ROUGHLY]
            best = self._likeliest(looks, k, worth, touching[k]) if worth else None
            tried[k] = None if best is None or self._is_near(best.disc.middle, known) else best

    def _touching(self, circles: Sequence[int], tokens: Sequence[SeenDisc]) -> dict[int, list[SeenDisc]]:
        """With which of the tokens a token about each of the circles would share some of its face."""
        at, known = self._middles[circles], np.array([each.middle for each in tokens]).reshape(-1, 2)
        near = np.hypot(at[:, :1] - known[:, 0], at[:, 1:] - known[:, 1]) < TOUCHING * self._radius
        rows = zip(circles, near.tolist(), strict=True)
        return {k: [each for each, is_near in zip(tokens, row, strict=True) if is_near] for k, row in rows}

    def _is_near(self, middle: Floats, others: Sequence[Floats]) -> bool:
        return any(math.dist(middle, each) < SAME * self._radius for each in others)

    def _likeliest(
        self, looks: _Looks, circle: int, sets: Sequence[list[SeenDisc]], touching: Sequence[SeenDisc]
    ) -> Further | None:
        """The token about there of the kind, in the place and beneath those pieces that explain most, of these `sets`
        at first."""
        view, white = self._colours.view, self._colours.white
        middle, rim = self._middles[circle], float(self._rims[circle])
        best = Further(-math.inf, SeenDisc(0, middle, self._radius, 0.0, 0.0, LEAST_SEEN, 0.0, rim), ())
        for above in sets:
            tried = self._discs.tried(view, white, middle, rim, above)
            if tried is not None:
                best = max(best, looks.likeliest(tried, np.array([tried.middle, middle]), above), key=_nats)
        if best.nats < NEARBY:
            return None
        starts = [best, looks.of_another_kind(best, middle, len(self._discs.prints.polar))]
        moved = [self._moved(looks, start, touching) for start in starts if start is not None]
        best = max(moved, key=_nats)
        if best.nats < NEARLY:
            return None
        best = looks.of_kind(best, len(self._discs.prints.polar))
        best = replace(best, disc=best.as_seen(self._discs, self._colours))
        # Half in a hard shadow a face correlates in no one light: what it explains in a smooth shade speaks, too.
        speaks = best.disc.alike > LEAST_LIKE or best.nats > LEAST_NATS
        return best if speaks and best.disc.visible > LEAST_SEEN and best.nats > NEARLY else None

    def _moved(self, looks: _Looks, best: Further, touching: Sequence[SeenDisc]) -> Further:
        """A token in the place about there, and beneath those of what touches it, that explain most; as it is where
        that would be too little."""
        best = looks.moved(best, [ABOUT], 1)
        if best.nats < WORTH:
            return best
        best = looks.moved(looks.flipped(best, touching), FINER, 2)
        if best.nats < NEARLY:
            return best
        disc = best.disc
        printed = self._discs.tried(self._colours.view, self._colours.white, disc.middle, disc.rim, best.above)
        if printed is None:
            return best
        # Words tell a place more closely than those steps do.
        return max(best, looks.likeliest(disc, printed.middle[None], best.above), key=_nats)

    def _with(self, tokens: Sequence[SeenDisc], new: Further) -> list[SeenDisc]:
        """The tokens with a further one, those that it covers as they are seen beneath it."""
        view, white = self._colours.view, self._colours.white
        upper = new.disc
        found = [each for each in tokens if each in new.above]
        beneath = [each for each in tokens if each not in new.above and _touch(each, upper)]
        rest = [each for each in tokens if each not in found and each not in beneath]
        above = [*found, *rest]
        found = [*found, upper]
        for each in beneath:
            over = [other for other in [*above, upper] if other.visible > each.visible or other is upper]
            again = self._discs.tried(view, white, each.middle, each.rim, over)
            found.append(
                each
                if again is None or again.alike < each.alike
                else replace(again, lead=each.lead, over_stack=each.over_stack)
            )
        return [*found, *rest]


def compared_with_stack(
    scene: tuple[CardSearch, SeenTable, TokenColours], discs: DiscSearch, tokens: Sequence[SeenDisc]
) -> list[SeenDisc]:
    """The tokens; those on cards that are half seen and may be none with the nats by which what is seen is likelier
    with them than with the cards and the other tokens alone."""
    search, _, colours = scene
    if not colours.kinds:
        return list(tokens)
    outlines = outlines_mm(scene[1].cards, search.prints.size_mm)
    return [
        replace(token, over_stack=_nats_over(scene, discs.rough, token, tokens))
        if _may_be_none(token) and share_on(token.middle, token.radius_mm, outlines) > LEAST_ON_CARDS
        else token
        for token in tokens
    ]


def _may_be_none(token: SeenDisc) -> bool:
    """Whether a token may be none that a shade would explain: of LITTLE of a face the side of another shows as much,
    and no shade explains that. Six such were counted in two photographs of a set of thick tokens."""
    return token.visible >= LITTLE and token.over_stack is None and chance_there(token) < LIKELY_ONE


def _nats_over(
    scene: tuple[CardSearch, SeenTable, TokenColours],
    rough: DiscPrints,
    token: SeenDisc,
    tokens: Sequence[SeenDisc],
) -> float:
    """By how many nats what is seen of a token is likelier with it than without it, beneath those of which more is
    seen, or those that lie on it as the rims say, whichever explains more."""
    colours, others = scene[2], [each for each in tokens if each is not token and _touch(each, token)]
    square = token.middle + 2.0 * token.radius_mm * np.array([[-1.0, -1.0], [1.0, 1.0]])
    picture = StackPicture(scene, rough, [each for each in tokens if each is not token], square)
    above = [
        [each for each in others if each.visible > token.visible],
        [each for each in others if colours.lies_over(each, token)],
    ]
    middles = np.repeat(token.middle[None], len(above), axis=0)
    return float(picture.nats(colours.prints, middles, above, [token.kind] * len(above)).max())


class _Looks:
    """Tokens tried in the picture of a stack, with every other sample."""

    def __init__(self, picture: StackPicture, rough: DiscPrints) -> None:
        self._picture, self._rough = picture, rough

    def likeliest(self, disc: SeenDisc, middles: Floats, above: Sequence[SeenDisc]) -> Further:
        """A token beneath those `above`, and on the others, where it explains most of the middles (N, 2)."""
        return self.of_kinds(disc, [disc.kind], middles, [above] * len(middles))

    def of_kinds(
        self, disc: SeenDisc, kinds: Sequence[int], middles: Floats, above: Sequence[Sequence[SeenDisc]]
    ) -> Further:
        """A token of one of the kinds at one of the middles (N, 2), there beneath those `above` (N sets), and on the
        others, whichever explains most."""
        at, of = np.tile(middles, (len(kinds), 1)), np.repeat(kinds, len(middles)).tolist()
        beneath = [*above] * len(kinds)
        nats = self._picture.nats(self._rough, at, beneath, of)
        best = int(nats.argmax())
        return Further(float(nats[best]), replace(disc, kind=of[best], middle=at[best]), tuple(beneath[best]))

    def moved(self, best: Further, steps: Sequence[float], times: int) -> Further:
        """Where a token explains most, in such steps (in radii)."""
        for step in steps:
            for _ in range(times):
                middles = best.disc.middle + step * best.disc.radius_mm * _WAYS
                better = self.likeliest(best.disc, middles, best.above)
                if better.nats <= best.nats:
                    break
                best = better
        return best

    def of_another_kind(self, best: Further, middle: Floats, kinds: int) -> Further | None:
        """Of the kind that explains most next to there (2,), if that is another and explains more: of a crescent, a
        millimetre aside, another kind's print may correlate better, slid to where hardly any of it is open."""
        others = [kind for kind in range(kinds) if kind != best.disc.kind]
        if not others:
            return None
        places = middle + FINER[0] * best.disc.radius_mm * _NEXT
        found = self.of_kinds(best.disc, others, places, [best.above] * len(places))
        return found if found.nats > best.nats else None

    def flipped(self, best: Further, touching: Sequence[SeenDisc]) -> Further:
        """Above or beneath each of those that touch it, whichever explains more."""
        for each in touching:
            above = [other for other in best.above if other is not each]
            other_way = self.likeliest(
                best.disc, best.disc.middle[None], above if each in best.above else [*above, each]
            )
            if other_way.nats > best.nats + FLIPPED:
                best = other_way
        return best

    def of_kind(self, best: Further, kinds: int) -> Further:
        """Of the likeliest kind, with its lead over the next."""
        at, above = np.repeat(best.disc.middle[None], kinds, axis=0), [best.above] * kinds
        nats = self._picture.nats(self._picture.colours.prints, at, above, range(kinds))
        first, *rest = np.argsort(-nats).tolist()
        ahead = float(nats[first] - nats[rest[0]]) if rest else math.inf
        return replace(best, nats=float(nats[first]), disc=replace(best.disc, kind=first), ahead=ahead)


def _may_cover(touching: Sequence[SeenDisc]) -> list[list[SeenDisc]]:
    """Sets of tokens that may lie above a further one: all, all but one that is not as printed, for the further one may
    cover it, and those of which most is seen."""
    sets = [list(touching), [each for each in touching if each.visible > MORE_THAN_HALF]]
    sets += [[each for each in touching if each is not one] for one in touching if one.explained < PLAIN]
    return [each for k, each in enumerate(sets) if each not in sets[:k]]


def _told(further: Further) -> float:
    """The log odds that a further token lies there: by how it looks, and by what it explains."""
    return log_odds(chance_there(further.disc))


def _nats(further: Further) -> float:
    return further.nats


def _touch(one: SeenDisc, other: SeenDisc) -> bool:
    return math.dist(one.middle, other.middle) < TOUCHING * one.radius_mm


def _halos(above: Sequence[SeenDisc]) -> list[tuple[Floats, float]]:
    """The circles, middle (2,) and radius in mm, in which nothing beneath those `above` is seen as printed."""
    return [(each.middle, HALO * each.radius_mm) for each in above]
