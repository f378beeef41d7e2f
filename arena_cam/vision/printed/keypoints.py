"""SIFT keypoints of a set's prints, seen straight and askew, to be found again in photographs.

Each face is also looked at from 40 degrees aside in four directions, as in ASIFT (Morel and Yu, "ASIFT: a new framework
for fully affine invariant image comparison", SIAM J. Imaging Sciences 2009): keypoints alone bear some 30 degrees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.vote_calls import Told, highest, most_alike

Floats = NDArray[np.float64]
_Alike = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]

VIEWS = ((1.0, 0.0), (1.35, 0.0), (1.35, 45.0), (1.35, 90.0), (1.35, 135.0))  # (foreshortening, direction in deg)
LONGEST_SIDE_PX = (800, 1400)  # photographs are reduced to this for keypoints; the second where the first finds none
MOST_SEEN = 1500
CONTRAST = 0.02  # below which a spot is no keypoint, as SIFT counts it
ALIKE = 0.82  # cosine of two RootSIFT descriptors below which they are not taken for the same print
MOST_ALIKE = 6
# Numbers by which a descriptor is told in brief: with so many one pair in a hundred is left to be compared in full, and
# all of it takes a third of the time. And by how much single precision may err in a sum of products.
BRIEF, ROUNDING = 40, 1e-5
# How much larger or smaller print may be seen than it is, where its size is known: keypoints err by half.
MOST_LARGER = 1.6
AT_ONCE, SIZED = 512, 256  # keypoints that are compared at once, and where these are of nearly one size
# Where a print may be: in a picture reduced by `COARSER` grey levels spread by more than `PLAIN` (their deviation) in
# squares of `BUSY_PX`; empty parts of a print lie within `NEAR_BUSY_PX` of such.
PLAIN, BUSY_PX, NEAR_BUSY_PX = 2.0, 5, 9
BLOCK_PX = 150
CROWDED = 150  # prints like a keypoint, from which the most alike are picked one by one
COARSER, RIM_PX = 4, 8  # of a mask in which room is looked for; what keypoints at a box's border look at beyond it


@dataclass(frozen=True, eq=False)
class Keypoints:
    """`xy` (N, 2) and `frame` (N, 2, 2), the keypoint's size and turn as a matrix; unit descriptors (N, 128); how much
    contrast each has, `strength` (N,), where that is known."""

    xy: Floats
    frame: Floats
    descriptor: NDArray[np.float32]
    strength: Floats | None = None

    def strongest(self, most: int) -> Keypoints:
        """At most so many of them, in their order."""
        if self.strength is None or len(self.xy) <= most:
            return self
        kept = np.sort(np.argsort(-self.strength, kind="stable")[:most])
        return Keypoints(self.xy[kept], self.frame[kept], self.descriptor[kept], self.strength[kept])


@dataclass(frozen=True, eq=False)
class Matches:
    """Pairs of print and photograph: `mm` (M, 2) on the print, `px` (M, 2), and `affine` (M, 2, 2), px per mm there.

    `seen` is the photograph's keypoint; `scale` and `turn` (rad) are the affinity's; `face` is the first face that has
    this print at this place.
    """

    mm: Floats
    px: Floats
    affine: Floats
    seen: NDArray[np.intp]
    alike: NDArray[np.float32]
    scale: Floats
    turn: Floats
    face: NDArray[np.intp]

    @staticmethod
    def of(
        mm: Floats,
        px: Floats,
        affine: Floats,
        seen: NDArray[np.intp],
        alike: NDArray[np.float32],
        face: NDArray[np.intp] | None = None,
    ) -> Matches:
        a = affine.reshape(-1, 4)
        scale = np.sqrt(np.abs(a[:, 0] * a[:, 3] - a[:, 1] * a[:, 2]))
        turn = np.arctan2(a[:, 2] - a[:, 1], a[:, 0] + a[:, 3])
        return Matches(mm, px, affine, seen, alike, scale, turn, np.zeros_like(seen) if face is None else face)

    def only(self, chosen: NDArray[np.bool_]) -> Matches:
        return Matches(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def joined(self, other: Matches) -> Matches:
        """These, and those of other keypoints of the same photograph."""
        other = replace(other, seen=other.seen + int(self.seen.max(initial=-1)) + 1)
        names = self.__dataclass_fields__
        return Matches(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in names))


def keypoints(
    grey: NDArray[np.uint8], most: int, contrast: float = CONTRAST, mask: NDArray[np.uint8] | None = None
) -> Keypoints:
    """The strongest keypoints of a grey picture (h, w); only where `mask` (h, w) is not 0, if there is one."""
    sift = cv2.SIFT_create(nfeatures=most, contrastThreshold=contrast)  # type: ignore[attr-defined]
    points, descriptors = sift.detectAndCompute(grey, mask)
    if descriptors is None or not len(points):
        return Keypoints(np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros((0, 128), np.float32), np.zeros(0))
    root = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-9))
    angle = np.radians([p.angle for p in points])
    size = np.array([p.size for p in points])
    turn = np.stack([np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)], axis=1).reshape(-1, 2, 2)
    strength = np.array([p.response for p in points])
    return Keypoints(np.array([p.pt for p in points]), turn * size[:, None, None], root.astype(np.float32), strength)


def joined(parts: Sequence[Keypoints]) -> Keypoints:
    """The keypoints of all parts, of each of which it is known how strong they are."""
    strength = [np.zeros(0) if part.strength is None else part.strength for part in parts]
    xy, frame, descriptor = (
        np.concatenate([getattr(p, name) for p in parts]) for name in ("xy", "frame", "descriptor")
    )
    return Keypoints(xy, frame, descriptor, np.concatenate(strength))


class PrintKeypoints:
    """Keypoints of one kind of print (all tiles, all boards, all cards), in mm in the frame of each face."""

    def __init__(
        self,
        faces: list[NDArray[np.uint8]],
        sizes_mm: Floats,
        origins_mm: Floats,
        px_per_mm: float,
        most: int,
        views: Sequence[tuple[float, float]] = VIEWS,
    ) -> None:
        """`origins_mm` (F, 2): where each face's frame begins, from the face's middle."""
        parts = [
            _moved(_askew(face, size, px_per_mm, view, most), origin)
            for face, size, origin in zip(faces, sizes_mm, origins_mm, strict=True)
            for view in views
        ]
        every = Keypoints(
            *(np.concatenate([getattr(p, name) for p in parts]) for name in ("xy", "frame", "descriptor"))
        )
        of_face = np.repeat(np.arange(len(parts)) // len(views), [len(p.xy) for p in parts])
        kept = _distinct(every)
        self.all = Keypoints(every.xy[kept], every.frame[kept], every.descriptor[kept])
        self.face = of_face[kept]
        self._back = np.linalg.inv(self.all.frame)

    @cached_property
    def _directions(self) -> NDArray[np.float32]:
        """(128, BRIEF - 1): the directions in which descriptors of this print are longest, at right angles."""
        each = self.all.descriptor.astype(np.float64)
        return np.asarray(np.linalg.eigh(each.T @ each)[1][:, :-BRIEF:-1], np.float32)

    def _in_brief(self, descriptor: NDArray[np.float32]) -> NDArray[np.float32]:
        """(N, BRIEF): unit descriptors (N, 128) along the directions, and the length of what these leave out. A product
        of two such rows is no less than the cosine of both: what is left out may point the same way at most."""
        along = descriptor @ self._directions
        beyond = np.sqrt(np.maximum(1.0 - np.square(along).sum(axis=1, keepdims=True), 0.0))
        return np.hstack([along, beyond])

    @cached_property
    def _brief(self) -> NDArray[np.float32]:
        return self._in_brief(self.all.descriptor)

    @cached_property
    def _by_size(self) -> tuple[NDArray[np.intp], Floats, NDArray[np.float32], NDArray[np.float32]]:
        """The keypoints from the smallest on, their sizes in mm, and their descriptors in that order, in full and in
        brief."""
        sizes = np.sqrt(np.abs(np.linalg.det(self.all.frame)))
        order = np.argsort(sizes, kind="stable")
        return order, sizes[order], self.all.descriptor[order], self._brief[order]

    def matches(self, seen: Keypoints) -> Matches:
        """What of the print may be seen where: each keypoint of the photograph with those of the print like it."""
        found, brief = [], self._in_brief(seen.descriptor)
        for start in range(0, len(seen.xy), AT_ONCE):
            part = np.arange(start, min(start + AT_ONCE, len(seen.xy)))
            both = (seen.descriptor[part], brief[part]), (self.all.descriptor, self._brief)
            found.append(_alike(*both, part, None))
        return self._matched(seen, found)

    def matches_of_size(self, seen: Keypoints, sizes_mm: Floats) -> Matches:
        """The same where it is known how large (N,) each keypoint is on the print: others than these are not compared,
        which takes half the time, and take no true one's place among the most alike."""
        found, order, briefly = [], np.argsort(sizes_mm, kind="stable"), self._in_brief(seen.descriptor)
        mine, my_sizes, descriptor, brief = self._by_size
        for start in range(0, len(order), SIZED):
            part = order[start : start + SIZED]
            least, most = sizes_mm[part[0]] / MOST_LARGER, sizes_mm[part[-1]] * MOST_LARGER
            first, last = np.searchsorted(my_sizes, (least, most))
            both = (seen.descriptor[part], briefly[part]), (descriptor[first:last], brief[first:last])
            found.append(_alike(*both, part, mine[first:last]))
        return self._matched(seen, found)

    def _matched(self, seen: Keypoints, found: Sequence[_Alike]) -> Matches:
        """The matches of keypoints and prints that were found alike."""
        nothing = np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.float32)
        s, m, alike = (np.concatenate(each) for each in zip(nothing, *found, strict=True))
        affine = seen.frame[s] @ self._back[m] if len(s) else np.zeros((0, 2, 2))
        return Matches.of(self.all.xy[m], seen.xy[s], affine, s, alike, self.face[m])


