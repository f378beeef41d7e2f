"""Stacks of tokens explained as a whole: which pieces, in which order, leave the least of what is seen unexplained.

Tokens are found one by one, each as the picture shows it so far. One that was taken for the upper of two hides the
other, and one in the others' shadow is as printed in no one light. Here a further token is compared with its absence by
all pixels of it: each piece, in a shade that changes smoothly, explains what no piece above it hides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.tokens.cards.card_groups import share_on
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch
from arena_cam.vision.tokens.cards.lit_faces import lit_at
from arena_cam.vision.tokens.discs.disc_prints import ANGLES, INNER, OUTER, RINGS
from arena_cam.vision.tokens.discs.missed_tokens import LEAST_LIKE
from arena_cam.vision.tokens.discs.shades import MISTAKE
from arena_cam.vision.tokens.discs.sides import Sides
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import HALO, SAME, DiscSearch, SeenDisc
from arena_cam.vision.tokens.discs.token_trust import SPEAKING, chance_there
from arena_cam.vision.tokens.shaded_scene import FLOOR, SHADE_RANGE, SMOOTH_MM

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

STEP_MM = 1.0  # of the lattice
TOUCHING, REACHING = 2.1, 2.6  # in radii: middles so near share some of their faces; or one's side the other's face
LEAST_RIM, FARTHEST = 0.15, 1.9  # of circles beside tokens: share of the rim that is an edge, and radii to the next
LEAST_ON_CARDS = 0.4  # of its face
REACH = 1.7  # in radii: so far about a circle the picture goes
# Grey levels that the pieces known so far leave of a circle, on the average: less is a camera's noise and blur.
LEAST_LEFT = 8.0
LEAST_SEEN = 0.2  # of a face: over so much of it at least something is known
# Nats from which a place is looked at closely; steps (in radii) of where else it may lie, and then of finer ones.
WORTH, ABOUT, FINER = -1.5, 0.3, (0.15, 0.07)
FLIPPED = 0.3  # nats by which the order of two pieces must explain more
MOST_FURTHER = 4  # tokens that are added to a photograph so
PLAIN, MORE_THAN_HALF = 0.9, 0.6  # share that is explained of what nothing covers; share seen of what lies above
# Nats by which what is seen must be likelier with a further token, and log odds, with those of how it looks, from which
# it is counted. In 19 photographs of two sets that were looked at four missed tokens explained 1.7 to 3.1 nats and had
# 2.4 to 4.2; what was none explained at most 0.6, but for one with 3.1 that looked like nothing, and had less than 0.
LEAST_NATS, LEAST_TOLD = 1.0, 2.0
_WAYS = np.array([[x, y] for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0) if x or y])


@dataclass(frozen=True, eq=False)
class Piece:
    """A token on the lattice: its face's colours in its light (h, w, 3), where its `face` and its `side` are (h, w),
    and its rim's mean colour (3,)."""

    printed: Grey
    face: Mask
    side: Mask
    rim: Grey


