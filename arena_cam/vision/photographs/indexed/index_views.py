"""The indices of a picture as they are seen on a plane, in views straightened over it; each view is searched once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.indices.classifier import index_classifier
from arena_cam.vision.indices.index_finder import SeenIndex, find_indices
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM, with_tints_bleached
from arena_cam.vision.photographs.indexed.indexed_cards import (
    CERTAIN,
    FAINT,
    LIKELIER_THAN_NOT,
    READ_WELL,
    SAME_MM,
    IndexedCard,
    corners_on_plane,
)
from arena_cam.vision.planes.card_plane import reach_of_picture
from arena_cam.vision.planes.outline_corners import Corners
from arena_cam.vision.reading.floor.view_maps import ViewMaps

_WITHIN_MM = 260.0  # of the middle of what may be cards: a wider view takes longer
# By so much (logarithm) a view may be larger, smaller or narrower than another and still show the same indices: packs'
# own fonts differ by more. What names are said by is read more exactly: 5 % beside, a narrow ten was a jack (0.95).
_ALIKE = 0.06
EXACTLY = 0.02
_TOGETHER_MM = 130.0  # beyond an index: its card, and one that lies beside it
_BESIDE_CORNER_MM = 75.0  # beyond a corner: half a card is nearer, and of one that hides its corners an end
_TWO_READ = 2  # indices read well: their card is there, or both ends of it
_LEAST_ARM_MM = 11.0  # of a card's corner, as of those that leftovers looks at
_ROUND_MM = 20.0  # ink is compared with what is within 18 mm of it
# Paper in a deep shadow has a third of the light on the lightest (this percentile of a picture an eighth as large).
# Where more than so much of the picture may be paper its outline says nothing.
_SMALLER, _LIGHTEST, _LEAST_LIGHT, _MOST_OF_IT = 8, 99.0, 0.25, 0.7


def indices_on_plane(
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    half_mm: tuple[float, float],
    least: float = LIKELIER_THAN_NOT,
    *,
    on_tint: bool = False,
) -> list[SeenIndex]:
    """All indices that the picture shows on the camera's floor, which have the probability `least`; `on_tint`: those on
    plates of a pale colour, too."""
    half = min(half_mm[0], _WITHIN_MM), min(half_mm[1], _WITHIN_MM)
    view = ViewMaps(camera, half, VIEW_PX_PER_MM, 0).picture(image_bgr)
    view = with_tints_bleached(view) if on_tint else view
    return find_indices(view, np.array([-half[0], half[1]]), index_classifier(), least)


def indices_within(
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    region_mm: Array,
    least: float = LIKELIER_THAN_NOT,
    *,
    on_tint: bool = False,
) -> list[SeenIndex]:
    """The same of a part of the floor: `region_mm` (2, 2), its least and greatest x and y."""
    middle = region_mm.mean(axis=0)
    over = replace(camera, tvec=camera.tvec + camera.R[:, :2] @ middle)
    half = (region_mm[1] - region_mm[0]) / 2
    found = indices_on_plane(image_bgr, over, (float(half[0]), float(half[1])), least, on_tint=on_tint)
    return [replace(index, top=index.top + middle, bottom=index.bottom + middle) for index in found]


def lightest_px(image_bgr: NDArray[np.uint8]) -> Array | None:
    """The first and last column and row (2, 2) of what may be paper in a picture (H, W, 3), by its darkest channel;
    None where that is most of it. No paper is so much darker than the lightest thing there."""
    small = cv2.resize(image_bgr, None, fx=1 / _SMALLER, fy=1 / _SMALLER, interpolation=cv2.INTER_AREA).min(axis=2)
    rows, columns = np.nonzero(small >= _LEAST_LIGHT * np.percentile(small, _LIGHTEST))
    low = np.array([columns.min(), rows.min()]) - 1.0
    high = np.array([columns.max(), rows.max()]) + 2.0
    return None if np.prod(high - low) > _MOST_OF_IT * small.size else np.array([low, high]) * _SMALLER


class IndexViews:
    """The indices of one picture as planes show them, FAINT ones too. Reading them takes most of the time that a plane
    takes; on a plane that is nearly one looked at before they are those read there. `on_tint`: those on plates of a
    pale colour, too. `before`: indices of the picture that were read otherwise, on a camera's floor."""

    def __init__(
        self,
        image_bgr: NDArray[np.uint8],
        corners: Sequence[Corners] = (),
        before: tuple[Camera, Sequence[SeenIndex]] | None = None,
        *,
        on_tint: bool = False,
    ) -> None:
        self._image, self._lightest, self._corners = image_bgr, lightest_px(image_bgr), corners
        self._read: list[tuple[Camera, list[SeenIndex]]] = []
        self._before = [] if before is None else [before]
        self._on_tint = on_tint

    def on(self, camera: Camera, alike: float = _ALIKE) -> list[SeenIndex]:
        """The indices on the camera's floor, the likeliest first; `alike`: by how much (logarithm) the view in which
        they were read may be of another size or shape."""
        known = self._alike(camera, alike)
        if known is not None:
            return [moved(index, known[0], camera) for index in known[1]]
        parts = [self._region(camera, *part) for part in self._parts(camera)]
        whole = _common([part for part in parts if part is not None])
        near = self._near_corners(camera, whole)
        found = [] if near is None else self._within(camera, near)
        if len(_well_read(found)) < _TWO_READ:
            found = self._within(camera, whole)
        self._read.append((camera, found))
        return found

    def _within(self, camera: Camera, region: Array | None) -> list[SeenIndex]:
        """The indices in a part of the floor, or in all of it."""
        if region is not None:
            return indices_within(self._image, camera, region, FAINT, on_tint=self._on_tint)
        reach = reach_of_picture(camera, self._image.shape[1::-1])
        return indices_on_plane(self._image, camera, reach, FAINT, on_tint=self._on_tint)

    def _near_corners(self, camera: Camera, whole: Array | None) -> Array | None:
        """The part of the floor, `whole` or all of it, round corners that may be a card's; None where that is most of
        it, or no such corner is seen: then cloths have them, or cards none."""
        square, _, _ = corners_on_plane(self._corners, camera, _LEAST_ARM_MM)
        near = self._region(camera, square, _BESIDE_CORNER_MM) if len(square) else None
        if near is None:
            return None
        reach = np.minimum(reach_of_picture(camera, self._image.shape[1::-1]), _WITHIN_MM)
        all_of_it = np.array([-reach, reach]) if whole is None else whole
        part = _common([near, all_of_it])
        assert part is not None
        return part if np.prod(part[1] - part[0]) < _MOST_OF_IT * np.prod(all_of_it[1] - all_of_it[0]) else None

    def _parts(self, camera: Camera) -> Iterator[tuple[Array, float]]:
        """Points (N, 2) of the floor round which indices are, with how far beyond (mm): where it is as light as paper,
        and where two or more were read well on another plane, or before, as cards of a trick lie together."""
        if self._lightest is not None:
            yield _seen_on(camera, self._lightest), _ROUND_MM
        read = max([*self._before, *self._read], key=lambda each: len(_well_read(each[1])), default=None)
        if read is not None and len(_well_read(read[1])) >= _TWO_READ:
            here = [moved(index, read[0], camera) for index in _well_read(read[1])]
            yield np.array([end for index in here for end in (index.top, index.bottom)]), _TOGETHER_MM

    def _region(self, camera: Camera, points: Array, beyond_mm: float = _ROUND_MM) -> Array | None:
        """The least and greatest x and y (2, 2) of the floor round points (N, 2) and so far beyond, whole pixels of
        the view that shows all of it; None where that view shows none of them."""
        reach = np.minimum(reach_of_picture(camera, self._image.shape[1::-1]), _WITHIN_MM)
        low, high = (at + reach for at in (points.min(axis=0) - beyond_mm, points.max(axis=0) + beyond_mm))
        region = np.clip([np.floor(low), np.ceil(high)], 0.0, np.floor(2 * reach)) - reach
        return region if (region[1] - region[0]).min() > _ROUND_MM else None

    def exactly_on(self, camera: Camera, cards: Sequence[IndexedCard], card_mm: tuple[float, float]) -> list[SeenIndex]:
        """The indices on the camera's floor, read as it shows them: on and round the `cards`, and round each index that
        was read there before, or on any floor with certainty. What is farther off was no card's index, and takes as
        long to read."""
        near = self.on(camera)  # on this very floor, where none was read on one that is nearly it
        certain = self._certain(camera)
        if self._alike(camera, EXACTLY) is not None:
            return _with_certain(self.on(camera, EXACTLY), certain)
        places = [card.pose.corners(*card_mm)[:, :2] for card in cards]
        seen = [*certain, *(i for i in near if i.probability >= LIKELIER_THAN_NOT)]
        places += [np.array([i.top, i.bottom]) for i in seen]
        if not places:
            return []
        region = self._region(camera, np.concatenate(places))
        if region is None:
            return []
        return _with_certain(self._within(camera, region), certain)

    def _certain(self, camera: Camera) -> list[SeenIndex]:
        """What was read with certainty on any floor, as it stands on that of this camera, each index once.

        Ink of one print is read as a whole in one view and in pieces in another: a king's index was read with 1.0 in
        three views and with 0.5 as a six in a fourth, on whose plane two cards were said surely without it.
        """
        seen = [(i, other) for other, read in self._read for i in read if i.probability > CERTAIN]
        seen.sort(key=lambda each: -each[0].probability)
        return _with_certain([], [moved(index, other, camera) for index, other in seen])

    def told_px(self) -> Array:
        """Both ends (N, 2, 2) in the picture of the indices that were read well, where two and more were on one floor,
        or of one that is certain: their cards are there."""
        camera, read = max(self._read, key=lambda each: _told(each[1]), default=(None, []))
        well = _well_read(read)[: None if _told(read) >= _TWO_READ else 1]
        if camera is None or not _told(read):
            return np.empty((0, 2, 2))
        ends = np.array([[*end, 0.0] for index in well for end in (index.top, index.bottom)])
        return camera.project(ends).reshape(-1, 2, 2)

    def has(self, camera: Camera) -> bool:
        """Whether indices were read on the camera's floor, or nearly on it."""
        return self._alike(camera, _ALIKE) is not None

    def _alike(self, camera: Camera, most: float) -> tuple[Camera, list[SeenIndex]] | None:
        for other, indices in self._read:
            if indices and _stretch(camera, other, np.array([index.middle for index in indices])) < most:
                return other, indices
        return None