def _alike(seen: Told, known: Told, rows_are: NDArray[np.intp], columns_are: NDArray[np.intp] | None) -> _Alike:
    """Which keypoints of the photograph and of print are alike, and how, by their descriptors in full and in brief:
    their numbers as given. All are compared in brief, where something is compiled, and few of them in full."""
    if not len(seen[0]) or not len(known[0]):
        return np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.float32)
    found = most_alike(seen, known, ALIKE, ROUNDING, MOST_ALIKE)
    rows, columns, value = found or highest_of_rows(seen[0] @ known[0].T, ALIKE, MOST_ALIKE)
    return rows_are[rows], columns if columns_are is None else columns_are[columns], value


def highest_of_rows(
    values: NDArray[np.float32], least: float, most: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """Rows, columns and values of at most `most` a row of those above `least`: the highest of all rows first, then the
    second highest, and so on."""
    compiled = highest(values, least, most)
    if compiled is not None:
        return compiled
    above = values > least
    if np.count_nonzero(above) > CROWDED * len(values):
        return _one_by_one(values, least, most)
    rows, columns = np.divmod(np.flatnonzero(above), values.shape[1])  # seven times as fast as both at once
    found = values[rows, columns]
    order = np.lexsort((-found, rows))
    rows, columns, found = rows[order], columns[order], found[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    by_rank = np.argsort(rank, kind="stable")
    kept = by_rank[: np.count_nonzero(rank < most)]
    return rows[kept], columns[kept], found[kept]


def _one_by_one(
    values: NDArray[np.float32], least: float, most: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """The same, by taking the highest of each row away: sorting would take four times as long where thousands are high,
    as with a pattern that all prints have."""
    left, part = np.arange(len(values)), values.copy()
    found = []
    for _ in range(most):
        columns = part.argmax(axis=1)
        highest = part[np.arange(len(part)), columns]
        high = highest > least
        found.append((left[high], columns[high], highest[high]))
        part[np.arange(len(part)), columns] = least
        left, part = left[high], part[high]
    rows, columns, highest = (np.concatenate(each) for each in zip(*found, strict=True))
    return rows, columns, highest


def _askew(
    face: NDArray[np.uint8], size_mm: Floats, px_per_mm: float, view: tuple[float, float], most: int
) -> Keypoints:
    """Keypoints of a face as seen from aside, in mm from its middle."""
    size = (round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm))
    small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.6)  # as soft as a photograph
    shrink, turn = view[0], math.radians(view[1])
    c, s = math.cos(turn), math.sin(turn)
    # Out of the face by `shrink` along the direction; the face's middle stays in the middle of the view.
    linear = np.diag([1.0 / shrink, 1.0]) @ np.array([[c, s], [-s, c]])
    linear = np.array([[c, -s], [s, c]]) @ linear
    margin = 12
    side = (size[0] + 2 * margin, size[1] + 2 * margin)
    middle_in, middle_out = (np.array(size) - 1) / 2, (np.array(side) - 1) / 2
    shift = middle_out - linear @ middle_in
    seen = cv2.warpAffine(small, np.column_stack([linear, shift]), side, borderMode=cv2.BORDER_REPLICATE)
    grey = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.uint8)
    found = keypoints(grey, most)
    back = np.linalg.inv(linear) / px_per_mm
    return Keypoints((found.xy - middle_out) @ back.T, back @ found.frame, found.descriptor)