class StackPicture:
    """What is seen about a place (2,) on a lattice of STEP_MM, and what cards and tokens in shade leave of it."""

    def __init__(self, search: CardSearch, table: SeenTable, colours: TokenColours, about: Floats) -> None:
        self.colours, self._sides = colours, Sides.of(table.camera)
        self._radius = colours.prints.radius_mm
        steps = np.arange(-np.ceil(REACH * self._radius), np.ceil(REACH * self._radius) + 0.5, STEP_MM)
        self.points = about + np.stack(np.meshgrid(steps, steps), axis=-1)
        at = table.view.at(self.points.reshape(-1, 2)).astype(np.float32).reshape(self.points.shape)
        self.seen = np.asarray(cv2.remap(table.view.pixels, at[..., 0], at[..., 1], cv2.INTER_LINEAR), np.float32)
        self._cards = self._printed_cards(search, table)
        self._pieces: dict[tuple[float, ...], Piece] = {}

    def _printed_cards(self, search: CardSearch, table: SeenTable) -> list[tuple[Mask, Grey]]:
        size = search.prints.size_mm
        grid, half = search.prints.cards(1.0), np.asarray(size) / 2
        found = []
        for card in table.cards:
            local = (self.points - card.motion[:, 2]) @ np.linalg.inv(card.motion[:, :2]).T
            on = (np.abs(local) < half).all(axis=2)
            if on.any():
                last = np.array(grid.mask.shape[::-1]) - 1
                cell = np.clip(np.round(local + half - 0.5).astype(int), 0, last)
                lit = lit_at(grid, card.face, card.light, size, cell.reshape(-1, 2))
                found.append((on, np.asarray(lit, np.float32).reshape(self.seen.shape)))
        return found

    def piece(self, disc: SeenDisc, above: Sequence[SeenDisc]) -> Piece:
        """A token in the turn in which what those `above` leave open of it is likest."""
        near = [(each.middle, HALO * each.radius_mm) for each in above if _touch(each, disc)]
        key = (*disc.middle.tolist(), disc.kind, *(float(v) for middle, _ in near for v in middle))
        if key not in self._pieces:
            self._pieces[key] = self._laid(disc, near)
        return self._pieces[key]

    def _laid(self, disc: SeenDisc, near: list[tuple[Floats, float]]) -> Piece:
        colours, prints, at = self.colours, self.colours.prints, disc.middle[None]
        lit, free = prints.lit_samples(colours.view, colours.white(at), at, near)
        turn = int(prints.likeness(lit, free).turn[0, disc.kind])
        gain, offset = colours.light(disc.middle, disc.kind)
        polar = np.asarray(prints.turned(disc.kind, turn) * gain + offset, np.float32)
        away = (self.points - disc.middle) / disc.radius_mm
        share = np.hypot(away[..., 0], away[..., 1])
        ring = np.clip((share - INNER) / (OUTER - INNER) * RINGS - 0.5, 0, RINGS - 1).astype(np.float32)
        around = np.mod(np.arctan2(away[..., 1], away[..., 0]) / (2.0 * np.pi) * ANGLES, ANGLES).astype(np.float32)
        padded = np.concatenate([polar, polar[:, :1]], axis=1)
        printed = np.asarray(cv2.remap(padded, around, ring, cv2.INTER_LINEAR), np.float32)
        side = self._sides.on(disc, self.points.reshape(-1, 2)).reshape(share.shape)
        return Piece(printed, share < 1.0, side, polar[-1].mean(axis=0))

    def left(self, order: Sequence[SeenDisc]) -> Grey:
        """(h, w): by how many grey levels what is seen is off what tokens, the top one first, and the cards explain, at
        most MISTAKE; not a number on the cloth."""
        pieces = [self.piece(disc, order[:k]) for k, disc in enumerate(order)]
        covered = np.zeros(self.seen.shape[:2], bool)
        shown: list[tuple[Piece, Mask]] = []
        for piece in pieces:
            shown.append((piece, piece.face & ~covered))
            covered |= piece.face
        left = np.full(covered.shape, np.nan, np.float32)
        for on, printed in self._cards:
            left = np.fmin(left, self._off(printed, on & ~covered))
        for piece, open_ in reversed(shown):
            side = piece.side & ~covered
            left = np.where(side, np.fmin(left, self._off(np.broadcast_to(piece.rim, self.seen.shape), side)), left)
            left = np.where(open_, self._off(piece.printed, open_), left)
        return np.asarray(left, np.float32)

    def _off(self, printed: Grey, where: Mask) -> Grey:
        """(h, w): by how much what is seen there is off a print in a shade that changes smoothly; else not a number."""
        weight = np.maximum(np.square(printed).sum(axis=2), 1.0) * where
        shade = np.clip((self.seen * printed).sum(axis=2) / np.maximum(weight, 1.0), *SHADE_RANGE)
        both = cv2.GaussianBlur(np.stack([weight, weight * shade], axis=-1), (0, 0), SMOOTH_MM / STEP_MM)
        smooth = both[..., 1] / np.maximum(both[..., 0], 1e-6)
        off = np.minimum(greatest(np.abs(self.seen - smooth[..., None] * printed)), MISTAKE)
        return np.asarray(np.where(where, off, np.nan), np.float32)

    def nats(self, before: Grey, after: Grey, region: Mask) -> float:
        """How much likelier what is seen of a region is `after` than `before`: as of noise of a size nobody knows."""
        known = region & np.isfinite(before) & np.isfinite(after)
        count = np.count_nonzero(known)
        if not count:
            return 0.0
        faces = count * STEP_MM**2 / (math.pi * self._radius**2)
        ratio = (float(before[known].mean()) + FLOOR) / (float(after[known].mean()) + FLOOR)
        return SPEAKING * faces * math.log(ratio)

    def disc(self, middle: Floats) -> Mask:
        away = self.points - middle
        return np.asarray(np.hypot(away[..., 0], away[..., 1]) < self._radius)


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
        self._scene, self._discs, self._colours = scene, discs, scene[2]
        self._radius = discs.prints.radius_mm
        on = [
            (middle, float(rim))
            for middle, rim in zip(*circles, strict=True)
            if rim > LEAST_RIM and share_on(middle, self._radius, outlines) > LEAST_ON_CARDS
        ]
        self._circles = on if self._colours.kinds else []

    def further(self, tokens: Sequence[SeenDisc], others: Sequence[Floats]) -> list[SeenDisc]:
        """The tokens, with those that explain enough more of what is seen, and those beneath these as they are then
        seen; none about the middles of `others` (2,)."""
        found = list(tokens)
        for _ in range(MOST_FURTHER):
            tried = [self._about(middle, rim, found, others) for middle, rim in self._circles]
            best = max((each for each in tried if each is not None), key=_told, default=None)
            if best is None or _told(best) < LEAST_TOLD:
                break
            found = self._with(found, best)
        return found

    def _about(
        self, middle: Floats, rim: float, tokens: Sequence[SeenDisc], others: Sequence[Floats]
    ) -> Further | None:
        """The likeliest further token about a circle; None where none is worth a closer look."""
        away = [math.dist(each.middle, middle) / self._radius for each in tokens]
        if not SAME < min(away, default=0.0) < FARTHEST or self._is_near(middle, others):
            return None
        order = [each for each, far in zip(tokens, away, strict=True) if far < REACHING]
        order.sort(key=lambda each: -each.visible)
        picture = StackPicture(*self._scene, middle)
        looks = _Looks(picture, order)
        if not looks.may_hide(middle):
            return None
        touching = [each for each in order if math.dist(each.middle, middle) < TOUCHING * self._radius]
        best = self._likeliest(looks, middle, rim, touching)
        if best is None or self._is_near(best.disc.middle, [*(each.middle for each in tokens), *others]):
            return None
        return best

    def _is_near(self, middle: Floats, others: Sequence[Floats]) -> bool:
        return any(math.dist(middle, each) < SAME * self._radius for each in others)

    def _likeliest(self, looks: _Looks, middle: Floats, rim: float, touching: Sequence[SeenDisc]) -> Further | None:
        """The token about there of the kind, in the place and beneath those pieces that explain most."""
        view, white = self._colours.view, self._colours.white
        best = Further(-math.inf, SeenDisc(0, middle, self._radius, 0.0, 0.0, LEAST_SEEN, 0.0, rim), ())
        for above in _may_cover(touching):
            tried = self._discs.tried(view, white, middle, rim, above)
            if tried is None:
                continue
            for start in (tried.middle, middle):
                each = looks.further(replace(tried, middle=start), above)
                best = max(best, each, key=lambda one: one.nats)
        if best.nats < 2.0 * WORTH:
            return None
        best = looks.moved(best, [ABOUT], 1)
        if best.nats < WORTH:
            return None
        best = looks.moved(looks.flipped(best, touching), FINER, 2)
        best = looks.of_kind(best, len(self._discs.prints.polar))
        best = replace(best, disc=best.as_seen(self._discs, self._colours))
        return best if best.disc.alike > LEAST_LIKE and best.nats > LEAST_NATS else None

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
            found.append(each if again is None or again.alike < each.alike else replace(again, lead=each.lead))
        return [*found, *rest]