def _common(regions: Sequence[Array]) -> Array | None:
    """What regions (2, 2) have in common, at least a little of it; None for no region."""
    if not regions:
        return None
    low, high = np.max(regions, axis=0)[0], np.min(regions, axis=0)[1]
    return np.array([low, np.maximum(high, low + _ROUND_MM)])


def _stretch(camera: Camera, other: Camera, places_mm: Array) -> float:
    """By how much at most (logarithm) one shows what the other has at these places (N, 2) of its floor larger or
    narrower."""
    steps = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    points = (places_mm[:, None] + steps).reshape(-1, 2)
    there = camera.to_plane(other.project(np.column_stack([points, np.zeros(len(points))])))[:, :2].reshape(-1, 3, 2)
    stretch = np.linalg.svd(there[:, 1:] - there[:, :1], compute_uv=False)
    return float(np.abs(np.log(stretch)).max())


def _with_certain(read: Sequence[SeenIndex], certain: Sequence[SeenIndex]) -> list[SeenIndex]:
    """Indices `read` on a plane and those that are `certain` where none of them is read well; the likeliest first."""
    found = list(read)
    for index in certain:
        there = [each for each in found if float(np.hypot(*(each.middle - index.middle))) < SAME_MM]
        if all(each.probability < READ_WELL for each in there):
            found = [*(each for each in found if all(each is not other for other in there)), index]
    return sorted(found, key=lambda index: -index.probability)


