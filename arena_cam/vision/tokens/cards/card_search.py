"""Which cards of a set lie where on the table: places are tried, aligned, and kept where their print is seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import PLAIN, PrintLight, fit_print_light
from arena_cam.vision.tokens.cards.face_alignment import AFFINE, RIGID, Plan, Slopes, aligned, slopes
from arena_cam.vision.tokens.cards.print_votes import Place
from arena_cam.vision.tokens.view.set_prints import CardGrid, SetPrints
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

COARSE, MIDDLE = 0.5, 1.0  # px/mm
# Grey levels within which a pixel is as the lit face has it: noise, and what blurred edges are off by.
NOISE, OF_PRINT = 9.0, 30.0
LEAST_GAIN, LEAST_OF_USUAL = 0.22, 0.5
MOST_NAMES = 12  # faces that are compared pixel by pixel, the best correlated
WELL_SEEN = 0.5  # ink times share, from which a card is where it was looked for
LEAST_ALIKE = 0.25  # correlation with some face, from which a place is looked at closely
MOST_TRIED, MOST_CLAIMED, LEAST_OWN_INK = 60, 0.75, 0.15
TRUSTED_VOTES, LEAST_INK_TRUSTED = 5, 0.25
CLOSE = (Plan(RIGID, 5, wide=False), Plan(RIGID, 4, wide=False))
WIDE = (Plan(RIGID, 6, wide=True), Plan(RIGID, 4, wide=False))
# A view that is not yet true shows cards a little stretched: taken up where that explains more.
STRETCHED, STRETCHED_SCORE, MOST_STRETCH = Plan(AFFINE, 4, wide=False), 0.35, 0.06
AFAR = Plan(RIGID, 6, wide=True)
LEAST_INK, LEAST_SHARE = 0.42, 0.30  # of a card's print, of all of it, that must be seen: tokens may cover half
SAME_MM, SAME_RAD = 17.0, 0.35  # two cards' middles lie farther apart, but for fans, which are turned
DONE = 0.6  # ink times share, from which no other place is tried for a card


@dataclass(frozen=True, eq=False)
class LaidCard:
    """A card on the table: `motion` (2, 3) from its mm to the table's, `face` of the set, its light.

    `explained` (h, w) at 1 px/mm: where it is seen as the face has it; `ink` and `share` of it that is.
    """

    motion: Floats
    face: int
    light: PrintLight
    explained: Mask
    ink: float
    share: float
    votes: int

    @property
    def score(self) -> float:
        return self.ink * self.share

    @property
    def middle(self) -> Floats:
        return np.asarray(self.motion[:, 2])

    @property
    def turn(self) -> float:
        return math.atan2(self.motion[1, 0], self.motion[0, 0])


class CardSearch:
    """Finds the cards of one set in top views."""

    def __init__(self, prints: SetPrints) -> None:
        self.prints = prints
        self._coarse = prints.cards(COARSE)
        self._middle = prints.cards(MIDDLE)
        self._kept: dict[tuple[float, int], Slopes] = {}
        self._normal = _normalised(self._coarse.faces[:, self._coarse.mask])

    def search(self, view: TopView, places: Sequence[Place], most: int = MOST_TRIED) -> list[LaidCard]:
        """Cards at some of the places, the best seen first; each explains print that no better one does."""
        found: list[LaidCard] = []
        claims = Claims(view, self.prints.size_mm)
        for place in places[:most]:
            motion = rigid_motion(place.at)
            there = next((card for card in found if _near(motion, card)), None)
            if there is not None and (there.score > DONE or place.votes < TRUSTED_VOTES):
                continue
            if there is None and claims.share(motion) > MOST_CLAIMED:
                continue
            others = [card for card in found if card is not there]
            if there is not None:
                claims = Claims(view, self.prints.size_mm, others)
            card = self.fit(view, place, claims)
            if card is None or any(_near(card.motion, other) for other in others):
                card = None
            best = max((each for each in (there, card) if each), key=lambda each: each.score, default=None)
            if best is not None:
                found = [*others, best]
                claims.add(best)
        return _in_one_light(sorted(found, key=lambda card: -card.score))

    def fit(self, view: TopView, place: Place, claims: Claims) -> LaidCard | None:
        """The card about there, None if no print of a card is seen."""
        tries = []
        motion = rigid_motion(place.at)
        if place.votes >= TRUSTED_VOTES:
            for face in place.faces:
                tries.append(self._settled(view, motion, replace(place, faces=(face,)), claims, CLOSE))
                if tries[-1].score > WELL_SEEN:
                    return tries[-1]
        if not tries or max(card.score for card in tries) < WELL_SEEN / 2:
            face, alike = self._likeliest(view, motion, claims)
            if alike > LEAST_ALIKE or tries:
                steep = self._slopes(self._coarse, face)
                far = aligned(view, self._coarse, steep, self.prints.size_mm, motion, AFAR, claims.at_scale)
                tries += [self._settled(view, start, place, claims, WIDE) for start in (motion, far)]
        good = [card for card in tries if self._seen(card)]
        return max(good, key=lambda card: card.score, default=None)

    @staticmethod
    def _seen(card: LaidCard) -> bool:
        least = LEAST_INK_TRUSTED if card.votes >= TRUSTED_VOTES else LEAST_INK
        return card.ink > least and card.share > LEAST_SHARE

    def _settled(self, view: TopView, motion: Floats, place: Place, claims: Claims, plans: Sequence[Plan]) -> LaidCard:
        """The card aligned from a place that is nearly right."""
        for step, plan in enumerate(plans):
            face = place.faces[0] if step == 0 and not plan.wide else self._named(view, motion, claims)
            steep = self._slopes(self._middle, face)
            motion = aligned(view, self._middle, steep, self.prints.size_mm, motion, plan, claims.at_scale)
        card = self.looked_at(view, motion, self._named(view, motion, claims, 1), place.votes, claims)
        if card.score < STRETCHED_SCORE:
            return card
        steep = self._slopes(self._middle, card.face)
        motion = aligned(view, self._middle, steep, self.prints.size_mm, motion, STRETCHED, claims.at_scale)
        other = self.looked_at(view, motion, self._named(view, motion, claims, 1), place.votes, claims)
        shape = np.linalg.svd(motion[:, :2], compute_uv=False)
        return other if other.score > card.score and np.abs(shape - 1.0).max() < MOST_STRETCH else card

    def looked_at(self, view: TopView, motion: Floats, face: int, votes: int, claims: Claims) -> LaidCard:
        """The card with that face there: its light, and how much of it is seen where no better card lies."""
        grid = self._middle
        patch, inside = view.patch(motion, self.prints.size_mm, grid.px_per_mm)
        mask = grid.mask & inside & ~claims.on(motion)
        light = face_light(grid, face, patch, mask, self.prints.size_mm)
        off = np.abs(lit_face(grid, face, light, self.prints.size_mm) - patch).max(axis=2)
        explained = (off < tolerance(light)) & mask
        ink = grid.ink[face] & mask
        share_ink = float(np.count_nonzero(explained & ink)) / max(int(np.count_nonzero(ink)), 1)
        share = float(np.count_nonzero(explained)) / max(int(np.count_nonzero(mask)), 1)
        dark = light.gain[:, 0].mean() < LEAST_GAIN  # so dark a print would explain any even surface
        if dark or np.count_nonzero(ink) < LEAST_OWN_INK * np.count_nonzero(grid.ink[face]):
            share_ink = 0.0
        return LaidCard(motion, face, light, explained, share_ink, share, votes)

    def _slopes(self, grid: CardGrid, face: int) -> Slopes:
        key = (grid.px_per_mm, face)
        if key not in self._kept:
            self._kept[key] = slopes(grid, face, self.prints.size_mm)
        return self._kept[key]

    def _likeliest(self, view: TopView, motion: Floats, claims: Claims) -> tuple[int, float]:
        """The face that correlates best, and how well."""
        alike = self._alike(view, motion, claims)
        return int(alike.argmax()), float(alike.max())

    def _alike(self, view: TopView, motion: Floats, claims: Claims) -> Grey:
        """(F,): correlation of each face with what is seen there and not claimed."""
        patch, inside = view.patch(motion, self.prints.size_mm, COARSE)
        mask = self._coarse.mask
        free = (inside & ~claims.at_scale(motion, COARSE))[mask]
        seen = patch[mask]
        if not free.any():
            return np.zeros(len(self._normal), np.float32)
        seen = np.where(free[:, None], seen - seen[free].mean(axis=0), 0.0).ravel()
        return np.asarray(self._normal @ seen.astype(np.float32) / max(float(np.linalg.norm(seen)), 1e-6))

    def _named(self, view: TopView, motion: Floats, claims: Claims, thinned: int = 3) -> int:
        """Of the faces that correlate best the one of least robust cost, in the light that the first one finds."""
        likeliest = np.argsort(-self._alike(view, motion, claims))[:MOST_NAMES]
        grid = self._middle
        patch, inside = view.patch(motion, self.prints.size_mm, grid.px_per_mm)
        mask = grid.mask & inside & ~claims.on(motion)
        light = face_light(grid, int(likeliest[0]), patch, mask, self.prints.size_mm)
        return int(likeliest[face_costs(grid, likeliest, light, patch, mask, self.prints.size_mm, thinned).argmin()])


def _near(motion: Floats, card: LaidCard) -> bool:
    """Whether a card so placed would be that card, a little off."""
    turn = math.atan2(motion[1, 0], motion[0, 0]) - card.turn
    apart = abs((turn + math.pi) % (2 * math.pi) - math.pi)
    return bool(np.linalg.norm(motion[:, 2] - card.middle) < SAME_MM and apart < SAME_RAD)


def _in_one_light(cards: list[LaidCard]) -> list[LaidCard]:
    """Without those that a surface of nearly one colour made up: they would be printed far paler than the others."""
    if not cards:
        return cards
    usual = float(np.median([card.light.gain[:, 0].mean() for card in cards[: max(3, len(cards) // 2)]]))
    return [card for card in cards if card.light.gain[:, 0].mean() > LEAST_OF_USUAL * usual]


class Claims:
    """Which parts of the table are explained by cards, at 1 px/mm."""

    def __init__(self, view: TopView, size_mm: tuple[float, float], cards: Sequence[LaidCard] = ()) -> None:
        height, width = view.inside.shape
        self.size_mm = size_mm
        self.map = np.zeros((math.ceil(height / view.px_per_mm), math.ceil(width / view.px_per_mm)), np.uint8)
        self._origin = view.origin_mm
        for card in cards:
            self.add(card)

    def _affine(self, motion: Floats) -> Floats:
        """(2, 3) from a card's pixels at 1 px/mm to the map's."""
        first = 0.5 - np.asarray(self.size_mm) / 2
        return np.column_stack([motion[:, :2], motion[:, :2] @ first + motion[:, 2] - self._origin - 0.5])

    def on(self, motion: Floats) -> Mask:
        """(h, w) of a card's pixels: whether another card explains them."""
        size = (round(self.size_mm[0]), round(self.size_mm[1]))
        flags = cv2.WARP_INVERSE_MAP | cv2.INTER_NEAREST
        return np.asarray(cv2.warpAffine(self.map, self._affine(motion), size, flags=flags) > 0)

    def at_scale(self, motion: Floats, px_per_mm: float) -> Mask:
        """As `on`, for pixels of that scale."""
        there = self.on(motion)
        if px_per_mm == 1.0:
            return there
        size = (round(self.size_mm[0] * px_per_mm), round(self.size_mm[1] * px_per_mm))
        return np.asarray(cv2.resize(there.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)

    def share(self, motion: Floats) -> float:
        return float(self.on(motion).mean())

    def add(self, card: LaidCard) -> None:
        mask = cv2.morphologyEx(card.explained.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        there = cv2.warpAffine(mask, self._affine(card.motion), self.map.shape[::-1], flags=cv2.INTER_NEAREST)
        self.map |= np.asarray(there, np.uint8)


def tolerance(light: PrintLight) -> float:
    """Grey levels by which a pixel may differ from the lit print and still be explained."""
    return NOISE + OF_PRINT * float(light.gain[:, 0].mean())


def face_costs(
    grid: CardGrid,
    faces: NDArray[np.intp],
    light: PrintLight,
    patch: Grey,
    mask: Mask,
    size_mm: tuple[float, float],
    thinned: int = 1,
) -> Floats:
    """What each of the faces leaves unexplained of a patch, each pixel counted up to 1; one pixel in `thinned`."""
    rows, columns = (each[::thinned] for each in np.nonzero(mask))
    xy = np.column_stack([columns + 0.5, rows + 0.5]) / grid.px_per_mm - np.asarray(size_mm) / 2
    lit = light.on(grid.faces[faces[:, None], rows, columns], xy[None, :, 0], xy[None, :, 1])
    lit -= patch[rows, columns]
    np.abs(lit, out=lit)
    off = np.maximum(np.maximum(lit[..., 0], lit[..., 1]), lit[..., 2]) * np.float32(1.0 / tolerance(light))
    return np.asarray(np.minimum(off * off, 1.0).sum(axis=1), np.float64)


def face_light(grid: CardGrid, face: int, patch: Grey, mask: Mask, size_mm: tuple[float, float]) -> PrintLight:
    """The light on a card of that face, from one pixel in four."""
    rows, columns = np.nonzero(mask)
    rows, columns = rows[::4], columns[::4]
    if not len(rows):
        return PLAIN
    xy = np.column_stack([columns + 0.5, rows + 0.5]) / grid.px_per_mm - np.asarray(size_mm) / 2
    return fit_print_light(grid.faces[face][rows, columns], patch[rows, columns], xy)


def lit_face(grid: CardGrid, face: int, light: PrintLight, size_mm: tuple[float, float]) -> Grey:
    """How that face looks in that light, (h, w, 3)."""
    height, width = grid.mask.shape
    x = (np.arange(width) + 0.5) / grid.px_per_mm - size_mm[0] / 2
    y = (np.arange(height) + 0.5) / grid.px_per_mm - size_mm[1] / 2
    return light.on(grid.faces[face], *np.meshgrid(x, y))


def _normalised(pixels: Grey) -> Grey:
    """(N, P, 3) without each channel's mean, flat, of length 1."""
    out = (pixels - pixels.mean(axis=1, keepdims=True)).reshape(len(pixels), -1)
    return np.asarray(out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6), np.float32)
