"""Where boards may lie: keypoints of boards and of tiles agree on a homography.

One match of two keypoints fixes an affinity, and with it where the others should be (a RANSAC of one point: Lowe, IJCV
2004, section 7; Philbin et al., "Object retrieval with large vocabularies", CVPR 2007, section 4). Tiles look alike in
most of their print, so their keypoints vote for a lattice of tiles, whatever their names: which of its places is the
board's middle is found by how many tiles then lie on the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.printed.keypoints import Matches
from arena_cam.vision.printed.votes import worth_trying

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

MOST_TRIED, BIN_MM = 40, 6.0
LEAST_AGREE = 6
MOST_SEEDS = 3
# The odds that a match as like as this is a tile's own print rather than a patterned cloth's or another place of the
# print: even at 0.92, and e times as high for each 0.028 more (counted on 24 pictures of eight styles, where the
# boards lie is known). A chequered cloth has hundreds of keypoints that agree with a lattice of tiles at 0.85.
EVEN_ALIKE, ALIKE_SCALE = 0.92, 0.028
# An affinity is fixed by one keypoint: sizes and turns of keypoints are good to some 15 % and 10 degrees.
NEAR_MM, PER_MM = 3.0, 0.13
MOST_TURN = 0.5  # rad; foreshortening by 45 degrees turns keypoints by up to 10 degrees, too
FIT_MM = 2.5  # slips (1.5 mm), and a tile's height seen askew


@dataclass(frozen=True, eq=False)
class Seed:
    """A place of a board: `px_from_mm` (3, 3) from the board frame, and how many keypoints agree on it.

    `filled`: for each of the 19 cells whether tiles' keypoints are in it.
    """

    px_from_mm: Floats
    votes: int
    filled: tuple[bool, ...] = ()


def board_seeds(matches: Matches) -> list[Seed]:
    """Places that the boards' own print speaks for; `matches.mm` in the board frame."""
    seeds: list[Seed] = []
    left = np.ones(len(matches.mm), bool)
    for _ in range(MOST_SEEDS):
        inlier = _best_agreement(matches, left)
        if inlier is None:
            break
        fitted = _homography(matches.mm, matches.px, inlier, matches.mm, rounds=3)
        if fitted is not None:
            seeds.append(Seed(fitted[0], _distinct(matches, fitted[1])))
            inlier = inlier | fitted[1]
        left &= ~np.isin(matches.seen, matches.seen[inlier])
    return seeds


def _distinct(matches: Matches, inlier: Mask) -> int:
    """How many keypoints of the photograph are in it."""
    return len(np.unique(matches.seen[inlier]))


def _weighed(matches: Matches, weights: Floats, inlier: Mask) -> float:
    """What the photograph's keypoints in it say together, each by the likest of its matches."""
    chosen = np.flatnonzero(inlier)
    chosen = chosen[np.argsort(-weights[chosen], kind="stable")]
    return float(weights[chosen[np.unique(matches.seen[chosen], return_index=True)[1]]].sum())


def weights_of(matches: Matches) -> Floats:
    """What each match says for a place that it agrees with (M,): the logarithm of its likelihood ratio."""
    return np.asarray(np.log1p(np.exp((matches.alike - EVEN_ALIKE) / ALIKE_SCALE)), np.float64)


def _best_agreement(matches: Matches, left: Mask) -> Mask | None:
    best, most = None, LEAST_AGREE - 1
    for i in worth_trying(matches, left, BIN_MM, MOST_TRIED):
        near = np.flatnonzero(left & _same_way(matches, i))
        away = matches.mm[near] - matches.mm[i]
        back = (matches.px[near] - matches.px[i]) @ np.linalg.inv(matches.affine[i]).T
        close = np.linalg.norm(back - away, axis=1) < NEAR_MM + PER_MM * np.linalg.norm(away, axis=1)
        members = near[close]
        if len(members) > most:
            places = len(np.unique(np.round(matches.mm[members] / 2.0), axis=0))
            count = min(len(np.unique(matches.seen[members])), places)
            if count > most:
                best, most = np.zeros(len(left), bool), count
                best[members] = True
    return best