def _well_read(indices: Sequence[SeenIndex]) -> list[SeenIndex]:
    return [index for index in indices if index.probability > READ_WELL]


def _told(indices: Sequence[SeenIndex]) -> float:
    """How well indices tell where cards are: by how many are read well, where two are, or one is certain."""
    well = _well_read(indices)
    return (
        len(well)
        if len(well) >= _TWO_READ
        else max((i.probability for i in well if i.probability > CERTAIN), default=0.0)
    )


def _seen_on(camera: Camera, box_px: Array) -> Array:
    """Where the rim of a part of the picture (2, 2), its least and greatest column and row, lies on the floor (N, 2);
    far out where some of it is above the horizon."""
    (x0, y0), (x1, y1) = box_px
    rim = np.array([[x, y] for x in (x0, (x0 + x1) / 2, x1) for y in (y0, (y0 + y1) / 2, y1)])
    on = camera.to_plane(rim)
    ahead = camera.to_camera(on)[:, 2] > 0
    return on[:, :2] if ahead.all() else np.array([[-_WITHIN_MM, -_WITHIN_MM], [_WITHIN_MM, _WITHIN_MM]])


def moved(index: SeenIndex, before: Camera, after: Camera) -> SeenIndex:
    """An index on the floor of one camera, on that of another over the same picture."""
    ends = np.column_stack([np.array([index.top, index.bottom]), np.zeros(2)])
    top, bottom = after.to_plane(before.project(ends))[:, :2]
    return replace(index, top=top, bottom=bottom)
