"""Pairs of marks that may be an index: a rank, and below it a suit. What each looks like, brought upright."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM, Ink, Mark

PATCH_WIDTH, PATCH_HEIGHT = 14, 26
# The suit and the rank are also shown each for itself, at a scale of its own: a small suit has few of the whole.
SUIT_PX, RANK_WIDTH, RANK_HEIGHT = 13, 12, 16
# Of each of these pictures: where its pixels begin among a pair's features, its height and its width.
PICTURES = (
    (0, PATCH_HEIGHT, PATCH_WIDTH),
    (PATCH_HEIGHT * PATCH_WIDTH, SUIT_PX, SUIT_PX),
    (PATCH_HEIGHT * PATCH_WIDTH + SUIT_PX**2, RANK_HEIGHT, RANK_WIDTH),
)
_MARGIN = 0.06  # of a pair's height, above and below
_ASPECT = PATCH_WIDTH / PATCH_HEIGHT
# Of an index the rank is from as high as the suit to 2.5 times; their middles are apart by their heights and a gap.
_LEAST_RATIO, _MOST_RATIO = 0.55, 3.0
_MOST_APART_MM, _NEAREST = 22.0, 10
_UNLIKE = 0.45  # of two marks' colours: one ink


@dataclass(frozen=True, eq=False)
class Pair:
    """Two marks, one over the other. `down` (2,): from rank to suit, a unit vector in view pixels; `top` and `bottom`
    (2,): the ends of the index along it; `features` (n,) what a classifier is given."""

    rank: Mark
    suit: Mark
    down: Array
    top: Array
    bottom: Array
    features: NDArray[np.float32]


def find_pairs(ink: Ink, marks: Sequence[Mark], *, together: bool = True) -> list[Pair]:
    """All pairs of marks near each other, of one ink and of sizes that go together, either of them on top: those that
    are pieces of one black-and-white picture, or, not `together`, the others."""
    if len(marks) < 2:
        return []
    ranks, suits = _near_each_other(marks, together)
    down = np.array([mark.centre for mark in marks])[suits] - np.array([mark.centre for mark in marks])[ranks]
    down = down / np.hypot(*down.T)[:, None]
    hulls = _padded([mark.points for mark in marks])
    rank, suit = _Spans.of(hulls[ranks], down), _Spans.of(hulls[suits], down)
    good = _stand_as_an_index(rank, suit)
    ranks, suits, rank, suit = ranks[good], suits[good], rank[good], suit[good]
    both = rank.joined(suit)
    features = _features(ink, marks, (ranks, suits), (rank, suit, both))
    top, bottom = both.points(both.first), both.points(both.last)
    return [
        Pair(marks[r], marks[s], both.down[k], top[k], bottom[k], features[k])
        for k, (r, s) in enumerate(zip(ranks.tolist(), suits.tolist(), strict=True))
    ]


def _near_each_other(marks: Sequence[Mark], together: bool) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """The numbers (K,) of marks that may be ranks, and those of marks near them that may be their suits."""
    centres, sizes = np.array([m.centre for m in marks]), np.array([m.size_mm for m in marks])
    colours, masks = np.array([m.colour for m in marks]), np.array([m.masks for m in marks])
    x, y = centres.T
    apart = np.hypot(x - x[:, None], y - y[:, None]) / VIEW_PX_PER_MM
    both, ratio = sizes[:, None] + sizes, sizes[:, None] / sizes
    good = (apart < _MOST_APART_MM) & (apart > 0.42 * both) & (apart < 1.05 * both)
    good &= (((masks[:, None] & masks) != 0) == together) & (ratio > _LEAST_RATIO) & (ratio < _MOST_RATIO)
    ranks, suits = np.nonzero(good)
    alike = np.abs(colours[suits] - colours[ranks]).max(axis=1) < _UNLIKE
    ranks, suits = ranks[alike], suits[alike]
    order = np.lexsort((apart[ranks, suits], ranks))
    ranks, suits = ranks[order], suits[order]
    nearest = np.arange(len(ranks)) - np.searchsorted(ranks, ranks) < _NEAREST
    return ranks[nearest], suits[nearest]


def _padded(hulls: Sequence[Array]) -> Array:
    """Hulls (n, 2) as one array (N, most, 2), the last point of each repeated."""
    lengths = np.array([len(hull) for hull in hulls])
    first = np.cumsum(lengths) - lengths
    return np.asarray(
        np.concatenate(hulls)[first[:, None] + np.minimum(np.arange(lengths.max()), lengths[:, None] - 1)]
    )


@dataclass(frozen=True, eq=False)
class _Spans:
    """What pairs' marks (K,) cover along `down` (K, 2), a unit vector each, from `first` to `last`, and across it, from
    `left` to `right`; in view pixels."""

    down: Array
    first: Array
    last: Array
    left: Array
    right: Array

    @staticmethod
    def of(hulls: Array, down: Array) -> _Spans:
        """Of `hulls` (K, most, 2)."""
        x, y = hulls[..., 0], hulls[..., 1]
        along, across = x * down[:, :1] + y * down[:, 1:], y * down[:, :1] - x * down[:, 1:]
        return _Spans(down, along.min(axis=1), along.max(axis=1), across.min(axis=1), across.max(axis=1))

    def __getitem__(self, which: NDArray[np.bool_]) -> _Spans:
        return _Spans(self.down[which], self.first[which], self.last[which], self.left[which], self.right[which])

    def joined(self, below: _Spans) -> _Spans:
        """From the first of these to the last of those below them."""
        left, right = np.minimum(self.left, below.left), np.maximum(self.right, below.right)
        return _Spans(self.down, self.first, below.last, left, right)

    @property
    def long(self) -> Array:
        return self.last - self.first

    @property
    def wide(self) -> Array:
        return self.right - self.left

    def points(self, along: Array) -> Array:
        """The points (K, 2) so far along, in the middle across."""
        across = np.column_stack([-self.down[:, 1], self.down[:, 0]])
        return np.asarray(self.down * along[:, None] + across * ((self.left + self.right) / 2)[:, None])

    @property
    def centre(self) -> Array:
        return self.points((self.first + self.last) / 2)

    def scale(self, size: tuple[int, int]) -> Array:
        """How many view pixels a pixel of a picture (width, height) is in which all just fits (K,)."""
        return np.asarray(np.maximum(self.long / size[1], self.wide / size[0]) * (1 + 2 * _MARGIN))


def _stand_as_an_index(rank: _Spans, suit: _Spans) -> NDArray[np.bool_]:
    """Which pairs stand one below the other, not side by side, and are no wider than an index is."""
    both = rank.joined(suit)
    below = rank.last <= suit.first + 0.25 * suit.long
    return np.asarray(below & (both.wide <= 1.25 * _ASPECT * both.long * (1 + 2 * _MARGIN)))


def _features(
    ink: Ink,
    marks: Sequence[Mark],
    numbers: tuple[NDArray[np.int_], NDArray[np.int_]],
    spans: tuple[_Spans, _Spans, _Spans],
) -> NDArray[np.float32]:
    """What a classifier is given of pairs (K, n): the index upright, the suit and the rank each as large as it fits, as
    dark as the index's darkest; the suit's colour; how large the rank is beside it, how dark and how high all is.

    `numbers`: of rank and suit among the `marks`; `spans`: of rank, of suit, and of both.
    """
    (ranks, suits), (rank, suit, both) = numbers, spans
    high = both.long * (1 + 2 * _MARGIN)
    patch = _upright(ink, both, high / PATCH_HEIGHT, (PATCH_WIDTH, PATCH_HEIGHT))
    suit_px, rank_px = (SUIT_PX, SUIT_PX), (RANK_WIDTH, RANK_HEIGHT)
    strongest = np.maximum(_near_darkest(patch), 0.1)
    parts = [
        patch,
        _upright(ink, suit, suit.scale(suit_px), suit_px),
        _upright(ink, rank, rank.scale(rank_px), rank_px),
    ]
    pixels = np.minimum(np.concatenate(parts, axis=1) / strongest[:, None], 1.3)
    sizes, colours = np.array([mark.size_mm for mark in marks]), np.array([mark.colour for mark in marks])[suits]
    colours = colours / np.maximum(colours.max(axis=1), 0.05)[:, None]
    rest = np.column_stack([sizes[ranks] / sizes[suits] - 1.0, strongest, (high / VIEW_PX_PER_MM - 15.0) / 10.0])
    return np.concatenate([pixels, colours, rest], axis=1).astype(np.float32)


def _near_darkest(patches: NDArray[np.float32]) -> Array:
    """The darkness of each patch's ink (K, pixels): all but 5 % of it is paler, as in np.percentile(patch, 95), which
    takes longer."""
    at = 0.95 * (patches.shape[1] - 1)
    parted = np.partition(patches, (int(at), int(at) + 1), axis=1)
    low, high = (parted[:, int(at) + n].astype(np.float64) for n in (0, 1))
    return np.asarray(low + (at - int(at)) * (high - low))


def _upright(ink: Ink, spans: _Spans, scale: Array, size: tuple[int, int]) -> NDArray[np.float32]:
    """The ink round the middle of each of the spans (K,), turned so that `down` is down, `scale` (K,) view pixels to a
    pixel of a picture (width, height): (K, pixels)."""
    down, centre = spans.down * scale[:, None], spans.centre
    right = np.column_stack([down[:, 1], -down[:, 0]])
    middle = (np.array(size) - 1) / 2
    to_view = np.stack([right, down, centre - right * middle[0] - down * middle[1]], axis=2)
    found = np.empty((len(scale), size[1], size[0]), np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for picture, each in zip(found, to_view, strict=True):
        cv2.warpAffine(ink.darkness, each, size, picture, flags)
    return found.reshape(len(found), size[0] * size[1])