def _same_way(matches: Matches, i: int) -> Mask:
    """Which matches see the print turned and as large as match `i` does, but for perspective and foreshortening."""
    apart = np.abs(matches.turn - matches.turn[i])  # both within half a turn of 0
    turned = (apart < MOST_TURN) | (apart > 2 * np.pi - MOST_TURN)
    return np.asarray(turned & (matches.scale > 0.6 * matches.scale[i]) & (matches.scale < 1.65 * matches.scale[i]))


def _homography(mm: Floats, px: Floats, inlier: Mask, all_mm: Floats, rounds: int) -> tuple[Floats, Mask] | None:
    """The homography of the inliers, fitted robustly, and then who agrees with it."""
    for _ in range(rounds):
        if np.count_nonzero(inlier) < 5:
            return None
        spread = np.sqrt(np.abs(np.linalg.det(np.cov(px[inlier].T)) / max(np.linalg.det(np.cov(mm[inlier].T)), 1e-9)))
        scale = float(np.sqrt(spread))
        found: Any = cv2.findHomography(mm[inlier], px[inlier], cv2.RANSAC, max(FIT_MM * scale, 1.5), maxIters=300)[0]
        if found is None:
            return None
        fitted = np.asarray(found, np.float64)
        if not plausible(fitted, mm[inlier]):
            return None
        error = np.linalg.norm(transformed(fitted, all_mm) - px, axis=1)
        inlier = error < max(FIT_MM * scale, 1.5)
    return fitted, np.asarray(inlier)


def plausible(homography: Floats, points: Floats) -> bool:
    """Whether a flat board could be seen so: not mirrored, not behind the camera, not steeper than some 65 degrees."""
    ends = np.array([points.min(axis=0), points.max(axis=0)])
    corners = np.array([ends[0], [ends[1, 0], ends[0, 1]], ends[1], [ends[0, 0], ends[1, 1]]])
    depth = corners @ homography[2, :2] + homography[2, 2]
    if (depth <= 0).any() or depth.max() > 4.0 * depth.min():
        return False
    at = transformed(homography, np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]]))
    linear = np.column_stack([at[1] - at[0], at[2] - at[0]])
    sizes = np.linalg.svd(linear, compute_uv=False)
    return bool(np.linalg.det(linear) > 0 and sizes[1] > 0.3 * sizes[0] and sizes[1] > 3.0)


