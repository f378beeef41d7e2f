"""Guesses places of cards from SIFT keypoints: each match between a face and the photograph votes for a place.

A match of two keypoints fixes a similarity (Lowe, "Distinctive image features from scale-invariant keypoints", IJCV
2004, section 7.2: votes in bins of place, size and turn). Pips repeat on a face and between faces, so a keypoint of the
photograph votes for all faces whose keypoints look alike, not for the most alike alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.picture import Homography, Points, mm_from_cell

# Faces are looked at as a card of 180 to 250 pixels would look: the size of cards in the resized photographs.
_FACE_PX_PER_MM = 3.0
# The photograph's longer side is brought to this many pixels for keypoints, but never enlarged more than twice.
_LONGEST_SIDE_PX = 1100
_MOST_KEYPOINTS = 3500
_ALIKE = 0.80  # cosine of two RootSIFT descriptors below which they are not taken for the same print
_MOST_ALIKE_PER_KEYPOINT = 60
_TURN_BINS = 16
_LEAST_VOTES = 4
_MOST_BINS = 300


@dataclass(frozen=True, eq=False)
class PlaceGuess:
    """A place where a card may lie; `face` is the index of the face that speaks for it, None where any may."""

    px_from_mm: Homography
    face: int | None
    votes: float
    origin: str
    seen_mm: Points | None = None  # (N, 2): where on the card, in its frame, the face was recognised


@dataclass(frozen=True, eq=False)
class _Keypoints:
    xy: NDArray[np.float64]
    size: NDArray[np.float64]
    angle_deg: NDArray[np.float64]
    descriptor: NDArray[np.float32]


def _keypoints(grey: NDArray[np.uint8], most: int) -> _Keypoints:
    sift = cv2.SIFT_create(  # type: ignore[attr-defined]  # missing from some stubs only
        nfeatures=most, contrastThreshold=0.03
    )
    points, descriptors = sift.detectAndCompute(grey, None)
    if descriptors is None or not len(points):
        return _Keypoints(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 128), np.float32))
    root = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-9))
    return _Keypoints(
        np.array([p.pt for p in points]),
        np.array([p.size for p in points]),
        np.array([p.angle for p in points]),
        root.astype(np.float32),
    )


class FaceFeatures:
    """The keypoints of all faces of a deck, in the card frame."""

    def __init__(self, faces: DeckFaces) -> None:
        self.faces = faces
        grid = faces.grid(_FACE_PX_PER_MM)
        mm = mm_from_cell(grid)
        greys = (grid.grey_of(face) for face in range(len(faces.names)))
        found = [_keypoints(grey.clip(0, 255).astype(np.uint8), 400) for grey in greys]
        self.face = np.concatenate([np.full(len(f.size), i) for i, f in enumerate(found)])
        self.xy_mm = np.concatenate([transformed(mm, f.xy) for f in found])
        self.size_mm = np.concatenate([f.size for f in found]) / _FACE_PX_PER_MM
        self.angle_deg = np.concatenate([f.angle_deg for f in found])
        self.descriptor = np.concatenate([f.descriptor for f in found])

    def guesses(self, image_bgr: NDArray[np.uint8], most: int = 60) -> list[PlaceGuess]:
        """Up to `most` places by votes, best first, near duplicates removed."""
        factor = min(2.0, _LONGEST_SIDE_PX / max(image_bgr.shape[:2]))
        kind = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
        grey = cv2.cvtColor(cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=kind), cv2.COLOR_BGR2GRAY)
        seen = _keypoints(np.asarray(grey, np.uint8), _MOST_KEYPOINTS)
        if not len(seen.size):
            return []
        xy_px = (seen.xy + 0.5) / factor - 0.5
        pairs = self._alike(seen.descriptor)
        return self._clusters(xy_px, seen.size / factor, seen.angle_deg, pairs, most)

    def _alike(self, descriptor: NDArray[np.float32]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
        """Pairs (keypoint of the photograph, keypoint of a face) that look alike, and how alike."""
        seen, mine, alike = [], [], []
        for start in range(0, len(descriptor), 512):  # in slices: the whole matrix would take 100 MB
            cosine = descriptor[start : start + 512] @ self.descriptor.T
            top = cosine.max(axis=1, keepdims=True)
            # Print that repeats is alike everywhere; print that does not is matched where it is most alike.
            row, column = np.nonzero(cosine > np.maximum(_ALIKE, 1 - 2.2 * (1 - top) - 0.02))
            first = np.searchsorted(row, row, side="left")
            few = np.arange(len(row)) - first < _MOST_ALIKE_PER_KEYPOINT
            row, column = row[few], column[few]
            seen.append(row + start)
            mine.append(column)
            alike.append(cosine[row, column])
        return np.concatenate(seen), np.concatenate(mine), np.concatenate(alike)

    def _clusters(
        self,
        xy_px: NDArray[np.float64],
        size_px: NDArray[np.float64],
        angle_deg: NDArray[np.float64],
        pairs: tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]],
        most: int,
    ) -> list[PlaceGuess]:
        seen, mine, alike = pairs
        deck = self.faces.deck
        diagonal_mm = math.hypot(deck.width_mm, deck.height_mm)
        scale = size_px[seen] / self.size_mm[mine]
        # A keypoint's angle runs clockwise in the picture (y down) on the face and in the photograph alike.
        turn = np.deg2rad(angle_deg[seen] - self.angle_deg[mine])
        x_mm, y_mm = self.xy_mm[mine, 0], -self.xy_mm[mine, 1]
        centre_x = xy_px[seen, 0] - scale * (np.cos(turn) * x_mm - np.sin(turn) * y_mm)
        centre_y = xy_px[seen, 1] - scale * (np.sin(turn) * x_mm + np.cos(turn) * y_mm)
        usable = (scale * diagonal_mm > 40) & (scale * diagonal_mm < 1.5 * max(xy_px.max(), 100))
        votes = _Votes(seen, mine, alike, scale, turn, centre_x, centre_y, self.face[mine])
        return _strongest(votes.only(usable), xy_px, self.xy_mm, diagonal_mm, most)


@dataclass(frozen=True, eq=False)
class _Votes:
    seen: NDArray[np.intp]
    mine: NDArray[np.intp]
    alike: NDArray[np.float32]
    scale: NDArray[np.float64]
    turn: NDArray[np.float64]
    x_px: NDArray[np.float64]
    y_px: NDArray[np.float64]
    face: NDArray[np.intp]

    def only(self, chosen: NDArray[np.bool_]) -> _Votes:
        return _Votes(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


def _strongest(
    votes: _Votes, xy_px: NDArray[np.float64], xy_mm: NDArray[np.float64], diagonal_mm: float, most: int
) -> list[PlaceGuess]:
    """Bins with the most votes of one face, each with the affinity that fits its votes best."""
    if not len(votes.seen):
        return []
    weight = np.clip((votes.alike - _ALIKE) / (1 - _ALIKE), 0.05, 1.0)
    found: list[PlaceGuess] = []
    for shift in (0.0, 0.5):  # two grids of bins, half a bin apart, so that no cluster is cut on both
        for members, total in _fullest_bins(votes, weight, shift, diagonal_mm):
            fitted = _affinity(xy_mm[votes.mine[members]], xy_px[votes.seen[members]])
            if fitted is not None:
                found.append(PlaceGuess(fitted[0], int(votes.face[members[0]]), total, "features", fitted[1]))
    # How many keypoints agree on one affinity tells more than how many voted: carpets vote a lot.
    found.sort(key=lambda p: -len(p.seen_mm) if p.seen_mm is not None else 0)
    corner = np.array([[0.25, 0.35], [-0.25, 0.35], [-0.25, -0.35]]) * diagonal_mm
    guesses: list[PlaceGuess] = []
    places = np.zeros((0, 3, 2))
    for guess in found:
        place = transformed(guess.px_from_mm, corner)
        size = float(np.linalg.norm(place[0] - place[2]))
        if not len(places) or np.linalg.norm(places - place, axis=2).max(axis=1).min() > 0.05 * size:
            guesses.append(guess)
            places = np.concatenate([places, place[None]])
            if len(guesses) == most:
                break
    return guesses


def _fullest_bins(
    votes: _Votes, weight: NDArray[np.float64], shift: float, diagonal_mm: float
) -> list[tuple[NDArray[np.intp], float]]:
    """The votes in each of the fullest bins of face, size, turn and place, and their weight together."""
    s = np.floor(np.log2(votes.scale) + shift).astype(int)
    cell = 0.3 * diagonal_mm * 2.0 ** (s + 0.5 - shift)
    t = np.floor((votes.turn / (2 * math.pi)) % 1.0 * _TURN_BINS + shift).astype(int) % _TURN_BINS
    x = np.floor(votes.x_px / cell + shift).astype(int)
    y = np.floor(votes.y_px / cell + shift).astype(int)
    keys = np.zeros(len(s), np.int64)
    for part in (votes.face, s, t, x, y):  # mixed radix: one number a bin sorts faster than five
        low = int(part.min())
        keys = keys * (int(part.max()) - low + 1) + (part - low)
    _, which = np.unique(keys, return_inverse=True)
    which = which.reshape(-1)
    # One keypoint of the photograph counts once in a bin: the pips of a face would stuff the box.
    order = np.lexsort((-weight, votes.seen, which))
    first = np.ones(len(order), np.bool_)
    first[1:] = (which[order][1:] != which[order][:-1]) | (votes.seen[order][1:] != votes.seen[order][:-1])
    kept = order[first]
    total = np.bincount(which[kept], weights=weight[kept])
    count = np.bincount(which[kept])
    by_bin = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[by_bin], np.arange(len(count) + 1))
    fullest = [b for b in np.argsort(-total)[:_MOST_BINS] if count[b] >= _LEAST_VOTES]
    return [(by_bin[starts[b] : starts[b + 1]], float(total[b])) for b in fullest]


def _affinity(mm: NDArray[np.float64], px: NDArray[np.float64]) -> tuple[Homography, Points] | None:
    """The affinity card frame -> pixels that most votes agree with, and where on the card those are.

    None for a collapsed or mirrored one.
    """
    if len(np.unique(px, axis=0)) < 3:
        return None
    spread = float(np.linalg.norm(px.std(axis=0)))
    estimate, inliers = cv2.estimateAffinePartial2D(
        mm * [1.0, -1.0], px, method=cv2.RANSAC, ransacReprojThreshold=max(2.0, 0.08 * spread), maxIters=100
    )
    if np.shape(estimate) != (2, 3):  # None where no two votes agree, whatever the stubs say
        return None
    inlier = np.asarray(inliers).reshape(-1).astype(bool)
    if len(np.unique(px[inlier], axis=0)) >= 6:
        full, _ = cv2.estimateAffine2D(
            mm[inlier] * [1.0, -1.0],
            px[inlier],
            method=cv2.RANSAC,
            ransacReprojThreshold=max(2.0, 0.06 * spread),
            maxIters=100,
        )
        if np.shape(full) == (2, 3) and _plausible(full[:, :2]):
            estimate = full
    if not _plausible(estimate[:, :2]):
        return None
    return np.vstack([estimate, [0.0, 0.0, 1.0]]) @ np.diag([1.0, -1.0, 1.0]), mm[inlier]


def _plausible(linear: NDArray[Any]) -> bool:
    u, s, vt = np.linalg.svd(linear)
    return bool(np.linalg.det(u @ vt) > 0 and s[1] > 0.45 * s[0] and s[1] > 1e-3)