def _moved(points: Keypoints, origin_mm: Floats) -> Keypoints:
    return Keypoints(points.xy - origin_mm, points.frame, points.descriptor)


def _distinct(all_: Keypoints, within_mm: float = 1.5, alike: float = 0.96) -> NDArray[np.intp]:
    """Which stay when one stands for all that are alike at one place of the print: tiles share most of theirs."""
    kept: list[int] = []
    cell: dict[tuple[int, int], list[int]] = {}
    for k, (x, y) in enumerate(np.floor(all_.xy / within_mm).astype(int)):
        there = cell.setdefault((int(x), int(y)), [])
        if not there or float((all_.descriptor[there] @ all_.descriptor[k]).max()) < alike:
            there.append(k)
            kept.append(k)
    return np.array(kept, np.intp)


def reduced(image_bgr: NDArray[np.uint8], longest_px: int) -> tuple[NDArray[np.uint8], float]:
    """A photograph (h, w, 3) whose longer side is `longest_px` at most, and by what factor it was reduced."""
    factor = min(1.0, longest_px / max(image_bgr.shape[:2]))
    if factor == 1:
        return image_bgr, factor
    return np.asarray(cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8), factor


def of_reduced(
    small_bgr: NDArray[np.uint8], factor: float, most: int = MOST_SEEN, contrast: float = CONTRAST
) -> Keypoints:
    """The strongest keypoints of a photograph that was reduced by a factor, in its own pixels."""
    found = keypoints(np.asarray(cv2.cvtColor(small_bgr, cv2.COLOR_BGR2GRAY), np.uint8), most, contrast)
    return Keypoints((found.xy + 0.5) / factor - 0.5, found.frame / factor, found.descriptor)