class Lattice:
    """Votes of tiles' keypoints for lattices of tiles; `cells_mm` (19, 2) in the board frame."""

    def __init__(self, cells_mm: Floats, names: tuple[str, ...]) -> None:
        at = dict(zip(names, cells_mm, strict=True))
        self.basis = np.column_stack([at["C4"] - at["C3"], at["D3"] - at["C3"]])
        self._back = np.linalg.inv(self.basis)
        self.index = np.round(cells_mm @ self._back.T).astype(int)

    def seeds(self, matches: Matches) -> list[list[Seed]]:
        """Lattices, each with the places of its board that are possible, likeliest first."""
        seeds: list[list[Seed]] = []
        left = np.ones(len(matches.mm), bool)
        for _ in range(MOST_SEEDS):
            found = self._best(matches, left)
            if found is None:
                break
            homography, index, inlier = found
            seeds.append(self._shifted(homography, index[inlier]))
            left &= ~np.isin(matches.seen, matches.seen[inlier])
        return [group for group in seeds if group]

    def _best(self, matches: Matches, left: Mask) -> tuple[Floats, NDArray[np.intp], Mask] | None:
        best, most = None, 0.0
        weights = weights_of(matches)
        for i in worth_trying(matches, left, BIN_MM, MOST_TRIED, weights):
            inlier, index = self._agreeing(matches, i, left)
            if _distinct(matches, inlier) >= LEAST_AGREE:
                said = _weighed(matches, weights, inlier)
                if said > most:
                    best, most = (inlier, index), said
        if best is None:
            return None
        return self._grown(matches, *best, left)

    def _agreeing(self, matches: Matches, i: int, left: Mask) -> tuple[Mask, NDArray[np.intp]]:
        """Who agrees with the lattice that match `i` fixes, and the lattice places of all."""
        near = np.flatnonzero(left & _same_way(matches, i))
        back = (matches.px[near] - matches.px[i]) @ np.linalg.inv(matches.affine[i]).T + matches.mm[i]
        agree, at = self._on_lattice(back, matches.mm[near], np.ones(len(near), bool), 90.0, PER_MM)
        inlier, index = np.zeros(len(left), bool), np.zeros((len(left), 2), np.intp)
        inlier[near], index[near] = agree, at
        return inlier, index

    def _on_lattice(
        self, at_mm: Floats, mm: Floats, usable: Mask, reach_mm: float, per_mm: float
    ) -> tuple[Mask, NDArray[np.intp]]:
        middle = at_mm - mm
        places = np.round(middle @ self._back.T)
        off = np.hypot(*(middle - places @ self.basis.T).T)
        far = np.hypot(*middle.T)
        index = places.astype(int)
        return np.asarray(usable & (off < np.minimum(NEAR_MM + per_mm * far, 9.0)) & (far < reach_mm)), index

    def _grown(
        self, matches: Matches, inlier: Mask, index: NDArray[np.intp], left: Mask
    ) -> tuple[Floats, NDArray[np.intp], Mask] | None:
        """From the tiles round the first one to the whole lattice, ring by ring."""
        homography = None
        for reach in (75.0, 115.0, 190.0, 190.0):
            on_lattice = index @ self.basis.T + matches.mm
            fitted = _homography(on_lattice, matches.px, inlier, on_lattice, rounds=1)
            if fitted is None:
                break
            homography = fitted[0]
            back = transformed(np.asarray(np.linalg.inv(homography), np.float64), matches.px)
            same = _turned_alike(matches, homography, back)
            inlier, index = self._on_lattice(back, matches.mm, same & left, reach, 0.02)
        return None if homography is None or _distinct(matches, inlier) < LEAST_AGREE else (homography, index, inlier)

    def _shifted(self, homography: Floats, index: NDArray[np.intp]) -> list[Seed]:
        """The homography with each place of the lattice as the middle that leaves most tiles on the board."""
        places, count = np.unique(index, axis=0, return_counts=True)
        tiles = {(int(a), int(b)): int(n) for (a, b), n in zip(places, count, strict=True) if n >= 3}
        tried: dict[tuple[int, int], int] = {}
        for a, b in tiles:
            for da, db in self.index:
                middle = (a - int(da), b - int(db))
                if middle not in tried:
                    tried[middle] = sum(tiles.get((middle[0] + int(x), middle[1] + int(y)), 0) for x, y in self.index)
        most = max(tried.values(), default=0)
        good = sorted((m for m in tried if tried[m] >= 0.93 * most), key=lambda m: -tried[m])[:19]
        out = []
        for middle in good:
            shift = np.eye(3)
            shift[:2, 2] = self.basis @ np.array(middle)
            filled = tuple((middle[0] + int(x), middle[1] + int(y)) in tiles for x, y in self.index)
            out.append(Seed(homography @ shift, tried[middle], filled))
        return out


def _turned_alike(matches: Matches, homography: Floats, at_mm: Floats) -> Mask:
    """Which matches are turned and as large as the homography says of their place."""
    depth = at_mm @ homography[2, :2] + homography[2, 2]
    px = transformed(homography, at_mm)
    jacobian = (homography[None, :2, :2] - px[:, :, None] * homography[None, 2:, :2]) / depth[:, None, None]
    good = np.abs(np.linalg.det(jacobian)) > 1e-9
    jacobian[~good] = np.eye(2)
    d = jacobian.reshape(-1, 4)
    scale = matches.scale / np.sqrt(np.abs(d[:, 0] * d[:, 3] - d[:, 1] * d[:, 2]))
    turn = np.abs((matches.turn - np.arctan2(d[:, 2] - d[:, 1], d[:, 0] + d[:, 3]) + np.pi) % (2 * np.pi) - np.pi)
    return np.asarray(good & (depth > 0) & (turn < MOST_TURN) & (scale > 0.6) & (scale < 1.65))