@dataclass(frozen=True, eq=False)
class Further:
    """A token that may lie beneath those `above`: by how many `nats` what is seen is likelier with it."""

    nats: float
    disc: SeenDisc
    above: tuple[SeenDisc, ...]
    ahead: float = 0.0  # nats to the next kind

    def as_seen(self, discs: DiscSearch, colours: TokenColours) -> SeenDisc:
        """The token as what those above leave open of it looks."""
        prints, at = discs.prints, self.disc.middle[None]
        near = [(each.middle, HALO * each.radius_mm) for each in self.above]
        seen, free = prints.lit_samples(colours.view, colours.white(at), at, near)
        visible = float((free[0] * prints.area).sum())
        alike = prints.likeness(seen, free).alike[0]
        own, next_ = float(alike[self.disc.kind]), float(np.delete(alike, self.disc.kind).max(initial=0.0))
        of_kind = None if own > next_ else self.ahead  # where correlation leads it tells more
        return replace(self.disc, alike=own, visible=visible, margin=own - next_, of_kind=of_kind)


class _Looks:
    """Tokens tried in one picture of a stack, each place once."""

    def __init__(self, picture: StackPicture, order: Sequence[SeenDisc]) -> None:
        self._picture, self._order = picture, order
        self._before = picture.left(order)
        self._nats: dict[tuple[float, ...], float] = {}

    def may_hide(self, middle: Floats) -> bool:
        """Whether so much of what is known about there is unexplained that a token may lie there."""
        left = self._before[self._picture.disc(middle)]
        known = left[np.isfinite(left)]
        return len(known) > LEAST_SEEN * len(left) and float(known.mean()) > LEAST_LEFT

    def further(self, disc: SeenDisc, above: Sequence[SeenDisc]) -> Further:
        """A token beneath those `above`, and on the others."""
        key = (disc.kind, *disc.middle.tolist(), *(float(each in above) for each in self._order))
        if key not in self._nats:
            top = [each for each in self._order if each in above]
            order = [*top, disc, *(each for each in self._order if each not in above)]
            after = self._picture.left(order)
            self._nats[key] = self._picture.nats(self._before, after, self._picture.disc(disc.middle))
        return Further(self._nats[key], disc, tuple(above))

    def moved(self, best: Further, steps: Sequence[float], times: int) -> Further:
        """Where a token explains most, in such steps (in radii)."""
        for step in steps:
            for _ in range(times):
                tried = [
                    self.further(
                        replace(best.disc, middle=best.disc.middle + step * best.disc.radius_mm * way), best.above
                    )
                    for way in _WAYS
                ]
                better = max(tried, key=lambda each: each.nats)
                if better.nats <= best.nats:
                    break
                best = better
        return best

    def flipped(self, best: Further, touching: Sequence[SeenDisc]) -> Further:
        """Above or beneath each of those that touch it, whichever explains more."""
        for each in touching:
            above = [other for other in best.above if other is not each]
            other_way = self.further(best.disc, above if each in best.above else [*above, each])
            if other_way.nats > best.nats + FLIPPED:
                best = other_way
        return best

    def of_kind(self, best: Further, kinds: int) -> Further:
        """Of the likeliest kind, with its lead over the next."""
        each = [self.further(replace(best.disc, kind=kind), best.above) for kind in range(kinds)]
        each.sort(key=lambda one: -one.nats)
        return replace(each[0], ahead=each[0].nats - each[1].nats if len(each) > 1 else math.inf)


def _may_cover(touching: Sequence[SeenDisc]) -> list[list[SeenDisc]]:
    """Sets of tokens that may lie above a further one: all, all but one that is not as printed, for the further one may
    cover it, and those of which most is seen."""
    sets = [list(touching), [each for each in touching if each.visible > MORE_THAN_HALF]]
    sets += [[each for each in touching if each is not one] for one in touching if one.explained < PLAIN]
    return [each for k, each in enumerate(sets) if each not in sets[:k]]


def _told(further: Further) -> float:
    """The log odds that a further token lies there: by how it looks, and by what it explains."""
    chance = chance_there(further.disc)
    return math.log(chance / (1.0 - chance)) + further.nats


def _touch(one: SeenDisc, other: SeenDisc) -> bool:
    return math.dist(one.middle, other.middle) < TOUCHING * one.radius_mm
