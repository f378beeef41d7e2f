"""A challenge card of which no more is seen than a corner that tells no name: where it may lie beneath the others, and
which of them then rest on it.

It was laid first, flat, and is as large as any card. So it lies where the others hide it but for what is seen beside
them, and few places are left. Where there is room beneath the others for a card that nobody sees there may be another
one: then nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Face, Landing, Lie, Point2, Reading
from arena_cam.geometry.card_pose import CardPose
from arena_cam.geometry.outlines import from_above
from arena_cam.referee.games.arena.readings.alternatives import PLAUSIBLE
from arena_cam.referee.games.arena.readings.contacts import more_than_graze

_Points = NDArray[np.float64]
_Cells = NDArray[np.int16]
_Ints = NDArray[np.intp]
_Bits = NDArray[np.int64]

_CELL_MM, _TOUCHING = 2.0, 1  # of the map of who lies lowest; so many cells are an overlap
_STEP, _STEP_DEG = 3, 7.5  # cells, and degrees, from one place that is tried to the next
_FAR_MM = 30.0  # beyond the outlines of the others no place hides it
_MOST_SHOWN = 0.16  # of itself: of more the name is told
# What is seen of it beside the others is known so well (standard deviations): its middle, and the logarithm of its
# area, as a rim of 3 mm round other cards is not looked at.
_OFF_MM, _OFF_LOG, _MOST_OFF = 6.0, 0.5, 3.0
# What shows less is found by nobody. One other card is hidden so for each so many places where one can be: of 188
# simulated piles that hid the challenge, with 119,000 such places together, ten hid another card as well.
_UNSEEN, _PLACES_A_CARD = 0.03, 12000
_NAMED = 0.01  # what may be the challenge itself, by its name, is


def with_hidden(reading: Reading, deck: Deck, challenge: str) -> list[tuple[Reading, float]]:
    """The reading with the challenge card beneath the others, where the one unknown thing is what is seen of it; for
    each set of cards that may rest on it, with how likely that is, the likeliest first. Empty where the challenge may
    lie elsewhere as well: where nothing unknown lies, several such things, one as large as a card, or one of which more
    is seen than of any such challenge, where a card that was found may be it, or where another card may be hidden, too.
    Of a challenge and a card beneath one back a half was seen on either side, as one thing that fits into no card, and
    the back alone was said, surely, to lie on the challenge."""
    hiding = [lie for lie in reading.lies if lie.landing is not Landing.BESIDE and lie.corners_mm is not None]
    seen = reading.unknown[0] if len(reading.unknown) == 1 else None
    if not hiding or seen is None or seen.may_be_card or seen.centre_mm is None:
        return []
    if any(dict(lie.other_names).get(challenge, 0.0) > _NAMED for lie in reading.lies):
        return []
    outlines = [np.array(from_above(lie.corners_mm or ())) for lie in hiding]
    size_mm = deck.width_mm, deck.height_mm
    if seen.area_mm2 > _MOST_SHOWN * size_mm[0] * size_mm[1]:
        return []
    places, on_it, shown, middles = _places(outlines, size_mm)
    if float((shown < _UNSEEN).sum()) > PLAUSIBLE * _PLACES_A_CARD:
        return []
    weights = _likely(shown * size_mm[0] * size_mm[1], middles, seen.area_mm2, seen.centre_mm)
    found = []
    for touching in set(on_it[weights > 0.0].tolist()):
        here = np.flatnonzero(on_it == touching)
        keys = {lie.key for number, lie in enumerate(hiding) if touching >> number & 1}
        likeliest = places[here[weights[here].argmax()]]
        found.append((_laid_beneath(reading, deck, challenge, keys, likeliest), float(weights[here].sum())))
    total = sum(weight for _, weight in found)
    return [(laid, weight / total) for laid, weight in sorted(found, key=lambda entry: -entry[1])]


def _places(outlines: Sequence[_Points], size_mm: tuple[float, float]) -> tuple[_Points, _Bits, _Points, _Points]:
    """Places (N, 3) of a card of some size that the `outlines` (4, 2) of others, bottom to top, nearly hide: x, y (mm)
    and direction (deg); for each the numbers of those that rest on it, as bits, the share that is seen, and the middle
    (N, 2) of that."""
    low, high = np.min(outlines, axis=(0, 1)) - _FAR_MM, np.max(outlines, axis=(0, 1)) + _FAR_MM
    lowest = _lowest(outlines, low, high)
    found = [_turned(lowest, size_mm, float(turn)) for turn in np.arange(0.0, 180.0, _STEP_DEG)]
    cells, on_it, shown, middles = (np.concatenate(part) for part in zip(*found, strict=True))
    cells[:, :2] = low + (cells[:, :2] + 0.5) * _CELL_MM
    return cells, on_it, shown, low + (middles + 0.5) * _CELL_MM


def _likely(shown_mm2: _Points, middles: _Points, area_mm2: float, centre_mm: Point2) -> _Points:
    """How likely (N,) it is that of a card of which so much is seen, round some `middles` (N, 2), just so large a thing
    is noticed, with that centre."""
    off = np.hypot(*(middles - centre_mm).T) / _OFF_MM
    more = np.log(np.maximum(shown_mm2, 1.0) / area_mm2) / _OFF_LOG
    off2 = off**2 + more**2
    return np.asarray(np.exp(-0.5 * off2) * (off2 < _MOST_OFF**2))


def _lowest(outlines: Sequence[_Points], low: _Points, high: _Points) -> _Cells:
    """The number of the lowest card in each cell, -1 where none lies."""
    columns, rows = np.ceil((high - low) / _CELL_MM).astype(int)
    cells = np.full((rows, columns), -1, np.int16)
    for number in reversed(range(len(outlines))):
        corners = np.round((outlines[number] - low) / _CELL_MM * 16.0 - 8.0).astype(np.int32)
        cv2.fillConvexPoly(cells, corners, number, cv2.LINE_8, 4)
    return cells


def _turned(lowest: _Cells, size_mm: tuple[float, float], degrees: float) -> tuple[_Points, _Bits, _Points, _Points]:
    """The places (N, 3), in cells and degrees, at which hardly any of a card in one direction would be seen: who rests
    on it, the share that is seen, and the middle (N, 2) of that."""
    height, width = lowest.shape
    side = int(np.hypot(height, width)) + 2
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
    turn[:, 2] += (side - width) / 2, (side - height) / 2
    cards = cv2.warpAffine(lowest, turn, (side, side), flags=cv2.INTER_NEAREST, borderValue=(-1.0,))
    across, along = (round(size / _CELL_MM) for size in size_mm)
    left, top = (part.ravel() for part in np.meshgrid(*(np.arange(0, side - n, _STEP) for n in (across, along))))
    free = (cards < 0).astype(np.float64)
    cells = _inside(free, left, top, across, along)
    hidden = cells / (across * along) < _MOST_SHOWN
    left, top, cells = left[hidden], top[hidden], cells[hidden]
    here = left, top, across, along
    on_it = np.zeros(len(left), np.int64)
    for number in range(int(lowest.max()) + 1):
        on_it |= (_inside((cards == number).astype(np.float64), *here) >= _TOUCHING).astype(np.int64) << number
    row, column = np.indices(cards.shape)
    of_shown = np.stack([_inside(free * at, *here) / np.maximum(cells, 1.0) for at in (column, row)], axis=1)
    middle = np.stack([left + (across - 1) / 2, top + (along - 1) / 2], axis=1)
    back = cv2.invertAffineTransform(turn)
    on_map, shown_on_map = (np.asarray(at @ back[:, :2].T + back[:, 2], np.float64) for at in (middle, of_shown))
    return np.column_stack([on_map, np.full(len(on_map), degrees)]), on_it, cells / (across * along), shown_on_map


def _inside(cells: _Points, left: _Ints, top: _Ints, across: int, along: int) -> _Points:
    """The sums (N,) of cells (H, W) in rectangles of one size that begin at `left` and `top`."""
    sums = cv2.integral(cells)
    right, bottom = left + across, top + along
    return np.asarray(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left])


def _laid_beneath(reading: Reading, deck: Deck, challenge: str, touching: set[str], place: _Points) -> Reading:
    """The reading with the challenge card at a place (x, y, direction) beneath the cards with the keys `touching`."""
    x, y, degrees = (float(value) for value in place)
    pose = CardPose.flat(x, y, degrees)
    a, b, c, d = ((u, v, z) for u, v, z in pose.corners(deck.width_mm, deck.height_mm).tolist())
    nowhere = ((0.0, 0.0),) * 4
    hidden = Lie(
        *(challenge, challenge, Face.UP, Landing.FLAT, 1.0, 0.0, 0.0, (x, y), degrees),
        *((nowhere[0], nowhere[1], nowhere[2], nowhere[3]), (a, b, c, d)),
        visible_fraction=0.0,
    )
    rest = [replace(lie, rests_on=(*lie.rests_on, challenge)) if lie.key in touching else lie for lie in reading.lies]
    above = [lie.key for lie in reading.lies if more_than_graze(hidden, lie, deck.corner_radius_mm)]
    covers = (*reading.covers, *((key, challenge) for key in above))
    return replace(reading, lies=(hidden, *rest), covers=covers, sure=True, doubts=(), unknown=())