def of_photograph(
    image_bgr: NDArray[np.uint8],
    longest_px: int,
    most: int = MOST_SEEN,
    but: Sequence[NDArray[np.float32]] = (),
    contrast: float = CONTRAST,
    room_px: float = 0.0,
    *,
    shared: bool = False,
) -> Keypoints:
    """The keypoints of a photograph, in its own pixels; none within the outlines (N, 2) of `but`, and none where a
    square of `room_px` has no room beside them; beside them, or if they are `shared`, each part of the picture has its
    share."""
    factor = min(1.0, longest_px / max(image_bgr.shape[:2]))
    if not but and not shared:
        return of_reduced(*reduced(image_bgr, longest_px), most, contrast)
    grey: Any = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    grey = grey if factor == 1 else cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    mask = np.full(grey.shape, 255, np.uint8)
    for outline in but:
        cv2.fillPoly(mask, [np.asarray(np.round(outline * factor), np.int32)], 0)
    mask[cv2.resize(busy(grey), mask.shape[::-1], interpolation=cv2.INTER_NEAREST) == 0] = 0
    parts = [Keypoints(np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros((0, 128), np.float32))]
    for x, y, width, height in (block for room in rooms(mask, room_px * factor) for block in blocks(room)):
        box = (slice(y, y + height), slice(x, x + width))
        share = math.ceil(most * width * height / mask.size)
        found = keypoints(np.ascontiguousarray(grey[box]), share, contrast, np.ascontiguousarray(mask[box]))
        parts.append(Keypoints(found.xy + np.array([x, y]), found.frame, found.descriptor))
    found = Keypoints(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("xy", "frame", "descriptor")))
    return Keypoints((found.xy + 0.5) / factor - 0.5, found.frame / factor, found.descriptor)


