"""What has a token's colour and is explained by nothing: a token that others cover, or that lies between two cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.card_calls import as_printed, coloured
from arena_cam.vision.picture.channels import greatest, summed
from arena_cam.vision.picture.components import components
from arena_cam.vision.printed.print_light import PrintLight
from arena_cam.vision.tokens.cards.card_groups import outline_mm
from arena_cam.vision.tokens.cards.card_search import LaidCard
from arena_cam.vision.tokens.cards.lit_faces import lit_face, tolerance
from arena_cam.vision.tokens.cards.partner_search import peaks
from arena_cam.vision.tokens.cards.table_claims import Round
from arena_cam.vision.tokens.discs.covered_rims import covered_rims
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.missed_tokens import Patch
from arena_cam.vision.tokens.discs.shades import VEILS, off_veiled
from arena_cam.vision.tokens.discs.sides import Sides
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.print_or_token import AS_ALIKE, NOISE
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

LEAST_OF_FACE, LEAST_CHROMA = 0.12, 40.0  # of a colour of the palette: share of a token's face, grey levels from grey
BIN = 48  # grey levels that are one colour of a print
DARKEST, BRIGHTEST, SAME_COLOUR = 0.5, 1.25, 20.0  # of a token's light against its card's; grey levels
SHADOW, SHADOW_OFF = 0.35, 14.0  # how dark a shadow may be; grey levels by which the print under it may be off
MOST_LIT = 1.1  # times as bright as its card's light says: more is no shade
VEIL_THINNED = 16  # one pixel in so many tells a card's veil
# Of a token's radius: a square about as large as its face. Of that so much must be open on cards that anything is said;
# noise (grey levels) within which what is seen is the print, and a correlation with print so near that no token's is
# better by as much as it must be: both as `print_or_token` has them.
FACE_SIDE, LEAST_OPEN_MM2, AS_PRINTED = 1.6, 12, 1.0 - AS_ALIKE
COVERED = 1.1  # of a token's radius: its side
BESIDE = 0.8  # of a token's radius: so far beside the cards the middle of a token on them may be seen
# Of a patch: a token counts if it lies on cards with most of its face, so that what is seen of it beside them is the
# lesser part, unless another piece lies on the rest. A table's grain and a card's blurred edge do not reach the card.
ON_CARDS = 1 / 3
# And a token of which other pieces hide most is seen beside them, but for their shadow: a patch apart from all of them
# is a token that nothing hides, and more than this share of its face. Smaller ones are a picture's print in a shine.
LEAST_APART, ABOUT_MM = 0.1, 3.0
OF_TABLE = 0.05  # of the table about the cards: if so much of it has a token's colour, that tells nothing there
THICK_MM = 2.0
# Share of a token's face that is a patch: of 60 dilemmas whose tokens were all found one had more than 0.01 left over;
# of 20 with one missed, half had more than this.
LEAST_PATCH = 0.03
LEAST_UNPRINTED = 0.1  # the same of any colour: a card's blurred words are less
# A token beneath two others shows a strip between them, cut up by its print: so much of what would be seen of it, at
# least LEAST_STRIP of its face, is strange. In one layout with such a token, in two arts, this was 0.34 and 0.43, in 38
# dilemmas with all tokens found at most 0.27, the next 0.21: little to choose by, so that colours and shade are asked,
# too (`shaded_scene.token_lead`).
OF_STRIP, LEAST_STRIP = 0.25, 0.18
# Spreads by which a rim that a token covers in part differs from a bare card: of nine tokens that had been missed
# beneath others, in 48 photographs of 11 sets, eight had 6.2 to 11.4, one 5.5. Shadows and what lies aside of its print
# had as much: the shade is asked for, too (`shaded_scene.may_be_covered`).
LEAST_COVERED = 6.0
STRIPS_APART, MOST_STRIPS = 0.15, 8  # in radii; places of such a token that are told


@dataclass(frozen=True, eq=False)
class _Crop:
    """A part of the view: `pixels` (h, w, 3) from `first` (column, row) on."""

    pixels: Grey
    first: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Ground:
    """The cards of a dilemma and the table about them: what is on them in a token's colour that is not their print is
    `strange`, what has a token's bright colour anywhere `alike` (h, w); `away` (h, w): how far off the cards, in radii;
    `unprinted` (h, w): what is on them and not their print, whatever its colour; `bare`: by how much what is seen
    of the cards differs from their print, `inside` where they lie."""

    view: TopView
    crop: _Crop
    strange: Mask
    alike: Mask
    away: Grey
    unprinted: Mask
    bare: TopView


class Leftovers:
    """Looks for what is left over on dilemmas of one set."""

    def __init__(self, prints: SetPrints, tokens: DiscPrints) -> None:
        self.prints, self.radius_mm = prints, tokens.radius_mm
        colours = _palette(tokens).astype(np.float32)
        dark = colours.max(axis=1, initial=0.0) < SHADOW * 255.0
        # Beside cards the table is dark, too: it has veins and grain, and cards and tokens throw their shadows there.
        self.bright, self.dark = colours[~dark], colours[dark]

    def ground(self, view: TopView, cards: Sequence[LaidCard]) -> Ground:
        """What of the `cards` and of the table about them has a token's colour and is not their print."""
        crop = self._crop(view, cards)
        on, explained, off = self._print(view, crop, cards)
        alike = self._alike(crop.pixels, cards, self.bright)
        any_alike = alike | self._alike(crop.pixels, cards, self.dark)
        away = cv2.distanceTransform(1 - on.astype(np.uint8), cv2.DIST_L2, 3) / (view.px_per_mm * self.radius_mm)
        alike &= (greatest(crop.pixels) + greatest(-crop.pixels)) > SAME_COLOUR  # grey is a shadow or a vein
        unprinted = on & ~explained
        bare = TopView(off, on, view.origin_mm + crop.first / view.px_per_mm, view.px_per_mm)
        return Ground(view, crop, any_alike & unprinted, alike, np.asarray(away, np.float32), unprinted, bare)

    def patches(self, ground: Ground, known: Sequence[Round], sides: Sides | None = None) -> list[Patch]:
        """The patches on or beside the cards that have a token's colour and are neither their print nor `known`, the
        largest first; nor, where they are given, the `sides` of these, whose colour nobody knows. What lies beside the
        cards is no larger than what the cloth shows elsewhere, away from cards and pieces, where it is its pattern."""
        taken = self._taken(ground.view, ground.crop, known)
        if sides is not None:
            taken |= _swept(ground.view, ground.crop, sides, known)
        table = (ground.away > 1.2) & ~taken
        near = ground.alike & (ground.away > 0) & (ground.away < BESIDE)
        if not table.any() or ground.alike[table].mean() > OF_TABLE:
            near[:] = False
        about = cv2.dilate(taken.astype(np.uint8), self._square(ground.view, 2.0 * ABOUT_MM)) > 0
        found = self._parts(ground, ~taken & (ground.strange | near), LEAST_PATCH, about)
        beside = [patch for patch in found if self._away(ground, patch) > 0]
        if not beside:
            return found
        of_cloth = max((patch.share for patch in self._parts(ground, ground.alike & table, LEAST_PATCH)), default=0.0)
        return [patch for patch in found if patch not in beside or patch.share > of_cloth]

    @staticmethod
    def _away(ground: Ground, patch: Patch) -> float:
        """How far off the cards the middle of a patch lies, in radii."""
        last = np.array(ground.away.shape[::-1]) - 1
        column, row = np.clip(np.round(ground.view.at(patch.middle) - ground.crop.first).astype(int), 0, last).tolist()
        return float(ground.away[row, column])

    def unprinted(self, ground: Ground, known: Sequence[Round]) -> list[Patch]:
        """The patches on the cards, of any colour, that are neither their print nor `known`, the largest first."""
        taken = self._taken(ground.view, ground.crop, known)
        return self._parts(ground, ground.unprinted & ~taken, LEAST_UNPRINTED)

    def printed(self, ground: Ground, known: Sequence[Round]) -> Callable[[Floats], Mask]:
        """Tells of places (N, 2) in mm whether a token there would cover nothing but print of the cards, as it is
        printed, beside the `known` pieces: what is like the print in all that is open of a face is no token."""
        view, step = ground.view, ground.view.px_per_mm
        open_ = ((ground.away == 0) & ~self._taken(view, ground.crop, known)).astype(np.float32)
        height, width = (max(1, round(side / step)) for side in open_.shape)
        weight, seen, off = (
            cv2.resize(each, (width, height), interpolation=cv2.INTER_AREA)
            for each in (open_, ground.crop.pixels - np.float32(128.0), ground.bare.pixels)
        )
        weight = (weight > 0.99).astype(np.float32)
        printed = seen - off
        each = (seen, printed, seen * seen, printed * printed, seen * printed)
        sums = np.dstack([weight, *(weight * summed(of) for of in each)])
        side = 2 * round(FACE_SIDE * self.radius_mm / 2) + 1
        sums = cv2.boxFilter(sums, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
        count, s, p, ss, pp, sp = np.moveaxis(sums, 2, 0)
        n = np.maximum(3.0 * count, 1.0)
        rest = np.maximum((ss - s * s / n) * (pp - p * p / n), 1.0)
        alike = (sp - s * p / n) / np.sqrt(rest)
        noise = (ss + pp - 2.0 * sp) / n
        is_print = (count < LEAST_OPEN_MM2) | (alike > AS_PRINTED) | (noise < NOISE**2)
        last = np.array([width, height]) - 1
        scale = np.array([width, height]) / np.array(open_.shape[::-1])

        def told(mm: Floats) -> Mask:
            cell = np.clip(np.round((view.at(mm) - ground.crop.first + 0.5) * scale - 0.5).astype(np.intp), 0, last)
            return np.asarray(is_print[cell[:, 1], cell[:, 0]])

        return told

    def _parts(self, ground: Ground, left: Mask, least: float, about: Mask | None = None) -> list[Patch]:
        """The parts of a mask that are thick, and larger than that share of a token's face, the largest first; where
        `about` known pieces is given, those that lie there, and larger ones that lie on the cards."""
        view = ground.view
        left_over = cv2.morphologyEx(left.astype(np.uint8), cv2.MORPH_OPEN, self._square(view, THICK_MM))
        face = np.pi * (self.radius_mm * view.px_per_mm) ** 2
        if np.count_nonzero(left_over) <= least * face:  # all of it together is too small
            return []
        parts = components(np.asarray(left_over, np.uint8))
        shares = parts.areas / face
        large = [k for k in range(1, len(shares)) if shares[k] > least]
        if about is not None:
            boxes = parts.boxes.tolist()
            large = [k for k in large if self._lies_there(ground, parts.labels, (k, boxes[k]), float(shares[k]), about)]
        found = [
            Patch(view.origin_mm + (parts.middles[k] + ground.crop.first + 0.5) / view.px_per_mm, float(shares[k]))
            for k in large
        ]
        return sorted(found, key=lambda patch: -patch.share)

    @staticmethod
    def _lies_there(
        ground: Ground, labels: NDArray[np.int32], part: tuple[int, Sequence[int]], share: float, about: Mask
    ) -> bool:
        """Whether a part, its label and its box and area, lies about known pieces, or is larger and lies on cards."""
        label, (x, y, width, height, area) = part
        box = slice(y, y + height), slice(x, x + width)
        mine = labels[box] == label
        on_cards = np.count_nonzero(mine & (ground.away[box] == 0)) >= ON_CARDS * area
        return bool((on_cards and share > LEAST_APART) or (mine & about[box]).any())

    @staticmethod
    def _square(view: TopView, side_mm: float) -> NDArray[np.uint8]:
        return np.ones((round(side_mm * view.px_per_mm),) * 2, np.uint8)

    def between(self, ground: Ground, sides: Sides, tokens: Sequence[Round], others: Sequence[Round]) -> list[Floats]:
        """Where a token (its middle (2,) in mm) beneath two of the `tokens` would explain a strip in a token's colour
        that is seen between them and is none of their `sides`: the places of which most is in such a colour, apart from
        each other."""
        if len(tokens) < 2:
            return []
        radius = self.radius_mm * ground.view.px_per_mm
        middles = ground.view.at(np.array([token.middle for token in tokens])) - ground.crop.first
        rows, columns = (np.arange(side, dtype=np.float32) for side in ground.away.shape)
        beneath = np.zeros(ground.away.shape, np.uint8)
        for x, y in middles.astype(np.float32):
            r, c = (slice(max(int(at - 2.0 * radius) - 1, 0), max(int(at + 2.0 * radius) + 2, 0)) for at in (y, x))
            beneath[r, c] += (columns[c] - x) ** 2 + ((rows[r] - y) ** 2)[:, None] < (2.0 * radius) ** 2
        on = cv2.erode((ground.away == 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        free = on & ~self._taken(ground.view, ground.crop, [*tokens, *others])
        free &= ~_swept(ground.view, ground.crop, sides, tokens)
        x, y, width, height = cv2.boundingRect((beneath >= 2).astype(np.uint8))
        if not width:
            return []
        reach = round(radius) + 1
        about = slice(max(y - reach, 0), y + height + reach), slice(max(x - reach, 0), x + width + reach)
        beneath, free = beneath[about], free[about]
        seen, strange = (_within(each, radius) for each in (free, free & ground.strange[about]))
        tried = (beneath >= 2) & (seen >= LEAST_STRIP * np.pi * radius**2)
        share = np.where(tried, strange / np.maximum(seen, 1.0), 0.0)
        found = peaks(np.asarray(share, np.float32), MOST_STRIPS, OF_STRIP, max(1, round(STRIPS_APART * radius)))
        scale = 1.0 / ground.view.px_per_mm
        begin = ground.view.origin_mm + (ground.crop.first + np.array([about[1].start, about[0].start]) + 0.5) * scale
        return [begin + scale * np.array([column, row]) for _, row, column in found]

    def covered(
        self, ground: Ground, sides: Sides, tokens: Sequence[SeenDisc], others: Sequence[Round]
    ) -> list[Floats]:
        """Where a rim (its middle (2,) in mm) that some of the `tokens` covers in part goes on along all that is open
        of it, the clearest first: neither the cards' print nor `others` nor the tokens' `sides`."""
        view = ground.bare
        taken = self._taken(ground.view, ground.crop, [*tokens, *others])
        taken |= _swept(ground.view, ground.crop, sides, tokens)
        return [middle for middle, _ in covered_rims(view, tokens, taken, LEAST_COVERED)]

    def _crop(self, view: TopView, cards: Sequence[LaidCard]) -> _Crop:
        outlines = np.concatenate([outline_mm(card, self.prints.size_mm) for card in cards])
        margin = 2.5 * self.radius_mm
        corners = view.at(np.stack([outlines.min(axis=0) - margin, outlines.max(axis=0) + margin]))
        last = np.array(view.inside.shape[::-1])
        low, high = np.clip(np.round(corners).astype(np.intp), 0, last)
        return _Crop(np.ascontiguousarray(view.pixels[low[1] : high[1], low[0] : high[0]]), low)

    def _print(self, view: TopView, crop: _Crop, cards: Sequence[LaidCard]) -> tuple[Mask, Mask, Grey]:
        """(h, w) twice: where cards lie, and where one of them is seen as printed, if only in a shadow; and (h, w, 3)
        by how much what is seen differs from the print of the card that is nearest to it."""
        shape = crop.pixels.shape[1::-1]
        on, explained = (np.zeros(crop.pixels.shape[:2], bool) for _ in range(2))
        least, differs = np.full(crop.pixels.shape[:2], np.inf, np.float32), np.zeros_like(crop.pixels)
        grid = self.prints.cards(1.0)
        for card in cards:
            corners = view.at(outline_mm(card, self.prints.size_mm)) - crop.first
            low = np.clip(np.floor(corners.min(axis=0)).astype(int) - 1, 0, shape)
            high = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 2, 0, shape)
            box = slice(low[1], high[1]), slice(low[0], high[0])  # all of it that the card may cover
            size, pixels = (int(high[0] - low[0]), int(high[1] - low[1])), crop.pixels[box]
            if min(size) <= 0:
                continue
            affine = view.from_card(card.motion, self.prints.size_mm, 1.0)
            affine[:, 2] -= crop.first + low
            face = lit_face(grid, card.face, card.light, self.prints.size_mm)
            lit = np.asarray(cv2.warpAffine(face, affine, size), np.float32)
            there = cv2.warpAffine(np.ones(grid.mask.shape, np.uint8), affine, size) > 0
            is_print = _as_printed(crop.pixels, box, (lit, there), tolerance(card.light), (least, differs))
            printed = np.asarray(cv2.warpAffine(grid.faces[card.face], affine, size), np.float32)
            explained[box] |= is_print | _veiled(pixels, printed, card.light, there, is_print)
            on[box] |= there
        return on, explained, differs

    @staticmethod
    def _alike(pixels: Grey, cards: Sequence[LaidCard], colours: Grey) -> Mask:
        """(h, w): which pixels have one of the `colours` (C, 3) in the light of these cards."""
        if not len(colours):
            return np.zeros(pixels.shape[:2], bool)
        white = np.mean([card.light.gain[:, 0] + card.light.offset[:, 0] / 255.0 for card in cards], axis=0)
        light = np.maximum(white, 0.05).astype(np.float32)
        compiled = coloured(pixels, colours * light, (DARKEST, BRIGHTEST), SAME_COLOUR)
        if compiled is not None:
            return compiled
        alike = np.zeros(pixels.shape[:2], bool)
        for colour in colours * light:
            bright = np.clip(pixels @ colour / float(colour @ colour), DARKEST, BRIGHTEST)
            alike |= greatest(np.abs(pixels - bright[..., None] * colour)) < SAME_COLOUR
        return alike

    def _taken(self, view: TopView, crop: _Crop, known: Sequence[Round]) -> Mask:
        taken = np.zeros(crop.pixels.shape[:2], np.uint8)
        at = view.at(np.array([piece.middle for piece in known]).reshape(-1, 2)) - crop.first
        for piece, middle in zip(known, np.round(at).astype(int).tolist(), strict=True):
            cv2.circle(taken, middle, round(COVERED * piece.radius_mm * view.px_per_mm), 1, -1)
        return taken > 0


def _as_printed(
    seen: Grey, box: tuple[slice, slice], card: tuple[Grey, Mask], within: float, nearest: tuple[Grey, Grey]
) -> Mask:
    """Where (h, w) a `card`, its print (h, w, 3) and where it lies (h, w), is as printed within so many grey levels, or
    in a shadow, in that box of what is `seen`; `nearest`: by how much, at most and in each channel, the nearest card
    differs, written anew where this one is nearer."""
    (lit, there), (least, differs) = card, nearest
    compiled = as_printed(seen, box, lit, there, np.array([within, SHADOW_OFF, SHADOW, MOST_LIT]), nearest)
    if compiled is not None:
        return compiled
    pixels = seen[box]
    shade = summed(pixels * lit) / np.maximum(summed(lit * lit), 1.0)
    difference = pixels - lit
    off = greatest(np.abs(difference))
    nearer = there & (off < least[box])
    differs[box][nearer], least[box][nearer] = difference[nearer], off[nearer]
    off_shaded = greatest(np.abs(pixels - shade[..., None] * lit))
    shaded = (off_shaded < SHADOW_OFF) & (shade > SHADOW) & (shade < MOST_LIT)
    return np.asarray(there & ((off < within) | shaded))


def _swept(view: TopView, crop: _Crop, sides: Sides, known: Sequence[Round]) -> Mask:
    """(h, w): what the `known` pieces sweep from their faces to their feet, if they are as thick as can be."""
    hidden = np.zeros(crop.pixels.shape[:2], np.uint8)
    ends = np.array([(piece.middle, piece.middle + sides.foot(piece)) for piece in known]).reshape(-1, 2)
    lines = np.round(view.at(ends) - crop.first).astype(np.int32).reshape(-1, 2, 2)
    for piece, line in zip(known, lines, strict=True):
        cv2.polylines(hidden, [line], False, 1, round(2.0 * piece.radius_mm * view.px_per_mm))
    return hidden > 0


def _veiled(pixels: Grey, printed: Grey, light: PrintLight, on: Mask, explained: Mask) -> Mask:
    """(h, w): where the print (h, w, 3) of a card, which lies `on` there, is what is seen in some shade beneath the
    veil that lies on all of the card: of what is not `explained` yet.

    A reflection adds light, and in grey levels that is no offset: it raises what is darkest most, as one channel of a
    strong colour. Straight lines that fit pale print and white paper were 33 grey levels off orange print's blue.
    Beneath none, too: words that blur has paled tell of a veil that is not there, by which a red band was 57 off."""
    white = (light.gain[:, 0] + light.offset[:, 0] / 255.0).clip(0.05).astype(np.float32)
    some = np.flatnonzero(on)[::VEIL_THINNED]
    veiled = np.zeros(on.shape, bool)
    left = on & ~explained
    if not left.any():
        return veiled
    seen, print_ = (each.reshape(-1, 3)[some] for each in (pixels, printed))
    veil = VEILS.astype(np.float32)[off_veiled(seen, print_, white, VEILS.astype(np.float32)).mean(axis=1).argmin()]
    off = off_veiled(pixels[left], printed[left], white, np.array([0.0, veil], np.float32))
    veiled[left] = off.min(axis=0) < SHADOW_OFF
    return veiled


def _within(mask: Mask, radius: float) -> Grey:
    """(h, w): how many pixels of a mask lie within that radius (px) of each."""
    reach = round(radius)
    x, y = np.meshgrid(*[np.arange(-reach, reach + 1)] * 2)
    disc = (np.hypot(x, y) <= radius).astype(np.float32)
    return np.asarray(cv2.filter2D(mask.astype(np.float32), -1, disc, borderType=cv2.BORDER_CONSTANT), np.float32)


def _palette(tokens: DiscPrints) -> Floats:
    """(C, 3): the colours that tokens show, but for such greys as a shadow on paper may have."""
    found = []
    for polar in tokens.polar:
        flat = polar.reshape(-1, 3).astype(np.float64)
        weight = tokens.area.ravel()
        _, which = np.unique(np.round(flat / BIN), axis=0, return_inverse=True)
        which = which.reshape(-1)
        for k in range(which.max() + 1):
            share = float(weight[which == k].sum())
            colour = (weight[which == k, None] * flat[which == k]).sum(axis=0) / max(share, 1e-9)
            if share > LEAST_OF_FACE and (np.ptp(colour) > LEAST_CHROMA or colour.max() < SHADOW * 255.0):
                found.append(colour)
    return np.array(found).reshape(-1, 3)
