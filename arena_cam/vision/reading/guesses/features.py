"""Guesses from the local features of the faces, to be checked by alignment.

In the plane of the floor every card has a known size. One feature is therefore enough for a whole pose, and guesses
that agree are counted (a Hough transform over x, y, rotation and face).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.picture_cache import fingerprint
from arena_cam.vision.kernels.calls import nearest as find_nearest
from arena_cam.vision.picture.robust import median
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM, FloorView
from arena_cam.vision.reading.guesses.guess import Finder, Guess, near, place_at

# What is kept of a deck's features, so many bytes each, and how they are found: another word whenever that changes
# within a version.
_KEPT_AS, _FOUND_SINCE = {"spots": (-1, 3 * 8), "words": (-1, 32), "faces": (-1, 8)}, b"ORB of two levels"


@dataclass(frozen=True, eq=False)
class ViewFeatures:
    """The features of a floor view: `keypoints` as OpenCV's, and where they are, `places` (N, 2): column, row."""

    view: FloorView
    keypoints: Sequence[Any]
    places: Array


class FeatureFinder:
    """Guesses from local features (ORB) of the deck's faces: works for any printed face, partly covered ones too."""

    # 1.5 px/mm: every camera that can referee at all resolves it, and corner figures of 4 mm are 6 px high.
    PX_PER_MM = 1.5
    _PER_FACE = 120
    _IN_VIEW = 1800
    _CELL_PX, _PER_CELL = 32, 6
    # What a feature is made of lies within so many pixels of it. The second level shows four fifths of the scale: parts
    # of a view that begin so many pixels apart show it the same pixels.
    ROUND_PX, PERIOD_PX = 32, 5
    _FEW = 700  # features, all of which are asked: what little is left of covered cards must speak
    _POSITION_BIN_MM = 6.0
    _ANGLE_BIN_DEG = 12.0

    def __init__(self, faces: DeckFaces) -> None:
        self._faces = faces
        self._single: dict[int, tuple[Array, NDArray[np.uint8]]] = {}
        kept = self._kept_or_found()
        self._spots: Array = kept["spots"].view(np.float64)  # x_mm, y_mm, angle_deg (clockwise, as OpenCV's)
        self._descriptors = kept["words"]
        self._numbers: NDArray[np.int64] = kept["faces"].view(np.int64)[:, 0]

    def _kept_or_found(self) -> dict[str, NDArray[np.uint8]]:
        """The features of all faces as bytes: places, words and numbers of faces. To look for them is a tenth of what a
        start costs."""
        faces, numbers = self._faces, range(len(self._faces.names))
        if faces.cache is None:
            return self._found()
        grid, deck = faces.grid(self.PX_PER_MM), faces.deck
        pictures = (grid.small_of(face).tobytes() for face in numbers)
        key = fingerprint([_FOUND_SINCE, *pictures], [self.PX_PER_MM, deck.width_mm, deck.height_mm])
        kept = faces.cache.load(key, _KEPT_AS)
        if kept is None:
            kept = self._found()
            faces.cache.save(key, kept)
        return kept

    def _found(self) -> dict[str, NDArray[np.uint8]]:
        spots, words = zip(*(self._features_of(face) for face in range(len(self._faces.names))), strict=True)
        of_face = np.repeat(np.arange(len(spots), dtype=np.int64), [len(each) for each in spots])
        found = np.concatenate(spots), np.concatenate(words), of_face[:, None]
        return {name: stack.view(np.uint8) for name, stack in zip(_KEPT_AS, found, strict=True)}

    @staticmethod
    def _orb(count: int) -> Any:
        # Two levels 1.25 apart cover what heights up to a wall and a tilted camera change in scale.
        return cv2.ORB.create(count, scaleFactor=1.25, nlevels=2, edgeThreshold=12, patchSize=25, fastThreshold=7)

    def _features_of(self, face: int, count: int = _PER_FACE) -> tuple[Array, NDArray[np.uint8]]:
        grid = self._faces.grid(self.PX_PER_MM)
        # blurred as values: as light, features found one card more of one drawn deck, and two fewer of another
        picture = np.asarray(cv2.cvtColor(grid.bgr_of(face), cv2.COLOR_BGR2GRAY))
        picture[~grid.mask] = median(picture[0])
        pad = 16
        bordered = cv2.copyMakeBorder(
            np.clip(picture, 0, 255).astype(np.uint8), pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(60,)
        )
        keypoints, words = self._orb(count).detectAndCompute(bordered, None)
        if words is None:
            return np.empty((0, 3)), np.empty((0, 32), np.uint8)
        deck = self._faces.deck
        column, row, angle = _places_of(keypoints).T
        x = (column - pad + 0.5) / self.PX_PER_MM - deck.width_mm / 2
        y = deck.height_mm / 2 - (row - pad + 0.5) / self.PX_PER_MM
        return np.stack([x, y, angle], axis=1), words

    def look(self, view: FloorView, mask: NDArray[np.uint8] | None = None) -> ViewFeatures:
        """The features of a floor view where `mask` (of any size) is set, the strongest first; descriptors are computed
        when they are needed."""
        mask = None if mask is None else view.masked(mask)
        keypoints = sorted(self._orb(6 * self._IN_VIEW).detect(view.grey, mask), key=lambda k: -k.response)
        return ViewFeatures(view, keypoints, _places_of(keypoints)[:, :2])

    def find(
        self, features: ViewFeatures, allowed: NDArray[np.bool_], also: int | None = None, *, thinned: bool = False
    ) -> list[Guess]:
        """The best supported guesses in a floor view, strongest first, then those for the face `also`, looked for more
        closely; `allowed` (N,) says which features count. `thinned`: the strongest of each place will do."""
        places, words = self._chosen(features, allowed, 0 if thinned else self._FEW)
        guesses = self._find_any(features, places, words)
        return guesses if also is None else guesses + self._find_face(features, places, words, also)

    def _find_any(self, features: ViewFeatures, places: Array, words: NDArray[np.uint8], most: int = 22) -> list[Guess]:
        if len(places) < 4:
            return []
        query, train, distance = _matches(words, self._descriptors, 3, 70)
        votes = _votes_for(features.view, places, query, self._spots[train], self._numbers[train], distance)
        return self._clusters(votes, most)

    def _find_face(
        self, features: ViewFeatures, places: Array, words: NDArray[np.uint8], face: int, most: int = 8
    ) -> list[Guess]:
        """Guesses for one face; even two features that agree are a guess."""
        if face not in self._single:
            self._single[face] = self._features_of(face, 3 * self._PER_FACE)
        spots, known = self._single[face]
        if len(places) < 2 or len(spots) < 2:
            return []
        query, train, distance = _matches(words, known, 2, 76)
        if not len(query):
            return []
        numbers = np.full(len(query), face)
        return self._clusters(_votes_for(features.view, places, query, spots[train], numbers, distance), most)

    def _chosen(self, features: ViewFeatures, allowed: NDArray[np.bool_], few: int) -> tuple[Array, NDArray[np.uint8]]:
        """Features spread over the view: each cell gives its strongest, so that a busy tablecloth does not take them
        all. If there are only `few`, all are taken.

        Places (N, 3): column, row, angle (deg, clockwise), and descriptors (N, 32).
        """
        numbers = np.flatnonzero(allowed)
        most = self._PER_CELL if len(numbers) > few else len(numbers)
        part = features.view.part
        begin = (0, 0) if part is None else (part.column, part.row)
        cell = ((features.places[numbers] + begin) // self._CELL_PX).astype(np.intp) @ np.array([1, 4096])
        order = np.argsort(cell, kind="stable")
        first = np.r_[True, cell[order][1:] != cell[order][:-1]] if len(order) else np.empty(0, bool)
        start = np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
        kept = np.sort(numbers[order[np.arange(len(order)) - start < most]])[: self._IN_VIEW]
        keypoints, words = self._orb(self._IN_VIEW).compute(features.view.grey, [features.keypoints[i] for i in kept])
        if words is None:
            return np.empty((0, 3)), np.empty((0, 32), np.uint8)
        return _places_of(keypoints), words

    def _clusters(self, votes: Array, most: int) -> list[Guess]:
        """Places and rotations on which the votes agree, whatever the face, each with the face that most votes name.

        Cards of one colour often share a background, whose features give the place of a card before anything gives its
        name. A feature counts once for a place, with its best match.
        """
        bins = np.zeros((len(votes) * 2, 3), np.int64)
        turns = round(360 / self._ANGLE_BIN_DEG)
        for half, shift in enumerate((0.0, 0.5)):
            part = slice(half * len(votes), (half + 1) * len(votes))
            bins[part, 0] = np.floor(votes[:, 1] / self._POSITION_BIN_MM + shift) + 500
            bins[part, 1] = np.floor(votes[:, 2] / self._POSITION_BIN_MM + shift) + 500
            bins[part, 2] = np.floor(votes[:, 3] / self._ANGLE_BIN_DEG + shift) % turns + turns * half
        key = (bins[:, 0] * 1000 + bins[:, 1]) * 64 + bins[:, 2]
        _, unique = np.unique(key, return_inverse=True)
        inverse = unique.ravel()
        sums = np.bincount(inverse, np.tile(votes[:, 4], 2))
        in_order, weighted = np.argsort(inverse, kind="stable"), _weighted(votes)
        ends = np.cumsum(np.bincount(inverse)).tolist()
        guesses: list[Guess] = []
        places: list[Array] = []
        for place in np.argsort(-sums)[: most * 6].tolist():
            if sums[place] < 1.0 or len(guesses) >= most:
                break
            mean = _mean_vote(weighted, in_order[ends[place - 1] if place else 0 : ends[place]] % len(votes))
            if any(near(mean, other, 9.0, 16.0) for other in places):
                continue
            mine = np.flatnonzero(_near_all(votes, mean, 6.0, 12.0))
            if len(mine):
                guesses.append(self._guess(votes[mine], _mean_vote(weighted, mine)))
                places.append(place_at(guesses[-1].pose))
        return sorted(guesses, key=lambda p: -p.votes)

    def _guess(self, mine: Array, mean: Array) -> Guess:
        """The guess that some votes (N, 6) make, and the `mean` place and angle (3,) of these."""
        by_face = np.bincount(mine[:, 0].astype(np.intp), mine[:, 4], len(self._faces.names))
        face = int(np.argmax(by_face))
        best_by_feature: dict[int, float] = {}
        for feature, weight in zip(mine[:, 5].astype(int), mine[:, 4], strict=True):
            best_by_feature[feature] = max(best_by_feature.get(feature, 0.0), weight)
        pose = CardPose.flat(mean[0], mean[1], mean[2], GUESS_HEIGHT_MM)
        return Guess(face, pose, float(sum(best_by_feature.values())), Finder.FEATURES)


def _places_of(keypoints: Sequence[Any]) -> Array:
    """Column, row and angle (deg, clockwise) of OpenCV's keypoints (N, 3)."""
    places = np.empty((len(keypoints), 3))
    places[:, :2] = np.reshape(cv2.KeyPoint.convert(keypoints), (-1, 2))
    places[:, 2] = np.fromiter((k.angle for k in keypoints), np.float64, len(keypoints))
    return places


def _matches(
    words: NDArray[np.uint8], known: NDArray[np.uint8], nearest: int, below: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
    """For each of `words` (N, 32) its `nearest` among `known` (M, 32) that differ in less than `below` bits: numbers of
    both, and the distance."""
    distance, number = find_nearest(words, known, nearest) or cv2.batchDistance(
        words, known, cv2.CV_32S, None, None, cv2.NORM_HAMMING, nearest
    )
    query, rank = np.nonzero(distance < below)
    return query, number[query, rank].astype(np.intp), distance[query, rank].astype(np.float64)


def _votes_for(
    view: FloorView,
    places: Array,
    query: NDArray[np.intp],
    spot: Array,
    numbers: NDArray[np.integer],
    distance: Array,
) -> Array:
    """Votes (N, 6) of matches between features `query` of the view and `spot` (N, 3) on the faces `numbers`."""
    angle = -np.radians(places[query, 2] - spot[:, 2])
    x, y = view.world(places[query, 0], places[query, 1])
    c, s = np.cos(angle), np.sin(angle)
    # A match's worth falls with its Hamming distance; 64 of 256 bits is where true and false are equally common.
    weight = np.clip((70.0 - distance) / 40.0, 0.05, 1.0)
    return np.stack(
        [
            numbers.astype(float),
            x - (c * spot[:, 0] - s * spot[:, 1]),
            y - (s * spot[:, 0] + c * spot[:, 1]),
            np.degrees(angle) % 360.0,
            weight,
            query.astype(float),
        ],
        axis=1,
    )


def _weighted(votes: Array) -> Array:
    """Of each of the votes (N, 6) its place, and the sine and the cosine of its angle, times its weight, and that
    (5, N): a hundred means of some of them are asked for."""
    weight, angle = votes[:, 4], np.radians(votes[:, 3])
    return np.stack(
        [votes[:, 1] * weight, votes[:, 2] * weight, weight * np.sin(angle), weight * np.cos(angle), weight]
    )


def _mean_vote(weighted: Array, these: NDArray[np.intp]) -> Array:
    """The mean place (mm) and angle (deg) of the votes with the numbers `these`: (3,)."""
    x, y, sine, cosine, total = np.add.reduce(weighted.take(these, axis=1), axis=1)
    return np.array([x / total, y / total, np.degrees(np.arctan2(sine, cosine))])


def _near_all(votes: Array, mean: Array, mm: float, deg: float) -> NDArray[np.bool_]:
    turn = np.abs((votes[:, 3] - mean[2] + 180) % 360 - 180)
    return np.asarray((np.hypot(votes[:, 1] - mean[0], votes[:, 2] - mean[1]) < mm) & (turn < deg))