def busy(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 where something may be seen in a picture (h, w), 0 amid plain table: `COARSER` times smaller."""
    small = cv2.resize(grey, None, fx=1 / COARSER, fy=1 / COARSER, interpolation=cv2.INTER_AREA).astype(np.float32)
    window = (BUSY_PX, BUSY_PX)
    spread = cv2.blur(small**2, window) - cv2.blur(small, window) ** 2
    near = cv2.dilate((spread > PLAIN**2).astype(np.uint8), np.ones((NEAR_BUSY_PX, NEAR_BUSY_PX), np.uint8))
    return np.asarray(near, np.uint8)


def rooms(mask: NDArray[np.uint8], wide_px: float) -> list[tuple[int, int, int, int]]:
    """Boxes (x, y, width, height) round the parts of a mask (h, w) in which a square of `wide_px` has room: a tenth of
    the picture's keypoints are found in a tenth of the time."""
    side = max(1, round(wide_px / COARSER))
    small = cv2.resize(mask, None, fx=1 / COARSER, fy=1 / COARSER, interpolation=cv2.INTER_AREA)
    free = cv2.copyMakeBorder((small > 127).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    wide = cv2.morphologyEx(free, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    boxes = cv2.connectedComponentsWithStats(wide)[2][1:, :4]
    out = []
    for x, y, width, height in boxes.tolist():
        left, top = max(0, COARSER * (x - 1) - RIM_PX), max(0, COARSER * (y - 1) - RIM_PX)
        right = min(mask.shape[1], COARSER * (x - 1 + width) + RIM_PX)
        low = min(mask.shape[0], COARSER * (y - 1 + height) + RIM_PX)
        out.append((left, top, right - left, low - top))
    return out


def blocks(box: tuple[int, int, int, int]) -> list[tuple[int, int, int, int]]:
    """A box (x, y, width, height) in parts of some `BLOCK_PX`, each reaching a little into the next.

    Each has its share of the keypoints: a patterned cloth has the strongest, and would leave none to a pale board.
    """
    x, y, width, height = box
    columns, rows = max(1, round(width / BLOCK_PX)), max(1, round(height / BLOCK_PX))
    out = []
    for row in range(rows):
        for column in range(columns):
            left, top = max(0, column * width // columns - RIM_PX), max(0, row * height // rows - RIM_PX)
            right = min(width, (column + 1) * width // columns + RIM_PX)
            low = min(height, (row + 1) * height // rows + RIM_PX)
            out.append((x + left, y + top, right - left, low - top))
    return out
